package dev.unjank.doctor.report;

import static dev.unjank.doctor.scene.SyntheticTrace.APP;
import static dev.unjank.doctor.scene.SyntheticTrace.SERVER;
import static dev.unjank.scene.Scene.ms;
import static dev.unjank.scene.Scene.traceTime;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.scene.Scene;
import dev.unjank.trace.model.JankType;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.write.FrameTimelineWriter;
import dev.unjank.trace.write.TraceClock;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What the answer must not claim. */
class JudgementMessagesTest {

    /** Who works in a frame and who waits in it look the same without the scheduler's events. */
    @Test
    void thatALateFrameWasWorkIsNotSaidWithoutScheduling() {
        Diagnosis diagnosis = new SyntheticTrace()
                .process(APP, "com.example.app")
                .slice(APP, "Choreographer#doFrame 1", 1, 40)
                .diagnose(DoctorOptions.defaults());
        assertThat(JudgementMessages.of(diagnosis))
                .startsWith(
                        "No cause of jank found. Frames: 1 of 1 missed (com.example.app). Waits: no main thread waited for 1 ms or"
                                + " longer. Not recorded: which threads ran, waited or were preempted")
                .doesNotContain("own work", "Look at");
        assertThat(SummaryMessages.of(diagnosis).getFirst())
                .startsWith("No waits found. To record lock waits on Android");
    }

    /** Whose frames were late is said, and that it is not known. */
    @Test
    void whoseFramesWereLateIsSaid() {
        SyntheticTrace unnamed = new SyntheticTrace().process(APP, "").slice(APP, "Choreographer#doFrame 1", 1, 40);
        assertThat(JudgementMessages.of(
                        unnamed.diagnose(DoctorOptions.defaults().withThread(DoctorOptions.ALL_THREADS))))
                .startsWith(
                        "No cause of jank found. Frames: 1 of 1 missed (a program without a recorded name). Waits: ");
    }

    @Test
    void whoWaitedForNothingIsNotSaidToHaveWorkedAllTheTime() {
        SyntheticTrace stage = new SyntheticTrace()
                .process(APP, "com.example.app")
                .slice(APP, "Choreographer#doFrame 1", 1, 40)
                .runs(APP, 1, 40, SchedState.SLEEPING);
        assertThat(JudgementMessages.of(stage.diagnose(DoctorOptions.defaults())))
                .isEqualTo(
                        "Root cause of jank: own work of com.example.app, not a wait. Frame: 39.000 ms (the longest missed one): none in"
                                + " waits of at least 1 ms; the rest was work, sleep or shorter waits. Work: the main thread ran for"
                                + " 39.000 ms. Slices: Choreographer#doFrame 1 (39.000 ms) on the main thread. Look at: com.example.app.");
    }

    @Test
    void whatIsSaidOfOneFrameAndOfTheDisplay() throws IOException {
        assertThat(JudgementMessages.of(drawn(1, 0)))
                .startsWith("No cause of jank found. Frames: 0 of 1 missed. Waits: no main thread waited");
        assertThat(JudgementMessages.of(drawn(3, 0)))
                .startsWith("No cause of jank found. Frames: 0 of 3 missed. Waits: no main thread waited");
        assertThat(JudgementMessages.of(drawn(3, 2)))
                .contains("Frames: 0 of 3 missed; display frames: 2 of 3 missed. Waits: no main thread waited");
    }

    /** Frames in time of an app, and as many of the display itself, of which some are late. */
    private static Diagnosis drawn(int frames, int lateOfDisplay) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            Scene scene = new Scene();
            scene.process(APP, "com.example.app").mainThread("main", 110).runs(0, ms(90));
            scene.process(SERVER, "surfaceflinger").mainThread("main", 110).runs(1, ms(90));
            scene.writeTo(writer);
            FrameTimelineWriter timeline = writer.frames(TraceClock.BOOTTIME);
            for (int i = 0; i < frames; i++) {
                long start = traceTime(ms(20 * i + 1));
                var surface = new FrameTimelineWriter.SurfaceFrame(10 + i, 20 + i, APP, "layer");
                timeline.actualSurfaceFrame(surface, start, start + ms(5), JankType.NONE.bit());
                JankType jank = i < lateOfDisplay ? JankType.DISPLAY_HAL : JankType.NONE;
                timeline.actualDisplayFrame(20 + i, SERVER, start + ms(5), start + ms(9), jank.bit());
            }
        }
        return Doctor.diagnose(SceneDiagnoses.read(bytes.toByteArray()), DoctorOptions.defaults());
    }

    /** A thread waits for a CPU from 5 to 17 ms, on which others take turns. */
    private static Diagnosis starved(double firstUntil, double secondUntil) {
        return new SyntheticTrace()
                .process(APP, "com.example.app")
                .process(SERVER, "server")
                .thread(2010, SERVER, "one", 120)
                .thread(2020, SERVER, "two", 120)
                .thread(2030, SERVER, "three", 120)
                .slice(APP, "work", 1, 20)
                .runs(APP, 1, 2, SchedState.SLEEPING)
                .runs(2010, 3, firstUntil, SchedState.SLEEPING)
                .wakes(2010, 5, APP)
                .runs(2020, firstUntil, secondUntil, SchedState.SLEEPING)
                .runs(2030, secondUntil, 17, SchedState.SLEEPING)
                .runs(APP, 17, 20, SchedState.SLEEPING)
                .diagnose(DoctorOptions.defaults());
    }

    @Test
    void whoRanLongestOfManyIsNotToBlame() {
        assertThat(JudgementMessages.of(starved(10, 14)))
                .contains(
                        "(incident #1). Waiter: com.example.app, runnable (waiting for a CPU) for 12.000 ms. Ran meanwhile: 3 threads; one in server"
                                + " ran longest.")
                .doesNotContain("Look at");
        assertThat(JudgementMessages.of(starved(12, 14)))
                .contains("Ran meanwhile: one in server.")
                .endsWith("Look at: server, thread one.");
    }
}
