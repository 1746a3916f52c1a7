/**
 * Tools for tests and benchmarks that derive traces from traces: repeat, cut, write as systrace; and the invariants
 * of every trace.
 */
@NullMarked
package dev.unjank.trace.testkit;

import org.jspecify.annotations.NullMarked;
