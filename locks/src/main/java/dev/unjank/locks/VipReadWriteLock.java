package dev.unjank.locks;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A reentrant lock that one thread writes under, or several read under, and for which important threads wait little. It is used as
 * {@link java.util.concurrent.locks.ReentrantReadWriteLock} is.
 *
 * <p><b>Who is next.</b> As with {@link VipLock}, readers and writers in one queue: threads of a real-time class, then
 * {@link Importance#VIP}, then the others, first come first served within each; an ordinary thread that has waited longer than a bound
 * takes turns with the important ones. The next reader goes in while others read. A reader that comes while somebody waits
 * queues up, unless it reads already: so writers are not kept out by readers that take turns, and an important reader goes before
 * a writer that is ordinary.
 *
 * <p><b>What is lent.</b> While an important thread waits, to write or to read, the writer is scheduled as well as it is, as far as the
 * {@link PriorityTier} allows. So is every one of the readers for which an important writer waits: each of them has to go before it can
 * begin. To find them is a walk over all threads that use these locks.
 *
 * <p><b>Up and down.</b> A writer may take the read lock, and keep it when it has released the write lock. A reader that asks for the
 * write lock waits for itself: {@code lock()} never returns, as with ReentrantReadWriteLock; here it is reported as a deadlock.
 *
 * <p><b>Not promised.</b> A longest wait: on no tier. Anything about {@code tryLock()} of either lock, which asks nobody who waits.
 * Conditions of the read lock: there are none. Tools see the writer as the owner; of readers they see none, since
 * {@link java.util.concurrent.locks.AbstractOwnableSynchronizer} has one owner.
 *
 * <p>All methods may be called by any thread, unless they say otherwise. Memory effects are those of {@link ReadWriteLock}.
 */
public final class VipReadWriteLock implements ReadWriteLock {
    private final SharedSync sync;
    private final Lock readLock;
    private final VipLock writeLock;

    /** By this name thread dumps and Flight Recorder know the lock. */
    @SuppressWarnings("serial") // is not to be serialized: see VipSync
    static class Sync extends SharedSync {
        private static final long serialVersionUID = 1;

        Sync(WaitQueue queue) {
            super(queue);
        }

        @Override
        public String toString() {
            return "VipReadWriteLock@" + Integer.toHexString(System.identityHashCode(this)) + "[" + state() + "]";
        }
    }

    /** A lock whose ordinary waiters go first after 50 ms. */
    public VipReadWriteLock() {
        this(VipLock.USUAL_BOUND);
    }

    /**
     * A lock.
     *
     * @param bound how long an ordinary thread lets important ones go before it
     * @throws IllegalArgumentException if the bound is negative
     */
    public VipReadWriteLock(Duration bound) {
        this(new Sync(WaitQueue.of(bound)));
    }

    /** With a queue of one's own, for tests. */
    VipReadWriteLock(SharedSync sync) {
        this.sync = sync;
        readLock = new ReadLock(sync);
        writeLock = new VipLock(sync);
    }

    @Override
    public Lock readLock() {
        return readLock;
    }

    /**
     * {@inheritDoc}
     *
     * @return the lock; who waits for it and who waits to read are in one queue
     */
    @Override
    public VipLock writeLock() {
        return writeLock;
    }

    /** What is read under. */
    private record ReadLock(SharedSync sync) implements Lock {
        @Override
        public void lock() {
            sync.lockShared();
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            sync.lockShared(VipSync.FOREVER);
        }

        @Override
        public boolean tryLock() {
            return sync.tryLockShared();
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            return sync.lockShared(unit.toNanos(time));
        }

        @Override
        public void unlock() {
            sync.unlockShared();
        }

        @Override
        public Condition newCondition() {
            throw new UnsupportedOperationException(
                    "who reads has nobody to wait for: take a condition of the write lock");
        }

        @Override
        public String toString() {
            return sync.toString();
        }
    }

    /**
     * How many read locks are held, by all threads together. Meant for watching.
     *
     * @return how many, about now
     */
    public int getReadLockCount() {
        return sync.shares();
    }

    /**
     * How often the calling thread holds the read lock.
     *
     * @return 0 if it does not
     */
    public int getReadHoldCount() {
        return sync.shareCount();
    }

    /**
     * How often the calling thread holds the write lock.
     *
     * @return 0 if it does not
     */
    public int getWriteHoldCount() {
        return sync.holdCount();
    }

    /**
     * Whether a thread holds the write lock. Meant for watching.
     *
     * @return whether one does, about now
     */
    public boolean isWriteLocked() {
        return sync.isOwned();
    }

    /**
     * Whether the calling thread holds the write lock.
     *
     * @return whether it does
     */
    public boolean isWriteLockedByCurrentThread() {
        return sync.isOwner();
    }

    /**
     * Who holds the write lock. Meant for watching.
     *
     * @return the thread; null if there is none, or if it has just changed
     */
    public @Nullable Thread getOwner() {
        return sync.owner();
    }

    /**
     * Who waits for either lock. Meant for watching: taken while threads come and go, some of which may be missed.
     *
     * @return the threads, in no order
     */
    public Collection<Thread> getQueuedThreads() {
        return sync.queuedThreads();
    }

    /**
     * Whether somebody waits for either lock. Meant for watching.
     *
     * @return whether somebody does, about now
     */
    public boolean hasQueuedThreads() {
        return !getQueuedThreads().isEmpty();
    }

    /**
     * How many wait for either lock. Meant for watching.
     *
     * @return how many, about now
     */
    public int getQueueLength() {
        return getQueuedThreads().size();
    }

    @Override
    public String toString() {
        return sync.toString();
    }
}
