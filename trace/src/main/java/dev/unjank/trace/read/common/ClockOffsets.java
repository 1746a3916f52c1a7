package dev.unjank.trace.read.common;

import java.util.Map;
import java.util.TreeMap;

/**
 * What a trace says of the machine's clocks: by how much each was ahead of the trace's own, when the trace began. That is what
 * traces of several files are brought together by.
 */
public final class ClockOffsets {
    public static final int REALTIME = 1;
    public static final int MONOTONIC = 3;

    private final Map<Integer, Long> ahead = new TreeMap<>();

    /** Notes what a clock showed at a time of the trace; the first word on a clock counts. */
    public void tie(int clock, long traceNs, long clockNs) {
        ahead.putIfAbsent(clock, clockNs - traceNs);
    }

    /** Whether anything is known of a clock. */
    public boolean knows(int clock) {
        return ahead.containsKey(clock);
    }

    /** By how much a known clock was ahead of the trace's, in ns. */
    public long ahead(int clock) {
        return ahead.getOrDefault(clock, 0L);
    }
}
