/**
 * Locks on 32-bit words of memory outside the heap, for what locks on the heap cannot do: real priority inheritance by the kernel, and
 * sharing between processes, be they Java VMs or C programs.
 *
 * <pre>
 * PiMutex              the kernel lends the owner the real-time priority of who waits; survives the owner's death
 * FutexMutex           the three-state mutex: one word, no owner, not robust
 *   FutexCondition     waiting for more than the mutex
 * FutexReadWriteLock   many readers or one writer: one word
 * OwnerDiedException   the owner of a PiMutex has ended without releasing it
 * </pre>
 *
 * <p><b>When not.</b> Between threads of one Java VM a lock of java.util.concurrent, or {@link dev.unjank.locks.VipLock}, is the better
 * one: a thread that waits here is RUNNABLE to every tool of the JVM, no thread dump knows the owner, and an interrupt reaches it only
 * after some milliseconds.
 *
 * <p><b>Sharing.</b> A lock of scope {@link dev.unjank.linux.Futex.Scope#MACHINE} lies in memory that is mapped by all, such as a file
 * below {@code /dev/shm}. All sides see the same words; each makes its own objects over them. Words begin as zeros, hence a new file
 * needs no initialization. The word tables on the pages of the classes are what a C program has to follow.
 *
 * <p><b>Virtual threads</b> are refused, always and not only when they would have to wait: the kernel knows the carrier only, which is
 * another one after the next yield, and a waiting one would keep its carrier from the owner.
 *
 * <p><b>Errors.</b> {@link java.lang.UnsupportedOperationException} where the system has no futexes (not Linux, native access not enabled,
 * a sandbox, for {@code PiMutex} a kernel without priority inheritance); {@link java.lang.IllegalMonitorStateException} for releasing
 * what one does not own; {@link java.lang.IllegalStateException} for memory that has been freed, and for a word that has a value which
 * no lock gives it.
 */
@NullMarked
package dev.unjank.locks.futex;

import org.jspecify.annotations.NullMarked;
