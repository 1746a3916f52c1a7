package dev.unjank.locks.futex;

import dev.unjank.linux.Futex;
import dev.unjank.linux.Futex.Scope;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/**
 * A mutex on one 32-bit word, which may lie in memory that several processes share.
 *
 * <pre>
 * word         meaning                            becomes     by
 * 0 FREE       nobody owns it                     HELD        who takes it
 *                                                 WAITED_FOR  who takes it after a sleep: others may sleep still
 * 1 HELD       owned, nobody sleeps               FREE        the owner
 *                                                 WAITED_FOR  who is about to sleep
 * 2 WAITED_FOR owned, somebody may sleep: who     FREE        the owner, which then wakes one
 *              releases it has to wake
 * </pre>
 *
 * Every change is a volatile compare-and-set, the release an exchange. A C program takes part with the same three values, {@code
 * atomic_compare_exchange} and {@code futex}. The design is that of mutex3 in U. Drepper, "Futexes Are Tricky".
 *
 * <p><b>No wake-up is lost.</b> A thread sleeps only while the word is WAITED_FOR, and the kernel looks at it once more; the owner takes
 * that value away before it wakes. One that was woken leaves WAITED_FOR in the word, whether it takes the mutex or finds that somebody
 * was faster, so whoever holds it then wakes the next.
 *
 * <p><b>Not robust.</b> If the owner ends without a release, as a thread or as a process that is killed, the word stays HELD or WAITED_FOR: {@link
 * #lock} waits for ever, {@link #tryLock(long, TimeUnit)} returns false when its time is over, {@link #lockInterruptibly} ends by an interrupt, and
 * {@link #isLocked} stays true. The word has no owner, so a dead one cannot be told from a slow one, and the kernel cannot clean up: its list of
 * robust futexes needs the thread's number in the word, and there is one list per thread, which the C library has registered for its own mutexes. Where
 * an owner may die, use {@link PiMutex}: its word names the owner, and the next thread gets the mutex with an {@link OwnerDiedException}. Otherwise
 * wait with a limit of time, and start again with new memory.
 *
 * <p><b>Not promised.</b> An order among waiters. Reentrance. Which thread owns it is known to the object through which it was taken: through
 * the same object a release by another thread is refused, and so is a second lock by its owner, which through another object waits for itself.
 *
 * <p>For the threads below: see {@link dev.unjank.locks.futex}.
 */
public final class FutexMutex implements Lock {
    static final int FREE = 0;
    static final int HELD = 1;
    static final int WAITED_FOR = 2;

    final FutexWord word;

    /** The id of who took it through this object, 0 if nobody. Read by other threads only to find that it is not theirs. */
    private long owner;

    /**
     * A mutex for the threads of this process, on a word of its own.
     *
     * @throws UnsupportedOperationException if this system has no futexes
     */
    public FutexMutex() {
        this(NativeFutexWord.ofProcess(Futex.obstacle()));
    }

    /**
     * A mutex over a word.
     *
     * @param word 4 bytes at an address that 4 divides, outside the heap; 0 where nobody has used it yet
     * @param scope who uses the word; all have to say the same
     * @throws IllegalArgumentException if no mutex can lie there
     * @throws UnsupportedOperationException if this system has no futexes
     */
    public FutexMutex(MemorySegment word, Scope scope) {
        this(new NativeFutexWord(word, scope, Futex.obstacle()));
    }

    FutexMutex(FutexWord word) {
        this.word = word;
    }

    /**
     * {@inheritDoc} An interrupt does not end it.
     *
     * @throws UnsupportedOperationException if the thread is virtual
     * @throws IllegalMonitorStateException if the calling thread owns it, taken through this object
     * @throws IllegalStateException if the memory has been freed, or the word has a value that no mutex gives it
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

    private boolean lock(Deadline patience) throws InterruptedException {
        patience.checkInterrupt();
        if (tryLock()) {
            return true;
        }
        boolean owns = lockSlowly(patience);
        if (!owns) {
            patience.checkInterrupt();
        }
        return owns;
    }

    /** Waits; false if the time is over, or the thread has been interrupted and listens. */
    private boolean lockSlowly(Deadline patience) {
        while (true) {
            int seen = word.volatileValue();
            switch (seen) {
                case FREE -> {
                    // one that was woken may not have been the last that slept
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
                    if (patience.isAtItsEnd()) {
                        return false;
                    }
                    word.await(WAITED_FOR, patience.wakeUp());
                }
                default -> throw corrupted(seen); // and left as it is, for who looks for the culprit
            }
        }
    }

    /** Takes it after a sleep somewhere else, from which others may have been moved here. */
    void lockAsOneOfMany() {
        lockSlowly(Deadline.ENDLESS);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalMonitorStateException if the calling thread has not taken it through this object
     * @throws IllegalStateException if the memory has been freed, or the word has a value that no owner leaves there
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

    /** Throws unless the calling thread owns it. */
    void requireOwner() {
        if (owner != Thread.currentThread().threadId()) {
            throw new IllegalMonitorStateException(
                    Thread.currentThread().getName() + " has not taken this mutex (word " + word + ")");
        }
    }

    /** Throws if the calling thread owns it, and would wait for itself. What another thread writes meanwhile is not its number. */
    private void requireNotOwner() {
        if (owner == Thread.currentThread().threadId()) {
            throw new IllegalMonitorStateException(
                    Thread.currentThread().getName() + " owns this mutex already (word " + word + ")");
        }
    }

    /** Sees to it that the owner, who is the caller, wakes somebody when it releases. */
    void expectWaiters() {
        word.getAndSet(WAITED_FOR);
    }

    /**
     * A condition on a sequence number of its own, for the threads of this process.
     *
     * @return a new one
     * @throws UnsupportedOperationException if the mutex is shared with other processes: they have to know the place of the
     *     condition's word ({@link FutexCondition#FutexCondition(FutexMutex, MemorySegment)})
     */
    @Override
    public FutexCondition newCondition() {
        if (word.scope() != Scope.PROCESS) {
            throw new UnsupportedOperationException("a condition between processes needs a word that all of them know");
        }
        return new FutexCondition(this);
    }

    /**
     * Whether somebody owns it. Meant for watching.
     *
     * @return whether the word says so
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
