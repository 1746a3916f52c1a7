/**
 * {@code unjank bench locks}: compares the locks with the JDK's and the kernel's, one class per benchmark.
 *
 * <p>{@link dev.unjank.workbench.bench.locks.LockBenchmarks} lists them,
 * {@link dev.unjank.workbench.bench.locks.LockKind} the locks.
 */
@NullMarked
package dev.unjank.workbench.bench.locks;

import org.jspecify.annotations.NullMarked;
