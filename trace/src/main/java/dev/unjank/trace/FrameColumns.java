package dev.unjank.trace;

/** The columns of {@link Frames}; frames are few (a few hundred a second), so nothing is packed tightly. */
final class FrameColumns {
    static final int ON_TIME_FINISH = 1;
    static final int GPU_COMPOSITION = 2;
    static final int PRESENT_SHIFT = 8;

    final long[] times;
    final long[] durations;
    final long[] expectedStarts;
    final long[] deadlines;
    final long[] surfaceTokens;
    final long[] displayTokens;
    final int[] upids;
    final int[] layers;
    final int[] jankMasks;
    final int[] flags;

    FrameColumns(int rows) {
        times = new long[rows];
        durations = new long[rows];
        expectedStarts = new long[rows];
        deadlines = new long[rows];
        surfaceTokens = new long[rows];
        displayTokens = new long[rows];
        upids = new int[rows];
        layers = new int[rows];
        jankMasks = new int[rows];
        flags = new int[rows];
    }
}
