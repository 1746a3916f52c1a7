/**
 * Benchmarks that compare candidates side by side, with targets.
 *
 * <p>Each candidate runs in a JVM of its own, they take turns in every round, and a target is judged by the median of
 * the rounds' ratios. {@link dev.unjank.workbench.bench.comparison.ComparisonBenchmark} is the entry point.
 */
@NullMarked
package dev.unjank.workbench.bench.comparison;

import org.jspecify.annotations.NullMarked;
