package dev.unjank.looper;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Sleeps by moving the clock to the end of the sleep. What other threads would do meanwhile is given beforehand, step by
 * step: steps run, at the beginning of a sleep, until one of them wakes the looper. A sleep that nothing ends is a
 * failure, so a lost wake-up cannot hide.
 */
final class ManualWaker implements Waker {
    private final ManualClock clock;
    private final Deque<Runnable> steps = new ArrayDeque<>();
    private boolean woken;
    int wakes;
    int sleeps;
    int closed;

    ManualWaker(ManualClock clock) {
        this.clock = clock;
    }

    /** Adds a step to be taken while the looper sleeps. */
    ManualWaker whileAsleep(Runnable step) {
        steps.add(step);
        return this;
    }

    boolean stepsLeft() {
        return !steps.isEmpty();
    }

    @Override
    public void await(long nanos) {
        sleeps++;
        while (!woken && !steps.isEmpty()) {
            steps.remove().run();
        }
        if (woken) {
            woken = false;
            return;
        }
        if (nanos == FOREVER) {
            throw new AssertionError("the looper sleeps for ever");
        }
        clock.setNanos(clock.nanos() + nanos);
    }

    @Override
    public void wake() {
        if (closed > 0) {
            throw new AssertionError("woken after it was closed");
        }
        woken = true;
        wakes++;
    }

    @Override
    public void close() {
        closed++;
    }
}
