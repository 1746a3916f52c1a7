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
 * the highest priority among them. The mutex is a 32-bit futex word, which may lie in memory shared between processes.
 *
 * <pre>
 * word                   meaning                                        becomes                     by
 * 0                      free                                           tid                         a thread that takes it
 * tid                    owned by the thread with that id               0                           the owner
 *                                                                       tid | WAITERS               the kernel, for a waiter
 * tid | WAITERS          owned, with waiters in the kernel              next tid [| WAITERS]        the kernel, for the owner that
 *                                                                                                   releases it
 * tid | OWNER_DIED ...   the previous owner has died                    without OWNER_DIED          the owner
 * OWNER_DIED             free; the previous owner has died              tid | OWNER_DIED            the kernel, for a thread that
 *                                                                                                   takes it
 * </pre>
 *
 * The bits are those of {@link Futex}; C programs can use the mutex with {@code FUTEX_LOCK_PI} and {@code
 * FUTEX_UNLOCK_PI}. Every change by this class is a volatile compare-and-set.
 *
 * <p><b>Inheritance</b> covers the priority of a real-time class (FIFO, round robin, deadline). Nice values are not
 * inherited: for ordinary threads this mutex only adds cost and an ordered handover. {@link dev.unjank.locks.VipLock}
 * donates nice values.
 *
 * <p><b>Death of the owner.</b> If the owner ends without releasing the mutex, the next thread to take it owns it and
 * gets an {@link OwnerDiedException}. This is guaranteed for threads that wait when the owner ends: the kernel gives
 * the mutex to the waiter with the highest priority. A thread that arrives later finds the id of a dead thread in the
 * word. If the kernel has reused that id, the thread waits for an unrelated new thread. Ids are reused cyclically,
 * after thousands of threads at least and usually after millions. The kernel's robust list would solve this, but each
 * thread has only one list, which the C library uses for its own mutexes. Timed waits at least end with their timeout.
 *
 * <p><b>Not supported.</b> The mutex is not reentrant: a second lock by the owner is refused. It has no conditions.
 * Interrupts are noticed within 10 ms, not at once: {@link #lockInterruptibly} and the timed {@link #tryLock(long,
 * TimeUnit)} wait in slices and enqueue again for each slice. Processes in different PID namespaces cannot share a
 * mutex, because their thread ids differ.
 *
 * <p>For platform threads only: see {@link dev.unjank.locks.futex}.
 */
public final class PiMutex implements Lock {
    /**
     * The time limit for a new owner to run after the kernel has given it a dead owner's mutex. Long, since a machine
     * may be very busy.
     */
    private static final long HEIR_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long HEIR_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final int FREE = 0;

    /** The kernel's upper limit of thread ids, independent of /proc/sys/kernel/pid_max. */
    private static final int MAX_NUMBER = 1 << 22;

    /** The calling thread's id. Cached, because the system call takes as long as five locks. */
    private static final ThreadLocal<Integer> NUMBER = ThreadLocal.withInitial(LinuxThreads::current);

    private final NativeFutexWord word;
    private final long heirNanos;

    /**
     * Creates a mutex for the threads of this process, on a new word.
     *
     * @throws UnsupportedOperationException if this system has no futexes with priority inheritance
     */
    public PiMutex() {
        word = NativeFutexWord.ofProcess(Futex.piObstacle());
        heirNanos = HEIR_NANOS;
    }

    /**
     * Creates a mutex over a word.
     *
     * @param word 4 bytes at an address divisible by 4, outside the heap; 0 before its first use
     * @param scope the scope of the threads that use the word; all of them must use the same scope
     * @throws IllegalArgumentException if the memory cannot hold a mutex
     * @throws UnsupportedOperationException if this system has no futexes with priority inheritance
     */
    public PiMutex(MemorySegment word, Scope scope) {
        this(word, scope, HEIR_NANOS);
    }

    /** Creates a mutex with the given time limit for a new owner to run, for tests. */
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
     * @throws OwnerDiedException if the previous owner has ended without releasing the mutex; the calling thread owns
     *     it now
     * @throws IllegalMonitorStateException if the calling thread already owns the mutex, or the owner waits for this
     *     thread (EDEADLK)
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
     * {@inheritDoc} Returns false if the calling thread already owns the mutex.
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
     * Returns whether the owner has ended. In that case the kernel has given the mutex to a waiter, and returns EINVAL
     * to all other threads until the new owner runs and writes its id into the word. If the new owner never does, the
     * word does not match the kernel's state. If it has run since the refusal, the word differs from {@code seen}.
     */
    private boolean isInherited(int seen) {
        int now = word.volatileValue();
        int owner = now & Futex.PI_OWNER;
        return now != seen || (owner != 0 && !isAlive(owner));
    }

    /** Evaluates the result of a system call; returns whether the thread owns the mutex now. */
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

    /** Throws if the previous owner has died, after clearing the kernel's mark in the word. Called by the new owner. */
    private void checkLastOwner() {
        int seen = word.volatileValue();
        if ((seen & Futex.PI_OWNER_DIED) == 0) {
            return;
        }
        while (!word.cas(seen, seen & ~Futex.PI_OWNER_DIED)) {
            seen = word.volatileValue(); // another thread has begun to wait
        }
        throw new OwnerDiedException("the previous owner ended without releasing the mutex; this thread owns it now");
    }

    /**
     * Takes the mutex of a dead owner: no thread has the id in the word, and no thread waits in the kernel, which would
     * otherwise have given the mutex to it. Since then the word can have changed only to a new, live owner.
     */
    private void recoverOwnership(int me) {
        int seen = word.volatileValue();
        int owner = seen & Futex.PI_OWNER;
        if (owner > MAX_NUMBER) {
            throw corrupted(Errno.ESRCH);
        }
        if (owner != 0 && !isAlive(owner) && word.cas(seen, me | (seen & Futex.PI_WAITERS))) {
            throw new OwnerDiedException(
                    "thread " + owner + " ended without releasing the mutex; this thread owns it now");
        }
    }

    /**
     * Returns whether a live thread has the given id. A zombie, which has ended but has not been reaped, still has an
     * id.
     */
    private static boolean isAlive(int number) {
        try {
            String stat = Files.readString(Path.of("/proc/" + number + "/stat"), StandardCharsets.ISO_8859_1);
            char state = stat.charAt(stat.lastIndexOf(')') + 2);
            return state != 'Z' && state != 'X';
        } catch (IOException e) {
            return false; // consistent with the result of the system call
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalMonitorStateException if the calling thread does not own the mutex (EPERM)
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
                + ", which does not match the kernel's state; the memory may not contain a PiMutex");
    }

    /**
     * Not supported: this class does not use the kernel's conditions with priority inheritance.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("a PiMutex has no conditions");
    }

    /**
     * Returns whether a thread owns the mutex. For monitoring.
     *
     * @return whether the word names an owner
     */
    public boolean isLocked() {
        return (word.volatileValue() & Futex.PI_OWNER) != 0;
    }

    /**
     * Returns whether the calling thread owns the mutex.
     *
     * @return whether the word names the calling thread
     */
    public boolean isHeldByCurrentThread() {
        return (word.volatileValue() & Futex.PI_OWNER) == number();
    }

    @Override
    public String toString() {
        return "PiMutex[word " + word + "]";
    }
}
