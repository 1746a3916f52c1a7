package dev.unjank.locks.handoff;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A place where a thread sleeps until another thread releases it. One thread at a time may sleep in a slot; any thread
 * may release it. A slot remembers one release: a thread that is released before it sleeps does not sleep, and two
 * releases before a sleep count as one.
 *
 * <pre>
 * state    the thread                                becomes    by
 * AWAKE    is running                                ASLEEP     the thread, which then sleeps while it is so
 *                                                    GIVEN      a thread that releases it
 * ASLEEP   sleeps, or is about to                    GIVEN      a thread that releases it, and then wakes it
 *                                                    AWAKE      the thread, when its time has elapsed
 * GIVEN    may go on                                 AWAKE      the thread, which goes on
 * </pre>
 *
 * Every change is a volatile read-modify-write, so everything before {@link #release} happens before the return of
 * {@link #await}. An interrupt does not end a sleep. Created by {@link Handoff#newWaitSlot}.
 */
public abstract sealed class WaitSlot permits FutexWaitSlot, WaitSlot.Parking {
    static final int AWAKE = 0;
    static final int ASLEEP = 1;
    static final int GIVEN = 2;

    WaitSlot() {}

    /** Releases the thread that sleeps here or will sleep here next. */
    public final void release() {
        if (getAndSet(GIVEN) == ASLEEP) {
            wake();
        }
    }

    /** Sleeps until another thread releases the calling thread. */
    public final void await() {
        boolean ignored = await(Long.MAX_VALUE);
    }

    /**
     * Sleeps, with a timeout.
     *
     * @param nanos the timeout, in nanoseconds; {@link Long#MAX_VALUE} for none
     * @return whether the thread was released
     */
    public final boolean await(long nanos) {
        boolean isInterrupted = false;
        boolean isGiven = true;
        if (compareAndSet(AWAKE, ASLEEP)) {
            long end = nanos == Long.MAX_VALUE ? Long.MAX_VALUE : System.nanoTime() + nanos;
            while (isGiven && state() == ASLEEP) {
                sleep(end);
                isInterrupted |= Thread.interrupted(); // otherwise the thread would not sleep again
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

    /**
     * Sleeps while the state is ASLEEP, at most until {@code end} on the clock of System.nanoTime; may return
     * spuriously.
     */
    abstract void sleep(long end);

    abstract void wake();

    /** A wait slot on the heap, in which threads park. */
    static final class Parking extends WaitSlot {
        private final AtomicInteger state = new AtomicInteger();

        /** The sleeping thread. Set before another thread can see ASLEEP: {@link #compareAndSet}. */
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
