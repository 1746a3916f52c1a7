/**
 * {@code unjank bench record}: the overhead of recording for the target process, in CPU time and missed frames.
 */
@NullMarked
package dev.unjank.workbench.bench.record;

import org.jspecify.annotations.NullMarked;
