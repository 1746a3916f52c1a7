package dev.unjank.locks.futex;

import dev.unjank.linux.Errno;
import dev.unjank.linux.Futex;
import dev.unjank.linux.Futex.Scope;
import dev.unjank.linux.LinuxThreads;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/**
 * A mutex with priority inheritance by the kernel: while threads of real-time classes wait for it, its owner runs with
 * the priority of the best of them. It is a word of 32 bits, which may lie in memory that several processes share.
 *
 * <pre>
 * word                   meaning                                        becomes                     by
 * 0                      free                                           tid                         a thread that takes it
 * tid                    owned by the thread of that number             0                           the owner
 *                                                                       tid | WAITERS               the kernel, for a waiter
 * tid | WAITERS          and others wait in the kernel                  next tid [| WAITERS]        the kernel, for the owner that
 *                                                                                                   releases it
 * tid | OWNER_DIED ...   the previous owner has died                    without OWNER_DIED          the owner
 * OWNER_DIED             free, and its last owner has died              tid | OWNER_DIED            the kernel, for a thread that
 *                                                                                                   takes it
 * </pre>
 *
 * The bits are those of {@link Futex}; C programs take part with {@code FUTEX_LOCK_PI} and {@code FUTEX_UNLOCK_PI}.
 * Every change by this class is a volatile compare-and-set.
 *
 * <p><b>Inheritance</b> covers the priority of a real-time class (FIFO, round robin, deadline). Nice values are not
 * inherited: among ordinary threads this is a more expensive mutex with ordered handover, and no more. {@link
 * dev.unjank.locks.VipLock} donates nice values.
 *
 * <p><b>Death of the owner.</b> If the owner ends without releasing the mutex, the next thread to take it owns it and
 * gets an {@link OwnerDiedException}. That is guaranteed for threads that wait while the owner ends: the kernel gives
 * the mutex to the best of them. A thread that comes later finds the number of a thread that no longer exists. If that
 * number has been reused for a new thread in the meantime, it waits for that one. Numbers are reused cyclically, after
 * thousands at least and usually after millions. The kernel's list of robust mutexes would help, but the C library has
 * registered it for its own mutexes. A timed wait is safe.
 *
 * <p><b>Not guaranteed.</b> Reentrance: a second lock by the owner is refused. Conditions. A prompt interrupt: it is
 * noticed within 10 ms, for which {@link #lockInterruptibly} and the timed {@link #tryLock(long, TimeUnit)} requeue
 * repeatedly. Use between processes of different PID namespaces, which number threads differently.
 *
 * <p>For platform threads only: see {@link dev.unjank.locks.futex}.
 */
public final class PiMutex implements Lock {
    /** How long a thread that inherited the mutex may take to run; a machine may be very busy. */
    private static final long HEIR_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long HEIR_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final int FREE = 0;

    /** The kernel's own limit on thread numbers, independent of /proc/sys/kernel/pid_max. */
    private static final int MAX_NUMBER = 1 << 22;

    /** The calling thread's number. Asking the kernel takes as long as five locks. */
    private static final ThreadLocal<Integer> NUMBER = ThreadLocal.withInitial(LinuxThreads::current);

    private final NativeFutexWord word;
    private final long heirNanos;

    /**
     * Makes a mutex for the threads of this process, on a word of its own.
     *
     * @throws UnsupportedOperationException if this system has no futexes with priority inheritance
     */
    public PiMutex() {
        word = NativeFutexWord.ofProcess(Futex.piObstacle());
        heirNanos = HEIR_NANOS;
    }

    /**
     * Makes a mutex over a word.
     *
     * @param word 4 bytes at an address divisible by 4, outside the heap; 0 before its first use
     * @param scope which threads use the word; all must use the same scope
     * @throws IllegalArgumentException if the memory cannot hold a mutex
     * @throws UnsupportedOperationException if this system has no futexes with priority inheritance
     */
    public PiMutex(MemorySegment word, Scope scope) {
        this(word, scope, HEIR_NANOS);
    }

    /** With a given time for the new owner to run, for tests. */
    PiMutex(MemorySegment word, Scope scope, long heirNanos) {
        this.word = new NativeFutexWord(word, scope, Futex.piObstacle());
        this.heirNanos = heirNanos;
    }

    private int number() {
        word.requirePlatformThread();
        return NUMBER.get();
    }

    /**
     * {@inheritDoc} An interrupt does not end the wait.
     *
     * @throws OwnerDiedException if the last owner has ended without releasing it; the calling thread owns it now
     * @throws IllegalMonitorStateException if the calling thread owns it already, or the owner waits for this thread (EDEADLK)
     * @throws UnsupportedOperationException if the thread is virtual
     * @throws IllegalStateException if the memory has been freed, or the word does not match the kernel's state
     */
    @Override
    public void lock() {
        int me = number();
        if (!word.cas(FREE, me)) {
            lockSlowly(me, Deadline.ENDLESS);
        }
    }

    /**
     * {@inheritDoc} An interrupt is noticed within 10 ms.
     *
     * @throws OwnerDiedException as {@link #lock}
     */
    @Override
    public void lockInterruptibly() throws InterruptedException {
        lock(Deadline.UNTIL_INTERRUPTED);
    }

    /**
     * {@inheritDoc} An interrupt is noticed within 10 ms.
     *
     * @throws OwnerDiedException as {@link #lock}
     */
    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return lock(Deadline.until(unit.toNanos(time)));
    }

    private boolean lock(Deadline deadline) throws InterruptedException {
        deadline.checkInterrupt();
        int me = number();
        if (word.cas(FREE, me)) {
            return true;
        }
        boolean owns = lockSlowly(me, deadline);
        if (!owns) {
            deadline.checkInterrupt();
        }
        return owns;
    }

    /**
     * {@inheritDoc} An owner cannot take it again.
     *
     * @throws OwnerDiedException as {@link #lock}
     */
    @Override
    public boolean tryLock() {
        int me = number();
        if (word.cas(FREE, me)) {
            return true;
        }
        int seen = word.volatileValue();
        int owner = seen & Futex.PI_OWNER;
        if (owner == me || (owner != 0 && isAlive(owner))) {
            return false;
        }
        int answer = Futex.tryLockPi(word.memory(), word.scope());
        return !(answer == Errno.EINVAL && isInherited(seen)) && finish(me, answer);
    }

    private boolean lockSlowly(int me, Deadline deadline) {
        long heirDeadline = Futex.NO_DEADLINE;
        while (true) {
            int seen = word.volatileValue();
            int answer = Futex.lockPi(word.memory(), word.scope(), deadline.wakeUp());
            if (answer == Errno.EINVAL && isInherited(seen) && System.nanoTime() < heirDeadline) {
                heirDeadline = Math.min(heirDeadline, System.nanoTime() + heirNanos);
                LockSupport.parkNanos(this, HEIR_PAUSE_NANOS);
            } else if (finish(me, answer)) {
                return true;
            }
            if (deadline.isExpired()) {
                return false;
            }
        }
    }

    /**
     * Whether the owner has ended: then the kernel has given the mutex to a waiter, and refuses all others (EINVAL)
     * until that one runs and writes its number into the word. If it never does, the word does not match the kernel's
     * state. It may have run since the refusal: then the word differs from {@code seen}.
     */
    private boolean isInherited(int seen) {
        int now = word.volatileValue();
        int owner = now & Futex.PI_OWNER;
        return now != seen || (owner != 0 && !isAlive(owner));
    }

    /** Whether the thread owns the mutex, after an answer of the kernel. */
    private boolean finish(int me, int answer) {
        return switch (answer) {
            case 0 -> {
                checkLastOwner();
                yield true;
            }
            case Errno.ESRCH -> {
                recoverOwnership(me);
                yield false;
            }
            case Errno.EDEADLK ->
                throw new IllegalMonitorStateException(
                        "EDEADLK: this thread owns the mutex, or its owner waits for this thread (word " + word + ")");
            case Errno.EAGAIN, Errno.EINTR, Errno.ETIMEDOUT -> false;
            default -> throw corrupted(answer);
        };
    }

    /**
     * Checks, as the new owner, whether the last owner has died. The kernel marks that in the word until it is cleared.
     */
    private void checkLastOwner() {
        int seen = word.volatileValue();
        if ((seen & Futex.PI_OWNER_DIED) == 0) {
            return;
        }
        while (!word.cas(seen, seen & ~Futex.PI_OWNER_DIED)) {
            seen = word.volatileValue(); // a thread has begun to wait
        }
        throw new OwnerDiedException("the last owner has ended without releasing the mutex; this thread owns it now");
    }

    /**
     * Takes the mutex of a dead owner: the kernel knows no thread of the number in the word, and no thread waits in the
     * kernel, or it would have been given the mutex. The word can have changed since only to a new, live owner.
     */
    private void recoverOwnership(int me) {
        int seen = word.volatileValue();
        int owner = seen & Futex.PI_OWNER;
        if (owner > MAX_NUMBER) {
            throw corrupted(Errno.ESRCH);
        }
        if (owner != 0 && !isAlive(owner) && word.cas(seen, me | (seen & Futex.PI_WAITERS))) {
            throw new OwnerDiedException(
                    "thread " + owner + " has ended without releasing the mutex; this thread owns it now");
        }
    }

    /** Whether there is a thread of a number. A zombie, which has ended but not been reaped, still has a number. */
    private static boolean isAlive(int number) {
        try {
            String stat = Files.readString(Path.of("/proc/" + number + "/stat"), StandardCharsets.ISO_8859_1);
            char state = stat.charAt(stat.lastIndexOf(')') + 2);
            return state != 'Z' && state != 'X';
        } catch (IOException e) {
            return false; // consistent with the kernel's answer
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalMonitorStateException if the calling thread does not own it (EPERM)
     * @throws IllegalStateException if the memory has been freed, or the word does not match the kernel's state
     */
    @Override
    public void unlock() {
        int me = number();
        if (word.cas(me, FREE)) {
            return;
        }
        int answer;
        do {
            answer = Futex.unlockPi(word.memory(), word.scope());
        } while (answer == Errno.EAGAIN || answer == Errno.EINTR);
        if (answer == Errno.EPERM) {
            throw new IllegalMonitorStateException(
                    "EPERM: thread " + me + " does not own the mutex (word " + word + ")");
        }
        if (answer != 0) {
            throw corrupted(answer);
        }
    }

    private IllegalStateException corrupted(int answer) {
        return new IllegalStateException(Errno.name(answer) + ": the word of the mutex is " + word
                + ", which does not match the kernel's state, or is no mutex");
    }

    /**
     * Not supported: the kernel's conditions with priority inheritance are not offered here.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("a PiMutex has no conditions");
    }

    /**
     * Returns whether a thread owns it. For monitoring.
     *
     * @return whether the word names an owner
     */
    public boolean isLocked() {
        return (word.volatileValue() & Futex.PI_OWNER) != 0;
    }

    /**
     * Returns whether the calling thread owns it.
     *
     * @return whether the word names it
     */
    public boolean isHeldByCurrentThread() {
        return (word.volatileValue() & Futex.PI_OWNER) == number();
    }

    @Override
    public String toString() {
        return "PiMutex[word " + word + "]";
    }
}
