package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.IntPair;

/**
 * The layout of a value of a counter.
 *
 * <pre>
 * COUNTER        A pid | name    B value
 * CPU_COUNTER    A CPU or -1 | name    B value
 * TRACK_COUNTER  A track | 0     B value
 * </pre>
 */
public final class CounterEvent {
    /** The CPU of a counter of the whole machine. */
    public static final int NO_CPU = -1;

    static final int WORDS = 4;
    static final int IDS = EventKind.NAME_IN_A;
    static final int TRACK_IDS = EventKind.COUNTER_IN_A;

    private CounterEvent() {}

    public static void add(EventLog log, long ts, int pid, int name, long value) {
        log.add(EventKind.COUNTER, ts, IntPair.pack(pid, name), value);
    }

    public static void addOfCpu(EventLog log, long ts, int cpu, int name, long value) {
        log.add(EventKind.CPU_COUNTER, ts, IntPair.pack(cpu, name), value);
    }

    public static void addOfTrack(EventLog log, long ts, int track, long value) {
        log.add(EventKind.TRACK_COUNTER, ts, IntPair.pack(track, 0), value);
    }

    /** The process, the CPU or the track. */
    public static int owner(long[] words, int at) {
        return IntPair.high(words[at + EventKind.A]);
    }

    public static int name(long[] words, int at) {
        return IntPair.low(words[at + EventKind.A]);
    }

    public static long value(long[] words, int at) {
        return words[at + EventKind.B];
    }
}
