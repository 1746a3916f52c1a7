package dev.unjank.trace.read.jfr;

import dev.unjank.trace.read.jfr.format.ChunkHeader;

/**
 * Converts a recording's ticks to nanoseconds since 1970. Each chunk contains its start on both clocks; the first one
 * counts for all chunks with the same clock, so that durations across chunks stay exact and corrections of the wall
 * clock have no effect. A chunk with another clock, of another machine or run, counts for itself.
 */
final class TickClock {
    private static final long SECOND = 1_000_000_000;

    /** The maximum correction of the wall clock since the first chunk. */
    private static final long LARGEST_CORRECTION_NS = 60 * SECOND;

    /** Faster clocks would overflow; none exists. */
    private static final long MAX_TICKS_PER_SECOND = 8 * SECOND;

    private final long startNs;
    private final long startTicks;
    private final long ticksPerSecond;

    private TickClock(long startNs, long startTicks, long ticksPerSecond) {
        this.startNs = startNs;
        this.startTicks = startTicks;
        this.ticksPerSecond = Math.clamp(ticksPerSecond, 1, MAX_TICKS_PER_SECOND);
    }

    static TickClock of(ChunkHeader header) {
        return new TickClock(header.startNs(), header.startTicks(), header.ticksPerSecond());
    }

    /** Whether a later chunk has the same clock. */
    boolean continuesIn(ChunkHeader header) {
        return header.ticksPerSecond() == ticksPerSecond
                && Math.abs(ns(header.startTicks()) - header.startNs()) < LARGEST_CORRECTION_NS;
    }

    /** The time of a tick, in ns since 1970; negative if it is invalid. */
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
