package dev.unjank.looper.spi;

/** {@link System#nanoTime()}, shifted only where its origin would make it smaller than a clock may be. */
final class SystemClock implements Clock {
    static final SystemClock INSTANCE = new SystemClock(System.nanoTime());

    private static final long SECOND = 1_000_000_000L;

    private final long offset;

    /**
     * Makes a clock.
     *
     * @param now what nanoTime shows at present
     */
    SystemClock(long now) {
        offset = now >= SECOND ? 0 : SECOND - now;
    }

    /** What is added to nanoTime. */
    long offset() {
        return offset;
    }

    @Override
    public long nanos() {
        return System.nanoTime() + offset;
    }
}
