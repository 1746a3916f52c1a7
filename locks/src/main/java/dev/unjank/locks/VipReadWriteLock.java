package dev.unjank.locks;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A reentrant read-write lock that shortens the waits of important threads. It is used like {@link
 * java.util.concurrent.locks.ReentrantReadWriteLock}.
 *
 * <p><b>Order of waiters.</b> As in {@link VipLock}, with readers and writers in one queue: threads of a real-time
 * class go first, then {@link Importance#VIP} threads, then all others, first come first served within each group.
 * Ordinary threads that have waited longer than a bound take turns with important ones. If the first waiter is a
 * reader, it acquires the lock even while other readers hold it. While threads wait, a new reader waits in the queue,
 * too, unless it already holds the read lock. So overlapping readers cannot starve writers, and an important reader
 * goes before an ordinary writer.
 *
 * <p><b>Priority inheritance.</b> While an important thread waits, to write or to read, the writer inherits its
 * scheduling, as far as the {@link PriorityTier} allows. While an important writer waits, all readers inherit its
 * scheduling, because each of them must release the lock before the writer can enter. The cost of finding the readers
 * grows with the number of threads that have used a lock of this package.
 *
 * <p><b>Downgrade and upgrade.</b> A writer may take the read lock, and keep it after releasing the write lock. A
 * reader that requests the write lock waits for itself: {@code lock()} never returns, as with ReentrantReadWriteLock,
 * but here the deadlock is reported.
 *
 * <p><b>Not guaranteed.</b> No tier guarantees a maximum wait time. {@code tryLock()} of either lock barges past all
 * waiters. The read lock has no conditions. Tools show the writer as the owner, but not the readers, since an {@link
 * java.util.concurrent.locks.AbstractOwnableSynchronizer} has one owner.
 *
 * <p>All methods may be called by any thread, unless stated otherwise. Memory effects are those of {@link
 * ReadWriteLock}.
 */
public final class VipReadWriteLock implements ReadWriteLock {
    private final SharedSync sync;
    private final Lock readLock;
    private final VipLock writeLock;

    /** The synchronizer; its class name appears in thread dumps and JFR events. */
    @SuppressWarnings("serial") // not serializable: see VipSync
    static class Sync extends SharedSync {
        private static final long serialVersionUID = 1;

        Sync(WaitQueue queue) {
            super(queue);
        }

        @Override
        public String toString() {
            return "VipReadWriteLock@" + Integer.toHexString(System.identityHashCode(this)) + state();
        }
    }

    /** Creates a lock with a bound of 50 ms: an ordinary thread that has waited longer is overdue. */
    public VipReadWriteLock() {
        this(VipLock.USUAL_BOUND);
    }

    /**
     * Creates a lock.
     *
     * @param bound the wait time after which an ordinary thread is overdue
     * @throws IllegalArgumentException if the bound is negative
     */
    public VipReadWriteLock(Duration bound) {
        this(new Sync(WaitQueue.of(bound)));
    }

    /** Creates a lock with the given synchronizer, for tests. */
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
     * @return the write lock; its monitoring methods include waiting readers, which are in the same queue
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
                    "the read lock has no conditions: use a condition of the write lock");
        }

        @Override
        public String toString() {
            return "VipReadWriteLock.ReadLock@" + Integer.toHexString(System.identityHashCode(sync)) + "[Read locks = "
                    + sync.shares() + "]";
        }
    }

    /**
     * Returns the total number of read locks held by all threads. For monitoring.
     *
     * @return the number, approximately
     */
    public int getReadLockCount() {
        return sync.shares();
    }

    /**
     * Returns the number of read locks that the calling thread holds.
     *
     * @return the number, 0 if it holds none
     */
    public int getReadHoldCount() {
        return sync.shareCount();
    }

    /**
     * Returns the number of holds of the write lock by the calling thread.
     *
     * @return the number, 0 if it does not hold the write lock
     */
    public int getWriteHoldCount() {
        return sync.holdCount();
    }

    /**
     * Returns whether a thread holds the write lock. For monitoring.
     *
     * @return true if one does, approximately
     */
    public boolean isWriteLocked() {
        return sync.isOwned();
    }

    /**
     * Returns whether the calling thread holds the write lock.
     *
     * @return true if it does
     */
    public boolean isWriteLockedByCurrentThread() {
        return sync.isOwner();
    }

    /**
     * Returns the owner of the write lock. For monitoring.
     *
     * @return the thread; null if there is none, or if the owner has just changed
     */
    public @Nullable Thread getOwner() {
        return sync.owner();
    }

    /**
     * Returns the threads that wait for either lock, for monitoring. A thread that waits during the whole call is
     * listed; one that arrives or leaves during the call may be missing. The cost grows with the number of threads that
     * have used a lock of this package.
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
