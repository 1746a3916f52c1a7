package dev.unjank.locks;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A VipLock's word and queue with at most one fault in it: what shows that a proof can fail. */
@SuppressWarnings("serial") // is not serialized
final class FaultyLockSync extends VipLock.Sync {
    private static final long serialVersionUID = 1;

    /** What can be wrong with it. */
    enum Fault {
        NONE,
        /** Who has been woken and has tried does not say that others wait. */
        DOES_NOT_ANSWER,
        /** Who wakes one that gives up at that moment does not look for another. */
        WAKES_NOBODY,
        /** Somebody gets what it waits for though there is too little. */
        TAKES_TOO_MUCH,
        /** Who is signalled is not put into the lock's queue. */
        LOSES_THE_SIGNAL,
        /** Who has waited long enough gives up although the lock is about to be its own. */
        CANCELS_WHAT_IS_CLAIMED,
        /** The owner keeps what it was lent. */
        KEEPS_THE_LOAN,
        /** A signal goes to one that has given up waiting for it. */
        SIGNALS_WHO_HAS_GONE
    }

    /** A bound after which nobody has waited too long, and one after which everybody has, if the clock stands still. */
    static final long PATIENT = Long.MAX_VALUE;

    static final long IMPATIENT = -1;

    private final Fault fault;

    /** Ordinary waiters have waited too long at every third look, or so: all ways to get the lock are gone. */
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

    /** Gives others time to come between: about as long as the shortest wait with a limit takes, now longer, now not. */
    static void busy() {
        int times = ThreadLocalRandom.current().nextInt(3_000);
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    @Override
    void answer() {
        if (fault != Fault.DOES_NOT_ANSWER) {
            super.answer();
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

    /** Its waiters give up whatever has been decided. */
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
