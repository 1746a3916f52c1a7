package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.IntPair;

/**
 * The layout of a sched_blocked_reason. The header alone is also passed to the tracker of thread states.
 *
 * <pre>
 * header  8 I/O wait
 * A       tid | name of the blocked function
 * </pre>
 */
public final class BlockedReasonEvent {
    static final int WORDS = 3;
    static final int IDS = EventKind.NAME_IN_A;

    private static final long IO_WAIT = 1L << 8;

    private BlockedReasonEvent() {}

    public static void add(EventLog log, long ts, int tid, boolean ioWait, int function) {
        log.add(header(ioWait), ts, IntPair.pack(tid, function));
    }

    private static long header(boolean ioWait) {
        return EventKind.BLOCKED_REASON | (ioWait ? IO_WAIT : 0);
    }

    public static boolean isIoWait(long header) {
        return (header & IO_WAIT) != 0;
    }

    public static int tid(long[] words, int at) {
        return IntPair.high(words[at + EventKind.A]);
    }

    public static int function(long[] words, int at) {
        return IntPair.low(words[at + EventKind.A]);
    }
}
