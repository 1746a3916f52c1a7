package dev.unjank.locks;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A counting semaphore in which important threads wait briefly. It is used like {@link java.util.concurrent.Semaphore};
 * it differs in the order of waiters.
 *
 * <p><b>Order of waiters.</b> As with {@link VipLock}: threads of a real-time class, then {@link Importance#VIP}, then
 * the others, first come first served within each; an ordinary thread that has waited longer than a bound alternates
 * with the important ones. Permits are granted to important threads; ordinary ones are woken to take them, and a
 * running thread may barge in, unless a thread waits for more permits than are available: no thread barges past that
 * one, however few it requests. So requests for one permit cannot starve a request for many.
 *
 * <p><b>No priority inheritance.</b> A semaphore does not know the holders of its permits: any thread may release them.
 * A thread that waits here while a more important one waits for a lock of its own is ordered like that one, but the
 * chain ends here. For the same reason tools see the waiters, but no owner, and deadlocks through a semaphore are not
 * reported. Where one thread at a time may pass, and the releasing thread is the acquiring one, use a {@link VipLock}.
 *
 * <p>All methods may be called by any thread. Memory effects are those of {@link java.util.concurrent.Semaphore}.
 */
public final class VipSemaphore {
    private static final int PERMITS_SHIFT = 32;
    private static final long PERMIT = 1L << PERMITS_SHIFT;

    private final Sync sync;

    /** The word counts permits, which may be negative. Its name appears in thread dumps and Flight Recorder. */
    @SuppressWarnings("serial") // is not to be serialized: see VipSync
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
            while (!tryRelease(seen, seen - permits(seen) * PERMIT)) { // a release, if negative
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
     * Makes a semaphore with a bound of 50 ms: ordinary waiters go first after that.
     *
     * @param permits the initial number; if negative, permits must be released before any can be acquired
     */
    public VipSemaphore(int permits) {
        this(permits, VipLock.USUAL_BOUND);
    }

    /**
     * Makes a semaphore.
     *
     * @param permits the initial number; if negative, permits must be released before any can be acquired
     * @param bound how long an ordinary thread waits until it goes before important ones
     * @throws IllegalArgumentException if the bound is negative
     */
    public VipSemaphore(int permits, Duration bound) {
        this(new Sync(permits, WaitQueue.of(bound)));
    }

    /** With a given queue, for tests. */
    VipSemaphore(Sync sync) {
        this.sync = sync;
    }

    /**
     * Acquires a permit, waiting until one is available.
     *
     * @throws InterruptedException if the thread is interrupted before it has one
     */
    public void acquire() throws InterruptedException {
        acquire(1);
    }

    /**
     * Acquires permits, all at once, waiting until enough are available.
     *
     * @param permits the number
     * @throws InterruptedException if the thread is interrupted before it has them
     * @throws IllegalArgumentException if the number is negative
     */
    public void acquire(int permits) throws InterruptedException {
        tryAcquire(permits, VipSync.FOREVER, TimeUnit.NANOSECONDS);
    }

    /** Acquires a permit. An interrupt does not end the wait; the interrupt flag is set when it returns. */
    public void acquireUninterruptibly() {
        acquireUninterruptibly(1);
    }

    /**
     * Acquires permits. An interrupt does not end the wait; the interrupt flag is set when it returns.
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
     * @param timeout the longest time to wait
     * @param unit the unit of the timeout
     * @return whether it was acquired
     * @throws InterruptedException if the thread is interrupted before
     */
    public boolean tryAcquire(long timeout, TimeUnit unit) throws InterruptedException {
        return tryAcquire(1, timeout, unit);
    }

    /**
     * Acquires permits, waiting at most the timeout.
     *
     * @param permits the number
     * @param timeout the longest time to wait
     * @param unit the unit of the timeout
     * @return whether they were acquired
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
     * Acquires all available permits. If their number is negative, releases as many as needed to have 0.
     *
     * @return how many there were
     */
    public int drainPermits() {
        return sync.drain();
    }

    /**
     * Reduces the number of permits without waiting: it may become negative.
     *
     * @param reduction by how many
     * @throws IllegalArgumentException if the reduction is negative
     */
    public void reducePermits(int reduction) {
        sync.subtract(checked(reduction));
    }

    /**
     * Returns the number of available permits. For monitoring: the result may be outdated at once.
     *
     * @return the number; negative if permits must be released before any can be acquired
     */
    public int availablePermits() {
        return Sync.permits(sync.wordVolatile());
    }

    /**
     * Returns the threads that wait for permits. For monitoring: threads that come or go meanwhile may be missing.
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
