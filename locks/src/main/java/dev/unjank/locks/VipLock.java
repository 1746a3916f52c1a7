package dev.unjank.locks;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A reentrant lock that shortens the waits of important threads. It is used like {@link
 * java.util.concurrent.locks.ReentrantLock}; it differs in the order of waiters and in the priority that its owner
 * inherits.
 *
 * {@snippet :
 * private final VipLock lock = new VipLock();
 *
 * void draw() { // the drawing thread
 *     Importance.VIP.run(() -> {
 *         lock.lock();
 *         try {
 *             ...
 *         } finally {
 *             lock.unlock();
 *         }
 *     });
 * }
 * }
 *
 * <p><b>Order of waiters.</b> Real-time threads go first, then {@link Importance#VIP} threads, then ordinary threads;
 * first come first served within each group. An ordinary
 * thread that has waited longer than a bound, 50 ms by default, is overdue. Overdue and important threads take turns.
 *
 * <p>Real-time and VIP threads are called important. An important or overdue waiter is granted the lock: it owns the
 * lock before it wakes up. Any other waiter is only woken and must then compete for the lock: a running thread may
 * barge in, as with an unfair ReentrantLock.
 *
 * <p><b>Priority inheritance.</b> While an important thread waits, the owner inherits its scheduling, as far as the
 * {@link PriorityTier} allows. If the owner waits for another VipLock, the owner of that lock inherits it, too, and so
 * on. The boost ends when the owner releases the lock or waits for a condition of it. Threads that the owner starts in
 * the meantime do not inherit it.
 *
 * <p><b>Not guaranteed.</b> No tier guarantees a maximum wait time. The order of two threads that arrive at the same
 * time is undefined. {@link #tryLock()} barges past all waiters. A virtual thread waits, owns and is ordered like any
 * other thread, but cannot be boosted, since the kernel does not schedule it.
 *
 * <p><b>Deadlocks</b> of threads that wait for each other's VipLocks without a timeout are reported once to the
 * System.Logger {@code dev.unjank.locks}; thread dumps show them like deadlocks of java.util.concurrent locks.
 *
 * <p>All methods may be called by any thread, unless stated otherwise. Memory effects are those of {@link Lock}.
 */
public final class VipLock implements Lock {
    static final Duration USUAL_BOUND = Duration.ofMillis(50);

    final ExclusiveSync sync;

    /** The synchronizer; its class name appears in thread dumps and JFR events. */
    @SuppressWarnings("serial") // not serializable: see VipSync
    static class Sync extends ExclusiveSync {
        private static final long serialVersionUID = 1;

        Sync(WaitQueue queue) {
            super(queue);
        }

        @Override
        public String toString() {
            return "VipLock@" + Integer.toHexString(System.identityHashCode(this)) + ownerText();
        }
    }

    /** Creates a lock with a bound of 50 ms: an ordinary thread that has waited longer is overdue. */
    public VipLock() {
        this(USUAL_BOUND);
    }

    /**
     * Creates a lock.
     *
     * @param bound the wait time after which an ordinary thread is overdue
     * @throws IllegalArgumentException if the bound is negative
     */
    public VipLock(Duration bound) {
        this(new Sync(WaitQueue.of(bound)));
    }

    /** Creates a lock with the given synchronizer, for tests. */
    VipLock(ExclusiveSync sync) {
        this.sync = sync;
    }

    /** {@inheritDoc} An interrupt does not end the wait; the interrupt flag is set when this method returns. */
    @Override
    public void lock() {
        sync.lock();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        sync.lock(VipSync.FOREVER);
    }

    /**
     * {@inheritDoc}
     *
     * @return whether the calling thread owns the lock now; true if it already did
     */
    @Override
    public boolean tryLock() {
        return sync.tryLock();
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return sync.lock(unit.toNanos(time));
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalMonitorStateException if the calling thread does not own it
     */
    @Override
    public void unlock() {
        sync.unlock();
    }

    /**
     * Returns a condition of this lock. A signal goes to the most important waiter, and to the longest-waiting one
     * among equals. A thread that waits for the condition has released the lock and does not inherit from its waiters
     * any more.
     *
     * @return a new condition
     */
    @Override
    public Condition newCondition() {
        return new VipCondition(sync);
    }

    /**
     * Returns whether a thread owns the lock. For monitoring: the result may already be stale on return.
     *
     * @return true if a thread owns it
     */
    public boolean isLocked() {
        return sync.isOwned();
    }

    /**
     * Returns whether the calling thread owns the lock.
     *
     * @return true if it does
     */
    public boolean isHeldByCurrentThread() {
        return sync.isOwner();
    }

    /**
     * Returns the number of holds of the calling thread.
     *
     * @return the number, 0 if the calling thread does not own the lock
     */
    public int getHoldCount() {
        return sync.holdCount();
    }

    /**
     * Returns the owner. For monitoring.
     *
     * @return the thread; null if there is none, or if the owner has just changed
     */
    public @Nullable Thread getOwner() {
        return sync.owner();
    }

    /**
     * Returns the threads that wait for the lock, for monitoring. A thread that waits during the whole call is listed;
     * one that arrives or leaves during the call may be missing. The cost grows with the number of threads that have
     * used a lock of this package.
     *
     * @return the threads, in no order
     */
    public Collection<Thread> getQueuedThreads() {
        return sync.queuedThreads();
    }

    /**
     * Returns whether threads wait for the lock. For monitoring.
     *
     * @return whether any thread waits, approximately
     */
    public boolean hasQueuedThreads() {
        return !getQueuedThreads().isEmpty();
    }

    /**
     * Returns the number of threads that wait for the lock. For monitoring.
     *
     * @return the number, approximately
     */
    public int getQueueLength() {
        return getQueuedThreads().size();
    }

    /**
     * Returns the number of threads that wait for a condition. Must be called by the owner of the lock.
     *
     * @param condition one of {@link #newCondition}
     * @return the number
     * @throws IllegalArgumentException if the condition is not one of this lock
     * @throws IllegalMonitorStateException if the calling thread does not own the lock
     */
    public int getWaitQueueLength(Condition condition) {
        if (condition instanceof VipCondition mine && mine.isOf(sync)) {
            return mine.length();
        }
        throw new IllegalArgumentException("not a condition of this lock");
    }

    @Override
    public String toString() {
        return sync instanceof Sync
                ? sync.toString()
                : "VipReadWriteLock.WriteLock@" + Integer.toHexString(System.identityHashCode(sync)) + sync.ownerText();
    }
}
