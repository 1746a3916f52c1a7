package dev.unjank.locks;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A counting semaphore at which important threads wait little. It is used as {@link java.util.concurrent.Semaphore} is; what
 * differs is who gets permits next.
 *
 * <p><b>Who is next.</b> As with {@link VipLock}: threads of a real-time class, then {@link Importance#VIP}, then the others, first come
 * first served within each; an ordinary thread that has waited longer than a bound takes turns with the important ones. Permits are
 * given to important threads; ordinary ones are woken to take them, and one that happens to run may come first, unless somebody
 * waits whom there are not enough permits for: nobody goes before that, however few it wants. So a thread that wants many is not
 * passed over for ever by those that want one.
 *
 * <p><b>Nothing is lent.</b> A semaphore does not know who has its permits: any thread may release them. A thread that waits here
 * while a more important one waits for a lock of its own is ordered like that one, but the chain ends here. For the same
 * reason tools see who waits, but no owner, and no deadlock through a semaphore is reported. Where one thread at a time is to pass, and the one that
 * releases is the one that took, a {@link VipLock} does more.
 *
 * <p>All methods may be called by any thread. Memory effects are those of {@link java.util.concurrent.Semaphore}.
 */
public final class VipSemaphore {
    private static final int PERMITS_SHIFT = 32;
    private static final long PERMIT = 1L << PERMITS_SHIFT;

    private final Sync sync;

    /** The word counts permits, which may be less than none. By this name thread dumps and Flight Recorder know the semaphore. */
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
                throw new Error("more permits than there can be");
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
                throw new Error("fewer permits than there can be");
            }
            return amount * PERMIT;
        }

        int drain() {
            long seen = wordVolatile();
            while (!tryRelease(seen, seen - permits(seen) * PERMIT)) { // from less than none it is a release
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
     * A semaphore whose ordinary waiters go first after 50 ms.
     *
     * @param permits how many there are in the beginning; less than 0 if some have to be released before any can be acquired
     */
    public VipSemaphore(int permits) {
        this(permits, VipLock.USUAL_BOUND);
    }

    /**
     * A semaphore.
     *
     * @param permits how many there are in the beginning; less than 0 if some have to be released before any can be acquired
     * @param bound how long an ordinary thread lets important ones go before it
     * @throws IllegalArgumentException if the bound is negative
     */
    public VipSemaphore(int permits, Duration bound) {
        this(new Sync(permits, WaitQueue.of(bound)));
    }

    /** With a queue of one's own, for tests. */
    VipSemaphore(Sync sync) {
        this.sync = sync;
    }

    /**
     * Acquires a permit, and waits until there is one.
     *
     * @throws InterruptedException if the thread is interrupted before it has one
     */
    public void acquire() throws InterruptedException {
        acquire(1);
    }

    /**
     * Acquires permits, all at once, and waits until there are as many.
     *
     * @param permits how many
     * @throws InterruptedException if the thread is interrupted before it has them
     * @throws IllegalArgumentException if it is less than 0
     */
    public void acquire(int permits) throws InterruptedException {
        tryAcquire(permits, VipSync.FOREVER, TimeUnit.NANOSECONDS);
    }

    /** Acquires a permit. An interrupt does not end the wait; the thread is interrupted when it returns. */
    public void acquireUninterruptibly() {
        acquireUninterruptibly(1);
    }

    /**
     * Acquires permits. An interrupt does not end the wait; the thread is interrupted when it returns.
     *
     * @param permits how many
     * @throws IllegalArgumentException if it is less than 0
     */
    public void acquireUninterruptibly(int permits) {
        if (!sync.enter(checked(permits), false)) {
            sync.acquire(permits);
        }
    }

    /**
     * Acquires a permit if there is one, whoever waits.
     *
     * @return whether there was one
     */
    public boolean tryAcquire() {
        return tryAcquire(1);
    }

    /**
     * Acquires permits if there are as many, whoever waits.
     *
     * @param permits how many
     * @return whether there were as many
     * @throws IllegalArgumentException if it is less than 0
     */
    public boolean tryAcquire(int permits) {
        return sync.enter(checked(permits), true);
    }

    /**
     * Acquires a permit, and waits for one no longer than some time.
     *
     * @param timeout how long at most
     * @param unit of what
     * @return whether it got one
     * @throws InterruptedException if the thread is interrupted before
     */
    public boolean tryAcquire(long timeout, TimeUnit unit) throws InterruptedException {
        return tryAcquire(1, timeout, unit);
    }

    /**
     * Acquires permits, and waits for them no longer than some time.
     *
     * @param permits how many
     * @param timeout how long at most
     * @param unit of what
     * @return whether it got them
     * @throws InterruptedException if the thread is interrupted before
     * @throws IllegalArgumentException if the number is less than 0
     */
    public boolean tryAcquire(int permits, long timeout, TimeUnit unit) throws InterruptedException {
        long nanos = unit.toNanos(timeout);
        VipSync.checkInterrupt();
        return sync.enter(checked(permits), false) || sync.acquire(permits, nanos);
    }

    /** Releases a permit, whoever acquired it. */
    public void release() {
        release(1);
    }

    /**
     * Releases permits, whoever acquired them.
     *
     * @param permits how many
     * @throws IllegalArgumentException if it is less than 0
     * @throws Error if there are more than {@link Integer#MAX_VALUE} then
     */
    public void release(int permits) {
        sync.add(checked(permits));
    }

    /**
     * Acquires all permits that there are. If there are less than 0, releases as many as it takes to have 0.
     *
     * @return how many there were
     */
    public int drainPermits() {
        return sync.drain();
    }

    /**
     * Has fewer permits from now on, without waiting for them: there may be less than 0 afterwards.
     *
     * @param reduction by how many
     * @throws IllegalArgumentException if it is less than 0
     */
    public void reducePermits(int reduction) {
        sync.subtract(checked(reduction));
    }

    /**
     * How many permits there are. Meant for watching: it may be over when the caller looks at the answer.
     *
     * @return how many, less than 0 if some have to be released before any can be acquired
     */
    public int availablePermits() {
        return Sync.permits(sync.wordVolatile());
    }

    /**
     * Who waits for permits. Meant for watching: taken while threads come and go, some of which may be missed.
     *
     * @return the threads, in no order
     */
    public Collection<Thread> getQueuedThreads() {
        return sync.queuedThreads();
    }

    /**
     * Whether somebody waits for permits. Meant for watching.
     *
     * @return whether somebody does, about now
     */
    public boolean hasQueuedThreads() {
        return !getQueuedThreads().isEmpty();
    }

    /**
     * How many wait for permits. Meant for watching.
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

    private static int checked(int permits) {
        if (permits < 0) {
            throw new IllegalArgumentException(permits + " permits; it has to be 0 or more");
        }
        return permits;
    }
}
