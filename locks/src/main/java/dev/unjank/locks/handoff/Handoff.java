package dev.unjank.locks.handoff;

import dev.unjank.linux.LinuxThreads;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A handoff between two threads that run alternately: {@link #swap} wakes the other thread and puts the caller to
 * sleep.
 *
 * {@snippet :
 * Handoff handoff = new Handoff(HandoffStrategy.best());
 * WaitSlot mine = handoff.newWaitSlot();
 * WaitSlot theirs = handoff.newWaitSlot();
 *
 * try (Handoff.Membership _ = handoff.join()) { // the other thread does the same
 *     while (...) {
 *         prepare();
 *         handoff.swap(theirs, mine); // until the other thread swaps back
 *     }
 * }
 * }
 *
 * <p>With {@link HandoffStrategy#SAME_PROCESSOR} a {@linkplain #join joined} thread runs on the processor of the first
 * thread that joined, until it leaves. Threads that it starts meanwhile inherit that binding and keep it. A virtual
 * thread must use {@link HandoffStrategy#PARKING}.
 */
public final class Handoff {
    private static final int NOWHERE = -1;

    private final HandoffStrategy strategy;

    // guarded by this
    private int members;
    private int processor = NOWHERE;

    /**
     * Creates a handoff.
     *
     * @param strategy the way in which threads hand over
     * @throws UnsupportedOperationException if the strategy is not available here
     */
    public Handoff(HandoffStrategy strategy) {
        String obstacle = strategy.obstacle();
        if (obstacle != null) {
            throw new UnsupportedOperationException(obstacle);
        }
        this.strategy = strategy;
    }

    /**
     * Returns the strategy.
     *
     * @return the strategy
     */
    public HandoffStrategy strategy() {
        return strategy;
    }

    /**
     * Creates a wait slot for a thread.
     *
     * @return a new wait slot
     */
    public WaitSlot newWaitSlot() {
        return strategy == HandoffStrategy.PARKING ? new WaitSlot.Parking() : new FutexWaitSlot();
    }

    /**
     * Wakes one thread and puts the calling thread to sleep until another thread releases it. An interrupt does not end
     * the sleep.
     *
     * @param theirs the slot in which the other thread sleeps or will sleep
     * @param mine the slot in which the calling thread sleeps
     */
    public void swap(WaitSlot theirs, WaitSlot mine) {
        theirs.release();
        mine.await();
    }

    /**
     * Wakes one thread and puts the calling thread to sleep, as {@link #swap(WaitSlot, WaitSlot)} does, with a timeout.
     *
     * @param theirs the slot in which the other thread sleeps or will sleep
     * @param mine the slot in which the calling thread sleeps
     * @param nanos the timeout in nanoseconds
     * @return whether the calling thread was released
     */
    public boolean swap(WaitSlot theirs, WaitSlot mine, long nanos) {
        theirs.release();
        return mine.await(nanos);
    }

    /**
     * Binds the calling thread to the processor of the other joined threads, if the strategy is {@link
     * HandoffStrategy#SAME_PROCESSOR}.
     *
     * @return the membership, which the same thread must close to regain its former affinity
     * @throws UnsupportedOperationException if the thread is virtual and the strategy does not support that
     */
    public Membership join() {
        if (strategy != HandoffStrategy.PARKING && Thread.currentThread().isVirtual()) {
            throw new UnsupportedOperationException("virtual threads need the strategy " + HandoffStrategy.PARKING);
        }
        return strategy == HandoffStrategy.SAME_PROCESSOR ? bind() : new Membership(null);
    }

    private synchronized Membership bind() {
        BitSet before = LinuxThreads.affinity(LinuxThreads.SELF);
        if (members == 0) {
            processor = LinuxThreads.currentProcessor();
        }
        BitSet one = new BitSet();
        one.set(processor);
        LinuxThreads.pinTo(LinuxThreads.SELF, one);
        members++;
        return new Membership(before);
    }

    private synchronized void unbind(BitSet before) {
        members--;
        LinuxThreads.pinTo(LinuxThreads.SELF, before);
    }

    /** The membership of a thread in a handoff. */
    public final class Membership implements AutoCloseable {
        private final long thread = Thread.currentThread().threadId();
        private @Nullable BitSet before;

        private Membership(@Nullable BitSet before) {
            this.before = before;
        }

        /**
         * Restores the thread's former affinity. Closing again has no effect.
         *
         * @throws IllegalStateException if the calling thread is not the thread that joined
         */
        @Override
        public void close() {
            if (thread != Thread.currentThread().threadId()) {
                throw new IllegalStateException("only the thread that has joined can leave: " + thread);
            }
            BitSet processors = before;
            before = null;
            if (processors != null) {
                unbind(processors);
            }
        }
    }
}
