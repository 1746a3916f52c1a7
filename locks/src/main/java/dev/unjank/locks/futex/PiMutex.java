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
 * A mutex with priority inheritance by the kernel: while threads of real-time classes wait for it, its owner runs with the priority of
 * the best of them. It is a word of 32 bits, which may lie in memory that several processes share.
 *
 * <pre>
 * word                   meaning                                        becomes                     by
 * 0                      free                                           tid                         who takes it
 * tid                    owned by the thread of that number             0                           the owner
 *                                                                       tid | WAITERS               the kernel, for who waits
 * tid | WAITERS          and others wait in the kernel                  next tid [| WAITERS]        the kernel, for the owner that
 *                                                                                                   releases it
 * tid | OWNER_DIED ...   the owner has it from one that has died        without OWNER_DIED          the owner
 * OWNER_DIED             free, and its last owner has died              tid | OWNER_DIED            the kernel, for who takes it
 * </pre>
 *
 * The bits are those of {@link Futex}; C programs take part with {@code FUTEX_LOCK_PI} and {@code FUTEX_UNLOCK_PI}. Every change from here
 * is a volatile compare-and-set.
 *
 * <p><b>What is inherited</b> is the priority of a real-time class (FIFO, round robin, deadline). A nice value is not: among ordinary threads
 * this is a dearer mutex that hands over in order, and no more. {@link dev.unjank.locks.VipLock} lends nice values.
 *
 * <p><b>The death of the owner.</b> If the owner ends without releasing the mutex, the next that takes it owns it and is told by an {@link
 * OwnerDiedException}. That is certain for those who wait while the owner ends: the kernel gives it to the best of them. One that comes
 * later finds the number of a thread that is no more, unless that number has been given to a new thread in the meantime: then it waits
 * for that one. Numbers are given out in a circle, of thousands at least and usually of millions; the list by which the C library
 * would tell the kernel of its own mutexes belongs to that library, and is left to it. One that waits for a time only is safe.
 *
 * <p><b>Not promised.</b> Reentrance: a thread that takes it twice is refused. Conditions. A prompt interrupt: it is noticed within 10 ms,
 * for which {@link #lockInterruptibly} and the timed {@link #tryLock(long, TimeUnit)} queue again and again. Anything between processes that
 * number threads differently (of different PID namespaces).
 *
 * <p>For platform threads: see {@link dev.unjank.locks.futex}.
 */
public final class PiMutex implements Lock {
    /** So long one that the mutex was left to may need until it runs; a machine may be very busy. */
    private static final long HEIR_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long HEIR_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final int FREE = 0;

    /** The kernel's own limit, whatever /proc/sys/kernel/pid_max says. */
    private static final int MAX_NUMBER = 1 << 22;

    /** Asking the kernel takes as long as five locks. */
    private static final ThreadLocal<Integer> NUMBER = ThreadLocal.withInitial(LinuxThreads::current);

    private final NativeFutexWord word;
    private final long heirNanos;

    /**
     * A mutex for the threads of this process, on a word of its own.
     *
     * @throws UnsupportedOperationException if this system has no futexes with priority inheritance
     */
    public PiMutex() {
        word = NativeFutexWord.ofProcess(Futex.piObstacle());
        heirNanos = HEIR_NANOS;
    }

    /**
     * A mutex over a word.
     *
     * @param word 4 bytes at an address that 4 divides, outside the heap; 0 where nobody has used it yet
     * @param scope who uses the word; all have to say the same
     * @throws IllegalArgumentException if no mutex can lie there
     * @throws UnsupportedOperationException if this system has no futexes with priority inheritance
     */
    public PiMutex(MemorySegment word, Scope scope) {
        this(word, scope, HEIR_NANOS);
    }

    /** With a patience of one's own, for tests. */
    PiMutex(MemorySegment word, Scope scope, long heirNanos) {
        this.word = new NativeFutexWord(word, scope, Futex.piObstacle());
        this.heirNanos = heirNanos;
    }

    private int number() {
        word.requirePlatformThread();
        return NUMBER.get();
    }

    /**
     * {@inheritDoc} An interrupt does not end it.
     *
     * @throws OwnerDiedException if the last owner has ended without releasing it; the calling thread owns it now
     * @throws IllegalMonitorStateException if the calling thread owns it already, or the owner waits for this thread (EDEADLK)
     * @throws UnsupportedOperationException if the thread is virtual
     * @throws IllegalStateException if the memory has been freed, or the word is not what the kernel knows of it
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

    private boolean lock(Deadline patience) throws InterruptedException {
        patience.checkInterrupt();
        int me = number();
        if (word.cas(FREE, me)) {
            return true;
        }
        boolean owns = lockSlowly(me, patience);
        if (!owns) {
            patience.checkInterrupt();
        }
        return owns;
    }

    /**
     * {@inheritDoc} A thread that owns it already does not get it again.
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
        return !(answer == Errno.EINVAL && isBequeathed(seen)) && finish(me, answer);
    }

    private boolean lockSlowly(int me, Deadline patience) {
        long heirDeadline = Futex.NEVER;
        while (true) {
            int seen = word.volatileValue();
            int answer = Futex.lockPi(word.memory(), word.scope(), patience.wakeUp());
            if (answer == Errno.EINVAL && isBequeathed(seen) && System.nanoTime() < heirDeadline) {
                heirDeadline = Math.min(heirDeadline, System.nanoTime() + heirNanos);
                LockSupport.parkNanos(this, HEIR_PAUSE_NANOS);
            } else if (finish(me, answer)) {
                return true;
            }
            if (patience.isAtItsEnd()) {
                return false;
            }
        }
    }

    /**
     * Whether the owner has ended: then the kernel has given the mutex to one that waits, and refuses everybody (EINVAL) until that
     * one runs and writes its number into the word. If it never does, the word is not the kernel's. It may have run since the
     * refusal: then the word is another than the one {@code seen} before.
     */
    private boolean isBequeathed(int seen) {
        int now = word.volatileValue();
        int owner = now & Futex.PI_OWNER;
        return now != seen || (owner != 0 && !isAlive(owner));
    }

    /** Whether the thread owns the mutex, after the kernel has given an answer. */
    private boolean finish(int me, int answer) {
        return switch (answer) {
            case 0 -> {
                checkLastOwner();
                yield true;
            }
            case Errno.ESRCH -> {
                takeOver(me);
                yield false;
            }
            case Errno.EDEADLK ->
                throw new IllegalMonitorStateException(
                        "EDEADLK: this thread owns the mutex, or its owner waits for this thread (word " + word + ")");
            case Errno.EAGAIN, Errno.EINTR, Errno.ETIMEDOUT -> false;
            default -> throw corrupted(answer);
        };
    }

    /** Of one that owns it: was it left by a thread that has died? The kernel says so in the word, until somebody takes note. */
    private void checkLastOwner() {
        int seen = word.volatileValue();
        if ((seen & Futex.PI_OWNER_DIED) == 0) {
            return;
        }
        while (!word.cas(seen, seen & ~Futex.PI_OWNER_DIED)) {
            seen = word.volatileValue(); // somebody has begun to wait
        }
        throw new OwnerDiedException("the last owner has ended without releasing the mutex; this thread owns it now");
    }

    /**
     * The kernel knows no thread of the number in the word, and nobody waits in the kernel, or it would have been given to him. Only
     * the word can have changed since, to a new owner that lives.
     */
    private void takeOver(int me) {
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

    /** Whether there is a thread of a number. One that has ended and that nobody has asked about has a number still: a zombie. */
    private static boolean isAlive(int number) {
        try {
            String stat = Files.readString(Path.of("/proc/" + number + "/stat"), StandardCharsets.ISO_8859_1);
            char state = stat.charAt(stat.lastIndexOf(')') + 2);
            return state != 'Z' && state != 'X';
        } catch (IOException e) {
            return false; // as the kernel said
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalMonitorStateException if the calling thread does not own it (EPERM)
     * @throws IllegalStateException if the memory has been freed, or the word is not what the kernel knows of it
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
                + ", which is not what the kernel knows of it, or is no mutex");
    }

    /**
     * There are none: what the kernel has for waiting on a condition with priority inheritance is not offered here.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("a PiMutex has no conditions");
    }

    /**
     * Whether a thread owns it. Meant for watching.
     *
     * @return whether the word names one
     */
    public boolean isLocked() {
        return (word.volatileValue() & Futex.PI_OWNER) != 0;
    }

    /**
     * Whether the calling thread owns it.
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
