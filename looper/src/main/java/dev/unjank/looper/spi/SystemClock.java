package dev.unjank.looper.spi;

/** The clock of {@link System#nanoTime()}, shifted only if nanoTime is smaller than {@link Clock} permits. */
final class SystemClock implements Clock {
    static final SystemClock INSTANCE = new SystemClock(System.nanoTime());

    private static final long SECOND = 1_000_000_000L;

    private final long offset;

    /** @param now the current value of nanoTime */
    SystemClock(long now) {
        offset = now >= SECOND ? 0 : SECOND - now;
    }

    /** Returns the offset added to nanoTime. */
    long offset() {
        return offset;
    }

    @Override
    public long nanos() {
        return System.nanoTime() + offset;
    }
}
