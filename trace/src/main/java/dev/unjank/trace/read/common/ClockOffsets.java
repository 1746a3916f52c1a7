package dev.unjank.trace.read.common;

import java.util.Map;
import java.util.TreeMap;

/**
 * The offsets between the trace's clock and the machine's clocks at the start of the trace, by which traces of
 * several files are merged.
 */
public final class ClockOffsets {
    public static final int REALTIME = 1;
    public static final int MONOTONIC = 3;

    private final Map<Integer, Long> offsetNs = new TreeMap<>();

    /** Adds a reading of a clock at a time of the trace; the first reading of a clock wins. */
    public void add(int clock, long traceNs, long clockNs) {
        offsetNs.putIfAbsent(clock, clockNs - traceNs);
    }

    /** Whether the offset of a clock is known. */
    public boolean contains(int clock) {
        return offsetNs.containsKey(clock);
    }

    /** The time of a known clock minus that of the trace's clock, in ns. */
    public long offsetNs(int clock) {
        return offsetNs.getOrDefault(clock, 0L);
    }
}
