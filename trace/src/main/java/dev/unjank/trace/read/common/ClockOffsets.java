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

    private final Map<Integer, Long> offsetNs = new TreeMap<>();

    /** Notes what a clock showed at a time of the trace; the first word on a clock counts. */
    public void add(int clock, long traceNs, long clockNs) {
        offsetNs.putIfAbsent(clock, clockNs - traceNs);
    }

    /** Whether anything is known of a clock. */
    public boolean contains(int clock) {
        return offsetNs.containsKey(clock);
    }

    /** By how much a known clock was ahead of the trace's, in ns. */
    public long offsetNs(int clock) {
        return offsetNs.getOrDefault(clock, 0L);
    }
}
