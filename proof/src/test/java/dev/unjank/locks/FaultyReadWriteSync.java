package dev.unjank.locks;

import dev.unjank.locks.FaultyLockSync.Fault;

/** A VipReadWriteLock's word and queue with at most one fault in it. */
@SuppressWarnings("serial") // is not serialized
final class FaultyReadWriteSync extends VipReadWriteLock.Sync {
    private static final long serialVersionUID = 1;

    private final Fault fault;

    FaultyReadWriteSync(Fault fault) {
        super(new WaitQueue(FaultyLockSync.PATIENT, () -> 0));
        this.fault = fault;
    }

    /** The fault: a writer takes it though others read. */
    @Override
    long taken(long word, Waiter waiter) {
        return fault == Fault.TAKES_TOO_MUCH && waiter.amount == WHOLE && isOpen(word)
                ? word | waiter.lockThread.id << OWNER_SHIFT
                : super.taken(word, waiter);
    }
}
