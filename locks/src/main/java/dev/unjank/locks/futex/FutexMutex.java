package dev.unjank.locks.futex;

import dev.unjank.linux.Futex;
import dev.unjank.linux.Futex.Scope;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/**
 * A mutex on one 32-bit futex word, which may lie in memory shared between processes.
 *
 * <pre>
 * word         meaning                            becomes     by
 * 0 FREE       not owned                          HELD        a thread that takes it
 *                                                 WAITED_FOR  a thread that takes it after a sleep: others may still sleep
 * 1 HELD       owned, no thread sleeps            FREE        the owner
 *                                                 WAITED_FOR  a thread that is about to sleep
 * 2 WAITED_FOR owned, threads may sleep: a        FREE        the owner, which then wakes one
 *              release must wake one
 * </pre>
 *
 * Every change is a volatile compare-and-set; the release is an exchange. A C program can use the mutex with the same
 * three values, {@code atomic_compare_exchange} and {@code futex}. The design is mutex3 in U. Drepper, "Futexes Are
 * Tricky".
 *
 * <p><b>No wake-up is lost.</b> A thread sleeps only if the word is WAITED_FOR, which the kernel checks again; the
 * owner clears that value before it wakes a thread. A woken thread leaves WAITED_FOR in the word, whether it takes the
 * mutex or another thread was faster, so the next release wakes the next thread.
 *
 * <p><b>Not robust.</b> If the owner's thread or process ends without releasing the mutex, the word stays HELD or
 * WAITED_FOR: {@link #lock} waits forever, {@link #tryLock(long, TimeUnit)} returns false after its timeout, {@link
 * #lockInterruptibly} waits until it is interrupted, and {@link #isLocked} stays true. The word does not name its
 * owner, so a dead owner cannot be distinguished from a slow one, and the kernel cannot clean up: its robust list needs
 * the thread's id in the word, and each thread has only one list, which the C library uses for its own mutexes. If an
 * owner may die, use {@link PiMutex}: its word names the owner, and the next thread gets the mutex with an {@link
 * OwnerDiedException}. Otherwise use timeouts, and start again with new memory.
 *
 * <p><b>Not supported.</b> Waiters have no order, and the mutex is not reentrant. The owner is known only to the object
 * through which the mutex was taken: that object refuses a release by another thread, and a second lock by the owner.
 * Through another object the owner would wait for itself.
 *
 * <p>For platform threads only: see {@link dev.unjank.locks.futex}.
 */
public final class FutexMutex implements Lock {
    static final int FREE = 0;
    static final int HELD = 1;
    static final int WAITED_FOR = 2;

    final FutexWord word;

    /**
     * The id of the thread that took the mutex through this object, or 0. Other threads read it only to compare it with
     * their own id.
     */
    private long owner;

    /**
     * Creates a mutex for the threads of this process, on a new word.
     *
     * @throws UnsupportedOperationException if this system has no futexes
     */
    public FutexMutex() {
        this(NativeFutexWord.ofProcess(Futex.obstacle()));
    }

    /**
     * Creates a mutex over a word.
     *
     * @param word 4 bytes at an address divisible by 4, outside the heap; 0 before its first use
     * @param scope the scope of the threads that use the word; all of them must use the same scope
     * @throws IllegalArgumentException if the memory cannot hold a mutex
     * @throws UnsupportedOperationException if this system has no futexes
     */
    public FutexMutex(MemorySegment word, Scope scope) {
        this(new NativeFutexWord(word, scope, Futex.obstacle()));
    }

    FutexMutex(FutexWord word) {
        this.word = word;
    }

    /**
     * {@inheritDoc} An interrupt does not end the wait.
     *
     * @throws UnsupportedOperationException if the thread is virtual
     * @throws IllegalMonitorStateException if the calling thread already owns the mutex and has taken it through this
     *     object
     * @throws IllegalStateException if the memory has been freed, or the word has a value that no mutex writes
     */
    @Override
    public void lock() {
        if (!tryLock()) {
            lockSlowly(Deadline.ENDLESS);
        }
    }

    /** {@inheritDoc} An interrupt is noticed within 10 ms. */
    @Override
    public void lockInterruptibly() throws InterruptedException {
        lock(Deadline.UNTIL_INTERRUPTED);
    }

    @Override
    public boolean tryLock() {
        word.requirePlatformThread();
        if (!word.cas(FREE, HELD)) {
            return false;
        }
        owner = Thread.currentThread().threadId();
        return true;
    }

    /** {@inheritDoc} An interrupt is noticed within 10 ms. */
    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return lock(Deadline.until(unit.toNanos(time)));
    }

    private boolean lock(Deadline deadline) throws InterruptedException {
        deadline.checkInterrupt();
        if (tryLock()) {
            return true;
        }
        boolean owns = lockSlowly(deadline);
        if (!owns) {
            deadline.checkInterrupt();
        }
        return owns;
    }

    /** Waits for the mutex; returns false if the timeout has elapsed, or if an interruptible wait was interrupted. */
    private boolean lockSlowly(Deadline deadline) {
        while (true) {
            int seen = word.volatileValue();
            switch (seen) {
                case FREE -> {
                    // other threads may still sleep
                    if (word.cas(FREE, WAITED_FOR)) {
                        owner = Thread.currentThread().threadId();
                        return true;
                    }
                }
                case HELD -> {
                    requireNotOwner();
                    boolean ignored = word.cas(HELD, WAITED_FOR);
                }
                case WAITED_FOR -> {
                    requireNotOwner();
                    if (deadline.isExpired()) {
                        return false;
                    }
                    word.await(WAITED_FOR, deadline.wakeUp());
                }
                default -> throw corrupted(seen); // the word is left unchanged for debugging
            }
        }
    }

    /** Takes the mutex after a sleep on another word, from which more threads may have been requeued to this word. */
    void lockContended() {
        lockSlowly(Deadline.ENDLESS);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalMonitorStateException if the calling thread has not taken it through this object
     * @throws IllegalStateException if the memory has been freed, or the word has a value that no owner writes
     */
    @Override
    public void unlock() {
        requireOwner();
        owner = 0;
        int seen = word.getAndSet(FREE);
        if (seen == WAITED_FOR) {
            word.wakeOne();
        } else if (seen != HELD) {
            throw corrupted(seen);
        }
    }

    /** Throws unless the calling thread has taken the mutex through this object. */
    void requireOwner() {
        if (owner != Thread.currentThread().threadId()) {
            throw new IllegalMonitorStateException(
                    Thread.currentThread().getName() + " has not taken this mutex (word " + word + ")");
        }
    }

    /**
     * Throws if the calling thread owns the mutex and would wait for itself. A concurrent write by another thread never
     * stores this thread's id.
     */
    private void requireNotOwner() {
        if (owner == Thread.currentThread().threadId()) {
            throw new IllegalMonitorStateException(
                    Thread.currentThread().getName() + " already owns this mutex (word " + word + ")");
        }
    }

    /** Makes the owner's release wake a thread. Called by the owner. */
    void expectWaiters() {
        word.getAndSet(WAITED_FOR);
    }

    /**
     * Creates a condition on a new word, for the threads of this process.
     *
     * @return a new condition
     * @throws UnsupportedOperationException if the mutex is shared with other processes, which need the condition's
     *     word, too ({@link FutexCondition#FutexCondition(FutexMutex, MemorySegment)})
     */
    @Override
    public FutexCondition newCondition() {
        if (word.scope() != Scope.PROCESS) {
            throw new UnsupportedOperationException(
                    "a condition shared between processes needs a word in shared memory: use the FutexCondition"
                            + " constructor");
        }
        return new FutexCondition(this);
    }

    /**
     * Returns whether a thread owns the mutex. For monitoring.
     *
     * @return true if the mutex is owned, according to its word
     */
    public boolean isLocked() {
        return word.volatileValue() != FREE;
    }

    private static IllegalStateException corrupted(int seen) {
        return new IllegalStateException(
                "the word of the mutex was 0x" + Integer.toHexString(seen) + ", which no mutex writes");
    }

    @Override
    public String toString() {
        return "FutexMutex[word " + word + "]";
    }
}
