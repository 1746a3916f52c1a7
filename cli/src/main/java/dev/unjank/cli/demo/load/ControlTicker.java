package dev.unjank.cli.demo.load;

import java.util.concurrent.locks.LockSupport;

/**
 * The control group: ticks like the UI loop and sleeps in between, without a queue. Its missed deadlines are caused
 * only by the scheduler.
 */
final class ControlTicker extends Thread {

    private final TickCounter ledger;
    private final long start;
    private volatile boolean stop;

    /**
     * Creates the thread, not started; {@code start} is the ledger's zero on the clock of {@link System#nanoTime()}.
     */
    ControlTicker(TickCounter ledger, long start) {
        super("metronome");
        setDaemon(true);
        this.ledger = ledger;
        this.start = start;
    }

    @Override
    public void run() {
        int slot = 0;
        while (slot < ledger.slots() && !stop) {
            long now = System.nanoTime() - start;
            if (now < TickCounter.due(slot)) {
                LockSupport.parkNanos(TickCounter.due(slot) - now);
            } else {
                slot = ledger.tickOver(now);
            }
        }
    }

    void stopSoon() {
        stop = true;
    }
}
