package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.IntPair;

/**
 * The layout of the begin and the end of a slice of a thread, and of a mark.
 *
 * <pre>
 * header  32..63 name, except in an end
 * A       tid | pid, 0 if unknown
 * </pre>
 */
public final class ThreadSliceEvent {
    static final int WORDS = 3;
    static final int IDS = EventKind.NAME_IN_HEADER;
    static final int END_IDS = 0;

    private ThreadSliceEvent() {}

    public static void addBegin(EventLog log, long ts, int tid, int pid, int name) {
        log.add(EventKind.withName(EventKind.BEGIN, name), ts, IntPair.pack(tid, pid));
    }

    public static void addEnd(EventLog log, long ts, int tid, int pid) {
        log.add(EventKind.END, ts, IntPair.pack(tid, pid));
    }

    public static void addInstant(EventLog log, long ts, int tid, int pid, int name) {
        log.add(EventKind.withName(EventKind.INSTANT, name), ts, IntPair.pack(tid, pid));
    }

    public static int tid(long[] words, int at) {
        return IntPair.high(words[at + EventKind.A]);
    }

    public static int pid(long[] words, int at) {
        return IntPair.low(words[at + EventKind.A]);
    }
}
