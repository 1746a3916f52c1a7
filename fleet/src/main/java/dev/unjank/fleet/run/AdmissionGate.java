package dev.unjank.fleet.run;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Who is working on a trace in this Java VM, whose memory and processors all share: many side by side, or one alone, in the order of
 * asking. Who is given up has no seat any more, but counts until it has come to an end.
 */
class AdmissionGate {
    /** That of all runs in this process. */
    static final AdmissionGate OF_THIS_VM = new AdmissionGate();

    private static final int ALL = 1 << 20;

    /** Where there are few processors, so many traces that do not end take them from the others. */
    private static final int LEAST_STUCK = 16;

    private final Semaphore seats = new Semaphore(ALL, true);
    private final AtomicLong arrivals = new AtomicLong();
    private final AtomicInteger stuck = new AtomicInteger();
    private final int mostStuck;

    AdmissionGate() {
        this(Runtime.getRuntime().availableProcessors());
    }

    /** On so many processors. */
    AdmissionGate(int processors) {
        mostStuck = Math.max(LEAST_STUCK, 2 * processors);
    }

    /** Waits while somebody is alone, or waits for that. */
    Seat join() throws InterruptedException {
        seats.acquire();
        return new Seat(1);
    }

    /** Waits until nobody else is left. */
    Seat alone() throws InterruptedException {
        seats.acquire(ALL);
        return new Seat(ALL);
    }

    /** Somebody was given up, and works on. */
    void giveUp() {
        stuck.incrementAndGet();
    }

    /** Somebody who was given up has come to an end. */
    void comeBack() {
        stuck.decrementAndGet();
    }

    /** How many were given up and work on. */
    int stuck() {
        return stuck.get();
    }

    /** Whether they are so many that nobody should begin with another trace. */
    boolean isStuck() {
        return stuck() >= mostStuck;
    }

    /** A place at work, to be left once, on any thread. */
    final class Seat {
        private final int width;
        private final long arrival = arrivals.incrementAndGet();
        private final boolean isFirst;

        private Seat(int width) {
            this.width = width;
            isFirst = seats.availablePermits() == ALL - width;
        }

        /** Whether anybody else was there in the meantime. */
        boolean hadCompany() {
            return !isFirst || arrivals.get() != arrival;
        }

        void leave() {
            seats.release(width);
        }
    }
}
