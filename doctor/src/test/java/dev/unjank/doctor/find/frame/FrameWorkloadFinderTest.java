package dev.unjank.doctor.find.frame;

import static dev.unjank.doctor.scene.SyntheticTrace.APP;
import static dev.unjank.doctor.scene.SyntheticTrace.SERVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.report.JudgementMessages;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.JsonReportSchema;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.trace.model.SchedState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The work in a missed frame that its own program made late, and the component to look at. */
class FrameWorkloadFinderTest {
    private static final int RENDERER = 1001;
    private static final int WORKER = 1002;

    private final SyntheticTrace stage =
            new SyntheticTrace().process(APP, "com.example.app").thread(WORKER, APP, "worker", 120);

    private String answer() {
        return JudgementMessages.of(stage.diagnose(DoctorOptions.defaults()));
    }

    /** A frame from 1 to 101 ms; within it 40, 20, 10 and 2 ms have names. */
    private SyntheticTrace frame() {
        return stage.begins(APP, "Choreographer#doFrame 1", 1)
                .slice(APP, "inflate", 5, 25)
                .slice(APP, "measure", 30, 40)
                .slice(APP, "inflate", 45, 65)
                .slice(APP, "trifle", 70, 72)
                .ends(APP, 101);
    }

    @Test
    void sliceTimesExcludeNestedSlices() {
        frame().runs(APP, 1, 80, SchedState.SLEEPING)
                .runs(APP, 90, 101, SchedState.SLEEPING)
                .runs(WORKER, 82, 92, SchedState.SLEEPING)
                .wakes(WORKER, 89.5, APP);
        assertThat(answer())
                .endsWith(
                        " Frame: 100.000 ms (the longest missed one): none in waits of at least 1 ms; the rest was work,"
                                + " sleep or shorter waits. Work: the main thread ran for 90.000 ms and slept for 9.500 ms until"
                                + " worker woke it. Slices: Choreographer#doFrame 1 (48.000 ms), inflate (40.000 ms) and"
                                + " measure (10.000 ms) on the main thread, including sleep. Look at: com.example.app.");
    }

    /** A wait does not count as work. */
    @Test
    void waitsAreLeftOut() {
        frame().slice(APP, contention(), 10, 20)
                .runs(APP, 1, 10, SchedState.SLEEPING)
                .runs(WORKER, 2, 30, SchedState.SLEEPING)
                .wakes(WORKER, 20, APP)
                .runs(APP, 20, 101, SchedState.SLEEPING);
        assertThat(answer())
                .contains(": 10.000 ms in waits")
                .contains("ran for 90.000 ms")
                .contains("inflate (30.000 ms)")
                .doesNotContain("monitor contention");
    }

    @Test
    void theRenderThreadMayBeTheWorker() {
        frame().thread(RENDERER, APP, "RenderThread", 110)
                .slice(RENDERER, "upload", 3, 90)
                .runs(APP, 1, 3, SchedState.SLEEPING)
                .runs(RENDERER, 3, 90, SchedState.SLEEPING)
                .wakes(RENDERER, 90, APP)
                .runs(APP, 90, 101, SchedState.SLEEPING);
        assertThat(answer())
                .contains(
                        "waits. Work: RenderThread ran for 87.000 ms and slept for 11.000 ms. Slices: upload (87.000 ms) on"
                                + " RenderThread, including sleep.");
    }

    /** The thread sleeps for 4 ms of the frame, too short for the report. */
    @ParameterizedTest
    @CsvSource({"97, ' ran for 96.000 ms. Slices: '", "95, ' ran for 94.000 ms and slept for 6.000 ms. Slices: '"})
    void aShortSleepIsLeftOut(double to, String expected) {
        frame().runs(APP, 1, to, SchedState.SLEEPING);
        assertThat(answer()).contains(expected);
    }

    /** The waker that ends most of a long sleep is the thread to look at. */
    @ParameterizedTest
    @CsvSource({"60, true", "80, false"})
    void theWakerOfALongSleepIsToBeLookedAt(double sleeps, boolean isLong) {
        frame().runs(APP, 1, sleeps, SchedState.SLEEPING)
                .runs(WORKER, 2, 95, SchedState.SLEEPING)
                .wakes(WORKER, 90, APP)
                .runs(APP, 91, 101, SchedState.SLEEPING);
        assertThat(
                        JsonReportSchema.json(stage.diagnose(DoctorOptions.defaults()))
                                .contains(
                                        "Find out what thread worker in com.example.app did in this frame before it woke the sleeping thread"))
                .isEqualTo(isLong);
    }

    /** A frame that was mostly asleep is not called work. */
    @Test
    void aSleepThroughMostOfTheFrameIsTheRootCause() {
        frame().runs(APP, 1, 10, SchedState.SLEEPING)
                .runs(WORKER, 2, 95, SchedState.SLEEPING)
                .wakes(WORKER, 90, APP)
                .runs(APP, 91, 101, SchedState.SLEEPING);
        assertThat(answer()).startsWith("Root cause of jank: com.example.app slept until thread worker woke it.");
    }

    /** Another program's render thread does not count. */
    @Test
    void onlyItsOwnRenderThreadCounts() {
        stage.process(SERVER, "other").thread(2001, SERVER, "RenderThread", 110);
        frame().runs(APP, 1, 60, SchedState.SLEEPING)
                .runs(2001, 1, 100, SchedState.SLEEPING)
                .wakes(2001, 100, APP)
                .runs(APP, 100, 101, SchedState.SLEEPING);
        assertThat(answer()).contains(" Work: the main thread ran for 60.000 ms");
    }

    /** The render thread continues while the main thread waits. */
    @Test
    void aWaitOfTheMainThreadIsNoneOfTheRenderThread() {
        frame().slice(APP, contention(), 10, 20)
                .thread(RENDERER, APP, "RenderThread", 110)
                .runs(APP, 1, 10, SchedState.SLEEPING)
                .runs(WORKER, 2, 30, SchedState.SLEEPING)
                .wakes(WORKER, 20, APP)
                .runs(RENDERER, 3, 90, SchedState.SLEEPING)
                .runs(APP, 20, 21, SchedState.SLEEPING)
                .wakes(RENDERER, 90, APP)
                .runs(APP, 90, 101, SchedState.SLEEPING);
        assertThat(answer()).contains("RenderThread ran for 87.000 ms");
    }

    /** A thread that spins for a lock is running, but waits. */
    @Test
    void runningWithinAWaitIsNoWork() {
        frame().slice(APP, contention(), 10, 20)
                .runs(APP, 1, 101, SchedState.SLEEPING)
                .runs(WORKER, 2, 30, SchedState.SLEEPING);
        assertThat(answer()).contains(": 10.000 ms in waits", "ran for 90.000 ms");
    }

    /** The time between two waits is work; the time after a wait within another one is not. */
    @Test
    void waitsOfAllThreadsAreLeftOutAsWell() {
        frame().runs(APP, 1, 10, SchedState.STOPPED)
                .runs(WORKER, 1, 10, SchedState.STOPPED)
                .runs(APP, 14, 40, SchedState.STOPPED)
                .runs(APP, 50, 101, SchedState.SLEEPING);
        assertThat(answer())
                .contains("Other cause: own work of com.example.app, not a wait.", ": 14.000 ms in waits")
                .contains("ran for 86.000 ms", "inflate (31.000 ms)");
    }

    @Test
    void aWaitWithinAnotherDoesNotEndIt() {
        stage.begins(APP, "Choreographer#doFrame 1", 1)
                .slice(APP, contention(), 10, 60)
                .ends(APP, 401);
        stage.runs(APP, 1, 10, SchedState.SLEEPING)
                .runs(WORKER, 2, 9, SchedState.SLEEPING)
                .wakes(WORKER, 9, APP)
                .runs(APP, 12, 20, SchedState.STOPPED)
                .runs(WORKER, 18, 20, SchedState.STOPPED)
                .runs(APP, 30, 30.01, SchedState.SLEEPING)
                .runs(APP, 59.9, 401, SchedState.SLEEPING);
        assertThat(answer()).contains("ran for 350.000 ms");
    }

    /** A runnable thread does not work. */
    @Test
    void shortWaitsForACpuAreNoWork() {
        frame().runs(APP, 1, 50, SchedState.RUNNABLE).runs(APP, 50.5, 101, SchedState.SLEEPING);
        assertThat(answer()).contains("ran for 99.500 ms");
    }

    /** The report has at most three slices, each with at least a twentieth of the frame. */
    @Test
    void theLongestSlicesAreReported() {
        stage.begins(APP, "Choreographer#doFrame 1", 1)
                .slice(APP, "a", 2, 25)
                .slice(APP, "b", 25, 50)
                .slice(APP, "c", 50, 70)
                .slice(APP, "d", 70, 100)
                .ends(APP, 101)
                .runs(APP, 1, 101, SchedState.SLEEPING);
        assertThat(answer()).contains(" Slices: d (30.000 ms), b (25.000 ms) and a (23.000 ms) on the main thread.");
    }

    @ParameterizedTest
    @CsvSource({
        "55, Slices: a (95.000 ms) and Choreographer#doFrame 1 (5.000 ms) on the main thread.",
        "55.001, Slices: a (95.001 ms) on the main thread."
    })
    void aShortSliceIsLeftOut(double until, String expected) {
        stage.begins(APP, "Choreographer#doFrame 1", 1)
                .slice(APP, "a", 1, 46)
                .slice(APP, "a", 46, 41 + until)
                .ends(APP, 101)
                .runs(APP, 1, 101, SchedState.SLEEPING);
        assertThat(answer()).contains(expected);
    }

    /** Waits of at least a quarter of a frame are the cause of its delay. */
    @ParameterizedTest
    @CsvSource({"34.999, true", "35, false"})
    void aFrameThatWaitedMuchIsNotItsOwnWork(double until, boolean isWork) {
        stage.begins(APP, "Choreographer#doFrame 1", 1)
                .slice(APP, contention(), 10, until)
                .ends(APP, 101)
                .runs(APP, 1, 10, SchedState.SLEEPING)
                .runs(WORKER, 2, 40, SchedState.SLEEPING)
                .wakes(WORKER, until, APP)
                .runs(APP, until, 101, SchedState.SLEEPING);
        assertThat(answer().contains("own work of com.example.app")).isEqualTo(isWork);
    }

    /** The advice depends on whether there was any work, and whether it has names. */
    @ParameterizedTest
    @CsvSource({
        "90, inflate, 'own work             Look at its longest slices: move work that this frame does not need to an'",
        "90, trifle, 'own work             Add trace sections to the program, or record stack samples, to see'",
        "40, inflate, 'own work             The thread ran for less than half of this frame. Find out why it slept: short'",
    })
    void advice(double ranUntil, String name, String advice) {
        stage.begins(APP, "Choreographer#doFrame 1", 1);
        for (int i = 0; i < 25; i++) {
            stage.slice(APP, name + (name.equals("trifle") ? i : ""), 1 + 4 * i, 5 + 4 * i);
        }
        stage.ends(APP, 101).runs(APP, 1, ranUntil, SchedState.SLEEPING);
        Diagnosis diagnosis = stage.diagnose(DoctorOptions.defaults());
        assertThat(TextReport.of(diagnosis, new TextReport.Style(110, false, true, 0, false)))
                .contains("Next steps\n  " + advice)
                .doesNotContain("as a table"); // there is no incident
        assertThat(JsonReportSchema.json(diagnosis))
                .contains("\"ownWork\" : {")
                .contains("\"next\" : \"" + advice.replaceAll("own work +", ""));
    }

    private static String contention() {
        return "monitor contention with owner worker (1002) at void a.B.c()(B.java:1) waiters=0 blocking from void"
                + " d.E.f()(E.java:2)";
    }

    @Test
    void theAuthorsOfAProgramWithoutANameAreUnknown() {
        SyntheticTrace unnamed = new SyntheticTrace()
                .process(APP, "")
                .slice(APP, "Choreographer#doFrame 1", 1, 40)
                .runs(APP, 1, 40, SchedState.SLEEPING);
        assertThat(JudgementMessages.of(unnamed.diagnose(DoctorOptions.defaults())))
                .startsWith("Root cause of jank: own work of a program without a recorded name, not a wait. Frame: ")
                .doesNotContain("Look at");
    }

    /** As in systrace, where threads have names and processes have none. */
    @Test
    void aProgramWithoutANameIsNamedByItsMainThread() {
        SyntheticTrace unnamed = new SyntheticTrace()
                .process(APP, "")
                .thread(APP, APP, "m.example.app", 110)
                .slice(APP, "Choreographer#doFrame 1", 1, 40)
                .runs(APP, 1, 40, SchedState.SLEEPING);
        assertThat(JudgementMessages.of(unnamed.diagnose(DoctorOptions.defaults())))
                .startsWith("Root cause of jank: own work of the program of m.example.app, not a wait. Frame: ")
                .endsWith(" Look at: the program of m.example.app.");
    }

    @Test
    void aPartOfAndroidIsNoProgram() {
        SyntheticTrace server = new SyntheticTrace()
                .process(SERVER, "com.android.systemui", 10_110)
                .process(3000, "surfaceflinger")
                .slice(SERVER, "Choreographer#doFrame 1", 1, 40)
                .runs(SERVER, 1, 40, SchedState.SLEEPING);
        assertThat(JudgementMessages.of(server.diagnose(DoctorOptions.defaults())))
                .endsWith(" Look at: com.android.systemui, part of the Android system.");
    }
}
