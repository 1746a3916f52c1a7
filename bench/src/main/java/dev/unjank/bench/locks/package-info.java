/**
 * The locks against their peers: what taking one costs, how long an important thread waits, and how fast two threads hand over to
 * each other. {@link dev.unjank.bench.locks.LockBenchmarks} lists the questions, {@link dev.unjank.bench.locks.LockKind} who takes
 * part.
 */
@NullMarked
package dev.unjank.bench.locks;

import org.jspecify.annotations.NullMarked;
