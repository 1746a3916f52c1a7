package dev.unjank.doctor.find.frame;

import static dev.unjank.doctor.scene.SyntheticTrace.APP;
import static dev.unjank.scene.Scene.ms;
import static dev.unjank.scene.Scene.traceTime;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.FrameCost;
import dev.unjank.doctor.model.Summary;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.json.JsonReport;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.RealTraceDiagnoses;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.StubQueries;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.trace.model.JankType;
import dev.unjank.trace.model.PresentType;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.write.FrameTimelineWriter;
import dev.unjank.trace.write.TraceClock;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.TrackEventWriter;
import dev.unjank.trace.write.TrackWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Frames from each source, and their costs by incidents. */
class FrameFinderTest {
    private static final String SURFACE_FLINGER = "/system/bin/surfaceflinger";

    @Test
    void theTimeline() {
        Diagnosis diagnosis = Doctor.diagnose(SceneDiagnoses.read(LauncherExample.trace()), DoctorOptions.defaults());
        assertThat(diagnosis.summary().frames()).isEqualTo(3);
        assertThat(diagnosis.summary().missedFrames()).isEqualTo(1);
        Frame late =
                diagnosis.frames().stream().filter(Frame::missed).findFirst().orElseThrow();
        assertThat(late.source()).isEqualTo(Frame.Source.TIMELINE);
        assertThat(late.jankType()).isEqualTo("App Deadline Missed");
        assertThat(late.isAppJank()).isTrue();
        assertThat(late.missedByNs()).isEqualTo(ms(37.1) - ms(35.333));
        List<FrameCost> costs = diagnosis.costsOf(late);
        assertThat(costs).hasSize(1);
        assertThat(costs.getFirst().incident().id()).isEqualTo(1);
        assertThat(costs.getFirst().overlapNs()).isEqualTo(9_148_000);
        assertThat(diagnosis.costsOf(diagnosis.incidents().getFirst()))
                .extracting(FrameCost::frame)
                .containsExactly(late);
    }

    /** Without a timeline the deadline of a frame is the display's period. */
    @ParameterizedTest
    @CsvSource({"16.5, false", "16.7, true", "40, true"})
    void doFrame(double ms, boolean missed) {
        SyntheticTrace stage =
                new SyntheticTrace().process(APP, "com.example.app").thread(1001, APP, "worker", 120);
        stage.slice(APP, "Choreographer#doFrame 17", 2, 2 + ms)
                .slice(APP, "Lock contention on thread list lock (owner tid: 1001)", 3, 5)
                .runs(1001, 1, 30, SchedState.SLEEPING);
        Diagnosis diagnosis = stage.diagnose(DoctorOptions.defaults());
        assertThat(diagnosis.summary().missedFrames()).isEqualTo(missed ? 1 : 0);
        Frame frame = diagnosis.frames().getFirst();
        assertThat(frame.source()).isEqualTo(Frame.Source.CHOREOGRAPHER);
        assertThat(frame.missed()).isEqualTo(missed);
        assertThat(frame.jankType()).isEqualTo(missed ? "Deadline Missed" : "None");
        assertThat(diagnosis.costsOf(frame).getFirst().overlapNs()).isEqualTo(SyntheticTrace.ns(2));
    }

    /** Only its own looper's waits delay a message. */
    @Test
    void messages() {
        SyntheticTrace stage = new SyntheticTrace()
                .process(APP, "program")
                .thread(1001, APP, "looper", 120)
                .thread(1002, APP, "other", 120)
                .message(1002, 1, 0, 1001, "H: #1", 2, 30)
                .slice(1002, "Lock contention on x (owner tid: 1001)", 5, 9)
                .slice(1001, "Lock contention on x (owner tid: 1002)", 10, 13);
        Diagnosis diagnosis = stage.diagnose(SceneDiagnoses.EVERYTHING);
        Frame frame = diagnosis.frames().getFirst();
        assertThat(frame.source()).isEqualTo(Frame.Source.MESSAGE);
        assertThat(frame.missed()).isTrue();
        assertThat(diagnosis.costsOf(frame)).extracting(FrameCost::overlapNs).containsExactly(SyntheticTrace.ns(3));
    }

    /** Frames of every real trace against their count in the expected tables, the layers of one frame counted once. */
    @ParameterizedTest
    @CsvSource({
        RealTraceDiagnoses.ANDROID_15 + ", 1, 1121.6",
        RealTraceDiagnoses.ANDROID_13 + ", 1, 8.9",
        RealTraceDiagnoses.ANDROID_7 + ", 2, 0"
    })
    void realFramesOfApps(String name, int appsFault, double longestMs) {
        Diagnosis diagnosis = Doctor.diagnose(RealTraceDiagnoses.trace(name), DoctorOptions.defaults());
        List<Frame> late = diagnosis.frames().stream().filter(Frame::isAppJank).toList();
        assertThat(late).hasSizeGreaterThanOrEqualTo(appsFault);
        if (longestMs > 0) {
            assertThat(late)
                    .anySatisfy(frame ->
                            assertThat(Math.round(frame.durNs() / 1e5) / 10.0).isGreaterThanOrEqualTo(longestMs));
        }
        for (FrameCost cost : diagnosis.costs()) {
            assertThat(cost.overlapNs())
                    .isPositive()
                    .isLessThanOrEqualTo(cost.frame().durNs())
                    .isLessThanOrEqualTo(cost.incident().rootWait().durNs());
            assertThat(diagnosis.frames().get(cost.frame().id())).isSameAs(cost.frame());
        }
    }

    /** The longest frame of a startup, worked out by hand: it is of the starting package, with app jank. */
    @Test
    void theLongFrameOfARealStartup() {
        Trace trace = RealTraceDiagnoses.trace(RealTraceDiagnoses.ANDROID_15);
        int longest = IntStream.range(0, trace.frames().size())
                .boxed()
                .max(Comparator.comparingLong(row -> trace.frames().dur(row)))
                .orElseThrow();
        assertThat(Math.round(trace.frames().dur(longest) / 1e5)).isEqualTo(11_216);
        assertThat(trace.frames().jankMask(longest)).isEqualTo(JankType.APP_DEADLINE_MISSED.bit());
        assertThat(trace.processes().name(trace.frames().upid(longest)))
                .isEqualTo(Doctor.diagnose(trace, DoctorOptions.defaults())
                        .startups()
                        .getFirst()
                        .packageName());
    }

    /**
     * Missed frames of every real trace against the expected tables, which count rows: those of the display are frames
     * unless they have no end, those of programs are layers, of which several may be one frame.
     */
    @ParameterizedTest
    @CsvSource({
        RealTraceDiagnoses.ANDROID_15 + ", 54, 54, 3",
        RealTraceDiagnoses.ANDROID_13 + ", 1, 9, 0",
        RealTraceDiagnoses.ANDROID_12_NO_ATRACE + ", 125, 130, 52",
        RealTraceDiagnoses.ANDROID_11_SCHED_ONLY + ", 0, 0, 0",
        RealTraceDiagnoses.ANDROID_7 + ", 2, 0, 0"
    })
    void missedFramesOfRealTraces(String name, int missed, int display, int missedDisplay) throws IOException {
        Trace trace = RealTraceDiagnoses.trace(name);
        Map<String, Integer> missedLayers = new HashMap<>();
        int displayRows = 0;
        for (List<String> row : RealTraceDiagnoses.expected(name, "frames")) {
            boolean harmless = List.of("None", "Non Animating").contains(row.get(1))
                    || List.of("On-time Present", "Early Present").contains(row.get(2));
            missedLayers.merge(row.get(0), harmless ? 0 : Integer.parseInt(row.get(3)), Integer::sum);
            displayRows += row.get(0).equals(SURFACE_FLINGER) ? Integer.parseInt(row.get(3)) : 0;
        }
        missedLayers.values().removeIf(count -> count == 0);
        Map<String, Integer> layers = new HashMap<>();
        Set<List<Object>> frames = new HashSet<>();
        Diagnosis diagnosis = Doctor.diagnose(trace, DoctorOptions.defaults());
        for (int row = 0; row < trace.frames().size(); row++) {
            displayRows -= trace.frames().isOpen(row) && trace.frames().surfaceToken(row) == 0 ? 1 : 0;
            PresentType presented = trace.frames().presentType(row);
            boolean isSeen = presented != PresentType.ON_TIME && presented != PresentType.EARLY;
            if ((trace.frames().jankMask(row) & ~(JankType.NONE.bit() | JankType.NON_ANIMATING.bit())) != 0 && isSeen) {
                String process = trace.processes().name(trace.frames().upid(row));
                layers.merge(process, 1, Integer::sum);
                if (!process.equals(SURFACE_FLINGER)) {
                    frames.add(List.of(process, trace.frames().surfaceToken(row)));
                }
            }
        }
        assertThat(layers).isEqualTo(missedLayers);
        Summary summary = diagnosis.summary();
        assertThat(summary.displayFrames()).isEqualTo(display).isEqualTo(displayRows);
        assertThat(summary.missedDisplayFrames())
                .isEqualTo(missedDisplay)
                .isEqualTo(missedLayers.getOrDefault(SURFACE_FLINGER, 0));
        assertThat(summary.missedFrames()).isEqualTo(missed);
        if (trace.frames().size()
                > 0) { // otherwise they are Choreographer#doFrame slices, which the tables do not contain
            assertThat(frames).hasSize(missed);
        }
        assertThat(diagnosis.frames().stream().filter(Frame::missed)).hasSize(missed + missedDisplay);
    }

    /**
     * A frame is missed if it was janky and not presented on time or early; frames of the display server count
     * separately.
     */
    @ParameterizedTest
    @CsvSource({
        "APP_DEADLINE_MISSED, LATE, true",
        "APP_DEADLINE_MISSED, UNSPECIFIED, true",
        "APP_DEADLINE_MISSED, UNKNOWN, true",
        "APP_DEADLINE_MISSED, DROPPED, true",
        "APP_DEADLINE_MISSED, ON_TIME, false",
        "APP_DEADLINE_MISSED, EARLY, false",
        "PREDICTION_ERROR, LATE, true",
        "PREDICTION_ERROR, EARLY, false",
        "BUFFER_STUFFING, LATE, true",
        "UNKNOWN, EARLY, false",
        "DROPPED, DROPPED, true",
        "NON_ANIMATING, LATE, false",
        "DISPLAY_NOT_ON, LATE, false",
        "MODE_CHANGE, LATE, false",
        "POWER_MODE_CHANGE, LATE, false",
        "APP_RESYNCED_JITTER, LATE, true",
        "NONE, LATE, false",
        "NONE, DROPPED, false",
        "NONE, ON_TIME, false"
    })
    void presentTypes(JankType jank, PresentType presented, boolean missed) throws IOException {
        for (boolean display : new boolean[] {false, true}) {
            Diagnosis diagnosis = Doctor.diagnose(
                    SceneDiagnoses.read(
                            frame(new FrameTimelineWriter.Outcome(jank.bit(), presented, true, false), display)),
                    DoctorOptions.defaults());
            Summary summary = diagnosis.summary();
            int late = missed ? 1 : 0;
            assertThat(List.of(summary.frames(), summary.missedFrames()))
                    .isEqualTo(display ? List.of(0, 0) : List.of(1, late));
            assertThat(List.of(summary.displayFrames(), summary.missedDisplayFrames()))
                    .isEqualTo(display ? List.of(1, late) : List.of(0, 0));
            assertThat(diagnosis.frames()).hasSize(late);
            assertThat(TextReport.of(diagnosis, TextReport.Style.plain()).contains("Missed frames"))
                    .isEqualTo(missed);
            for (Frame frame : diagnosis.frames()) {
                assertThat(frame.presented()).isEqualTo(presented);
                assertThat(frame.display()).isEqualTo(display);
                assertThat(frame.name()).isEqualTo(display ? "display frame" : "layer");
            }
        }
    }

    /** Several layers are one frame, also without an expected time; the worst of them counts. */
    @Test
    void layersOfOneFrame() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            Scene scene = new Scene();
            scene.process(APP, "com.example.app").mainThread("main", 110).runs(0, ms(90));
            scene.writeTo(writer);
            FrameTimelineWriter frames = writer.frames(TraceClock.BOOTTIME);
            for (int i = 0; i < 3; i++) {
                var surface = new FrameTimelineWriter.SurfaceFrame(6, 7, APP, "layer " + i);
                long start = traceTime(ms(2 + i));
                frames.actualSurfaceFrame(surface, start, start + ms(10), i == 1 ? 64 : JankType.NONE.bit());
            }
        }
        Diagnosis diagnosis = Doctor.diagnose(SceneDiagnoses.read(bytes.toByteArray()), DoctorOptions.defaults());
        assertThat(diagnosis.summary().frames()).isEqualTo(1);
        assertThat(diagnosis.frames()).extracting(Frame::name).containsExactly("layer 1");
    }

    /** One frame, of 10 ms. */
    private static byte[] frame(FrameTimelineWriter.Outcome outcome, boolean display) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            Scene scene = new Scene();
            SceneProcess process = scene.process(APP, display ? "surfaceflinger" : "com.example.app");
            process.mainThread("main", 110).runs(0, ms(20));
            scene.writeTo(writer);
            FrameTimelineWriter frames = writer.frames(TraceClock.BOOTTIME);
            if (display) {
                frames.actualDisplayFrame(7, APP, traceTime(ms(2)), traceTime(ms(12)), outcome);
            } else {
                var surface = new FrameTimelineWriter.SurfaceFrame(6, 7, APP, "layer");
                frames.actualSurfaceFrame(surface, traceTime(ms(2)), traceTime(ms(12)), outcome);
            }
        }
        return bytes.toByteArray();
    }

    /** In a trace with frames, a message of a process without frames is none, except in a Java program. */
    @ParameterizedTest
    @CsvSource({"true, false, 1", "true, true, 2", "false, false, 1"})
    void messagesOfProcessesWithoutFrames(boolean drawn, boolean java, int all) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            Scene scene = new Scene();
            scene.process(APP, "com.example.app").mainThread("main", 110).runs(0, ms(90));
            scene.process(2000, "server").mainThread("server", 110).runs(1, ms(90));
            scene.writeTo(writer);
            if (drawn) {
                var surface = new FrameTimelineWriter.SurfaceFrame(6, 7, APP, "layer");
                writer.frames(TraceClock.BOOTTIME)
                        .actualSurfaceFrame(surface, traceTime(ms(2)), traceTime(ms(12)), JankType.NONE.bit());
            }
            TrackEventWriter events = writer.trackEvents(TraceClock.BOOTTIME, TrackWriter.ofThread(2000, 2000));
            events.tracks()
                    .process(traceTime(0), 2000, "server", java ? new String[] {TrackWriter.JVM} : new String[0]);
            events.tracks().thread(traceTime(0), 2000, 2000, "server");
            events.begin(traceTime(ms(20)), TrackWriter.ofThread(2000, 2000), "mq", "H: #1")
                    .messageQueue("server", "server", 1, 0)
                    .write();
            events.end(traceTime(ms(50)), TrackWriter.ofThread(2000, 2000)).write();
        }
        Diagnosis diagnosis = Doctor.diagnose(SceneDiagnoses.read(bytes.toByteArray()), DoctorOptions.defaults());
        assertThat(diagnosis.summary().frames()).isEqualTo(all);
        assertThat(diagnosis.summary().missedFrames()).isEqualTo(drawn && !java ? 0 : 1);
    }

    /** Reports list missed frames of programs and of the display server separately. */
    @Test
    void framesOfTheDisplayServer() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            Scene scene = new Scene();
            scene.process(APP, "com.example.app").mainThread("main", 110).runs(0, ms(90));
            scene.process(2000, "surfaceflinger").mainThread("main", 110).runs(1, ms(90));
            scene.writeTo(writer);
            FrameTimelineWriter frames = writer.frames(TraceClock.BOOTTIME);
            for (int i = 0; i < 4; i++) {
                long start = traceTime(ms(20 * i + 1));
                var surface = new FrameTimelineWriter.SurfaceFrame(10 + i, 20 + i, APP, "layer");
                frames.actualSurfaceFrame(surface, start, start + ms(10 + i), i < 3 ? 64 : 1);
                frames.actualDisplayFrame(20 + i, 2000, start + ms(5), start + ms(18), i == 0 ? 4 : 1);
            }
        }
        Diagnosis diagnosis = Doctor.diagnose(SceneDiagnoses.read(bytes.toByteArray()), DoctorOptions.defaults());
        assertThat(TextReport.of(diagnosis, new TextReport.Style(110, false, true, 0, true)))
                .contains(
                        "Missed frames  3 of 4 app frames, 1 of 4 display frames. By cause: 3 without a wait of at least 1 ms; display")
                .contains("frames: 1 without a wait of at least 1 ms. Durations count from the expected start.")
                .containsSubsequence(
                        "12.000 ms", "11.000 ms", "10.000 ms", "13.000 ms  at  6.100 ms  Prediction Error: display");
        StringWriter json = new StringWriter();
        JsonReport.write(diagnosis, StubQueries.OF_TRACE, json);
        assertThat(json.toString())
                .contains(
                        "\"frames\" : 4",
                        "\"missedFrames\" : 3",
                        "\"displayFrames\" : 4",
                        "\"missedDisplayFrames\" : 1")
                .contains("\"display\" : true", "\"presentType\" : \"Late Present\"");
    }

    /** The end of a message's name, after two packages, distinguishes it from others. */
    @Test
    void aMissedMessageIsNamedByItsDistinctiveEnd() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.message(
                            SyntheticJvmTrace.MAIN,
                            10,
                            60,
                            "dev.unjank.looper.Handler: com.example.some.longer.name.Rebuild$$Lambda")
                    .message(SyntheticJvmTrace.MAIN, 70, 110, "a.Short: #1");
            assertThat(TextReport.of(stage.diagnose(), TextReport.Style.plain()))
                    .contains("Deadline Missed: a.Short: #1\n");
            assertThat(TextReport.of(stage.diagnose(), new TextReport.Style(80, false, true, 0, true)))
                    .contains("Deadline Missed: Handler: Rebuild$$Lambda\n");
        }
    }

    /** Each missed frame has the cause that took most of its time, or none; reports group them by cause. */
    @Test
    void missedFramesByCause() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.slice(SyntheticJvmTrace.WORKER, 0, 190, "sleep", "sleeping")
                    .frame(SyntheticJvmTrace.MAIN, "main", 1, 10, 60)
                    .waits(SyntheticJvmTrace.MAIN, 20, 30, "worker", SyntheticJvmTrace.WORKER)
                    .frame(SyntheticJvmTrace.MAIN, "main", 2, 60, 100)
                    .frame(SyntheticJvmTrace.MAIN, "main", 3, 100, 150)
                    .stop(110, 130, "gc", "GC pause: G1New (G1 Evacuation Pause)")
                    .waits(SyntheticJvmTrace.MAIN, 140, 145, "worker", SyntheticJvmTrace.WORKER)
                    .frame(SyntheticJvmTrace.MAIN, "main", 4, 150, 190)
                    .waits(SyntheticJvmTrace.MAIN, 155, 185, "worker", SyntheticJvmTrace.WORKER);
            Diagnosis diagnosis = stage.diagnose();
            assertThat(diagnosis.frames())
                    .extracting(diagnosis::causeOf)
                    .containsExactly(Verdict.SLEEPING_OWNER, null, Verdict.GC_BLOCKED, Verdict.SLEEPING_OWNER);
            String text = TextReport.of(diagnosis, new TextReport.Style(100, false, true, 0, true));
            assertThat(text)
                    .contains("Missed frames  4 of 4")
                    .contains("By cause: 2 SLEEPING_OWNER, 1 GC_BLOCKED, 1 without a wait of at least 1 ms.")
                    .containsSubsequence("30.000 ms  SLEEPING", "10.000 ms  SLEEPING", "20.000 ms  GC_BLOCKED");
        }
    }
}
