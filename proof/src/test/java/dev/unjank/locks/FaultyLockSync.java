package dev.unjank.locks;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A VipLock's word and queue with at most one fault, which shows that a proof can fail. */
@SuppressWarnings("serial") // is not serialized
final class FaultyLockSync extends VipLock.Sync {
    private static final long serialVersionUID = 1;

    /** The faults. */
    enum Fault {
        NONE,
        /** A woken thread that has tried does not publish that others wait. */
        DOES_NOT_ANSWER,
        /** A thread that wakes a waiter which gives up at that moment does not choose another. */
        WAKES_NOBODY,
        /** A thread acquires although too little is available. */
        TAKES_TOO_MUCH,
        /** A signalled waiter is not put into the lock's queue. */
        LOSES_THE_SIGNAL,
        /** A thread gives up after its timeout although the lock is about to be its own. */
        CANCELS_WHAT_IS_CLAIMED,
        /** The owner keeps a donation. */
        KEEPS_THE_LOAN,
        /** A signal goes to a waiter that has given up. */
        SIGNALS_WHO_HAS_GONE
    }

    /** A bound after which no thread is overdue, and one after which all are, if the clock does not advance. */
    static final long PATIENT = Long.MAX_VALUE;

    static final long IMPATIENT = -1;

    private final Fault fault;

    /** Ordinary waiters are overdue at about every third check: covers all ways to get the lock. */
    FaultyLockSync(Fault fault) {
        this(fault, 3, new AtomicLong()::incrementAndGet);
    }

    FaultyLockSync(Fault fault, long bound, LongSupplier clock) {
        super(fault == Fault.CANCELS_WHAT_IS_CLAIMED ? new FaultyQueue(bound, clock) : new WaitQueue(bound, clock));
        this.fault = fault;
    }

    static VipLock lock(Fault fault) {
        return new VipLock(new FaultyLockSync(fault));
    }

    /**
     * Lets other threads intervene: for about as long as the shortest timed wait takes, sometimes longer, sometimes not
     * at all.
     */
    static void busy() {
        int times = ThreadLocalRandom.current().nextInt(3_000);
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    @Override
    void republishWaiters() {
        if (fault != Fault.DOES_NOT_ANSWER) {
            super.republishWaiters();
        }
    }

    @Override
    void giveBack() {
        if (fault != Fault.KEEPS_THE_LOAN) {
            super.giveBack();
        }
    }

    @Override
    boolean transfer(Waiter waiter) {
        if (fault == Fault.LOSES_THE_SIGNAL) {
            return waiter.casState(Waiter.CONDITION, Waiter.WAITING);
        }
        return super.transfer(waiter) || fault == Fault.SIGNALS_WHO_HAS_GONE;
    }

    /** Its waiters give up regardless of any decision. */
    private static final class FaultyQueue extends WaitQueue {
        FaultyQueue(long bound, LongSupplier clock) {
            super(bound, clock);
        }

        @Override
        Waiter waiter(VipSync sync, LockThread me, int amount, boolean isForever, int state) {
            return new Waiter(sync, me, amount, now(), isForever, state) {
                @Override
                boolean cancel() {
                    busy();
                    setStateVolatile(CANCELLED);
                    return true;
                }
            };
        }
    }
}
