package dev.unjank.locks;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A reentrant lock for one writer or several readers, in which important threads wait briefly. It is used like {@link
 * java.util.concurrent.locks.ReentrantReadWriteLock}.
 *
 * <p><b>Order of waiters.</b> As with {@link VipLock}, with readers and writers in one queue: threads of a real-time
 * class, then {@link Importance#VIP}, then the others, first come first served within each; an ordinary thread that has
 * waited longer than a bound alternates with the important ones. The next reader enters while others read. A reader
 * that arrives while threads wait queues up, unless it already reads: so overlapping readers cannot starve writers, and
 * an important reader goes before an ordinary writer.
 *
 * <p><b>Priority inheritance.</b> While an important thread waits, to write or to read, the writer inherits its
 * scheduling, as far as the {@link PriorityTier} allows. So do all readers for which an important writer waits: each of
 * them must release before it can begin. Finding them takes a walk over all threads that use these locks.
 *
 * <p><b>Downgrade and upgrade.</b> A writer may take the read lock, and keep it when it has released the write lock. A
 * reader that requests the write lock waits for itself: {@code lock()} never returns, as with ReentrantReadWriteLock;
 * here it is reported as a deadlock.
 *
 * <p><b>Not guaranteed.</b> A maximum wait: on no tier. Any order for {@code tryLock()} of either lock, which barges
 * past all waiters. The read lock has no conditions. Tools see the writer as the owner; they see no readers, since
 * {@link java.util.concurrent.locks.AbstractOwnableSynchronizer} has one owner.
 *
 * <p>All methods may be called by any thread, unless stated otherwise. Memory effects are those of {@link
 * ReadWriteLock}.
 */
public final class VipReadWriteLock implements ReadWriteLock {
    private final SharedSync sync;
    private final Lock readLock;
    private final VipLock writeLock;

    /** Its name appears in thread dumps and Flight Recorder. */
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

    /** Makes a lock with a bound of 50 ms: ordinary waiters go first after that. */
    public VipReadWriteLock() {
        this(VipLock.USUAL_BOUND);
    }

    /**
     * Makes a lock.
     *
     * @param bound how long an ordinary thread waits until it goes before important ones
     * @throws IllegalArgumentException if the bound is negative
     */
    public VipReadWriteLock(Duration bound) {
        this(new Sync(WaitQueue.of(bound)));
    }

    /** With a given queue, for tests. */
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
     * @return the lock; waiting writers and readers are in one queue
     */
    @Override
    public VipLock writeLock() {
        return writeLock;
    }

    /** The read lock. */
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
                    "the read lock has no conditions: take a condition of the write lock");
        }

        @Override
        public String toString() {
            return sync.toString();
        }
    }

    /**
     * Returns the number of read locks held, by all threads together. For monitoring.
     *
     * @return the number, approximately
     */
    public int getReadLockCount() {
        return sync.shares();
    }

    /**
     * Returns the number of read locks that the calling thread holds.
     *
     * @return 0 if it does not
     */
    public int getReadHoldCount() {
        return sync.shareCount();
    }

    /**
     * Returns the number of holds of the write lock by the calling thread.
     *
     * @return 0 if it does not
     */
    public int getWriteHoldCount() {
        return sync.holdCount();
    }

    /**
     * Returns whether a thread holds the write lock. For monitoring.
     *
     * @return whether one does, approximately
     */
    public boolean isWriteLocked() {
        return sync.isOwned();
    }

    /**
     * Returns whether the calling thread holds the write lock.
     *
     * @return whether it does
     */
    public boolean isWriteLockedByCurrentThread() {
        return sync.isOwner();
    }

    /**
     * Returns the owner of the write lock. For monitoring.
     *
     * @return the thread; null if there is none, or if it has just changed
     */
    public @Nullable Thread getOwner() {
        return sync.owner();
    }

    /**
     * Returns the threads that wait for either lock. For monitoring: threads that come or go meanwhile may be missing.
     *
     * @return the threads, in no order
     */
    public Collection<Thread> getQueuedThreads() {
        return sync.queuedThreads();
    }

    /**
     * Returns whether threads wait for either lock. For monitoring.
     *
     * @return whether any thread waits, approximately
     */
    public boolean hasQueuedThreads() {
        return !getQueuedThreads().isEmpty();
    }

    /**
     * Returns the number of threads that wait for either lock. For monitoring.
     *
     * @return the number, approximately
     */
    public int getQueueLength() {
        return getQueuedThreads().size();
    }

    @Override
    public String toString() {
        return sync.toString();
    }
}
