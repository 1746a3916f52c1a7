package dev.unjank.fleet;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Who is working on a trace in this Java VM, whose memory all share: many side by side, or one alone. In the order of asking.
 */
final class Company {
    /** That of all runs in this process. */
    static final Company OF_THIS_VM = new Company();

    private static final int ALL = 1 << 20;

    private final Semaphore seats = new Semaphore(ALL, true);
    private final AtomicLong arrivals = new AtomicLong();

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
