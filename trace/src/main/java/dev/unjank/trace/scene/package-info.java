/**
 * Small traces made by hand: a {@code Scene} takes the timeline of each thread and derives consistent kernel events. Used by
 * tests of several modules and by benchmarks.
 */
@NullMarked
package dev.unjank.trace.scene;

import org.jspecify.annotations.NullMarked;
