package dev.unjank.bench.loop;

/** A peer without timers. */
abstract class PlainLoop implements Loop {

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
