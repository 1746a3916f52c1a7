/**
 * Traces for tests and benchmarks. A {@code Scene} takes the timeline of each thread and derives consistent kernel
 * events; {@code TraceRepeater} and {@code TraceCutter} make longer and shorter traces from one; {@code
 * TraceInvariants} checks any.
 */
@NullMarked
package dev.unjank.scene;

import org.jspecify.annotations.NullMarked;
