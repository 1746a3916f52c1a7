package dev.unjank.locks;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A synchronizer with an owner: the implementation of {@link VipLock} and of the write lock of a {@link
 * VipReadWriteLock}.
 *
 * <pre>
 * word                       meaning                                     becomes                    by
 * 0                          free; a waiter was woken to try             owner                      the first thread to arrive
 * WAITERS | BUSY             free, and a chooser is active               next owner | WAITERS ..    the chooser, who grants it
 *                                                                        0                          the chooser, who wakes a waiter or finds none
 *                                                                        owner | WAITERS | BUSY     tryLock(), which always barges
 * owner                      owned                                       0                          the owner
 *                                                                        owner | WAITERS            a waiter; the owner, who signals
 * owner | WAITERS            owned: its release must choose              WAITERS | BUSY             the owner
 *                                                                        owner | WAITERS | BUSY     a donor that gives up: the next one donates
 * owner | WAITERS | BUSY     owned, and a donor has given up             owner [| WAITERS]          the chooser
 *                                                                        WAITERS | BUSY | RECHECK   the owner
 * owner [| ..] | LENT        owned; the owner has received a donation    as without LENT            the owner, who returns the donation
 * </pre>
 *
 * The owner is a thread's id. Between the owner and the flag bits there is room for shares, which threads other than
 * the owner may hold.
 */
@SuppressWarnings("serial") // not serializable: see VipSync
class ExclusiveSync extends VipSync {
    private static final long serialVersionUID = 1;

    static final long LENT = 1 << 3;
    static final int OWNER_SHIFT = 22;
    static final long OWNER = -1L << OWNER_SHIFT;

    private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 8 : 0;

    /** The amount that an owner waits for: the lock as a whole, not a share. */
    static final int WHOLE = 0;

    /** The number of additional holds by the owner. Written only by the owner. */
    private int again;

    /**
     * The id of the last owner, which has a {@link LockThread}, so no lookup is needed. Read and written without
     * ordering; a wrong value only costs a lookup, since a thread's id is unique.
     */
    private long registered;

    ExclusiveSync(WaitQueue queue) {
        super(queue);
    }

    // ---- acquiring

    final void lock() {
        if (!enter()) {
            acquire(WHOLE);
        }
    }

    /**
     * Acquires the lock; returns false if the wait would exceed {@code nanos}, which may be {@link #FOREVER}. An
     * interrupt ends the wait.
     */
    final boolean lock(long nanos) throws InterruptedException {
        checkInterrupt();
        return enter() || acquire(WHOLE, nanos);
    }

    final boolean tryLock() {
        return enter(Thread.currentThread(), true);
    }

    private boolean enter() {
        Thread thread = Thread.currentThread();
        if (casWord(FREE, thread.threadId() << OWNER_SHIFT)) {
            own(thread);
            return true;
        }
        return enter(thread, false) || spin(thread);
    }

    /**
     * Spins briefly: a running owner may soon release, and a park costs as much as hundreds of short critical sections.
     */
    boolean spin(Thread thread) {
        for (int i = 0; i < SPINS; i++) {
            Thread.onSpinWait();
            long seen = wordVolatile();
            if ((seen & WAITERS) != 0) {
                return false;
            }
            if (isOpenToOwner(seen) && enter(thread, false)) {
                return true;
            }
        }
        return false;
    }

    private boolean enter(Thread thread, boolean isBeforeOthers) {
        while (true) {
            long seen = wordVolatile();
            if (seen >>> OWNER_SHIFT == thread.threadId()) {
                if (again == Integer.MAX_VALUE - 1) {
                    throw new Error("too many holds by the owner");
                }
                again++;
                return true;
            }
            if (!isOpenToOwner(seen) || (!isBeforeOthers && (seen & WAITERS) != 0)) {
                return false;
            }
            if (casWord(seen, seen | thread.threadId() << OWNER_SHIFT)) {
                own(thread);
                return true;
            }
        }
    }

    private static boolean isOpenToOwner(long word) {
        return word >>> STATE_SHIFT == 0;
    }

    private void own(Thread thread) {
        if (registered != thread.threadId()) {
            LockThread.current();
            registered = thread.threadId();
        }
        setExclusiveOwnerThread(thread);
    }

    // ---- for the queue

    @Override
    boolean isOpen(long word) {
        return isOpenToOwner(word);
    }

    @Override
    long taken(long word, Waiter waiter) {
        return isOpenToOwner(word) ? word | waiter.lockThread.id << OWNER_SHIFT : NONE;
    }

    @Override
    void onGranted(Waiter waiter) {
        registered = waiter.lockThread.id;
        setExclusiveOwnerThread(waiter.lockThread.get());
    }

    @Override
    List<LockThread> holders() {
        long id = ownerId();
        LockThread owner = id == 0 ? null : LockThread.of(id);
        return owner == null ? List.of() : List.of(owner);
    }

    @Override
    boolean markLent(LockThread holder) {
        while (true) {
            long seen = wordVolatile();
            if (seen >>> OWNER_SHIFT != holder.id) {
                return false;
            }
            if ((seen & LENT) != 0 || casWord(seen, seen | LENT)) {
                return true;
            }
        }
    }

    // ---- releasing

    final void unlock() {
        long seen = wordVolatile();
        if (seen >>> OWNER_SHIFT != Thread.currentThread().threadId()) {
            throw notOwner();
        }
        if (again > 0) {
            again--;
        } else {
            release(seen);
        }
    }

    private void release(long seenFirst) {
        setExclusiveOwnerThread(null);
        long seen = seenFirst;
        while (!tryRelease(seen, seen & ~(OWNER | LENT))) {
            seen = wordVolatile();
        }
        if ((seen & LENT) != 0) {
            giveBack();
        }
    }

    void giveBack() {
        LockThread.current().returnDonation(this);
    }

    // ---- for conditions

    /** Releases all holds of the owner and returns their number. */
    final int releaseFully() {
        int times = again;
        again = 0;
        release(wordVolatile());
        return times;
    }

    /** Acquires the lock again, with the same number of holds as before, after a signal. */
    final void lockSignalled(Waiter me, int times) {
        awaitTurn(me);
        again = times;
    }

    /**
     * Acquires the lock again, with the same number of holds as before, after the thread has stopped waiting for a
     * signal.
     */
    final void lockUnsignalled(int times) {
        lock();
        again = times;
    }

    /** Creates a waiter of a condition, not signalled yet. */
    final Waiter conditionWaiter() {
        return waiter(WHOLE, true, Waiter.CONDITION);
    }

    /** Moves a waiter of a condition to the lock's queue; returns false if it has stopped waiting for a signal. */
    boolean transfer(Waiter waiter) {
        waiter.since = queue().now();
        if (!waiter.casState(Waiter.CONDITION, Waiter.WAITING)) {
            return false;
        }
        // the sleeping thread cannot publish itself, and it cannot stop waiting before this thread releases the lock
        waiter.lockThread.waiting = waiter;
        enqueue(waiter);
        if (waiter.donation().importance().isImportant()) {
            PriorityDonation.along(waiter);
        }
        return true;
    }

    // ---- monitoring

    final void checkOwner() {
        if (!isOwner()) {
            throw notOwner();
        }
    }

    private IllegalMonitorStateException notOwner() {
        return new IllegalMonitorStateException(
                Thread.currentThread().getName() + " does not own the lock; its owner is " + name(owner()));
    }

    final boolean isOwner() {
        return ownerId() == Thread.currentThread().threadId();
    }

    final boolean isOwned() {
        return ownerId() != 0;
    }

    /** Returns the owner, or null if there is none. */
    final @Nullable Thread owner() {
        LockThread owner = LockThread.of(ownerId());
        return owner == null ? null : owner.get();
    }

    /** Returns the id of the owner, or 0 if there is none. */
    final long ownerId() {
        return wordVolatile() >>> OWNER_SHIFT;
    }

    /** Describes the owner in the format of the JDK's locks. */
    final String ownerText() {
        return isOwned() ? "[Locked by " + name(owner()) + "]" : "[Unlocked]";
    }

    /** Returns the number of holds of the owner, 0 if there is none. Other threads may see an earlier number. */
    final int ownerHolds() {
        return isOwned() ? again + 1 : 0;
    }

    final int holdCount() {
        return isOwner() ? again + 1 : 0;
    }
}
