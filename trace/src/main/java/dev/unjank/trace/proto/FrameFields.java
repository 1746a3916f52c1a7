package dev.unjank.trace.proto;

/** Field numbers of Perfetto's messages for the frame timeline; see {@link PacketFields}. */
@SuppressWarnings(
        "doclint:missing") // each constant is its own documentation: the field's name in the published proto file
public final class FrameFields {
    private FrameFields() {}

    public static final class FrameTimelineEvent {
        public static final int EXPECTED_DISPLAY_FRAME_START = 1;
        public static final int ACTUAL_DISPLAY_FRAME_START = 2;
        public static final int EXPECTED_SURFACE_FRAME_START = 3;
        public static final int ACTUAL_SURFACE_FRAME_START = 4;
        public static final int FRAME_END = 5;
    }

    /** ExpectedSurfaceFrameStart and ActualSurfaceFrameStart; the expected one ends at LAYER_NAME. */
    public static final class SurfaceFrameStart {
        public static final int COOKIE = 1;
        public static final int TOKEN = 2;
        public static final int DISPLAY_FRAME_TOKEN = 3;
        public static final int PID = 4;
        public static final int LAYER_NAME = 5;
        public static final int PRESENT_TYPE = 6;
        public static final int ON_TIME_FINISH = 7;
        public static final int GPU_COMPOSITION = 8;
        public static final int JANK_TYPE = 9;
        public static final int PREDICTION_TYPE = 10;
        public static final int IS_BUFFER = 11;
        public static final int JANK_SEVERITY_TYPE = 12;
    }

    /** ExpectedDisplayFrameStart and ActualDisplayFrameStart; the expected one ends at PID. */
    public static final class DisplayFrameStart {
        public static final int COOKIE = 1;
        public static final int TOKEN = 2;
        public static final int PID = 3;
        public static final int PRESENT_TYPE = 4;
        public static final int ON_TIME_FINISH = 5;
        public static final int GPU_COMPOSITION = 6;
        public static final int JANK_TYPE = 7;
        public static final int PREDICTION_TYPE = 8;
    }

    public static final class FrameEnd {
        public static final int COOKIE = 1;
    }
}
