package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.model.FenceStage;

/**
 * The layout of an event of a GPU fence.
 *
 * <pre>
 * header  8..15 code of the {@link FenceStage}
 * A       context | name of the timeline
 * B       number on the timeline
 * </pre>
 */
public final class FenceEvent {
    static final int WORDS = 4;
    static final int IDS = EventKind.NAME_IN_A;

    private static final int STAGE_SHIFT = 8;
    private static final int STAGE_MASK = 0xff;

    private FenceEvent() {}

    public static void add(EventLog log, long ts, FenceStage stage, int context, int timeline, long number) {
        log.add(EventKind.FENCE | (long) stage.code() << STAGE_SHIFT, ts, IntPair.pack(context, timeline), number);
    }

    public static FenceStage stage(long header) {
        return FenceStage.of((int) (header >>> STAGE_SHIFT) & STAGE_MASK);
    }

    public static int context(long[] words, int at) {
        return IntPair.high(words[at + EventKind.A]);
    }

    public static long number(long[] words, int at) {
        return words[at + EventKind.B];
    }
}
