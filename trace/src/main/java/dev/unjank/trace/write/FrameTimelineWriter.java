package dev.unjank.trace.write;

import dev.unjank.trace.model.PresentType;
import dev.unjank.trace.proto.FrameFields.DisplayFrameStart;
import dev.unjank.trace.proto.FrameFields.FrameEnd;
import dev.unjank.trace.proto.FrameFields.FrameTimelineEvent;
import dev.unjank.trace.proto.FrameFields.SurfaceFrameStart;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.ProtoWriter;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;

/**
 * Writes Android's frame timeline, as since Android 12: the expected and actual times of each frame. Frames of apps
 * and of the compositor share one numbering; the compositor's frame that presents others has their {@code
 * displayToken}.
 */
public final class FrameTimelineWriter {
    /** Bit of a jank mask: the frame was on time. */
    public static final int JANK_NONE = 1;
    /** Bit of a jank mask: the app missed its deadline. */
    public static final int JANK_APP_DEADLINE_MISSED = 64;
    /** Bit of a jank mask: the frame was queued behind an earlier one of the same app. */
    public static final int JANK_BUFFER_STUFFING = 128;

    /** An unknown end. */
    public static final long OPEN = Long.MIN_VALUE;

    private static final int PREDICTION_VALID = 1;

    private final TraceWriter writer;
    private final TraceClock clock;

    FrameTimelineWriter(TraceWriter writer, TraceClock clock) {
        this.writer = writer;
        this.clock = clock;
    }

    /**
     * An app's frame on one layer.
     *
     * @param token the frame's number
     * @param displayToken the number of the compositor's frame that presents it
     * @param pid the app
     * @param layer the name of its layer
     */
    public record SurfaceFrame(long token, long displayToken, int pid, String layer) {}

    /**
     * The result of a frame.
     *
     * @param jankMask why the frame missed its deadline: bits of Perfetto's JankType, {@link #JANK_NONE} if it did
     *     not
     * @param presented whether it was presented early, on time or late
     * @param onTime whether the process finished it in time
     * @param onGpu whether the GPU composed it
     */
    public record Outcome(int jankMask, PresentType presented, boolean onTime, boolean onGpu) {
        /** The result of a frame that is as late as its mask says. */
        static Outcome of(int jankMask) {
            boolean onTime = jankMask == JANK_NONE;
            return new Outcome(jankMask, onTime ? PresentType.ON_TIME : PresentType.LATE, onTime, false);
        }
    }

    /**
     * Writes the expected frame of an app.
     *
     * @param frame the frame
     * @param start the planned start of its work, in ns
     * @param end its deadline in ns, {@link #OPEN} if unknown
     * @throws IOException if the stream fails
     */
    public void expectedSurfaceFrame(SurfaceFrame frame, long start, long end) throws IOException {
        write(
                FrameTimelineEvent.EXPECTED_SURFACE_FRAME_START,
                start,
                end,
                (packet, cookie) -> surfaceFrame(packet, frame, cookie));
    }

    /**
     * Writes the actual frame of an app.
     *
     * @param frame the frame
     * @param start the start of its work, in ns
     * @param end when it was handed to the display, in ns
     * @param jankMask why the frame missed its deadline: bits of Perfetto's JankType, {@link #JANK_NONE} if it did
     *     not
     * @throws IOException if the stream fails
     */
    public void actualSurfaceFrame(SurfaceFrame frame, long start, long end, int jankMask) throws IOException {
        actualSurfaceFrame(frame, start, end, Outcome.of(jankMask));
    }

    /**
     * Writes the actual frame of an app.
     *
     * @param frame the frame
     * @param start the start of its work, in ns
     * @param end when it was handed to the display, in ns; {@link #OPEN} if unknown
     * @param outcome how it was presented
     * @throws IOException if the stream fails
     */
    public void actualSurfaceFrame(SurfaceFrame frame, long start, long end, Outcome outcome) throws IOException {
        write(FrameTimelineEvent.ACTUAL_SURFACE_FRAME_START, start, end, (packet, cookie) -> {
            surfaceFrame(packet, frame, cookie);
            packet.varint(SurfaceFrameStart.PRESENT_TYPE, outcome.presented.code());
            packet.bool(SurfaceFrameStart.ON_TIME_FINISH, outcome.onTime);
            packet.bool(SurfaceFrameStart.GPU_COMPOSITION, outcome.onGpu);
            packet.varint(SurfaceFrameStart.JANK_TYPE, outcome.jankMask);
            packet.varint(SurfaceFrameStart.PREDICTION_TYPE, PREDICTION_VALID);
            packet.bool(SurfaceFrameStart.IS_BUFFER, true);
        });
    }

    /**
     * Writes the expected frame of the compositor.
     *
     * @param token the frame's number
     * @param pid the compositor
     * @param start the planned start of its work, in ns
     * @param end its deadline
     * @throws IOException if the stream fails
     */
    public void expectedDisplayFrame(long token, int pid, long start, long end) throws IOException {
        write(
                FrameTimelineEvent.EXPECTED_DISPLAY_FRAME_START,
                start,
                end,
                (packet, cookie) -> displayFrame(packet, token, pid, cookie));
    }

    /**
     * Writes the actual frame of the compositor.
     *
     * @param token the frame's number
     * @param pid the compositor
     * @param start the start of its work, in ns
     * @param end when it was presented, in ns
     * @param jankMask why the frame missed its deadline: bits of Perfetto's JankType, {@link #JANK_NONE} if it did
     *     not
     * @throws IOException if the stream fails
     */
    public void actualDisplayFrame(long token, int pid, long start, long end, int jankMask) throws IOException {
        actualDisplayFrame(token, pid, start, end, Outcome.of(jankMask));
    }

    /**
     * Writes the actual frame of the compositor.
     *
     * @param token the frame's number
     * @param pid the compositor
     * @param start the start of its work, in ns
     * @param end when it was presented, in ns; {@link #OPEN} if unknown
     * @param outcome how it was presented
     * @throws IOException if the stream fails
     */
    public void actualDisplayFrame(long token, int pid, long start, long end, Outcome outcome) throws IOException {
        write(FrameTimelineEvent.ACTUAL_DISPLAY_FRAME_START, start, end, (packet, cookie) -> {
            displayFrame(packet, token, pid, cookie);
            packet.varint(DisplayFrameStart.PRESENT_TYPE, outcome.presented.code());
            packet.bool(DisplayFrameStart.ON_TIME_FINISH, outcome.onTime);
            packet.bool(DisplayFrameStart.GPU_COMPOSITION, outcome.onGpu);
            packet.varint(DisplayFrameStart.JANK_TYPE, outcome.jankMask);
            packet.varint(DisplayFrameStart.PREDICTION_TYPE, PREDICTION_VALID);
        });
    }

    private static void surfaceFrame(ProtoWriter packet, SurfaceFrame frame, long cookie) {
        packet.varint(SurfaceFrameStart.COOKIE, cookie);
        packet.varint(SurfaceFrameStart.TOKEN, frame.token());
        packet.varint(SurfaceFrameStart.DISPLAY_FRAME_TOKEN, frame.displayToken());
        packet.varint(SurfaceFrameStart.PID, frame.pid());
        packet.string(SurfaceFrameStart.LAYER_NAME, frame.layer());
    }

    private static void displayFrame(ProtoWriter packet, long token, int pid, long cookie) {
        packet.varint(DisplayFrameStart.COOKIE, cookie);
        packet.varint(DisplayFrameStart.TOKEN, token);
        packet.varint(DisplayFrameStart.PID, pid);
    }

    /** Writes the begin of a frame and, if it is known, the end, which has the same cookie. */
    private void write(int begin, long start, long end, ObjLongConsumer<ProtoWriter> fields) throws IOException {
        long cookie = writer.nextFrameCookie();
        event(start, begin, packet -> fields.accept(packet, cookie));
        if (end != OPEN) {
            event(end, FrameTimelineEvent.FRAME_END, packet -> packet.varint(FrameEnd.COOKIE, cookie));
        }
    }

    private void event(long ts, int kind, Consumer<ProtoWriter> fields) throws IOException {
        ProtoWriter packet = writer.packet(TraceWriter.FRAME_SEQUENCE);
        packet.varint(TracePacket.TIMESTAMP, ts);
        if (clock != TraceClock.BOOTTIME) {
            packet.varint(TracePacket.TIMESTAMP_CLOCK_ID, clock.id());
        }
        int event = packet.begin(TracePacket.FRAME_TIMELINE_EVENT);
        int body = packet.begin(kind);
        fields.accept(packet);
        packet.end(body);
        packet.end(event);
        writer.write(packet);
    }
}
