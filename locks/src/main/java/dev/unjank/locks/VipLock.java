package dev.unjank.locks;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A reentrant lock for which important threads wait little. It is used as
 * {@link java.util.concurrent.locks.ReentrantLock} is; what differs is who gets it next, and what its owner is lent.
 *
 * {@snippet :
 * private final VipLock lock = new VipLock();
 *
 * void draw() { // the thread that draws
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
 * <p><b>Who is next.</b> Threads of a real-time class, then those that are {@link Importance#VIP}, then the others; first come first
 * served within each. To important threads the lock is given; the others are woken to take it, and a thread that happens to run
 * may come first, as with an unfair ReentrantLock. An ordinary thread that has waited longer than a bound, 50 ms unless told
 * otherwise, is given the lock before all others.
 *
 * <p><b>What is lent.</b> While an important thread waits, the owner is scheduled as well as it is, as far as the {@link PriorityTier} allows;
 * so is the owner of what that waits for, if it is another VipLock, and so on. It ends when the owner releases the lock or waits
 * for a condition of it. A thread that the owner starts in the meantime inherits nothing.
 *
 * <p><b>Not promised.</b> A longest wait: on no tier. Which of two threads comes first that arrive at the same time. Anything about
 * {@link #tryLock()}, which takes the lock whoever waits. A virtual thread waits and owns like any other and is ordered, but nothing
 * can be lent to it, since the kernel does not know it.
 *
 * <p><b>Deadlocks</b> of threads that wait for each other's VipLocks without a limit of time are reported, once, to the System.Logger
 * {@code dev.unjank.locks}; thread dumps show them as they do those of j.u.c. locks.
 *
 * <p>All methods may be called by any thread, unless they say otherwise. Memory effects are those of {@link Lock}.
 */
public final class VipLock implements Lock {
    static final Duration USUAL_BOUND = Duration.ofMillis(50);

    final ExclusiveSync sync;

    /** By this name thread dumps and Flight Recorder know the lock. */
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

    /** A lock whose ordinary waiters go first after 50 ms. */
    public VipLock() {
        this(USUAL_BOUND);
    }

    /**
     * A lock.
     *
     * @param bound how long an ordinary thread lets important ones go before it
     * @throws IllegalArgumentException if the bound is negative
     */
    public VipLock(Duration bound) {
        this(new Sync(WaitQueue.of(bound)));
    }

    /** With a queue of one's own, for tests. */
    VipLock(ExclusiveSync sync) {
        this.sync = sync;
    }

    /** {@inheritDoc} An interrupt does not end it; the thread is interrupted when it returns. */
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
     * @return whether the calling thread owns it now; true also if it did before
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
     * A condition of this lock. Its signal goes to the most important waiter, the one that has waited longest among equals. Who
     * waits for it has given the lock, and what it was lent for it, back.
     *
     * @return a new one
     */
    @Override
    public Condition newCondition() {
        return new VipCondition(sync);
    }

    /**
     * Whether a thread owns the lock. Meant for watching: it may be over when the caller looks at the answer.
     *
     * @return whether it is owned
     */
    public boolean isLocked() {
        return sync.isOwned();
    }

    /**
     * Whether the calling thread owns the lock.
     *
     * @return whether it does
     */
    public boolean isHeldByCurrentThread() {
        return sync.isOwner();
    }

    /**
     * How often the calling thread has taken the lock and not released it.
     *
     * @return 0 if it does not own it
     */
    public int getHoldCount() {
        return sync.holdCount();
    }

    /**
     * The owner. Meant for watching.
     *
     * @return the thread; null if there is none, or if it has just changed
     */
    public @Nullable Thread getOwner() {
        return sync.owner();
    }

    /**
     * Who waits for the lock. Meant for watching: taken while threads come and go, some of which may be missed or be there though they
     * have gone.
     *
     * @return the threads, in no order
     */
    public Collection<Thread> getQueuedThreads() {
        return sync.queuedThreads();
    }

    /**
     * Whether somebody waits for the lock. Meant for watching.
     *
     * @return whether somebody does, about now
     */
    public boolean hasQueuedThreads() {
        return !getQueuedThreads().isEmpty();
    }

    /**
     * How many wait for the lock. Meant for watching.
     *
     * @return how many, about now
     */
    public int getQueueLength() {
        return getQueuedThreads().size();
    }

    /**
     * How many wait for a condition. For the owner of the lock.
     *
     * @param condition one of {@link #newCondition}
     * @return how many
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
