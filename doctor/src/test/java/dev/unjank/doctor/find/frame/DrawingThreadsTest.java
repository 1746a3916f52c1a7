package dev.unjank.doctor.find.frame;

import static dev.unjank.doctor.scene.SyntheticTrace.APP;
import static dev.unjank.doctor.scene.SyntheticTrace.ns;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.FrameCost;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.cause.CostMeasure;
import dev.unjank.doctor.report.JudgementMessages;
import dev.unjank.doctor.scene.JsonReportSchema;
import dev.unjank.doctor.scene.RealTraceDiagnoses;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A frame is the thread's that drew it, and only waits of this thread and of the render thread cost it. */
public class DrawingThreadsTest {
    private static final int RENDERER = 1001;
    private static final int WORKER = 1002;
    private static final int SPLASH = 1003;
    private static final int ANIMATION = 1004;

    private final SyntheticTrace stage = new SyntheticTrace()
            .process(APP, "com.example.app")
            .thread(RENDERER, APP, "RenderThread", 110)
            .thread(WORKER, APP, "worker", 120)
            .thread(SPLASH, APP, "splash", 110)
            .thread(ANIMATION, APP, "animation", 110);

    /** For the test of all parsers of names. */
    public static void parse(String name) {
        DrawingThreads.token(name);
        DrawingThreads.token("Choreographer#doFrame" + name);
        DrawingThreads.token("Choreographer#doFrame - resynced to " + name);
    }

    @ParameterizedTest
    @CsvSource({
        "Choreographer#doFrame 7, 7",
        "Choreographer#doFrame - resynced to 9 in 32.8ms, 9",
        "Choreographer#doFrame, 0",
        "Choreographer#doFrame - resynced, 0",
    })
    void tokens(String name, long token) {
        assertThat(DrawingThreads.token(name)).isEqualTo(token);
    }

    /** The main thread draws frame 7, from 1 to 40 ms; another draws frame 9, from 50 to 90 ms. */
    private SyntheticTrace twoUiThreads() {
        return stage.frame(APP, 7, 1, 20, 40)
                .begins(APP, "Choreographer#doFrame 7", 2)
                .ends(APP, 39)
                .frame(APP, 9, 50, 66, 90)
                .begins(SPLASH, "Choreographer#doFrame 9", 51)
                .ends(SPLASH, 89)
                .begins(ANIMATION, "Choreographer#doFrame 11", 51)
                .ends(ANIMATION, 88);
    }

    /** Waits for a lock for 5 ms, while the worker runs. */
    private void waits(int tid, double from) {
        stage.slice(tid, contention(), from, from + 5)
                .runs(tid, from - 1, from, SchedState.SLEEPING)
                .runs(WORKER, from, from + 5, SchedState.SLEEPING)
                .wakes(WORKER, from + 5, tid)
                .runs(tid, from + 5, from + 6, SchedState.SLEEPING);
    }

    private static String contention() {
        return "monitor contention with owner worker (1002) at void a.B.c()(B.java:1) waiters=0 blocking from void"
                + " d.E.f()(E.java:2)";
    }

    /** The costs as {@code thread at in frame}. */
    private static List<String> costs(Diagnosis diagnosis) {
        return diagnosis.costs().stream()
                .map(cost -> cost.incident().rootWait().thread().name() + " at "
                        + cost.incident().rootWait().startNs() / 1_000_000 + " in "
                        + cost.frame().tid())
                .sorted()
                .toList();
    }

    /** Each thread waits in its own frame, and in the other's: there it costs nothing. */
    @ParameterizedTest
    @CsvSource(
            value = {"null", "all"},
            nullValues = "null")
    void eachFrameIsChargedWithItsOwnThreadsWaits(String threads) {
        twoUiThreads();
        waits(APP, 10);
        waits(SPLASH, 20);
        waits(APP, 60);
        waits(SPLASH, 75);
        Diagnosis diagnosis =
                JsonReportSchema.checked(stage.diagnose(DoctorOptions.defaults().withThread(threads)));
        assertThat(costs(diagnosis)).containsExactly("com.example.app at 10 in 1000", "splash at 75 in 1003");
        assertThat(diagnosis.mainFinding().costNs()).isEqualTo(ns(5));
        assertThat(diagnosis.incidents()).hasSize(4);
    }

    /** Without a wait of its own, the second frame is the drawing thread's own work. */
    @Test
    void ownWorkAndCriticalPathAreTheDrawingThreads() {
        twoUiThreads();
        waits(APP, 10);
        waits(APP, 60);
        stage.runs(SPLASH, 51, 80, SchedState.SLEEPING);
        Diagnosis diagnosis = stage.diagnose(DoctorOptions.defaults());
        assertThat(costs(diagnosis)).containsExactly("com.example.app at 10 in 1000");
        var late = diagnosis.ownWorkFrames().getFirst();
        assertThat(late.frame().tid()).isEqualTo(SPLASH);
        assertThat(late.work().worker().tid()).isEqualTo(SPLASH);
        assertThat(late.work().runningNs()).isEqualTo(ns(29));
        assertThat(late.work().waitNs()).isZero();
        assertThat(late.path().intervals().getFirst().owner().thread().tid()).isEqualTo(SPLASH);
        assertThat(JudgementMessages.of(diagnosis))
                .contains("splash ran for 29.000 ms")
                .doesNotContain("main thread ran");
    }

    /** With {@code --thread main}, the work of another thread in the longest missed frame is no main finding. */
    @ParameterizedTest
    @CsvSource(
            value = {"null, true", "main, false"},
            nullValues = "null")
    void workOfAnUnselectedThreadIsNoFinding(String threads, boolean found) {
        twoUiThreads();
        stage.runs(SPLASH, 51, 80, SchedState.SLEEPING);
        Diagnosis diagnosis = stage.diagnose(DoctorOptions.defaults().withThread(threads));
        assertThat(diagnosis.mainFinding().workload() != null).isEqualTo(found);
    }

    /** Without a cost in missed frames, waits of threads that draw count as those of event threads. */
    @ParameterizedTest
    @CsvSource({SPLASH + ", EVENT_THREADS", ANIMATION + ", ALL_THREADS"})
    void threadsThatDrawAreEventThreads(int tid, CostMeasure measure) {
        twoUiThreads();
        waits(tid, 120);
        Diagnosis diagnosis = stage.diagnose(DoctorOptions.defaults().withThread(DoctorOptions.ALL_THREADS));
        assertThat(diagnosis.incidents()).hasSize(1);
        assertThat(Doctor.rootCauses(diagnosis, diagnosis.incidents()).measure())
                .isEqualTo(measure);
    }

    /** The render thread serves both; any other thread's wait does not delay a frame. */
    @Test
    void waitsOfOtherThreadsCostNothing() {
        twoUiThreads();
        waits(RENDERER, 60);
        waits(ANIMATION, 70);
        Diagnosis all = stage.diagnose(DoctorOptions.defaults().withThread(DoctorOptions.ALL_THREADS));
        assertThat(all.incidents()).hasSize(2);
        assertThat(costs(all)).containsExactly("RenderThread at 60 in 1003");
    }

    /** A thread that only animates, without a frame of the timeline, is none that draws. */
    @ParameterizedTest
    @CsvSource(
            value = {"null, 1", "main, 0"},
            nullValues = "null")
    void threadsThatDrawAreSelectedByDefault(String threads, int found) {
        twoUiThreads();
        waits(SPLASH, 75);
        waits(ANIMATION, 60);
        Diagnosis diagnosis = stage.diagnose(DoctorOptions.defaults().withThread(threads));
        assertThat(diagnosis.incidents()).hasSize(found);
        assertThat(diagnosis.incidents())
                .extracting(incident -> incident.rootWait().thread().tid())
                .doesNotContain(ANIMATION);
    }

    /** A frame that no slice names is taken for the main thread's. */
    @Test
    void withoutASliceTheMainThreadCounts() {
        stage.frame(APP, 9, 50, 66, 90)
                .begins(SPLASH, "Choreographer#doFrame 8", 51)
                .ends(SPLASH, 89);
        waits(APP, 60);
        waits(SPLASH, 70);
        assertThat(costs(stage.diagnose(DoctorOptions.defaults().withThread(DoctorOptions.ALL_THREADS))))
                .containsExactly("com.example.app at 60 in 1000");
    }

    /** Tokens restart with the display server. */
    @Test
    void theSliceHasToOverlapTheFrame() {
        stage.frame(APP, 9, 50, 66, 90)
                .slice(SPLASH, "Choreographer#doFrame 9", 105, 115)
                .slice(APP, "Choreographer#doFrame 9", 51, 89);
        waits(APP, 60);
        waits(SPLASH, 70);
        assertThat(costs(stage.diagnose(DoctorOptions.defaults().withThread(DoctorOptions.ALL_THREADS))))
                .containsExactly("com.example.app at 60 in 1000");
    }

    static Stream<String> names() {
        return RealTraceDiagnoses.names();
    }

    /**
     * In every real trace, an incident that costs a frame is of a thread with the frame's token, of the render thread,
     * or of all threads; and by default a report has all costs of the threads that drew.
     */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("names")
    void costsInRealTraces(String name) {
        Trace trace = RealTraceDiagnoses.trace(name);
        Set<String> byDefault = Doctor.diagnose(trace, DoctorOptions.defaults()).costs().stream()
                .map(DrawingThreadsTest::text)
                .collect(Collectors.toSet());
        for (FrameCost cost : RealTraceDiagnoses.everything(name).costs()) {
            Wait wait = cost.incident().rootWait();
            Frame frame = cost.frame();
            if (frame.source() == Frame.Source.TIMELINE
                    && wait.thread().isInTrace()
                    && !trace.processes().isJvm(frame.upid())) {
                boolean drew = drawing(trace, frame).contains(wait.thread().utid());
                assertThat(drew || "RenderThread".equals(wait.thread().name()))
                        .as("%s in %s", wait, frame)
                        .isTrue();
                if (drew && wait.durNs() >= ns(1)) {
                    assertThat(byDefault).contains(text(cost));
                }
            }
        }
    }

    private static String text(FrameCost cost) {
        Wait wait = cost.incident().rootWait();
        return wait.thread().tid() + " " + wait.startNs() + " " + wait.endNs() + " in "
                + cost.frame().withId(0);
    }

    /** The threads of a frame's process with the frame's token, found without the doctor; else the main thread. */
    private static Set<Integer> drawing(Trace trace, Frame frame) {
        Slices slices = trace.slices();
        String token = Long.toString(trace.frames().surfaceToken(frame.row()));
        Set<Integer> utids = new HashSet<>();
        for (int row = 0; row < slices.firstAsync(); row++) {
            String name = slices.name(row);
            if (trace.threads().upid(slices.utid(row)) == frame.upid()
                    && (name.equals("Choreographer#doFrame " + token)
                            || name.startsWith("Choreographer#doFrame - resynced to " + token + " "))) {
                utids.add(slices.utid(row));
            }
        }
        return utids.isEmpty() ? Set.of(trace.processes().mainThread(frame.upid())) : utids;
    }

    /** The splash screen of a starting app is not the main thread's. */
    @Test
    void anotherThreadDrawsTheSplashScreen() {
        Diagnosis diagnosis =
                Doctor.diagnose(RealTraceDiagnoses.trace(RealTraceDiagnoses.ANDROID_15), DoctorOptions.defaults());
        assertThat(diagnosis.costs())
                .filteredOn(cost -> cost.frame().name().startsWith("TX - Splash Screen"))
                .isNotEmpty()
                .extracting(cost -> cost.incident().rootWait().thread().name())
                .containsOnly("ll.splashscreen");
    }
}
