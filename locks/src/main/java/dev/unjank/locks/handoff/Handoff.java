package dev.unjank.locks.handoff;

import dev.unjank.linux.LinuxThreads;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Two threads that run in turns: {@link #swap} lets the other go on and has the caller sleep.
 *
 * {@snippet :
 * Handoff handoff = new Handoff(Strategy.best());
 * Seat mine = handoff.newSeat();
 * Seat theirs = handoff.newSeat();
 *
 * try (Handoff.Stay _ = handoff.join()) { // the other thread does the same
 *     while (...) {
 *         prepare();
 *         handoff.swap(theirs, mine); // until the other thread swaps back
 *     }
 * }
 * }
 *
 * <p>With {@link HandoffStrategy#SAME_PROCESSOR} a thread that has {@linkplain #join joined} runs on the processor on which the first that
 * joined happened to run, until it leaves; threads that it starts meanwhile inherit that, and keep it. A virtual thread has to use {@link HandoffStrategy#PARKING}.
 */
public final class Handoff {
    private static final int NOWHERE = -1;

    private final HandoffStrategy strategy;

    // under the monitor of this
    private int members;
    private int processor = NOWHERE;

    /**
     * Threads that hand over in some way.
     *
     * @param strategy how
     * @throws UnsupportedOperationException if that cannot be had here
     */
    public Handoff(HandoffStrategy strategy) {
        String obstacle = strategy.obstacle();
        if (obstacle != null) {
            throw new UnsupportedOperationException(obstacle);
        }
        this.strategy = strategy;
    }

    /**
     * How they hand over.
     *
     * @return the strategy
     */
    public HandoffStrategy strategy() {
        return strategy;
    }

    /**
     * A place for a thread to sleep.
     *
     * @return a new one
     */
    public WaitSlot newSeat() {
        return strategy == HandoffStrategy.PARKING ? new WaitSlot.Parking() : new FutexWaitSlot();
    }

    /**
     * Lets one thread go on, and has the calling one sleep until somebody lets it go on. An interrupt does not end it.
     *
     * @param theirs where the other sleeps, or will
     * @param mine where the calling thread is to sleep
     */
    public void swap(WaitSlot theirs, WaitSlot mine) {
        theirs.give();
        mine.await();
    }

    /**
     * The same, for a time at most.
     *
     * @param theirs where the other sleeps, or will
     * @param mine where the calling thread is to sleep
     * @param nanos how long
     * @return whether somebody has let the calling thread go on
     */
    public boolean swap(WaitSlot theirs, WaitSlot mine, long nanos) {
        theirs.give();
        return mine.await(nanos);
    }

    /**
     * Has the calling thread run where the others do that have joined, if that is the strategy.
     *
     * @return to be closed by the same thread, which then may run again where it might before
     * @throws UnsupportedOperationException if the thread is virtual and the strategy is not for such
     */
    public Stay join() {
        if (strategy != HandoffStrategy.PARKING && Thread.currentThread().isVirtual()) {
            throw new UnsupportedOperationException("virtual threads hand over by " + HandoffStrategy.PARKING);
        }
        return strategy == HandoffStrategy.SAME_PROCESSOR ? bind() : new Stay(null);
    }

    private synchronized Stay bind() {
        BitSet before = LinuxThreads.processors(LinuxThreads.SELF);
        if (members == 0) {
            processor = LinuxThreads.currentProcessor();
        }
        BitSet one = new BitSet();
        one.set(processor);
        LinuxThreads.runOn(LinuxThreads.SELF, one);
        members++;
        return new Stay(before);
    }

    private synchronized void unbind(BitSet before) {
        members--;
        LinuxThreads.runOn(LinuxThreads.SELF, before);
    }

    /** The time that a thread hands over. */
    public final class Stay implements AutoCloseable {
        private final long thread = Thread.currentThread().threadId();
        private @Nullable BitSet before;

        private Stay(@Nullable BitSet before) {
            this.before = before;
        }

        /**
         * Lets the thread run again where it might before. A second time does nothing.
         *
         * @throws IllegalStateException if another thread has joined
         */
        @Override
        public void close() {
            if (thread != Thread.currentThread().threadId()) {
                throw new IllegalStateException("thread " + thread + " has joined, and it has to leave itself");
            }
            BitSet processors = before;
            before = null;
            if (processors != null) {
                unbind(processors);
            }
        }
    }
}
