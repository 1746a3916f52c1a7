package dev.unjank.locks;

/**
 * The locks with all their accesses to shared state as steps of {@link InterleavingExplorer}, and with at most one
 * fault. The shared state is a lock's word, the state of a waiter, the arrivals of its queue and the guard of a
 * donation; everything else belongs to one thread.
 */
final class SteppedLocks {
    /** A fault that an implementation could have. */
    enum Fault {
        NONE,
        /** A thread that finds an active chooser does not make it check again. */
        LEAVES_NO_NOTE,
        /** A woken thread that has tried does not publish that others wait. */
        DOES_NOT_ANSWER,
        /** A woken thread tries although the lock is about to be granted to it. */
        TRIES_WHAT_IS_CLAIMED,
        /** A thread gives up after its timeout although the lock is about to be its own. */
        CANCELS_WHAT_IS_CLAIMED,
        /** A thread that wakes a waiter which gives up at that moment does not choose another. */
        WAKES_NOBODY,
        /** A signal goes to a waiter that has given up. */
        SIGNALS_WHO_HAS_GONE,
        /** A donor does not check whether the owner still is one. */
        LENDS_TO_WHO_HAS_GONE,
        /** The owner keeps a donation. */
        KEEPS_THE_LOAN,
        /** A waiter that gives up does not revoke its donation. */
        LEAVES_ITS_LOAN_BEHIND,
        /** A waiter that gives up does not make the next one donate. */
        FORGETS_THE_NEXT,
        /** A thread donates for a waiter that has given up. */
        LENDS_FOR_WHO_GAVE_UP,
        /** No thread receives a donation. */
        LENDS_NOTHING,
        /** A thread acquires although too little is available. */
        TAKES_TOO_MUCH
    }

    private final InterleavingExplorer all;
    private final Fault fault;

    private final Bound bound;

    /** When an ordinary waiter is overdue. */
    enum Bound {
        NEVER(Long.MAX_VALUE),
        AT_ONCE(-1),
        /** When every timeout has elapsed. */
        AFTER_A_LIMIT(0);

        final long nanos;

        Bound(long nanos) {
            this.nanos = nanos;
        }
    }

    SteppedLocks(InterleavingExplorer all, Fault fault, Bound bound) {
        this.all = all;
        this.fault = fault;
        this.bound = bound;
    }

    VipLock lock() {
        return new VipLock(new Exclusive());
    }

    VipReadWriteLock readWriteLock() {
        return new VipReadWriteLock(new Shared());
    }

    VipSemaphore semaphore(int permits) {
        return new VipSemaphore(new Permits(permits));
    }

    /** Arriving and sorting are one step each, and so are the actions of waiters. */
    private final class Queue extends WaitQueue {
        Queue() {
            super(bound.nanos, all::nanoTime);
        }

        @Override
        Waiter waiter(VipSync sync, LockThread me, int amount, boolean isForever, int state) {
            return new SteppedWaiter(sync, me, amount, now(), isForever, state);
        }

        @Override
        void push(Waiter waiter) {
            all.step("push");
            super.push(waiter);
        }

        @Override
        void sort() {
            all.step("sort");
            super.sort();
        }
    }

    /** A waiter with stepped state changes, which sleeps in the test. */
    private final class SteppedWaiter extends Waiter {
        SteppedWaiter(VipSync sync, LockThread me, int amount, long since, boolean isForever, int state) {
            super(sync, me, amount, since, isForever, state);
        }

        @Override
        int stateVolatile() {
            all.step("state?");
            return super.stateVolatile();
        }

        @Override
        boolean casState(int expected, int replacement) {
            all.step("state " + expected + " to " + replacement);
            return super.casState(expected, replacement);
        }

        @Override
        void setStateVolatile(int value) {
            all.step("state " + value);
            super.setStateVolatile(value);
        }

        @Override
        boolean cancel() {
            if (fault == Fault.CANCELS_WHAT_IS_CLAIMED) {
                setStateVolatile(CANCELLED);
                return true;
            }
            return super.cancel();
        }

        @Override
        boolean mayDonate() {
            return super.mayDonate() || fault == Fault.LENDS_FOR_WHO_GAVE_UP;
        }

        @Override
        boolean begin() {
            return super.begin() || fault == Fault.TRIES_WHAT_IS_CLAIMED;
        }

        @Override
        void park(Object blocker, long nanos) {
            all.park(nanos != VipSync.FOREVER);
        }

        @Override
        void unpark() {
            Thread thread = lockThread.get();
            if (thread != null) {
                all.unpark(thread);
            }
        }

        @Override
        long nanoTime() {
            return all.nanoTime();
        }
    }

    /** Other threads come before the announced donation is made. */
    private boolean lends(boolean isOwner) {
        all.step("lend");
        return (isOwner && fault != Fault.LENDS_NOTHING) || fault == Fault.LENDS_TO_WHO_HAS_GONE;
    }

    private boolean endsLoans(Waiter me) {
        if (fault == Fault.FORGETS_THE_NEXT) {
            PriorityDonation.revoke(me);
        }
        return fault != Fault.FORGETS_THE_NEXT && fault != Fault.LEAVES_ITS_LOAN_BEHIND;
    }

    private long noted(long before, long after) {
        return fault == Fault.LEAVES_NO_NOTE ? before : after;
    }

    /** The base of an exclusive lock. */
    @SuppressWarnings("serial") // is not serialized
    private final class Exclusive extends VipLock.Sync {
        private static final long serialVersionUID = 1;

        Exclusive() {
            super(new Queue());
        }

        @Override
        long wordVolatile() {
            all.step("word?");
            return super.wordVolatile();
        }

        @Override
        boolean casWord(long expected, long replacement) {
            all.step("word");
            return super.casWord(expected, replacement);
        }

        @Override
        long clearNews() {
            all.step("clear news");
            return super.clearNews();
        }

        @Override
        void pause(int times) {
            all.pause();
        }

        @Override
        boolean spin(Thread thread) {
            return false;
        }

        @Override
        boolean markLent(LockThread holder) {
            return lends(super.markLent(holder));
        }

        @Override
        void revokeDonations(Waiter me) {
            if (endsLoans(me)) {
                super.revokeDonations(me);
            }
        }

        @Override
        void giveBack() {
            if (fault != Fault.KEEPS_THE_LOAN) {
                super.giveBack();
            }
        }

        @Override
        long noted(long word) {
            return SteppedLocks.this.noted(word, super.noted(word));
        }

        @Override
        void republishWaiters() {
            if (fault != Fault.DOES_NOT_ANSWER) {
                super.republishWaiters();
            }
        }

        @Override
        boolean wake(Waiter next) {
            return super.wake(next) || fault == Fault.WAKES_NOBODY;
        }

        @Override
        boolean transfer(Waiter waiter) {
            return super.transfer(waiter) || fault == Fault.SIGNALS_WHO_HAS_GONE;
        }
    }

    /** The base of a read-write lock. */
    @SuppressWarnings("serial") // is not serialized
    private final class Shared extends VipReadWriteLock.Sync {
        private static final long serialVersionUID = 1;

        Shared() {
            super(new Queue());
        }

        @Override
        long wordVolatile() {
            all.step("word?");
            return super.wordVolatile();
        }

        @Override
        boolean casWord(long expected, long replacement) {
            all.step("word");
            return super.casWord(expected, replacement);
        }

        @Override
        long clearNews() {
            all.step("clear news");
            return super.clearNews();
        }

        @Override
        void pause(int times) {
            all.pause();
        }

        @Override
        boolean spin(Thread thread) {
            return false;
        }

        @Override
        boolean markLent(LockThread holder) {
            return lends(super.markLent(holder));
        }

        @Override
        void revokeDonations(Waiter me) {
            if (endsLoans(me)) {
                super.revokeDonations(me);
            }
        }

        @Override
        long noted(long word) {
            return SteppedLocks.this.noted(word, super.noted(word));
        }

        @Override
        long taken(long word, Waiter waiter) {
            return fault == Fault.TAKES_TOO_MUCH && waiter.amount == WHOLE && isOpen(word)
                    ? word | waiter.lockThread.id << OWNER_SHIFT
                    : super.taken(word, waiter);
        }
    }

    /** The base of a semaphore. */
    @SuppressWarnings("serial") // is not serialized
    private final class Permits extends VipSemaphore.Sync {
        private static final long serialVersionUID = 1;

        Permits(int permits) {
            super(permits, new Queue());
        }

        @Override
        long wordVolatile() {
            all.step("word?");
            return super.wordVolatile();
        }

        @Override
        boolean casWord(long expected, long replacement) {
            all.step("word");
            return super.casWord(expected, replacement);
        }

        @Override
        long clearNews() {
            all.step("clear news");
            return super.clearNews();
        }

        @Override
        void pause(int times) {
            all.pause();
        }

        @Override
        long noted(long word) {
            return SteppedLocks.this.noted(word, super.noted(word));
        }

        @Override
        long taken(long word, Waiter waiter) {
            long taken = super.taken(word, waiter);
            return taken == NONE && fault == Fault.TAKES_TOO_MUCH && permits(word) > 0
                    ? word - ((long) waiter.amount << Integer.SIZE)
                    : taken;
        }
    }
}
