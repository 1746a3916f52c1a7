package dev.unjank.doctor.report;

import static dev.unjank.doctor.scene.SyntheticJvmTrace.MAIN;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.MS;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.OTHER;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.judge.BlockerKind;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.FrameCost;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.Summary;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Trace;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which waits of a Java virtual machine a report shows, in which order, and what of them counts for the whole. */
class JvmReportTest {
    private final SyntheticJvmTrace stage = new SyntheticJvmTrace();

    @AfterEach
    void close() {
        stage.close();
    }

    /** Who waited, worst first, and for how long. */
    private List<String> order(DoctorOptions options) {
        return stage.diagnose(options).incidents().stream()
                .map(incident -> incident.rootWait().thread().name() + " "
                        + incident.rootWait().durNs() / MS)
                .toList();
    }

    @Test
    void threadsBehindWhichSomebodySitsComeFirst() {
        int dispatcher = 111;
        int application = 112;
        int looper = 113;
        stage.name(dispatcher, "AWT-EventQueue-0")
                .name(application, "JavaFX Application Thread")
                .name(looper, "draws")
                .waits(WORKER, 10, 90, "other", OTHER)
                .waits(dispatcher, 10, 15, "other", OTHER)
                .waits(application, 10, 16, "other", OTHER)
                .waits(MAIN, 10, 17, "other", OTHER)
                .message(looper, 5, 20, "app.Ui: #1")
                .waits(looper, 10, 18, "other", OTHER);
        List<String> worst =
                List.of("draws 8", "main 7", "JavaFX Application Thread 6", "AWT-EventQueue-0 5", "worker 80");
        DoctorOptions defaults = DoctorOptions.defaults();
        assertThat(order(defaults)).isEqualTo(worst);
        assertThat(order(defaults.withThread(DoctorOptions.ALL_THREADS))).isEqualTo(worst);
        assertThat(order(defaults.withThread("worker"))).containsExactly("worker 80");
        Diagnosis diagnosis = stage.diagnose();
        assertThat(JudgementMessages.of(diagnosis))
                .startsWith("Longest wait of an event loop: unknown (incident #1). Waiter: draws in app.Main, blocked");
    }

    /**
     * A thread that had no CPU for longer comes last; what comes first is then the longest of the rest, of whichever
     * thread.
     */
    @Test
    void whatIsShorterThanAWaitForACpuIsNotSaidToBeOfAnEventThread() {
        int pool = 112;
        stage.name(pool, "pool")
                .slice(pool, 0, 1, "", "work")
                .waits(WORKER, 10, 50, "other", OTHER)
                .runs(0, pool, "pool", 1, 5, SchedState.RUNNABLE_PREEMPTED)
                .runs(0, pool, "pool", 90, 95, SchedState.SLEEPING);

        assertThat(JudgementMessages.of(stage.diagnose(DoctorOptions.defaults().withThread(DoctorOptions.ALL_THREADS))))
                .startsWith("Longest wait (excluding waits for a CPU): unknown (incident #1). Waiter: worker ");
    }

    @Test
    void aStopOfAllThreadsHoldsUpAnEventThreadThatWasAtWork() {
        int dispatcher = 111;
        stage.name(dispatcher, "AWT-EventQueue-0")
                .waits(WORKER, 10, 90, "other", OTHER)
                .slice(dispatcher, 95, 160, "park", "parking on app.Queue")
                .stop(100, 130, "gc", "GC pause: G1New (G1 Evacuation Pause)")
                .stop(165, 185, "gc", "GC pause: G1New (G1 Evacuation Pause)")
                .sampled(dispatcher, 163, "app.Ui.paint");
        assertThat(order(DoctorOptions.defaults())).containsExactly("all threads 20", "worker 80", "all threads 30");
    }

    @Test
    void whoseEventThreadDidNothingHasItsLongestWaitFirst() {
        stage.waits(WORKER, 10, 90, "other", OTHER)
                .slice(MAIN, 0, 190, "park", "parking on app.Queue")
                .stop(100, 130, "gc", "GC pause: G1New (G1 Evacuation Pause)");
        assertThat(order(DoctorOptions.defaults())).containsExactly("worker 80", "all threads 30");
    }

    /** The first thread of a virtual machine starts it and then waits; the program's main thread has another number. */
    @Test
    void theMainThreadIsTheOneOfThatName() {
        stage.name(SyntheticJvmTrace.PID, "java")
                .waits(WORKER, 10, 90, "other", OTHER)
                .waits(MAIN, 20, 30, "other", OTHER)
                .waits(SyntheticJvmTrace.PID, 20, 25, "other", OTHER);
        DoctorOptions main = DoctorOptions.defaults().withThread(DoctorOptions.MAIN_THREADS);
        assertThat(order(main)).containsExactly("main 10");
        assertThat(order(DoctorOptions.defaults())).containsExactly("main 10", "worker 80", "java 5");
    }

    @Test
    void theSummaryIsOfTheWholeWhoeverWasAskedFor() {
        stage.waits(WORKER, 10, 90, "other", OTHER).waits(OTHER, 100, 100.5, "worker", WORKER);
        Summary all = stage.diagnose().summary();
        assertThat(all.lockWaits()).isEqualTo(2);
        assertThat(all.lockWaitNs()).isEqualTo(80_500_000);
        DoctorOptions options = DoctorOptions.defaults();
        assertThat(stage.diagnose(options.withThread("other")).summary()).isEqualTo(all);
        assertThat(stage.diagnose(options.withMinDuration(Duration.ofMillis(100)))
                        .summary())
                .isEqualTo(all);
        assertThat(stage.diagnose(options.withThread("all").withMinDuration(Duration.ZERO))
                        .summary())
                .isEqualTo(all);
    }

    /** Other programs of the machine happen to be seen by its scheduler. */
    @Test
    void namesAreThoseOfTheRecordedMachinesThreads() {
        stage.foreign(900, "flock")
                .foreign(901, "worker")
                .runs(0, 900, "flock", 1, 2, SchedState.UNINTERRUPTIBLE)
                .runs(0, 901, "worker", 3, 4, SchedState.UNINTERRUPTIBLE)
                .runs(0, 900, "flock", 50, 51, SchedState.SLEEPING)
                .runs(0, 901, "worker", 53, 54, SchedState.SLEEPING)
                .waits(MAIN, 10, 20, "other", OTHER)
                .waits(WORKER, 10, 30, "other", OTHER);
        DoctorOptions options = DoctorOptions.defaults();
        assertThat(order(options.withThread("main"))).containsExactly("main 10");
        assertThat(order(options.withThread("worker"))).containsExactly("worker 20");
        assertThat(order(options.withThread("flock"))).containsExactly("flock 48");
        assertThat(order(options.withThread("901"))).containsExactly("worker 49");
    }

    /** Compilers and collectors lack a CPU all the time; of the others, who had somebody in the way comes first. */
    @Test
    void whoHadNoCpuDoesNotHideTheRest() {
        int compiler = 120;
        stage.name(compiler, "C2 CompilerThread0")
                .waits(OTHER, 10, 14, "worker", WORKER)
                .waits(MAIN, 150, 152, "worker", WORKER)
                .slice(OTHER, 0, 1, "", "work")
                .slice(WORKER, 0, 1, "", "work")
                .slice(compiler, 0, 1, "", "compiles");
        for (int i = 0; i < 8; i++) {
            int at = 20 + 12 * i;
            stage.runs(0, WORKER, "worker", at, at + 1, SchedState.RUNNABLE_PREEMPTED)
                    .runs(0, compiler, "C2 CompilerThre", at + 2, at + 7, SchedState.RUNNABLE_PREEMPTED);
        }
        stage.runs(0, compiler, "C2 CompilerThre", 190, 191, SchedState.SLEEPING);
        stage.runs(0, WORKER, "worker", 192, 193, SchedState.SLEEPING);
        Diagnosis diagnosis = stage.diagnose();
        assertThat(order(DoctorOptions.defaults()).subList(0, 2)).containsExactly("main 2", "other 4");
        assertThat(diagnosis.incidents())
                .hasSize(10)
                .noneMatch(incident -> incident.rootWait().thread().name().startsWith("C2"));
        assertThat(order(DoctorOptions.defaults().withProcess("app.Main"))).hasSize(10);
        assertThat(order(DoctorOptions.defaults().withThread(String.valueOf(compiler))))
                .hasSize(8);
        String text = TextReport.of(diagnosis, new TextReport.Style(100, false, true, 3, false));
        assertThat(text)
                .contains(
                        "Other incidents\n     #4   11.000 ms  NO_CPU              worker, while C2 CompilerThread0 ran; 7 times,"
                                + " 77.000 ms\n");
    }

    /** A process that attaches to start a recording delays only Flight Recorder's own threads. */
    @Test
    void thatARecorderWaitsForItselfIsNoIncident() {
        int flightRecorder = 120;
        int attached = 121;
        stage.name(flightRecorder, "JFR Periodic Tasks")
                .name(attached, "Attach Listener")
                .waits(flightRecorder, 10, 90, "Attach Listener", attached)
                .waits(MAIN, 20, 30, "Attach Listener", attached)
                .waits(WORKER, 35, 41, "JFR Periodic Tasks", flightRecorder)
                .waits(attached, 100, 104, "worker", WORKER)
                .waits(flightRecorder, 110, 130, "worker", WORKER)
                .slice(OTHER, 0, 1, "", "work");

        DoctorOptions options = DoctorOptions.defaults();
        for (DoctorOptions all :
                List.of(options, options.withThread(DoctorOptions.ALL_THREADS), options.withProcess("app.Main"))) {
            assertThat(order(all)).containsExactly("main 10", "JFR Periodic Tasks 20", "worker 6", "Attach Listener 4");
        }
        assertThat(order(options.withThread("JFR Periodic Tasks"))).containsExactly("JFR Periodic Tasks 20");
        assertThat(stage.diagnose(options.withThread("JFR Periodic Tasks"))
                        .search()
                        .longestNs())
                .isEqualTo(20 * MS);
    }

    @Test
    void everyThreadOfTheMachineIsLookedAtUnlessOneIsAskedFor() {
        stage.waits(OTHER, 120, 125, "worker", WORKER);
        Trace trace = stage.trace();
        assertThat(Doctor.diagnose(trace, DoctorOptions.defaults()).incidents()).hasSize(1);
        assertThat(Doctor.diagnose(trace, DoctorOptions.defaults().withThread("102"))
                        .incidents())
                .isEmpty();
    }

    @Test
    void aFrameOfALooperIsBookedItsOwnWaitsAndStopsOfAllThreads() {
        stage.frame(MAIN, "main", 1, 10, 60)
                .frame(MAIN, "main", 2, 60, 70)
                .waits(MAIN, 20, 40, "worker", WORKER)
                .waits(OTHER, 15, 59, "worker", WORKER)
                .stop(45, 50, "gc", "GC pause: G1New (G1 Evacuation Pause)");
        Diagnosis diagnosis = stage.diagnose();

        assertThat(diagnosis.summary().frames()).isEqualTo(2);
        assertThat(diagnosis.frames()).hasSize(1);
        Frame late = diagnosis.frames().getFirst();
        assertThat(late.missed()).isTrue();
        assertThat(late.missedByNs()).isEqualTo(34 * MS);
        assertThat(late.name()).isEqualTo("main (101)");
        assertThat(diagnosis.costsOf(late)).extracting(FrameCost::overlapNs).containsExactly(20 * MS, 5 * MS);
        assertThat(diagnosis.platform()).isEqualTo(Platform.JVM_WITH_FRAMES);
        assertThat(TextReport.of(diagnosis, TextReport.Style.plain()))
                .contains("Missed frames")
                .doesNotContainIgnoringCase("android", "screen", "stutter", "binder", "dalvik", "sched_");
    }

    @Test
    void noWordIsSaidOfScreensAndOfAndroid() {
        stage.waits(MAIN, 10, 110, "worker", WORKER)
                .waits(OTHER, 10, 110, "<unknown>", 0)
                .stop(120, 140, "gc", "GC pause: G1New (G1 Evacuation Pause)");
        Diagnosis diagnosis = stage.diagnose();
        assertThat(diagnosis.platform()).isEqualTo(Platform.JVM);
        for (Diagnosis one :
                List.of(diagnosis, stage.diagnose(DoctorOptions.defaults().withMinDuration(Duration.ofSeconds(1))))) {
            assertThat(TextReport.of(one, TextReport.Style.plain()))
                    .doesNotContainIgnoringCase("android", "screen", "stutter", "binder", "dalvik", "sched_");
        }
        for (Verdict verdict :
                List.of(Verdict.GC_BLOCKED, Verdict.UNKNOWN, Verdict.LONG_HOLD, Verdict.SLEEPING_OWNER)) {
            assertThat(Advice.of(verdict, BlockerKind.LOCK, Platform.JVM).toString())
                    .doesNotContainIgnoringCase("android", "dalvik", "sched_", "binder");
        }
    }
}
