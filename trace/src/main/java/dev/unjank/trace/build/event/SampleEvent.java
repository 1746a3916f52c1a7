package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.model.ThreadStateBits;

/**
 * The layout of a stack sample.
 *
 * <pre>
 * header  8 the thread was executing code   16..31 CPU + 1, 0 if unknown
 * A       tid | pid, 0 if unknown
 * B       innermost call, -1 if unknown | 0
 * </pre>
 */
public final class SampleEvent {
    static final int WORDS = 4;
    static final int IDS = EventKind.CALL_IN_B;

    private static final long RUNNING = 1L << 8;
    private static final int CPU_SHIFT = 16;
    private static final int CPU_MASK = 0xffff;

    private SampleEvent() {}

    public static void add(EventLog log, long ts, int tid, int pid, int cpu, int call, boolean running) {
        long known = cpu < 0 || cpu >= ThreadStateBits.MAX_CPUS ? 0 : cpu + 1;
        long header = EventKind.SAMPLE | (running ? RUNNING : 0) | known << CPU_SHIFT;
        log.add(header, ts, IntPair.pack(tid, pid), IntPair.pack(call, 0));
    }

    public static boolean isRunning(long header) {
        return (header & RUNNING) != 0;
    }

    /** The CPU, -1 if unknown. */
    public static int cpu(long header) {
        return ((int) (header >>> CPU_SHIFT) & CPU_MASK) - 1;
    }

    public static int tid(long[] words, int at) {
        return IntPair.high(words[at + EventKind.A]);
    }

    public static int pid(long[] words, int at) {
        return IntPair.low(words[at + EventKind.A]);
    }

    public static int call(long[] words, int at) {
        return IntPair.high(words[at + EventKind.B]);
    }
}
