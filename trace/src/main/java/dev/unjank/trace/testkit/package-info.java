/**
 * Tools of tests and benchmarks that make traces from traces: repeat, cut, write as systrace; and the invariants that every
 * trace must satisfy.
 */
@NullMarked
package dev.unjank.trace.testkit;

import org.jspecify.annotations.NullMarked;
