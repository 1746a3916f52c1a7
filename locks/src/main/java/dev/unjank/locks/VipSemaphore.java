package dev.unjank.locks;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A counting semaphore that shortens the waits of important threads. It is used like {@link
 * java.util.concurrent.Semaphore}; it differs in the order of waiters.
 *
 * <p><b>Order of waiters.</b> As in {@link VipLock}: threads of a real-time class go first, then {@link Importance#VIP}
 * threads, then all others, first come first served within each group; an ordinary thread that has waited longer than a
 * bound alternates with the important ones. Important threads are granted permits. Ordinary threads are woken to take
 * them, and a running thread may barge in. But while a thread waits for more permits than are available, no thread
 * barges past it, however few permits it requests. So requests for one permit cannot starve a request for many.
 *
 * <p><b>No priority inheritance.</b> The holders of a semaphore's permits are unknown, since any thread may release
 * them. If a thread that waits here owns a lock for which a more important thread waits, it is ordered like that
 * thread, but the chain of donations ends here. For the same reason tools show the waiters, but no owner, and deadlocks
 * through a semaphore are not reported. If only one thread at a time may pass, and the thread that acquires also
 * releases, use a {@link VipLock}.
 *
 * <p>All methods may be called by any thread. Memory effects are those of {@link java.util.concurrent.Semaphore}.
 */
public final class VipSemaphore {
    private static final int PERMITS_SHIFT = 32;
    private static final long PERMIT = 1L << PERMITS_SHIFT;

    private final Sync sync;

    /**
     * The synchronizer, whose word counts permits; the count may be negative. The class name appears in thread dumps
     * and JFR events.
     */
    @SuppressWarnings("serial") // not serializable: see VipSync
    static class Sync extends VipSync {
        private static final long serialVersionUID = 1;

        Sync(int permits, WaitQueue queue) {
            super(queue);
            boolean ignored = casWord(FREE, permits * PERMIT);
        }

        static int permits(long word) {
            return (int) (word >> PERMITS_SHIFT);
        }

        @Override
        boolean isOpen(long word) {
            return permits(word) >= 0;
        }

        @Override
        long taken(long word, Waiter waiter) {
            return taken(word, waiter.amount);
        }

        private static long taken(long word, int amount) {
            return permits(word) < amount ? NONE : word - amount * PERMIT;
        }

        @Override
        List<LockThread> holders() {
            return List.of();
        }

        @Override
        boolean markLent(LockThread holder) {
            return false;
        }

        boolean enter(int amount, boolean isBeforeOthers) {
            while (true) {
                long seen = wordVolatile();
                long taken = taken(seen, amount);
                if (taken == NONE || (!isBeforeOthers && (seen & WAITERS) != 0)) {
                    return false;
                }
                if (casWord(seen, taken)) {
                    return true;
                }
            }
        }

        void add(int amount) {
            long seen = wordVolatile();
            while (!tryRelease(seen, seen + plus(seen, amount))) {
                seen = wordVolatile();
            }
        }

        private static long plus(long word, int amount) {
            if (permits(word) > Integer.MAX_VALUE - amount) {
                throw new Error("permits overflow");
            }
            return amount * PERMIT;
        }

        void subtract(int amount) {
            long seen = wordVolatile();
            while (!casWord(seen, seen - minus(seen, amount))) {
                seen = wordVolatile();
            }
        }

        private static long minus(long word, int amount) {
            if (permits(word) < Integer.MIN_VALUE + amount) {
                throw new Error("permits underflow");
            }
            return amount * PERMIT;
        }

        int drain() {
            long seen = wordVolatile();
            while (!tryRelease(seen, seen - permits(seen) * PERMIT)) { // releases permits if their number is negative
                seen = wordVolatile();
            }
            return permits(seen);
        }

        @Override
        public String toString() {
            return "VipSemaphore@" + Integer.toHexString(System.identityHashCode(this)) + "[Permits = "
                    + permits(wordVolatile()) + "]";
        }
    }

    /**
     * Creates a semaphore with a bound of 50 ms: an ordinary thread that has waited longer goes first.
     *
     * @param permits the initial number; if negative, permits must be released before any can be acquired
     */
    public VipSemaphore(int permits) {
        this(permits, VipLock.USUAL_BOUND);
    }

    /**
     * Creates a semaphore.
     *
     * @param permits the initial number; if negative, permits must be released before any can be acquired
     * @param bound the wait time after which an ordinary thread goes before important ones
     * @throws IllegalArgumentException if the bound is negative
     */
    public VipSemaphore(int permits, Duration bound) {
        this(new Sync(permits, WaitQueue.of(bound)));
    }

    /** Creates a semaphore with the given synchronizer, for tests. */
    VipSemaphore(Sync sync) {
        this.sync = sync;
    }

    /**
     * Acquires a permit, waiting until one is available.
     *
     * @throws InterruptedException if the thread is interrupted before it has acquired the permit
     */
    public void acquire() throws InterruptedException {
        acquire(1);
    }

    /**
     * Acquires permits, all at once, waiting until enough are available.
     *
     * @param permits the number
     * @throws InterruptedException if the thread is interrupted before it has acquired the permits
     * @throws IllegalArgumentException if the number is negative
     */
    public void acquire(int permits) throws InterruptedException {
        tryAcquire(permits, VipSync.FOREVER, TimeUnit.NANOSECONDS);
    }

    /** Acquires a permit. An interrupt does not end the wait; the interrupt flag is set when this method returns. */
    public void acquireUninterruptibly() {
        acquireUninterruptibly(1);
    }

    /**
     * Acquires permits. An interrupt does not end the wait; the interrupt flag is set when this method returns.
     *
     * @param permits the number
     * @throws IllegalArgumentException if the number is negative
     */
    public void acquireUninterruptibly(int permits) {
        if (!sync.enter(checked(permits), false)) {
            sync.acquire(permits);
        }
    }

    /**
     * Acquires a permit if one is available, barging past all waiters.
     *
     * @return whether one was available
     */
    public boolean tryAcquire() {
        return tryAcquire(1);
    }

    /**
     * Acquires permits if enough are available, barging past all waiters.
     *
     * @param permits the number
     * @return whether enough were available
     * @throws IllegalArgumentException if the number is negative
     */
    public boolean tryAcquire(int permits) {
        return sync.enter(checked(permits), true);
    }

    /**
     * Acquires a permit, waiting at most the timeout.
     *
     * @param timeout the maximum time to wait
     * @param unit the unit of the timeout
     * @return whether the permit was acquired
     * @throws InterruptedException if the thread is interrupted before
     */
    public boolean tryAcquire(long timeout, TimeUnit unit) throws InterruptedException {
        return tryAcquire(1, timeout, unit);
    }

    /**
     * Acquires permits, waiting at most the timeout.
     *
     * @param permits the number
     * @param timeout the maximum time to wait
     * @param unit the unit of the timeout
     * @return whether the permits were acquired
     * @throws InterruptedException if the thread is interrupted before
     * @throws IllegalArgumentException if the number is negative
     */
    public boolean tryAcquire(int permits, long timeout, TimeUnit unit) throws InterruptedException {
        long nanos = unit.toNanos(timeout);
        VipSync.checkInterrupt();
        return sync.enter(checked(permits), false) || sync.acquire(permits, nanos);
    }

    /** Releases a permit. Any thread may do so. */
    public void release() {
        release(1);
    }

    /**
     * Releases permits. Any thread may do so.
     *
     * @param permits the number
     * @throws IllegalArgumentException if the number is negative
     * @throws Error if there would be more than {@link Integer#MAX_VALUE}
     */
    public void release(int permits) {
        sync.add(checked(permits));
    }

    /**
     * Acquires all available permits. If their number is negative, releases as many as are needed to reach 0.
     *
     * @return the number of permits before the call
     */
    public int drainPermits() {
        return sync.drain();
    }

    /**
     * Reduces the number of permits without waiting: it may become negative.
     *
     * @param reduction the number of permits to remove
     * @throws IllegalArgumentException if the reduction is negative
     */
    public void reducePermits(int reduction) {
        sync.subtract(checked(reduction));
    }

    /**
     * Returns the number of available permits. For monitoring: the result may already be stale on return.
     *
     * @return the number; negative if permits must be released before any can be acquired
     */
    public int availablePermits() {
        return Sync.permits(sync.wordVolatile());
    }

    /**
     * Returns the threads that wait for permits. For monitoring: threads that arrive or leave meanwhile may be missing.
     * A waiting thread is listed until it leaves. This visits all threads that have used these locks.
     *
     * @return the threads, in no order
     */
    public Collection<Thread> getQueuedThreads() {
        return sync.queuedThreads();
    }

    /**
     * Returns whether threads wait for permits. For monitoring.
     *
     * @return whether any thread waits, approximately
     */
    public boolean hasQueuedThreads() {
        return !getQueuedThreads().isEmpty();
    }

    /**
     * Returns the number of threads that wait for permits. For monitoring.
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

    private static int checked(int permits) {
        if (permits < 0) {
            throw new IllegalArgumentException("permits = " + permits + ": expected 0 or more");
        }
        return permits;
    }
}
