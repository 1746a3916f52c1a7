/**
 * {@code unjank bench locks}: the locks against the JDK's and the kernel's, one class for each question.
 *
 * <p>{@link dev.unjank.workbench.bench.locks.LockBenchmarks} lists them,
 * {@link dev.unjank.workbench.bench.locks.LockKind} the locks.
 */
@NullMarked
package dev.unjank.workbench.bench.locks;

import org.jspecify.annotations.NullMarked;
