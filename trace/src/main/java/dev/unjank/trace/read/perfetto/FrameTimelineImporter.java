package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.JankSeverity;
import dev.unjank.trace.model.PredictionType;
import dev.unjank.trace.model.PresentType;
import dev.unjank.trace.proto.FrameFields.DisplayFrameStart;
import dev.unjank.trace.proto.FrameFields.FrameEnd;
import dev.unjank.trace.proto.FrameFields.FrameTimelineEvent;
import dev.unjank.trace.proto.FrameFields.SurfaceFrameStart;
import dev.unjank.trace.proto.ProtoReader;

/** Imports Android's frame timeline: begins and ends of expected and actual frames, of the display and of apps. */
final class FrameTimelineImporter {
    private final TraceBuilder builder;
    private final ProtoReader event = new ProtoReader();
    private final ProtoReader frame = new ProtoReader();

    // The current frame.
    private long cookie;
    private long displayToken;
    private long surfaceToken;
    private int pid;
    private int layer;
    private int present;
    private int jank;
    private int prediction;
    private int severity;
    private boolean onTime;
    private boolean gpu;

    FrameTimelineImporter(TraceBuilder builder) {
        this.builder = builder;
    }

    /** Imports the event in a packet's current field. */
    void read(ProtoReader packet, long ts) {
        event.resetToField(packet);
        while (event.next()) {
            frame.resetToField(event);
            switch (event.field()) {
                case FrameTimelineEvent.EXPECTED_DISPLAY_FRAME_START -> {
                    displayFrame();
                    builder.program().expectedFrame(ts, cookie, pid, displayToken, 0, -1);
                }
                case FrameTimelineEvent.ACTUAL_DISPLAY_FRAME_START -> {
                    displayFrame();
                    actual(ts);
                }
                case FrameTimelineEvent.EXPECTED_SURFACE_FRAME_START -> {
                    surfaceFrame();
                    builder.program().expectedFrame(ts, cookie, pid, displayToken, surfaceToken, layer);
                }
                case FrameTimelineEvent.ACTUAL_SURFACE_FRAME_START -> {
                    surfaceFrame();
                    actual(ts);
                }
                case FrameTimelineEvent.FRAME_END -> {
                    begin();
                    while (frame.next()) {
                        if (frame.field() == FrameEnd.COOKIE) {
                            cookie = frame.value();
                        }
                    }
                    builder.program().frameEnd(ts, cookie);
                }
                default -> {}
            }
        }
    }

    private void actual(long ts) {
        builder.program()
                .actualFrame(
                        ts,
                        cookie,
                        pid,
                        displayToken,
                        surfaceToken,
                        layer,
                        jank,
                        PresentType.of(present),
                        PredictionType.of(prediction),
                        JankSeverity.of(severity),
                        onTime,
                        gpu);
    }

    private void begin() {
        cookie = 0;
        displayToken = 0;
        surfaceToken = 0;
        pid = 0;
        layer = -1;
        present = 0;
        jank = 0;
        prediction = 0;
        severity = 0;
        onTime = false;
        gpu = false;
    }

    private void displayFrame() {
        begin();
        while (frame.next()) {
            switch (frame.field()) {
                case DisplayFrameStart.COOKIE -> cookie = frame.value();
                case DisplayFrameStart.TOKEN -> displayToken = frame.value();
                case DisplayFrameStart.PID -> pid = frame.intValue();
                case DisplayFrameStart.PRESENT_TYPE -> present = frame.intValue();
                case DisplayFrameStart.ON_TIME_FINISH -> onTime = frame.boolValue();
                case DisplayFrameStart.GPU_COMPOSITION -> gpu = frame.boolValue();
                case DisplayFrameStart.JANK_TYPE -> jank = frame.intValue();
                case DisplayFrameStart.PREDICTION_TYPE -> prediction = frame.intValue();
                default -> {}
            }
        }
    }

    private void surfaceFrame() {
        begin();
        while (frame.next()) {
            switch (frame.field()) {
                case SurfaceFrameStart.COOKIE -> cookie = frame.value();
                case SurfaceFrameStart.TOKEN -> surfaceToken = frame.value();
                case SurfaceFrameStart.DISPLAY_FRAME_TOKEN -> displayToken = frame.value();
                case SurfaceFrameStart.PID -> pid = frame.intValue();
                case SurfaceFrameStart.LAYER_NAME ->
                    layer = builder.intern(frame.bytes(), frame.from(), frame.length());
                case SurfaceFrameStart.PRESENT_TYPE -> present = frame.intValue();
                case SurfaceFrameStart.ON_TIME_FINISH -> onTime = frame.boolValue();
                case SurfaceFrameStart.GPU_COMPOSITION -> gpu = frame.boolValue();
                case SurfaceFrameStart.JANK_TYPE -> jank = frame.intValue();
                case SurfaceFrameStart.PREDICTION_TYPE -> prediction = frame.intValue();
                case SurfaceFrameStart.JANK_SEVERITY_TYPE -> severity = frame.intValue();
                default -> {}
            }
        }
    }
}
