package dev.unjank.query.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.query.QueryTestSession;
import dev.unjank.query.result.QueryException;
import dev.unjank.trace.proto.FrameFields.DisplayFrameStart;
import dev.unjank.trace.proto.FrameFields.FrameEnd;
import dev.unjank.trace.proto.FrameFields.FrameTimelineEvent;
import dev.unjank.trace.proto.FrameFields.SurfaceFrameStart;
import dev.unjank.trace.proto.PacketFields.Trace;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.ProtoWriter;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Perfetto's words for what the frame timeline records about a frame. */
class FrameTimelineTablesTest {
    private static final String JANK =
            "SELECT jank_type, jank_tag, jank_severity_type, prediction_type FROM actual_frame_timeline_slice";

    private final ProtoWriter trace = new ProtoWriter();

    @TempDir
    private Path folder;

    private void event(long ts, int kind, Consumer<ProtoWriter> fields) {
        int packet = trace.begin(Trace.PACKET);
        trace.varint(TracePacket.TIMESTAMP, ts);
        int event = trace.begin(TracePacket.FRAME_TIMELINE_EVENT);
        int frame = trace.begin(kind);
        fields.accept(trace);
        trace.end(frame);
        trace.end(event);
        trace.end(packet);
    }

    private void display(long ts, int kind, int cookie, int token, int jank) {
        event(ts, kind, frame -> {
            frame.varint(DisplayFrameStart.COOKIE, cookie);
            frame.varint(DisplayFrameStart.TOKEN, token);
            frame.varint(DisplayFrameStart.PID, 6);
            frame.varint(DisplayFrameStart.JANK_TYPE, jank);
            frame.varint(DisplayFrameStart.PREDICTION_TYPE, 1);
        });
    }

    private void surface(int jank, int severity, int prediction) {
        event(10, FrameTimelineEvent.ACTUAL_SURFACE_FRAME_START, frame -> {
            frame.varint(SurfaceFrameStart.COOKIE, 1);
            frame.varint(SurfaceFrameStart.TOKEN, 2);
            frame.varint(SurfaceFrameStart.PID, 6);
            frame.varint(SurfaceFrameStart.JANK_TYPE, jank);
            frame.varint(SurfaceFrameStart.PREDICTION_TYPE, prediction);
            frame.varint(SurfaceFrameStart.JANK_SEVERITY_TYPE, severity);
        });
    }

    private void end(long ts, int cookie) {
        event(ts, FrameTimelineEvent.FRAME_END, end -> end.varint(FrameEnd.COOKIE, cookie));
    }

    private void answers(String sql, String... rows) throws QueryException, IOException {
        Path file = Files.write(folder.resolve("t.pftrace"), trace.toByteArray());
        try (QueryTestSession session = QueryTestSession.of(TraceReader.read(file))) {
            List<String> lines = session.result(sql);
            assertThat(lines.subList(1, lines.size())).containsExactly(rows);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0, None, No Jank, None",
        "64, 3, App Deadline Missed, Self Jank, Full",
        "64, 2, App Deadline Missed, Self Jank, Partial",
        "64, 99, App Deadline Missed, Self Jank, Unknown",
        "2, 0, SurfaceFlinger Scheduling, Other Jank, Unknown",
        "128, 0, Buffer Stuffing, Buffer Stuffing, Unknown",
        "1024, 0, Dropped Frame, Dropped Frame, Unknown",
        "4096, 0, App Resynced Jitter, Self Jank, Unknown",
        "8192, 0, Display not ON, Non-perceivable Jank, Unknown",
        "32770, 0, 'SurfaceFlinger Scheduling, PowerModeChange in progress', Other Jank, Unknown"
    })
    void jankOfAnApp(int jank, int severity, String types, String tag, String visible)
            throws QueryException, IOException {
        surface(jank, severity, 2);
        answers(JANK, "\"%s\",\"%s\",\"%s\",\"Expired Prediction\"".formatted(types, tag, visible));
    }

    @ParameterizedTest
    @CsvSource({
        "16, SurfaceFlinger CPU Deadline Missed, Self Jank",
        "512, SurfaceFlinger Stuffing, SurfaceFlinger Stuffing",
        "2048, Non Animating, Non-perceivable Jank",
        "16384, ModeChange in progress, Non-perceivable Jank"
    })
    void jankOfTheDisplay(int jank, String types, String tag) throws QueryException, IOException {
        display(10, FrameTimelineEvent.ACTUAL_DISPLAY_FRAME_START, 1, 2, jank);
        answers(JANK, "\"%s\",\"%s\",\"Unknown\",\"Valid Prediction\"".formatted(types, tag));
    }

    @Test
    void anExpectedDisplayFrameThatWasReplacedHasNoEnd() throws QueryException, IOException {
        display(10, FrameTimelineEvent.EXPECTED_DISPLAY_FRAME_START, 1, 2, 0);
        display(10, FrameTimelineEvent.EXPECTED_DISPLAY_FRAME_START, 1, 2, 0);
        display(12, FrameTimelineEvent.ACTUAL_DISPLAY_FRAME_START, 3, 2, 1);
        end(15, 1);
        end(16, 3);
        answers("SELECT ts, dur FROM expected_frame_timeline_slice ORDER BY dur", "10,-1", "10,5");
        answers("SELECT ts, dur FROM actual_frame_timeline_slice", "12,4");
    }
}
