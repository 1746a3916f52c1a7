package dev.unjank.locks;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A reentrant lock in which important threads wait briefly. It is used like {@link
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
 * <p><b>Order of waiters.</b> Threads of a real-time class, then those that are {@link Importance#VIP}, then the
 * others; first come first served within each. The lock is granted to important threads; the others are woken to take
 * it, and a running thread may barge in, as with an unfair ReentrantLock. An ordinary thread that has waited longer
 * than a bound, 50 ms by default, is granted the lock before all others.
 *
 * <p><b>Priority inheritance.</b> While an important thread waits, the owner inherits its scheduling, as far as the
 * {@link PriorityTier} allows; so does the owner of the VipLock that this owner waits for, and so on. The boost ends
 * when the owner releases the lock or waits for a condition of it. Threads that the owner starts in the meantime do not
 * inherit it.
 *
 * <p><b>Not guaranteed.</b> A maximum wait: on no tier. The order of two threads that arrive at the same time. Any
 * order for {@link #tryLock()}, which barges past all waiters. A virtual thread waits, owns and is ordered like any
 * other, but cannot be boosted, since the kernel does not schedule it.
 *
 * <p><b>Deadlocks</b> of threads that wait for each other's VipLocks without a timeout are reported, once, to the
 * System.Logger {@code dev.unjank.locks}; thread dumps show them like those of j.u.c. locks.
 *
 * <p>All methods may be called by any thread, unless stated otherwise. Memory effects are those of {@link Lock}.
 */
public final class VipLock implements Lock {
    static final Duration USUAL_BOUND = Duration.ofMillis(50);

    final ExclusiveSync sync;

    /** Its name appears in thread dumps and Flight Recorder. */
    @SuppressWarnings("serial") // is not to be serialized: see VipSync
    static class Sync extends ExclusiveSync {
        private static final long serialVersionUID = 1;

        Sync(WaitQueue queue) {
            super(queue);
        }

        @Override
        public String toString() {
            return "VipLock@" + Integer.toHexString(System.identityHashCode(this))
                    + (isOwned() ? "[locked by " + name(owner()) + "]" : "[unlocked]");
        }
    }

    /** Makes a lock with a bound of 50 ms: ordinary waiters go first after that. */
    public VipLock() {
        this(USUAL_BOUND);
    }

    /**
     * Makes a lock.
     *
     * @param bound how long an ordinary thread waits until it goes before important ones
     * @throws IllegalArgumentException if the bound is negative
     */
    public VipLock(Duration bound) {
        this(new Sync(WaitQueue.of(bound)));
    }

    /** With a given queue, for tests. */
    VipLock(ExclusiveSync sync) {
        this.sync = sync;
    }

    /** {@inheritDoc} An interrupt does not end the wait; the interrupt flag is set when it returns. */
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
     * @return whether the calling thread owns it now; true also if it already did
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
     * Returns a condition of this lock. Its signal goes to the most important waiter, the longest-waiting one among
     * equals. A thread that waits for it has released the lock and returned its donations.
     *
     * @return a new condition
     */
    @Override
    public Condition newCondition() {
        return new VipCondition(sync);
    }

    /**
     * Returns whether a thread owns the lock. For monitoring: the result may be outdated at once.
     *
     * @return whether it is owned
     */
    public boolean isLocked() {
        return sync.isOwned();
    }

    /**
     * Returns whether the calling thread owns the lock.
     *
     * @return whether it does
     */
    public boolean isHeldByCurrentThread() {
        return sync.isOwner();
    }

    /**
     * Returns the number of holds of the calling thread.
     *
     * @return 0 if it does not own it
     */
    public int getHoldCount() {
        return sync.holdCount();
    }

    /**
     * Returns the owner. For monitoring.
     *
     * @return the thread; null if there is none, or if it has just changed
     */
    public @Nullable Thread getOwner() {
        return sync.owner();
    }

    /**
     * Returns the threads that wait for the lock. For monitoring: threads that come or go meanwhile may be missing or
     * listed.
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
     * Returns the number of threads that wait for a condition. For the owner of the lock.
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
        return sync.toString();
    }
}
