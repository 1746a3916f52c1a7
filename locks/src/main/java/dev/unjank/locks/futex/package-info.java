/**
 * Locks on 32-bit off-heap futex words. Unlike locks on the heap they support priority inheritance by the kernel, and
 * sharing between processes (JVMs and C programs).
 *
 * <pre>
 * PiMutex              its owner inherits the real-time priority of waiters in the kernel; survives the owner's death
 * FutexMutex           the three-state mutex: one word, no owner, not robust
 *   FutexCondition     a condition of a FutexMutex
 * FutexReadWriteLock   many readers or one writer: one word
 * OwnerDiedException   the owner of a PiMutex has ended without releasing it
 * </pre>
 *
 * <p><b>When not to use them.</b> Between threads of one JVM prefer a lock of java.util.concurrent, or {@link
 * dev.unjank.locks.VipLock}: JVM tools report a thread that waits here as RUNNABLE, thread dumps do not show the owner,
 * and interrupts are noticed only after some milliseconds.
 *
 * <p><b>Sharing.</b> A lock of scope {@link dev.unjank.linux.Futex.Scope#MACHINE} lies in memory that all processes
 * have mapped, such as a file below {@code /dev/shm}. Each process creates its own objects over the shared words. An
 * unlocked word is zero, so a new file needs no initialization. C programs must follow the word tables in the
 * documentation of the classes.
 *
 * <p><b>Virtual threads</b> are always rejected, not only when they would have to wait: the kernel schedules only the
 * carrier, which may change at the next yield, and a waiting virtual thread would block its carrier, which the owner
 * may need.
 *
 * <p><b>Errors.</b> {@link java.lang.UnsupportedOperationException} if futexes are unavailable (not Linux, native
 * access not enabled, a sandbox, for {@code PiMutex} a kernel without priority inheritance); {@link
 * java.lang.IllegalMonitorStateException} for a release without ownership; {@link java.lang.IllegalStateException} for
 * memory that has been freed, and for a word with a value that no lock writes.
 */
@NullMarked
package dev.unjank.locks.futex;

import org.jspecify.annotations.NullMarked;
