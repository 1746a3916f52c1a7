package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.IntPair;

/**
 * The layout of the begin and the end of an asynchronous slice of a process, and of a mark.
 *
 * <pre>
 * header  32..63 name, except in an end
 * A       pid | name of the track
 * B       cookie; not in a mark
 * </pre>
 */
public final class AsyncSliceEvent {
    static final int WORDS = 4;
    static final int INSTANT_WORDS = 3;
    static final int IDS = EventKind.NAME_IN_HEADER | EventKind.NAME_IN_A;
    static final int END_IDS = EventKind.NAME_IN_A;

    private AsyncSliceEvent() {}

    public static void addBegin(EventLog log, long ts, int pid, int track, long cookie, int name) {
        log.add(EventKind.withName(EventKind.ASYNC_BEGIN, name), ts, IntPair.pack(pid, track), cookie);
    }

    public static void addEnd(EventLog log, long ts, int pid, int track, long cookie) {
        log.add(EventKind.ASYNC_END, ts, IntPair.pack(pid, track), cookie);
    }

    public static void addInstant(EventLog log, long ts, int pid, int track, int name) {
        log.add(EventKind.withName(EventKind.ASYNC_INSTANT, name), ts, IntPair.pack(pid, track));
    }

    public static int pid(long[] words, int at) {
        return IntPair.high(words[at + EventKind.A]);
    }

    public static int track(long[] words, int at) {
        return IntPair.low(words[at + EventKind.A]);
    }

    public static long cookie(long[] words, int at) {
        return words[at + EventKind.B];
    }
}
