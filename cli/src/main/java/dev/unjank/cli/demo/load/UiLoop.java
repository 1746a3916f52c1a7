package dev.unjank.cli.demo.load;

import dev.unjank.looper.FrameClock;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A UI loop that only ticks: each tick reports to the ledger and posts the next, as a frame if the loop has a frame
 * clock. Only the queue and the scheduler can delay it.
 */
final class UiLoop {

    private final TickCounter ledger;
    private final MessageLoop loop;
    private final Thread thread;
    private final Runnable tick = this::tick;
    private final FrameClock.FrameCallback frame = _ -> tick();
    private volatile long start;

    /** The frame clock, whose frames recordings contain; null if the loop has none. Written before the first tick. */
    private volatile @Nullable FrameClock frames;

    /** Wraps a running loop, which does not tick yet. */
    UiLoop(MessageLoop loop, TickCounter ledger) throws InterruptedException {
        this.ledger = ledger;
        this.loop = loop;
        thread = loop.thread();
    }

    /** Posts the first tick, due at the ledger's zero on the clock of {@link System#nanoTime()}. */
    void startTicking(long nanoTime) {
        start = nanoTime;
        frames = loop.frames(TickCounter.PERIOD, nanoTime);
        postTickFor(0);
    }

    /** The loop, for the load's messages. */
    MessageLoop loop() {
        return loop;
    }

    /** Whether the loop's thread is blocked on a Java monitor. Reading the state does not disturb the thread. */
    boolean isBlockedOnLock() {
        return thread.getState() == Thread.State.BLOCKED;
    }

    void quit() {
        loop.close();
    }

    private void tick() {
        int next = ledger.tickOver(System.nanoTime() - start);
        FrameClock clock = frames;
        if (next >= ledger.slots()) {
            return;
        }
        if (clock != null) {
            clock.postFrameCallback(frame);
        } else {
            postTickFor(next);
        }
    }

    private void postTickFor(int slot) {
        long nanos = start + TickCounter.due(slot) - System.nanoTime();
        loop.postDelayed(tick, TimeUnit.NANOSECONDS.toMillis(nanos + 999_999));
    }
}
