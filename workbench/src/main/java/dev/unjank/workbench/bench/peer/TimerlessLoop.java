package dev.unjank.workbench.bench.peer;

import dev.unjank.cli.demo.load.MessageLoop;

/** A loop without timers. */
abstract class TimerlessLoop implements MessageLoop {
    @Override
    public final Object postDelayed(Runnable task, long delayMillis) {
        throw new UnsupportedOperationException("no timers");
    }

    @Override
    public final void postAt(Runnable task, long nanoTime) {
        throw new UnsupportedOperationException("no timers");
    }

    @Override
    public final void cancel(Object delayed) {
        throw new UnsupportedOperationException("no timers");
    }
}
