package dev.unjank.doctor;

import static dev.unjank.scene.Scene.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.AppStartup;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.report.json.JsonReport;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.StubQueries;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.write.KernelEvent;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Starts of an app from the bytes of a trace on, from 2 ms to 60 ms, with the share of each cause until its first
 * frame.
 */
class AppStartupScenesTest {
    private static final String APP = "com.example.mail";
    private static final int PID = 7100;

    private final Scene scene = new Scene();
    private final SceneProcess system = scene.process(1286, "system_server");
    private final SceneThread server = system.mainThread("system_server", 118);
    private final SceneThread binder = system.thread(1300, "binder:1286_1", 120);
    private final SceneProcess app = scene.process(PID, APP);
    private final SceneThread main = app.mainThread("om.example.mail", 110);

    /**
     * Writes the slices of a startup as a system does: {@code launching: PACKAGE}, or {@code launchingActivity#N} and
     * the marks of its completion.
     */
    private void launches(String name, String... marks) {
        server.runs(3, ms(2)).prints("S|1286|" + name + "|0").runs(3, ms(60)).prints("F|1286|" + name + "|0");
        for (String mark : marks) {
            server.prints("I|1286|" + mark);
        }
        server.runs(3, ms(61));
    }

    private AppStartup start() {
        List<AppStartup> starts = diagnosis().startups();
        assertThat(starts).hasSize(1);
        return starts.getFirst();
    }

    private Diagnosis diagnosis() {
        return SceneDiagnoses.inAnyFormat(scene, DoctorOptions.defaults());
    }

    /** Each share in a line: cause, verdict, microseconds. */
    private static List<String> table(AppStartup start) {
        return start.shares().stream()
                .map(share -> share.cause() + " " + (share.verdict() == null ? "-" : share.verdict()) + " "
                        + share.durNs() / 1000)
                .toList();
    }

    /** The main thread is there from 4 ms on, waits for everything there is, and has drawn at 50 ms. */
    private void startsCold() {
        SceneThread worker = app.thread(7101, "worker", 120);
        SceneThread collector = app.thread(7102, "HeapTaskDaemon", 124);
        main.sleeps(ms(4)).runnable(ms(4.5)).begin("bindApplication").runs(0, ms(10));
        main.sleepsUninterruptibly(ms(13), true, "filemap_fault")
                .runnable(ms(13.2))
                .runs(0, ms(15));
        main.sleeps(ms(18)).runnable(ms(18.1)).end().runs(0, ms(20));
        main.blocksOn(ArtContention.heldBy(worker));
        main.sleeps(ms(25.9)).wokenBy(worker).runnable(ms(26)).acquires().runs(0, ms(27.9));
        main.does(KernelEvent.binderTransaction(1, false, false)).runs(0, ms(28));
        main.sleeps(ms(34)).wokenBy(binder).runnable(ms(34.1)).does(KernelEvent.binderReceived(2));
        main.runs(0, ms(36)).begin("GC: Wait For Completion Alloc").sleeps(ms(39.9));
        main.wokenBy(collector).runnable(ms(40)).end().runs(0, ms(50));

        worker.sleeps(ms(18)).runnable(ms(18.1)).runs(1, ms(27));
        binder.sleeps(ms(27.95)).wokenBy(main).runnable(ms(28)).does(KernelEvent.binderReceived(1));
        binder.runs(1, ms(33.95))
                .does(KernelEvent.binderTransaction(2, true, false))
                .runs(1, ms(34.5));
        collector.sleeps(ms(30)).runnable(ms(30.1)).begin("Background concurrent copying GC");
        collector.runs(2, ms(45)).end().runs(2, ms(46));
        app.frame("app", ms(42), ms(58), ms(50), 1);
    }

    @ParameterizedTest
    @CsvSource({
        "launching: com.example.mail,",
        "launchingActivity#5, launchingActivity#5:completed:com.example.mail",
        "launchingActivity#5, launchingActivity#5:completed-cold:com.example.mail"
    })
    void everyCauseOfAColdStart(String launch, String mark) {
        startsCold();
        if (mark == null) {
            launches(launch);
        } else {
            launches(launch, mark);
        }
        AppStartup start = start();
        assertThat(start.packageName()).isEqualTo(APP);
        assertThat(start.type()).isEqualTo("cold");
        assertThat(start.id()).isEqualTo(mark == null ? 0 : 5);
        assertThat(start.startNs()).isEqualTo(Scene.traceTime(ms(2)));
        assertThat(start.durNs()).isEqualTo(ms(58));
        assertThat(start.hasFirstFrame()).isTrue();
        assertThat(start.timeToInitialDisplayNs()).isEqualTo(ms(48));
        assertThat(start.mainThread().tid()).isEqualTo(PID);
        assertThat(table(start))
                .containsExactly(
                        "RUNNING - 23000",
                        "BINDER SLOW_REPLY 6200",
                        "LOCK LONG_HOLD 6000",
                        "GC GC_BLOCKED 4000",
                        "IO - 3000",
                        "SLEEPING - 3000",
                        "NOT_YET_BORN - 2000",
                        "RUNNABLE - 800");
    }

    /** As in android_startups: from the intent on, if one launch follows it and the system logs its success. */
    @ParameterizedTest
    @CsvSource({
        "1, false, true,  1", // the intent, a millisecond before
        "0, false, false, 2", // nothing logged: the slice alone
    })
    void aStartBeginsWithItsIntent(double intent, boolean other, boolean success, double start) {
        launchesAfter(intent, other, success);
        AppStartup last = diagnosis().startups().getLast();
        assertThat(last.startNs()).isEqualTo(Scene.traceTime(ms(start)));
        assertThat(last.durNs()).isEqualTo(ms(60 - start));
    }

    /** Near misses: android_startups has none of these either. */
    @ParameterizedTest
    @CsvSource({
        "1, true,  true", // two launches follow the intent
        "1, false, false", // success is not logged
    })
    void aLaunchThatMayHaveFailedIsNoStart(double intent, boolean other, boolean success) {
        launchesAfter(intent, other, success);
        assertThat(diagnosis().startups()).isEmpty();
    }

    private void launchesAfter(double intent, boolean other, boolean success) {
        String logged = "MetricsLogger:launchObserverNotify";
        main.runs(0, ms(40));
        server.runs(3, ms(0.5));
        if (intent > 0) {
            server.runs(3, ms(intent)).prints("I|1286|" + logged + "IntentStarted");
        }
        if (other) {
            server.runs(3, ms(1.5)).prints("S|1286|launching: com.other|0");
            server.runs(3, ms(1.9)).prints("F|1286|launching: com.other|0");
        }
        if (success) {
            launches("launching: " + APP, logged + "ActivityLaunchFinished");
        } else {
            launches("launching: " + APP);
        }
    }

    /** The text has the largest shares, and the rest in a line. */
    @Test
    void sharesInTheText() {
        startsCold();
        launches("launching: " + APP);
        assertThat(TextReport.of(diagnosis(), TextReport.Style.plain()))
                .contains("Startup  com.example.mail, cold, 58.000 ms; time to initial display 48.000 ms\n")
                .containsSubsequence(
                        "  running                         23.000 ms",
                        "  binder reply, SLOW_REPLY         6.200 ms  ",
                        "  lock, LONG_HOLD                  6.000 ms  ",
                        "  sleeping                         3.000 ms  ",
                        "  and 2 more                       2.800 ms\n");
    }

    /** If the mark has no type, the main thread's first slice decides; otherwise the mark's type counts. */
    @ParameterizedTest
    @CsvSource({
        "completed,      bindApplication, cold",
        "completed,      activityStart,   warm",
        "completed,      activityResume,  hot",
        "completed,      traversal,",
        "completed-warm, bindApplication, warm",
        "completed-hot,  activityStart,   hot",
        "completed-cold, traversal,       cold",
    })
    void types(String completed, String slice, String type) {
        main.runs(0, ms(4)).begin(slice).runs(0, ms(9)).end().runs(0, ms(70));
        launches("launchingActivity#5", "launchingActivity#5:" + completed + ":" + APP);
        assertThat(start().type()).isEqualTo(type);
    }

    /**
     * Nobody knows how long it took until something was drawn: the shares are those of the whole start, and no report
     * says otherwise.
     */
    @Test
    void withoutAFrame() throws IOException {
        main.runs(0, ms(40)).sleeps(ms(58)).runnable(ms(58.1)).runs(0, ms(70));
        launches("launching: " + APP);
        AppStartup start = start();
        assertThat(start.hasFirstFrame()).isFalse();
        assertThat(start.timeToInitialDisplayNs()).isEqualTo(start.durNs());
        assertThat(table(start)).containsExactly("RUNNING - 39900", "SLEEPING - 18000", "RUNNABLE - 100");
        assertThat(TextReport.of(diagnosis(), TextReport.Style.plain()))
                .contains("Startup  com.example.mail, 58.000 ms; first frame not recorded");
        StringWriter json = new StringWriter();
        JsonReport.write(diagnosis(), StubQueries.OF_TRACE, json);
        assertThat(json.toString()).contains("\"firstFrameNs\" : null");
    }

    /** The first state of a main thread says nothing of what was before, but where the process is known to be new. */
    @ParameterizedTest
    @CsvSource({
        "completed-cold, false, NOT_YET_BORN",
        "completed-warm, false, UNKNOWN",
        "completed-hot,  false, UNKNOWN",
        "completed-warm, true,  NOT_YET_BORN",
    })
    void beforeTheFirstState(String completed, boolean isSeenToBeBorn, String cause) {
        SceneThread zygote = scene.process(500, "zygote").mainThread("zygote", 120);
        zygote.runs(2, ms(12));
        if (isSeenToBeBorn) {
            zygote.spawns(main);
        } else {
            main.sleeps(ms(12));
        }
        zygote.runs(2, ms(13));
        main.runnable(ms(12.5)).runs(0, ms(70));
        launches("launchingActivity#5", "launchingActivity#5:" + completed + ":" + APP);
        assertThat(table(start())).containsExactly("RUNNING - 47500", cause + " - 10000", "RUNNABLE - 500");
    }

    /** The app's process is none that only begins like it, and a launch that another number completed is none. */
    @Test
    void startsOfNobody() {
        main.runs(0, ms(70));
        launches("launchingActivity#5", "launchingActivity#5:completed:com.example.mai");
        AppStartup start = start();
        assertThat(start.mainThread()).isNull();
        assertThat(start.type()).isNull();
        assertThat(start.hasFirstFrame()).isFalse();
        assertThat(table(start)).containsExactly("UNKNOWN - 58000");
    }

    /** Names of two packages that end alike are one name in the kernel. */
    @Test
    void aPackageWhoseNameEndsAlike() {
        main.runs(0, ms(70));
        launches("launchingActivity#5", "launchingActivity#5:completed:org.com.example.mail");
        assertThat(start().mainThread()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "launchingActivity#5:completed:com.example.mail, 1",
        "launchingActivity#55:completed:com.example.mail, 0",
        "launchingActivity#5:cancelled:com.example.mail, 0"
    })
    void whatCompletesAStart(String mark, int starts) {
        main.runs(0, ms(70));
        launches("launchingActivity#5", mark);
        assertThat(diagnosis().startups()).hasSize(starts);
    }

    /** Systrace text has no names of processes: a main thread has the part of its package's name that Android keeps. */
    @ParameterizedTest
    @CsvSource({
        "com.ex,                   com.ex,          true",
        "com.example.mail,         om.example.mail, true", // the last 15
        "com.example.mail,         com.example.mai, false", // the first 15: of a package whose name is longer
        "com.example.mail,         mail,            false", // an end, but not all that the kernel has room for
        "com.example.mail.widgets, om.example.mail, false",
    })
    void namesInText(String packageName, String comm, boolean isFound) {
        String text = """
                # tracer: nop
                #
                 COMM-1000  ( 1000) [000] ...1 100.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=COMM next_pid=1000 next_prio=110
                 system-900  (  900) [001] ...1 100.000100: tracing_mark_write: S|900|launching: PACKAGE|7
                 COMM-1000  ( 1000) [000] ...1 100.000500: tracing_mark_write: B|1000|bindApplication
                 COMM-1000  ( 1000) [000] ...1 100.020000: sched_switch: prev_comm=COMM prev_pid=1000 prev_prio=110 prev_state=D ==> next_comm=swapper/0 next_pid=0 next_prio=120
                 <idle>-0  (-----) [000] ...1 100.030000: sched_waking: comm=COMM pid=1000 prio=110 target_cpu=000
                 COMM-1000  ( 1000) [000] ...1 100.030200: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=COMM next_pid=1000 next_prio=110
                 COMM-1000  ( 1000) [000] ...1 100.032000: tracing_mark_write: E|1000
                 COMM-1000  ( 1000) [000] ...1 100.033000: tracing_mark_write: B|1000|Choreographer#doFrame 1
                 COMM-1000  ( 1000) [000] ...1 100.040000: tracing_mark_write: E|1000
                 system-900  (  900) [001] ...1 100.050000: tracing_mark_write: F|900|launching: PACKAGE|7
                 COMM-1000  ( 1000) [000] ...1 100.061000: sched_switch: prev_comm=COMM prev_pid=1000 prev_prio=110 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
                """.replace("COMM", comm).replace("PACKAGE", packageName);
        Diagnosis diagnosis =
                Doctor.diagnose(SceneDiagnoses.read(text.getBytes(StandardCharsets.UTF_8)), DoctorOptions.defaults());
        AppStartup start = diagnosis.startups().getFirst();
        assertThat(start.mainThread() != null).isEqualTo(isFound);
        assertThat(start.hasFirstFrame()).isEqualTo(isFound);
        if (isFound) {
            assertThat(start.type()).isEqualTo("cold");
            assertThat(table(start)).containsExactly("RUNNING - 29700", "IO - 10000", "RUNNABLE - 200");
        } else {
            assertThat(table(start)).containsExactly("UNKNOWN - 49900");
        }
    }
}
