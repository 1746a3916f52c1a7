package dev.unjank.locks.handoff;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Where a thread sleeps until another lets it go on. One thread at a time may sleep in it; any may let it go. That it may go is
 * remembered, once: who is let go before it sleeps does not sleep, and who is let go twice goes on once.
 *
 * <pre>
 * state    the thread                                becomes    by
 * AWAKE    is at work                                ASLEEP     the thread, which then sleeps as long as it is so
 *                                                    GIVEN      who lets it go
 * ASLEEP   sleeps, or is about to                    GIVEN      who lets it go, and then wakes it
 *                                                    AWAKE      the thread, which has slept for long enough
 * GIVEN    may go on                                 AWAKE      the thread, which does
 * </pre>
 *
 * Every change is a volatile read-modify-write, so what happened before {@link #give} is seen after {@link #await}. An interrupt does not
 * end a sleep. Made by {@link Handoff#newSeat}.
 */
public abstract sealed class WaitSlot permits FutexWaitSlot, WaitSlot.Parking {
    static final int AWAKE = 0;
    static final int ASLEEP = 1;
    static final int GIVEN = 2;

    WaitSlot() {}

    /** Lets the thread go on that sleeps here, or will. */
    public final void give() {
        if (getAndSet(GIVEN) == ASLEEP) {
            wake();
        }
    }

    /** Sleeps until somebody lets the calling thread go on. */
    public final void await() {
        boolean ignored = await(Long.MAX_VALUE);
    }

    /**
     * Sleeps for a time at most.
     *
     * @param nanos how long, in nanoseconds; {@link Long#MAX_VALUE} for ever
     * @return whether somebody has let the thread go on
     */
    public final boolean await(long nanos) {
        boolean isInterrupted = false;
        boolean isGiven = true;
        if (compareAndSet(AWAKE, ASLEEP)) {
            long end = nanos == Long.MAX_VALUE ? Long.MAX_VALUE : System.nanoTime() + nanos;
            while (isGiven && state() == ASLEEP) {
                sleep(end);
                isInterrupted |= Thread.interrupted(); // or it would not sleep again
                isGiven = end == Long.MAX_VALUE || System.nanoTime() - end < 0 || !compareAndSet(ASLEEP, AWAKE);
            }
        }
        if (isGiven) {
            getAndSet(AWAKE);
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        return isGiven;
    }

    abstract int state();

    abstract int getAndSet(int state);

    abstract boolean compareAndSet(int expected, int state);

    /** Sleeps while the state is ASLEEP, until a moment of System.nanoTime; may end for no reason. */
    abstract void sleep(long end);

    abstract void wake();

    /** One on the heap. */
    static final class Parking extends WaitSlot {
        private final AtomicInteger state = new AtomicInteger();

        /** Who sleeps here. Set before anybody who wakes it has seen ASLEEP: {@link #compareAndSet}. */
        private volatile @Nullable Thread thread;

        @Override
        int state() {
            return state.get();
        }

        @Override
        int getAndSet(int value) {
            return state.getAndSet(value);
        }

        @Override
        boolean compareAndSet(int expected, int value) {
            if (value == ASLEEP) {
                thread = Thread.currentThread();
            }
            return state.compareAndSet(expected, value);
        }

        @Override
        void sleep(long end) {
            if (end == Long.MAX_VALUE) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, end - System.nanoTime());
            }
        }

        @Override
        void wake() {
            LockSupport.unpark(thread);
        }
    }
}
