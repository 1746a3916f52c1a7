/**
 * Locks on 32-bit futex words outside the heap. They offer what locks on the heap cannot: priority inheritance by the
 * kernel, and sharing between processes, both Java VMs and C programs.
 *
 * <pre>
 * PiMutex              its owner inherits the real-time priority of waiters in the kernel; survives the owner's death
 * FutexMutex           the three-state mutex: one word, no owner, not robust
 *   FutexCondition     a condition of a FutexMutex
 * FutexReadWriteLock   many readers or one writer: one word
 * OwnerDiedException   the owner of a PiMutex has ended without releasing it
 * </pre>
 *
 * <p><b>When not to use them.</b> Between threads of one Java VM prefer a lock of java.util.concurrent, or {@link
 * dev.unjank.locks.VipLock}: a thread that waits here is RUNNABLE for every tool of the JVM, thread dumps do not show
 * the owner, and interrupts are noticed only after some milliseconds.
 *
 * <p><b>Sharing.</b> A lock of scope {@link dev.unjank.linux.Futex.Scope#MACHINE} lies in memory mapped by all
 * processes, such as a file below {@code /dev/shm}. All see the same words; each makes its own objects over them. Words
 * begin as zeros, so a new file needs no initialization. C programs must follow the word tables in the documentation of
 * the classes.
 *
 * <p><b>Virtual threads</b> are rejected, always and not only when they would have to wait: the kernel knows only the
 * carrier, which changes at the next yield, and a waiting one would keep its carrier from the owner.
 *
 * <p><b>Errors.</b> {@link java.lang.UnsupportedOperationException} where the system has no futexes (not Linux, native
 * access not enabled, a sandbox, for {@code PiMutex} a kernel without priority inheritance); {@link
 * java.lang.IllegalMonitorStateException} for a release without ownership; {@link java.lang.IllegalStateException} for
 * memory that has been freed, and for a word with a value that no lock writes.
 */
@NullMarked
package dev.unjank.locks.futex;

import org.jspecify.annotations.NullMarked;
