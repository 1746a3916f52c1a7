package dev.unjank.doctor;

import static dev.unjank.doctor.Stage.APP;
import static dev.unjank.trace.example.Scene.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.SchedState;
import dev.unjank.trace.example.LauncherExample;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Frames from each source, and what incidents cost them. */
class FramesTest {

    @Test
    void theTimeline() {
        Diagnosis diagnosis = Doctor.diagnose(Scenes.read(LauncherExample.trace()), DoctorOptions.defaults());
        assertThat(diagnosis.summary().frames()).isEqualTo(3);
        assertThat(diagnosis.summary().missedFrames()).isEqualTo(1);
        Frame late =
                diagnosis.frames().stream().filter(Frame::missed).findFirst().orElseThrow();
        assertThat(late.source()).isEqualTo(Frame.Source.TIMELINE);
        assertThat(late.jankType()).isEqualTo("App Deadline Missed");
        assertThat(late.appsFault()).isTrue();
        assertThat(late.lateNs()).isEqualTo(ms(37.1) - ms(35.333));
        List<FrameCost> costs = diagnosis.costsOf(late);
        assertThat(costs).hasSize(1);
        assertThat(costs.getFirst().incident().id()).isZero();
        assertThat(costs.getFirst().overlapNs()).isEqualTo(9_148_000);
        assertThat(diagnosis.costsOf(diagnosis.incidents().getFirst()))
                .extracting(FrameCost::frame)
                .containsExactly(late);
    }

    /** Without a timeline a frame may take as long as the display shows one. */
    @ParameterizedTest
    @CsvSource({"16.5, false", "16.7, true", "40, true"})
    void doFrame(double ms, boolean missed) {
        Stage stage = new Stage().process(APP, "com.example.app").thread(1001, APP, "worker", 120);
        stage.slice(APP, "Choreographer#doFrame 17", 2, 2 + ms)
                .slice(APP, "Lock contention on thread list lock (owner tid: 1001)", 3, 5)
                .runs(1001, 1, 30, SchedState.SLEEPING);
        Diagnosis diagnosis = stage.diagnose(DoctorOptions.defaults());
        assertThat(diagnosis.summary().missedFrames()).isEqualTo(missed ? 1 : 0);
        Frame frame = diagnosis.frames().getFirst();
        assertThat(frame.source()).isEqualTo(Frame.Source.CHOREOGRAPHER);
        assertThat(frame.missed()).isEqualTo(missed);
        assertThat(frame.jankType()).isEqualTo(missed ? "Deadline Missed" : "None");
        assertThat(diagnosis.costsOf(frame).getFirst().overlapNs()).isEqualTo(Stage.ns(2));
    }

    /** Only its own looper's waits hold up a message. */
    @Test
    void messages() {
        Stage stage = new Stage()
                .process(APP, "program")
                .thread(1001, APP, "looper", 120)
                .thread(1002, APP, "other", 120)
                .message(1002, 1, 0, 1001, "H: #1", 2, 30)
                .slice(1002, "Lock contention on x (owner tid: 1001)", 5, 9)
                .slice(1001, "Lock contention on x (owner tid: 1002)", 10, 13);
        Diagnosis diagnosis = stage.diagnose(Scenes.EVERYTHING);
        Frame frame = diagnosis.frames().getFirst();
        assertThat(frame.source()).isEqualTo(Frame.Source.MESSAGE);
        assertThat(frame.missed()).isTrue();
        assertThat(diagnosis.costsOf(frame)).extracting(FrameCost::overlapNs).containsExactly(Stage.ns(3));
    }

    /** Frames of every real trace against their count in the expected tables, the layers of one frame counted once. */
    @ParameterizedTest
    @CsvSource({
        RealTraces.ANDROID_15 + ", 1, 1121.6",
        RealTraces.ANDROID_13 + ", 1, 8.9",
        RealTraces.ANDROID_7 + ", 2, 0"
    })
    void realFramesOfApps(String name, int appsFault, double longestMs) {
        Diagnosis diagnosis = Doctor.diagnose(RealTraces.trace(name), DoctorOptions.defaults());
        List<Frame> late = diagnosis.frames().stream().filter(Frame::appsFault).toList();
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
                    .isLessThanOrEqualTo(cost.incident().tree().durNs());
            assertThat(diagnosis.frames().get(cost.frame().id())).isSameAs(cost.frame());
        }
    }

    /** What tells one message from another stands at the end of its name, behind two packages. */
    @Test
    void aLateMessageIsToldByWhatTellsItFromOthers() {
        try (JvmStage stage = new JvmStage()) {
            stage.message(
                            JvmStage.MAIN,
                            10,
                            60,
                            "dev.unjank.looper.Handler: com.example.some.longer.name.Rebuild$$Lambda")
                    .message(JvmStage.MAIN, 70, 110, "a.Short: #1");
            assertThat(TextReport.of(stage.diagnose(), TextReport.Style.plain()))
                    .contains("Deadline Missed: a.Short: #1\n");
            assertThat(TextReport.of(
                            stage.diagnose(), new TextReport.Style(80, false, true, 0, true, TextReport.QUERY)))
                    .contains("Deadline Missed: Handler: Rebuild$$Lambda\n");
        }
    }

    /** Each late frame has the cause that took most of its time, or none; those of one cause stand together. */
    @Test
    void lateFramesByCause() {
        try (JvmStage stage = new JvmStage()) {
            stage.slice(JvmStage.WORKER, 0, 190, "sleep", "sleeping")
                    .frame(JvmStage.MAIN, "main", 1, 10, 60)
                    .waits(JvmStage.MAIN, 20, 30, "worker", JvmStage.WORKER)
                    .frame(JvmStage.MAIN, "main", 2, 60, 100)
                    .frame(JvmStage.MAIN, "main", 3, 100, 150)
                    .stop(110, 130, "gc", "GC pause: G1New (G1 Evacuation Pause)")
                    .waits(JvmStage.MAIN, 140, 145, "worker", JvmStage.WORKER)
                    .frame(JvmStage.MAIN, "main", 4, 150, 190)
                    .waits(JvmStage.MAIN, 155, 185, "worker", JvmStage.WORKER);
            Diagnosis diagnosis = stage.diagnose();
            assertThat(diagnosis.frames())
                    .extracting(diagnosis::causeOf)
                    .containsExactly(Verdict.SLEEPING_OWNER, null, Verdict.GC_BLOCKED, Verdict.SLEEPING_OWNER);
            String text = TextReport.of(diagnosis, new TextReport.Style(100, false, true, 0, true, TextReport.QUERY));
            assertThat(text)
                    .contains("Late frames  4 of 4")
                    .contains("By cause: 2 SLEEPING_OWNER, 1\n             GC_BLOCKED, 1 no wait.")
                    .containsSubsequence("30.000 ms  SLEEPING", "10.000 ms  SLEEPING", "20.000 ms  GC_BLOCKED");
        }
    }
}
