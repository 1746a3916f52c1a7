package dev.unjank.locks;

import dev.unjank.locks.FaultyLockSync.Fault;

/** A VipSemaphore's word and queue with at most one fault in it. */
@SuppressWarnings("serial") // is not serialized
final class FaultySemaphoreSync extends VipSemaphore.Sync {
    private static final long serialVersionUID = 1;

    private final Fault fault;

    FaultySemaphoreSync(Fault fault, int permits) {
        super(permits, new WaitQueue(FaultyLockSync.PATIENT, () -> 0));
        this.fault = fault;
    }

    /** The fault: a thread that wants several permits takes them when there is one. */
    @Override
    long taken(long word, Waiter waiter) {
        long taken = super.taken(word, waiter);
        return taken == NONE && fault == Fault.TAKES_TOO_MUCH && permits(word) > 0
                ? word - ((long) waiter.amount << Integer.SIZE)
                : taken;
    }

    @Override
    boolean wake(Waiter next) {
        return super.wake(next) || fault == Fault.WAKES_NOBODY;
    }
}
