package dev.unjank.trace.model;

/** The columns of {@link Frames}. Frames are few (a few hundred per second), so only flags are packed. Not API. */
public final class FrameColumns {
    /** The flag of a frame that was finished before its deadline. */
    public static final int ON_TIME_FINISH = 1;
    /** The flag of a frame that the GPU composed. */
    public static final int GPU_COMPOSITION = 2;
    /** The shift of the {@link PresentType} in the flags. */
    public static final int PRESENT_SHIFT = 8;
    /** The shift of the {@link PredictionType} in the flags. */
    public static final int PREDICTION_SHIFT = 16;
    /** The shift of the {@link JankSeverity} in the flags. */
    public static final int SEVERITY_SHIFT = 24;
    /** The bits of a type in the flags, after its shift. */
    static final int TYPE_MASK = 0xff;

    /** Starts in ns. */
    public final long[] times;
    /** Durations in ns. */
    public final long[] durations;
    /** Planned starts in ns, {@link Frames#NO_TIME} if unknown. */
    public final long[] expectedStarts;
    /** Deadlines in ns, {@link Frames#NO_TIME} if unknown. */
    public final long[] deadlines;
    /** Tokens of the apps' frames. */
    public final long[] surfaceTokens;
    /** Tokens of the display frames. */
    public final long[] displayTokens;
    /** Processes. */
    public final int[] upids;
    /** String ids of the layers, -1 for display frames. */
    public final int[] layers;
    /** Sets of jank types, as in Perfetto's format. */
    public final int[] jankMasks;
    /** Flags and types. */
    public final int[] flags;

    /**
     * Creates columns of zeros.
     *
     * @param rows the number of frames
     */
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
