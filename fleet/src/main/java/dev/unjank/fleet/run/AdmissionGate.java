package dev.unjank.fleet.run;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A gate that admits traces to processing in this JVM: many in parallel, or one exclusively, in the order of requests.
 * An abandoned trace leaves its seat, but counts as stuck until its thread ends.
 */
class AdmissionGate {
    /** The gate of all runs in this process. */
    static final AdmissionGate OF_THIS_VM = new AdmissionGate();

    private static final int ALL = 1 << 20;

    /** The limit of stuck traces on a machine with few CPUs. */
    private static final int LEAST_STUCK = 16;

    private final Semaphore seats = new Semaphore(ALL, true);
    private final AtomicLong arrivals = new AtomicLong();
    private final AtomicInteger stuck = new AtomicInteger();
    private final int mostStuck;

    AdmissionGate() {
        this(Runtime.getRuntime().availableProcessors());
    }

    /** A gate for a number of CPUs. */
    AdmissionGate(int processors) {
        mostStuck = Math.max(LEAST_STUCK, 2 * processors);
    }

    /** Enters; waits while a trace is exclusive or waits to be exclusive. */
    Seat join() throws InterruptedException {
        seats.acquire();
        return new Seat(1);
    }

    /** Enters exclusively; waits until all others have left. */
    Seat alone() throws InterruptedException {
        seats.acquire(ALL);
        return new Seat(ALL);
    }

    /** A trace was abandoned, and its thread continues. */
    void giveUp() {
        stuck.incrementAndGet();
    }

    /** The thread of an abandoned trace has ended. */
    void stuckEnded() {
        stuck.decrementAndGet();
    }

    /** The number of abandoned traces whose threads continue. */
    int stuck() {
        return stuck.get();
    }

    /** Whether there are too many stuck traces to start further ones. */
    boolean isStuck() {
        return stuck() >= mostStuck;
    }

    /** A seat in the gate, which is left once, on any thread. */
    final class Seat {
        private final int width;
        private final long arrival = arrivals.incrementAndGet();
        private final boolean isFirst;

        private Seat(int width) {
            this.width = width;
            isFirst = seats.availablePermits() == ALL - width;
        }

        /** Whether other traces had seats meanwhile. */
        boolean hadOthers() {
            return !isFirst || arrivals.get() != arrival;
        }

        void leave() {
            seats.release(width);
        }
    }
}
