package dev.unjank.locks;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has an owner: how a {@link VipLock} is taken and released, and the write lock of a {@link VipReadWriteLock}.
 *
 * <pre>
 * word                       meaning                                     becomes                    by
 * 0                          free; who waits has been woken to try       owner                      who comes first
 * WAITERS | BUSY             free, and somebody chooses                  next owner | WAITERS ..    the chooser, who gives it
 *                                                                        0                          the chooser, who wakes one or finds nobody
 *                                                                        owner | WAITERS | BUSY     tryLock(), which asks nobody
 * owner                      owned                                       0                          the owner
 *                                                                        owner | WAITERS            who waits; the owner, who signals
 * owner | WAITERS            owned: its release has to choose            WAITERS | BUSY             the owner
 *                                                                        owner | WAITERS | BUSY     a lender that gives up: the next one lends
 * owner | WAITERS | BUSY     owned, and a lender has given up            owner [| WAITERS]          the chooser
 *                                                                        WAITERS | BUSY | NEWS      the owner
 * owner [| ..] | LENT        and the owner has been lent something       as without LENT            the owner, who gives the loan back
 * </pre>
 *
 * The owner is a thread's id. Between it and the bits there is room for shares, which others than owners have.
 */
@SuppressWarnings("serial") // is not to be serialized: see VipSync
class ExclusiveSync extends VipSync {
    private static final long serialVersionUID = 1;

    static final long LENT = 1 << 3;
    static final int OWNER_SHIFT = 22;
    static final long OWNER = -1L << OWNER_SHIFT;

    private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 8 : 0;

    /** What is wanted by who wants to own it: the whole, and no share. */
    static final int WHOLE = 0;

    /** How often the owner has taken it again. The owner's. */
    private int again;

    /**
     * Who took it last: that thread has a {@link LockThread}, so there is no need to look. Read and written without order; a wrong
     * value costs a look, for a thread's id is never another's.
     */
    private long registered;

    ExclusiveSync(WaitQueue queue) {
        super(queue);
    }

    // ---- taking it

    final void lock() {
        if (!enter()) {
            acquire(WHOLE);
        }
    }

    /** Unless the thread is interrupted, or would wait for longer than {@code nanos}, which may be {@link #FOREVER}. */
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

    /** Looks a few times more: an owner that runs may soon be gone, and a park costs as much as hundreds of short sections. */
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
                    throw new Error("the lock has been taken too often by its owner");
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

    // ---- what the queue asks

    @Override
    boolean isOpen(long word) {
        return isOpenToOwner(word);
    }

    @Override
    long taken(long word, Waiter waiter) {
        return isOpenToOwner(word) ? word | waiter.standing.id << OWNER_SHIFT : NONE;
    }

    @Override
    void given(Waiter waiter) {
        registered = waiter.standing.id;
        setExclusiveOwnerThread(waiter.standing.get());
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

    // ---- releasing it

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
        LockThread.current().giveBack(this);
    }

    // ---- for conditions

    /** Releases it however often it was taken, and says how often that was. */
    final int releaseFully() {
        int times = again;
        again = 0;
        release(wordVolatile());
        return times;
    }

    /** One that was signalled takes the lock again as often as before. */
    final void lockSignalled(Waiter me, int times) {
        awaitTurn(me);
        again = times;
    }

    /** One that has stopped waiting to be signalled takes the lock again as often as before. */
    final void lockUnsignalled(int times) {
        lock();
        again = times;
    }

    /** A waiter of a condition, which is not signalled yet. */
    final Waiter conditionWaiter() {
        return waiter(WHOLE, true, Waiter.CONDITION);
    }

    /** The owner has a waiter of a condition wait for the lock; false if that has stopped waiting to be signalled. */
    boolean transfer(Waiter waiter) {
        waiter.since = queue().now();
        if (!waiter.casState(Waiter.CONDITION, Waiter.WAITING)) {
            return false;
        }
        // the thread sleeps on and cannot say it; nor can it have done with waiting before this one releases the lock
        waiter.standing.waiting = waiter;
        enqueue(waiter);
        if (waiter.loan().importance().isImportant()) {
            PriorityDonation.along(waiter);
        }
        return true;
    }

    // ---- for those who ask

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

    /** The owner, null if there is none. */
    final @Nullable Thread owner() {
        LockThread owner = LockThread.of(ownerId());
        return owner == null ? null : owner.get();
    }

    /** The id of the owner, 0 if there is none. */
    final long ownerId() {
        return wordVolatile() >>> OWNER_SHIFT;
    }

    final int holdCount() {
        return isOwner() ? again + 1 : 0;
    }
}
