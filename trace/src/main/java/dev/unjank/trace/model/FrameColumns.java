package dev.unjank.trace.model;

/** The columns of {@link Frames}. Frames are few (a few hundred per second), so nothing is packed. Not API. */
public final class FrameColumns {
    public static final int ON_TIME_FINISH = 1;
    public static final int GPU_COMPOSITION = 2;
    public static final int PRESENT_SHIFT = 8;

    public final long[] times;
    public final long[] durations;
    public final long[] expectedStarts;
    public final long[] deadlines;
    public final long[] surfaceTokens;
    public final long[] displayTokens;
    public final int[] upids;
    public final int[] layers;
    public final int[] jankMasks;
    public final int[] flags;

    public FrameColumns(int rows) {
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
