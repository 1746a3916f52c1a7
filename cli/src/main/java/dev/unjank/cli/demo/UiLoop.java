package dev.unjank.cli.demo;

import dev.unjank.looper.Handler;
import dev.unjank.looper.HandlerThread;
import dev.unjank.looper.LooperOptions;
import dev.unjank.looper.QueueKind;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A UI loop with nothing to do but to tick: each tick reports to the ledger and posts the next. Whatever delays it is the queue
 * or the scheduler, never its own work.
 */
final class UiLoop {

    private final TickLedger ledger;
    private final HandlerThread thread;
    private final Handler handler;
    private volatile long start;

    /** Starts the loop's thread; it does not tick yet. */
    UiLoop(QueueKind kind, TickLedger ledger) {
        this.ledger = ledger;
        thread = new HandlerThread("ui", LooperOptions.defaults().withQueue(kind));
        thread.setDaemon(true);
        thread.start();
        handler = new Handler(Objects.requireNonNull(thread.getLooper(), "a thread just started has a looper"));
    }

    /**
     * Posts the first tick.
     *
     * @param nanoTime when it is due, the ledger's zero, on the clock of {@link System#nanoTime()}
     */
    void startTicking(long nanoTime) {
        start = nanoTime;
        postTickFor(0);
    }

    /** Where the load posts its messages. */
    Handler handler() {
        return handler;
    }

    /** Whether the loop's thread is waiting for a Java monitor just now; asking disturbs nobody. */
    boolean isBlockedOnLock() {
        return thread.getState() == Thread.State.BLOCKED;
    }

    void quit() {
        thread.quit();
    }

    private void tick() {
        int next = ledger.tickOver(System.nanoTime() - start);
        if (next < ledger.slots()) {
            postTickFor(next);
        }
    }

    private void postTickFor(int slot) {
        long nanos = start + TickLedger.due(slot) - System.nanoTime();
        handler.postDelayed(this::tick, TimeUnit.NANOSECONDS.toMillis(nanos + 999_999));
    }
}
