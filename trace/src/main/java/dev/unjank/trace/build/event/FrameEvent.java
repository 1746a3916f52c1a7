package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.IntPair;

/**
 * The layout of the begin and the end of a frame: its details are a row of the frame tracker.
 *
 * <pre>
 * A       row | 0
 * </pre>
 */
public final class FrameEvent {
    static final int WORDS = 3;
    static final int IDS = EventKind.FRAME_IN_A;

    private FrameEvent() {}

    public static void add(EventLog log, long ts, int row) {
        log.add(EventKind.FRAME, ts, IntPair.pack(row, 0));
    }

    public static int row(long[] words, int at) {
        return IntPair.high(words[at + EventKind.A]);
    }
}
