package dev.unjank.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The system call futex(2): threads sleep on a 32-bit word of off-heap memory until another thread wakes them.
 *
 * <p>The kernel compares the word and puts the thread to sleep atomically with respect to the calls that wake, so no
 * wake-up is lost between the two. A sleep may end spuriously, so callers must check the word again.
 *
 * <p>JVM tools report a thread that sleeps here as RUNNABLE, and {@link Thread#interrupt} does not wake it. It delays
 * neither safepoints nor garbage collections. A virtual thread pins its carrier.
 *
 * <p>If the memory of the word has been freed, every method throws the exception that any access to the segment throws.
 * Unexpected errors are reported as {@link SystemCallException}. {@link #obstacle} returns why futexes are unavailable,
 * if they are. While a thread is in one of these methods, the arena of the word cannot be closed.
 */
public final class Futex {
    /** A deadline that never expires. */
    public static final long NO_DEADLINE = Long.MAX_VALUE;

    /** The bitset that matches every other bitset. */
    public static final int ANY = -1;

    /** Mask of the owner's thread id in a PI futex word (FUTEX_TID_MASK); the id is 0 if the word is unlocked. */
    public static final int PI_OWNER = 0x3fff_ffff;

    /** Flag in a PI futex word: the owner exited without unlocking it (FUTEX_OWNER_DIED). */
    public static final int PI_OWNER_DIED = 0x4000_0000;

    /** Flag in a PI futex word: threads wait, so the owner must call {@link #unlockPi} (FUTEX_WAITERS). */
    public static final int PI_WAITERS = 0x8000_0000;

    private static final int WAKE = 1;
    private static final int CMP_REQUEUE = 4;
    private static final int LOCK_PI = 6;
    private static final int UNLOCK_PI = 7;
    private static final int TRYLOCK_PI = 8;
    private static final int WAIT_BITSET = 9;
    private static final int WAKE_BITSET = 10;
    private static final int LOCK_PI2 = 13;

    private Futex() {}

    /** The set of threads that may use a word. All users of a word must use the same scope. */
    public enum Scope {
        /** The threads of this process. */
        PROCESS(128),

        /** Threads of all processes that have mapped the same file or shared memory. */
        MACHINE(0);

        private final int flag;

        Scope(int flag) {
            this.flag = flag;
        }
    }

    /** Tests on first use whether futexes are available. */
    private static final class Trial {
        static final @Nullable String OBSTACLE = trial(false);
        static final @Nullable String PI_OBSTACLE = OBSTACLE != null ? OBSTACLE : trial(true);

        private static @Nullable String trial(boolean isPi) {
            String obstacle = SystemCall.obstacle();
            if (obstacle != null) {
                return obstacle;
            }
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment word = arena.allocate(JAVA_INT);
                if (isPi) {
                    int locked = lockPi(word, Scope.PROCESS, NO_DEADLINE);
                    int unlocked = unlockPi(word, Scope.PROCESS);
                    return locked == 0 && unlocked == 0
                            ? null
                            : "futexes with priority inheritance: " + Errno.name(Math.max(locked, unlocked));
                }
                wake(word, 1, Scope.PROCESS);
                int unequal = await(word, 1, Scope.PROCESS, System.nanoTime());
                return unequal == Errno.EAGAIN ? null : "futexes: " + Errno.name(unequal) + " in a trial";
            } catch (RuntimeException | LinkageError e) {
                return "futexes failed in a trial: " + e; // such as in a sandbox, or without a native linker
            }
        }
    }

    /**
     * Returns why sleeping and waking are unavailable on this system.
     *
     * @return the reason; null if they are available
     */
    public static @Nullable String obstacle() {
        return Trial.OBSTACLE;
    }

    /**
     * Returns why the methods with priority inheritance are unavailable on this system: the kernel does not support
     * them, or a sandbox forbids them.
     *
     * @return the reason; null if they are available
     */
    public static @Nullable String piObstacle() {
        return Trial.PI_OBSTACLE;
    }

    /**
     * Puts the calling thread to sleep if the word has the expected value, until another thread wakes it.
     *
     * @param word the futex word
     * @param expected the value
     * @param scope which threads use the word
     * @param deadline on the clock of {@link System#nanoTime}, or {@link #NO_DEADLINE}
     * @return 0 if the thread was woken, possibly spuriously; {@link Errno#EAGAIN} if the word has another value;
     *     {@link Errno#EINTR}; {@link Errno#ETIMEDOUT}
     */
    public static int await(MemorySegment word, int expected, Scope scope, long deadline) {
        return await(word, expected, scope, deadline, ANY);
    }

    /**
     * Sleeps like {@link #await(MemorySegment, int, Scope, long)}, but only wake-ups with a matching bitset end the
     * sleep.
     *
     * @param word the futex word
     * @param expected the value
     * @param scope which threads use the word
     * @param deadline on the clock of {@link System#nanoTime}, or {@link #NO_DEADLINE}
     * @param bits a bitset, not 0: only wake-ups with at least one of these bits end the sleep
     * @return as {@link #await(MemorySegment, int, Scope, long)}
     */
    public static int await(MemorySegment word, int expected, Scope scope, long deadline, int bits) {
        long result = SystemCall.FUTEX.call(
                word, WAIT_BITSET | scope.flag, expected, time(deadline), MemorySegment.NULL, bits);
        return answer(result, Errno.EAGAIN, Errno.EINTR, Errno.ETIMEDOUT);
    }

    /**
     * Wakes threads that sleep on the word.
     *
     * @param word the word
     * @param most the maximum number to wake
     * @param scope which threads use the word
     * @return the number of threads woken
     */
    public static int wake(MemorySegment word, int most, Scope scope) {
        return (int) SystemCall.FUTEX.checked(SystemCall.FUTEX.call(word, WAKE | scope.flag, most));
    }

    /**
     * Wakes threads that sleep on the word with a matching bitset.
     *
     * @param word the word
     * @param most the maximum number to wake
     * @param scope which threads use the word
     * @param bits a bitset, not 0: only threads that sleep with at least one of these bits are woken
     * @return the number of threads woken
     */
    public static int wake(MemorySegment word, int most, Scope scope, int bits) {
        return (int) SystemCall.FUTEX.checked(SystemCall.FUTEX.call(
                word, WAKE_BITSET | scope.flag, most, MemorySegment.NULL, MemorySegment.NULL, bits));
    }

    /**
     * Requeues all threads that sleep on one word to another, if the first has the expected value.
     *
     * @param from the word on which the threads sleep
     * @param expected its expected value
     * @param to the other word
     * @param scope which threads use the words
     * @return the number of threads requeued; -1 if the word had another value
     */
    public static int requeue(MemorySegment from, int expected, MemorySegment to, Scope scope) {
        long result = SystemCall.FUTEX.call(
                from, CMP_REQUEUE | scope.flag, 0, SystemCall.number(Integer.MAX_VALUE), to, expected);
        return answer(result, Errno.EAGAIN) == 0 ? (int) result : -1;
    }

    /**
     * Locks a PI futex. While threads wait, the owner inherits the highest priority among them. Only priorities of the
     * real-time classes count: nice values are not inherited.
     *
     * @param word a word in the kernel's format: {@link #PI_OWNER}, {@link #PI_WAITERS}, {@link #PI_OWNER_DIED}
     * @param scope which threads use the word
     * @param deadline on the clock of {@link System#nanoTime}, or {@link #NO_DEADLINE}
     * @return 0 if the calling thread owns the word now; {@link Errno#EDEADLK} if it already did; {@link Errno#ESRCH}
     *     if no thread has the owner's id; {@link Errno#EAGAIN} if the caller should try again; {@link Errno#EINTR};
     *     {@link Errno#ETIMEDOUT}; {@link Errno#EINVAL} if the word does not match the kernel's state; {@link
     *     Errno#EPERM} if the word names a thread that cannot own it; {@link Errno#ENOSYS}
     */
    public static int lockPi(MemorySegment word, Scope scope, long deadline) {
        long result;
        if (deadline == NO_DEADLINE) {
            result = SystemCall.FUTEX.call(word, LOCK_PI | scope.flag, 0);
        } else {
            result = pi(word, LOCK_PI2 | scope.flag, time(deadline));
            if (result == -Errno.ENOSYS) { // before Linux 5.14: FUTEX_LOCK_PI, with a deadline on CLOCK_REALTIME
                Instant end = Instant.now().plusNanos(deadline - System.nanoTime());
                result = pi(
                        word, LOCK_PI | scope.flag, SystemCall.timespec(ChronoUnit.NANOS.between(Instant.EPOCH, end)));
            }
        }
        return piAnswer(result);
    }

    /**
     * Locks a PI futex without waiting, if it has no owner or its owner has ended.
     *
     * @param word a word as for {@link #lockPi}
     * @param scope which threads use the word
     * @return as {@link #lockPi}; {@link Errno#EAGAIN} if another thread owns the word
     */
    public static int tryLockPi(MemorySegment word, Scope scope) {
        return piAnswer(pi(word, TRYLOCK_PI | scope.flag, MemorySegment.NULL));
    }

    /**
     * Unlocks a PI futex that the calling thread owns, and hands it to the waiter with the highest priority.
     *
     * @param word a word as for {@link #lockPi}
     * @param scope which threads use the word
     * @return 0 if the word was unlocked; {@link Errno#EPERM} if the calling thread does not own it; {@link
     *     Errno#EINVAL} if the word does not match the kernel's state; {@link Errno#EAGAIN} if the caller should try
     *     again; {@link Errno#ENOSYS}
     */
    public static int unlockPi(MemorySegment word, Scope scope) {
        return piAnswer(pi(word, UNLOCK_PI | scope.flag, MemorySegment.NULL));
    }

    private static long pi(MemorySegment word, int operation, MemorySegment timeout) {
        return SystemCall.FUTEX.call(word, operation, 0, timeout, MemorySegment.NULL, 0);
    }

    private static int piAnswer(long result) {
        return answer(
                result,
                Errno.EDEADLK,
                Errno.ESRCH,
                Errno.EAGAIN,
                Errno.EINTR,
                Errno.ETIMEDOUT,
                Errno.EINVAL,
                Errno.EPERM,
                Errno.ENOSYS);
    }

    private static MemorySegment time(long deadline) {
        return deadline == NO_DEADLINE ? MemorySegment.NULL : SystemCall.timespec(Math.max(0, deadline));
    }

    /** Returns 0 on success, or the error if it is an expected one; throws otherwise. */
    private static int answer(long result, int... answers) {
        if (result >= 0) {
            return 0;
        }
        for (int answer : answers) {
            if (result == -answer) {
                return answer;
            }
        }
        throw SystemCall.FUTEX.failure(result);
    }
}
