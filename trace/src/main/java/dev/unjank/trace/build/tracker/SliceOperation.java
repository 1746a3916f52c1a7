package dev.unjank.trace.build.tracker;

/**
 * The layout of an operation on the slices of a track, which {@link SliceOperations} passes to the {@link
 * SliceTracker}: two longs.
 *
 * <pre>
 * first    the time; the id of a flow, the number of args
 * second   0..31 the name of a slice, or what else the operation sets   32..59 track   60..63 kind
 * </pre>
 */
final class SliceOperation {
    static final int WORDS = 2;

    /** Sets the owner of a new track. */
    static final int NEW_TRACK = 0;

    static final int BEGIN = 1;
    static final int BEGIN_UNLESS_OPEN = 2;
    static final int END = 3;
    static final int INSTANT = 4;

    // Details of the slice of the previous operation.
    static final int CATEGORY = 5;
    static final int FLOW = 6;
    static final int FLOW_END = 7;
    static final int MESSAGE = 8;
    static final int ARGS = 9;

    /** Sets the name of a new track without a thread. */
    static final int TRACK_NAME = 10;

    private static final int KIND_SHIFT = 60;
    private static final int TRACK_SHIFT = 32;
    private static final int TRACK_MASK = (1 << (KIND_SHIFT - TRACK_SHIFT)) - 1;

    private SliceOperation() {}

    static long pack(int kind, int track, int value) {
        return (long) kind << KIND_SHIFT | (long) track << TRACK_SHIFT | (value & 0xffffffffL);
    }

    /** The time, or another first word. */
    static long ts(long[] batch, int at) {
        return batch[at];
    }

    static long packed(long[] batch, int at) {
        return batch[at + 1];
    }

    static int kind(long packed) {
        return (int) (packed >>> KIND_SHIFT);
    }

    static int track(long packed) {
        return (int) (packed >>> TRACK_SHIFT) & TRACK_MASK;
    }

    static int value(long packed) {
        return (int) packed;
    }
}
