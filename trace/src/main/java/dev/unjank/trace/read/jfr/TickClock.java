package dev.unjank.trace.read.jfr;

import dev.unjank.trace.read.jfr.format.ChunkHeader;

/**
 * Turns a recording's ticks into times: nanoseconds since 1970. Each chunk says when it began by both clocks; the first one's
 * word holds for all that go on from it, so that what lasts from one chunk into another keeps its length, and corrections of
 * the system's clock in between do not show. A chunk that cannot go on from it, of another machine or another run, has its
 * own word.
 */
final class TickClock {
    private static final long SECOND = 1_000_000_000;

    /** How far the system's clock may have been corrected since the first chunk. */
    private static final long LARGEST_CORRECTION_NS = 60 * SECOND;

    /** Faster clocks would not fit the arithmetic, and none is. */
    private static final long FASTEST = 8 * SECOND;

    private final long startNs;
    private final long startTicks;
    private final long ticksPerSecond;

    private TickClock(long startNs, long startTicks, long ticksPerSecond) {
        this.startNs = startNs;
        this.startTicks = startTicks;
        this.ticksPerSecond = Math.clamp(ticksPerSecond, 1, FASTEST);
    }

    static TickClock of(ChunkHeader header) {
        return new TickClock(header.startNs(), header.startTicks(), header.ticksPerSecond());
    }

    /** Whether a later chunk's clock is this one. */
    boolean continuesIn(ChunkHeader header) {
        return header.ticksPerSecond() == ticksPerSecond
                && Math.abs(ns(header.startTicks()) - header.startNs()) < LARGEST_CORRECTION_NS;
    }

    /** When a tick was, in ns since 1970; negative if that is nonsense. */
    long ns(long ticks) {
        long since = ticks - startTicks;
        if (ticksPerSecond == SECOND) {
            return startNs + since;
        }
        return startNs
                + Math.floorDiv(since, ticksPerSecond) * SECOND
                + Math.floorMod(since, ticksPerSecond) * SECOND / ticksPerSecond;
    }
}
