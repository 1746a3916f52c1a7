package dev.unjank.locks;

import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * A condition of a {@link VipLock}. A signal moves the most important waiter to the lock's queue, like a new arrival;
 * among equally important ones, the one that has waited longest. The list is guarded by the lock.
 */
final class VipCondition implements Condition {
    private final ExclusiveSync sync;
    private final WaitList waiters = new WaitList();

    VipCondition(ExclusiveSync sync) {
        this.sync = sync;
    }

    /** The reason why a wait ended. */
    private enum End {
        SIGNAL,
        TIME,
        INTERRUPT
    }

    private End park(boolean interruptibly, long nanos) {
        sync.checkOwner();
        Waiter me = sync.conditionWaiter();
        waiters.add(me);
        int times = sync.releaseFully();
        long start = nanos == VipSync.FOREVER ? 0 : me.nanoTime();
        boolean interrupted = false;
        End end = End.SIGNAL;
        while (me.stateVolatile() == Waiter.CONDITION) {
            long left = nanos == VipSync.FOREVER ? nanos : nanos - (me.nanoTime() - start);
            if (left <= 0) {
                end = me.casState(Waiter.CONDITION, Waiter.CANCELLED) ? End.TIME : End.SIGNAL;
            } else if (interruptibly && interrupted) {
                end = me.casState(Waiter.CONDITION, Waiter.CANCELLED) ? End.INTERRUPT : End.SIGNAL;
            } else {
                me.park(this, left);
                interrupted |= Thread.interrupted();
            }
        }
        if (end == End.SIGNAL) {
            sync.lockSignalled(me, times);
        } else {
            sync.lockUnsignalled(times);
            if (me.list != null) {
                waiters.remove(me); // no signal has intervened
            }
        }
        if (interrupted && end != End.INTERRUPT) {
            Thread.currentThread().interrupt();
        }
        return end;
    }

    @Override
    public void await() throws InterruptedException {
        sleep(VipSync.FOREVER);
    }

    /** Waits; returns whether the thread was signalled. */
    private boolean sleep(long nanos) throws InterruptedException {
        sync.checkOwner();
        VipSync.checkInterrupt();
        End end = park(true, nanos);
        if (end == End.INTERRUPT) {
            throw new InterruptedException();
        }
        return end == End.SIGNAL;
    }

    @Override
    public void awaitUninterruptibly() {
        park(false, VipSync.FOREVER);
    }

    @Override
    public long awaitNanos(long nanosTimeout) throws InterruptedException {
        long nanos = time(nanosTimeout);
        long start = System.nanoTime();
        sleep(nanos);
        return nanos - (System.nanoTime() - start);
    }

    /**
     * Clamps a timeout so that subtracting elapsed time from it cannot overflow, and so that it never means FOREVER.
     */
    private static long time(long nanos) {
        return Math.clamp(nanos, 0, VipSync.FOREVER - 1);
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
        return sleep(time(unit.toNanos(time)));
    }

    @Override
    @SuppressWarnings("JavaUtilDate") // required by the interface
    public boolean awaitUntil(Date deadline) throws InterruptedException {
        long millis = deadline.getTime() - System.currentTimeMillis();
        return sleep(time(TimeUnit.MILLISECONDS.toNanos(millis)));
    }

    @Override
    public void signal() {
        sync.checkOwner();
        for (Waiter next = mostImportant(); next != null; next = mostImportant()) {
            waiters.remove(next);
            if (sync.transfer(next)) {
                return;
            }
        }
    }

    @Override
    public void signalAll() {
        sync.checkOwner();
        for (Waiter next = waiters.first(); next != null; next = waiters.first()) {
            waiters.remove(next);
            sync.transfer(next);
        }
    }

    private @Nullable Waiter mostImportant() {
        Waiter best = waiters.first();
        for (Waiter waiter = best; waiter != null; waiter = waiter.behind) {
            if (best == null || waiter.importance.compareTo(best.importance) > 0) {
                best = waiter;
            }
        }
        return best;
    }

    /** Returns whether this is a condition of the given lock. */
    boolean isOf(ExclusiveSync other) {
        return sync.is(other);
    }

    /** Returns the number of waiters. Called by the owner of the lock. */
    int length() {
        sync.checkOwner();
        int length = 0;
        for (Waiter waiter = waiters.first(); waiter != null; waiter = waiter.behind) {
            length++;
        }
        return length;
    }
}
