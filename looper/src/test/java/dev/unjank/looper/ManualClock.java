package dev.unjank.looper;

/** A clock that stands still until it is told to go on. Starts at 1,000 ms. */
final class ManualClock implements Clock {
    private volatile long nanos = 1_000_000_000L;

    @Override
    public long nanos() {
        return nanos;
    }

    void advanceMillis(long millis) {
        setNanos(nanos + millis * 1_000_000L);
    }

    void setNanos(long newNanos) {
        nanos = newNanos;
    }
}
