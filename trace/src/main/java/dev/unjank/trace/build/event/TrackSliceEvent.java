package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.IntPair;

/**
 * The layout of the begin and the end of a slice on a track, of a mark, and of details of the slice or mark of the
 * track's record before it.
 *
 * <pre>
 * begin, mark    header 32..63 name    A track | category
 * end                                  A track | 0
 * TRACK_FLOW     header 8 it ends      A track | 0                    B flow
 * TRACK_MESSAGE                        A track | row of the message
 * TRACK_ARGS     header 32..63 count   A track | first row of the args
 * </pre>
 */
public final class TrackSliceEvent {
    static final int WORDS = 3;
    static final int FLOW_WORDS = 4;
    static final int IDS = EventKind.NAME_IN_HEADER | EventKind.NAME_IN_A | EventKind.TRACK_IN_A;
    static final int END_IDS = EventKind.TRACK_IN_A;
    static final int FLOW_IDS = EventKind.TRACK_IN_A;
    static final int MESSAGE_IDS = EventKind.TRACK_IN_A | EventKind.MESSAGE_IN_A;
    static final int ARGS_IDS = EventKind.TRACK_IN_A | EventKind.ARGS_IN_A;

    private static final long FLOW_ENDS = 1L << 8;

    private TrackSliceEvent() {}

    public static void addBegin(EventLog log, long ts, int track, int category, int name) {
        log.add(EventKind.withName(EventKind.TRACK_BEGIN, name), ts, IntPair.pack(track, category));
    }

    public static void addEnd(EventLog log, long ts, int track) {
        log.add(EventKind.TRACK_END, ts, IntPair.pack(track, 0));
    }

    public static void addInstant(EventLog log, long ts, int track, int category, int name) {
        log.add(EventKind.withName(EventKind.TRACK_INSTANT, name), ts, IntPair.pack(track, category));
    }

    public static void addFlow(EventLog log, long ts, int track, long flow, boolean ends) {
        log.add(EventKind.TRACK_FLOW | (ends ? FLOW_ENDS : 0), ts, IntPair.pack(track, 0), flow);
    }

    public static void addMessage(EventLog log, long ts, int track, int row) {
        log.add(EventKind.TRACK_MESSAGE, ts, IntPair.pack(track, row));
    }

    public static void addArgs(EventLog log, long ts, int track, int firstRow, int count) {
        log.add(EventKind.TRACK_ARGS | (long) count << 32, ts, IntPair.pack(track, firstRow));
    }

    public static int track(long[] words, int at) {
        return IntPair.high(words[at + EventKind.A]);
    }

    public static int category(long[] words, int at) {
        return IntPair.low(words[at + EventKind.A]);
    }

    public static long flow(long[] words, int at) {
        return words[at + EventKind.B];
    }

    public static boolean isEndOfFlow(long header) {
        return (header & FLOW_ENDS) != 0;
    }

    /** The row of a message, or the first row of args. */
    public static int row(long[] words, int at) {
        return IntPair.low(words[at + EventKind.A]);
    }

    public static int argCount(long header) {
        return IntPair.high(header);
    }
}
