package dev.unjank.doctor;

import static dev.unjank.scene.Scene.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.report.JudgementMessages;
import dev.unjank.doctor.report.WarningMessages;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.doctor.scene.VerdictScene;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.model.SchedState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process that is stopped from outside: that is what a report says first, and no code is to blame. */
class StoppedProcessScenesTest extends VerdictScene {
    private final SceneThread worker = app.thread(1001, "worker", 120);

    private void mainWorks() {
        main.begin("work");
    }

    @ParameterizedTest
    @CsvSource({
        "15,  15,   STOPPED -1 WAITER_EVENTS",
        "15,  5.5,  none", // the other one goes on after half a millisecond
        "5.9, 15,   none", // too short
    })
    void aProcessThatIsStopped(double until, double workerUntil, String expected) {
        mainWorks();
        main.runs(0, ms(5))
                .isStopped(ms(until))
                .runnable(ms(until + 0.05))
                .runs(0, ms(20))
                .end();
        worker.runs(1, ms(5))
                .isStopped(ms(workerUntil))
                .runnable(ms(workerUntil + 0.05))
                .runs(1, ms(18));
        assertThat(verdict()).isEqualTo(expected);
    }

    @Test
    void aProcessThatSleepsIsNotStopped() {
        mainWorks();
        main.runs(0, ms(5)).sleeps(ms(15)).runnable(ms(15.05)).runs(0, ms(20)).end();
        worker.runs(1, ms(5)).isStopped(ms(15)).runnable(ms(15.05)).runs(1, ms(18));
        assertThat(verdict()).isEqualTo("none");
    }

    /** From when the last thread had stopped until the first went on. */
    @Test
    void aStopLastsAsLongAsNoThreadGoesOn() {
        mainWorks();
        main.runs(0, ms(5))
                .isStopped(ms(15))
                .runnable(ms(15.05))
                .runs(0, ms(20))
                .end();
        worker.runs(1, ms(7)).isStopped(ms(12)).runnable(ms(12.05)).runs(1, ms(18));
        Incident stop = SceneDiagnoses.only(scene);
        assertThat(stop.rootWait().kind()).isEqualTo(WaitKind.STOP);
        assertThat(stop.rootWait().durNs()).isEqualTo(ms(5));
        assertThat(stop.responsibleThread()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"true, STOPPED 1001 OWNER_NAMED", "false, SLEEPING_OWNER 1001 OWNER_NAMED"})
    void anOwnerThatIsStopped(boolean isStopped, String expected) {
        worker.runs(1, ms(6));
        if (isStopped) {
            worker.isStopped(ms(14));
        } else {
            worker.sleeps(ms(14));
        }
        worker.runnable(ms(14.05)).runs(1, ms(15.1));
        main.runs(0, ms(5))
                .blocksOn(ArtContention.heldBy(worker))
                .sleeps(ms(15))
                .wokenBy(worker);
        main.runnable(ms(15.05)).acquires().runs(0, ms(20));
        assertThat(verdict()).isEqualTo(expected);
    }

    /**
     * If the whole process was stopped for most of a lock wait, no thread of the process is responsible for the wait.
     */
    @Test
    void theAnswerLeadsWithTheStop() {
        worker.runs(1, ms(6)).isStopped(ms(14)).runnable(ms(14.05)).runs(1, ms(15.1));
        main.runs(0, ms(5)).blocksOn(ArtContention.heldBy(worker));
        main.sleeps(ms(6))
                .runnable(ms(6.02))
                .runs(0, ms(6.05))
                .isStopped(ms(14))
                .runnable(ms(14.02));
        main.runs(0, ms(14.05)).sleeps(ms(15)).wokenBy(worker);
        main.runnable(ms(15.05)).acquires().runs(0, ms(20));
        Diagnosis diagnosis = SceneDiagnoses.inAnyFormat(scene, DoctorOptions.defaults());
        assertThat(diagnosis.incidents()).hasSize(2).allMatch(incident -> incident.verdict() == Verdict.STOPPED);
        assertThat(JudgementMessages.of(diagnosis))
                .startsWith(
                        "Stopped by a signal or debugger (incident #2). Process: com.example.app, stopped for 7.950 ms by a signal"
                                + " (SIGSTOP, or Ctrl-Z in a shell). Look at: the process that sent the signal, or the debugger;"
                                + " not the program's code.");
        assertThat(TextReport.of(diagnosis, TextReport.Style.plain()))
                .contains(
                        "  Waiter         all threads  of com.example.app\n                 waiting for resumption after a stop by a signal (SIGSTOP, or")
                .contains("  All threads were stopped for 7.950 ms by a signal")
                .contains("    stopped   ");
    }

    /** The stop is reported instead of a wait only if it took most of the wait and stopped the same process. */
    @ParameterizedTest
    @CsvSource({"9.9, false", "10, false", "10.1, true"})
    void aWaitThatWasMostlyNoStop(double until, boolean isStop) {
        SyntheticTrace stage =
                new SyntheticTrace().process(1000, "com.example.app").thread(1002, 1000, "worker", 120);
        stage.slice(1000, "Lock contention on a monitor lock (owner tid: 1002)", 5, 15)
                .runs(1000, 1, 5, SchedState.STOPPED)
                .runs(1002, 1, 5, SchedState.STOPPED)
                .runs(1002, until, 15, SchedState.SLEEPING)
                .wakes(1002, 14.9, 1000)
                .runs(1000, 15, 20, SchedState.SLEEPING);
        Diagnosis diagnosis = stage.diagnose(DoctorOptions.defaults());
        assertThat(diagnosis.incidents()).hasSize(2);
        assertThat(JudgementMessages.of(diagnosis))
                .startsWith(
                        isStop
                                ? "Stopped by a signal or debugger (incident #2). Process: com.example.app, stopped"
                                : "Longest wait: ");
    }

    @Test
    void aStopOfAnotherProcessIsNoReason() {
        SyntheticTrace stage = new SyntheticTrace()
                .process(1000, "com.example.app")
                .process(2000, "com.example.other")
                .thread(1002, 1000, "worker", 120)
                .slice(2000, "work", 1, 14)
                .runs(2000, 1, 6, SchedState.STOPPED)
                .runs(2000, 14, 16, SchedState.SLEEPING)
                .slice(1000, "Lock contention on a monitor lock (owner tid: 1002)", 5, 15)
                .runs(1000, 1, 5, SchedState.SLEEPING)
                .runs(1002, 1, 15, SchedState.SLEEPING)
                .wakes(1002, 14.9, 1000)
                .runs(1000, 15, 20, SchedState.SLEEPING);
        Diagnosis diagnosis = stage.diagnose(DoctorOptions.defaults());
        assertThat(diagnosis.incidents()).hasSize(2);
        assertThat(JudgementMessages.of(diagnosis))
                .startsWith(
                        "Longest wait: long hold time (incident #1). Waiter: com.example.app, blocked for 10.000 ms on a monitor lock");
    }

    /** Stopped in the middle of a short sleep, an event thread seems to have been idle for all of the stop. */
    @Test
    void aShortSleepThatTheStopMadeLong() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.slice(SyntheticJvmTrace.MAIN, 20, 96, "sleep", "sleeping")
                    .runs(0, SyntheticJvmTrace.MAIN, "main", 1, 20, SchedState.SLEEPING)
                    .runs(0, SyntheticJvmTrace.MAIN, "main", 25, 25.01, SchedState.STOPPED)
                    .runs(0, SyntheticJvmTrace.MAIN, "main", 96, 120, SchedState.SLEEPING)
                    .runs(2, SyntheticJvmTrace.PID, "java", 25, 25.02, SchedState.STOPPED)
                    .runs(2, SyntheticJvmTrace.PID, "java", 95, 95.5, SchedState.SLEEPING)
                    .waits(SyntheticJvmTrace.MAIN, 120, 150, "worker", SyntheticJvmTrace.WORKER);
            Diagnosis diagnosis = stage.diagnose();
            assertThat(diagnosis.incidents())
                    .hasSize(2)
                    .first()
                    .satisfies(incident -> assertThat(incident.verdict()).isEqualTo(Verdict.STOPPED));
            assertThat(JudgementMessages.of(diagnosis))
                    .startsWith(
                            "Stopped by a signal or debugger (incident #1). Process: app.Main, stopped for 69.980 ms");
        }
    }

    /** A pause of the garbage collector is not a stop from outside: the owner is still reported. */
    @Test
    void aPauseIsNoStop() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.waits(SyntheticJvmTrace.MAIN, 10, 40, "worker", SyntheticJvmTrace.WORKER)
                    .stop(15, 35, "gc", "GC pause: G1New (G1 Evacuation Pause)");
            assertThat(JudgementMessages.of(stage.diagnose()))
                    .startsWith(
                            "Longest wait: blocked by the garbage collector (incident #1). Waiter: main in app.Main, blocked for 30.000 ms");
        }
    }

    /** Without scheduler events, the recorder's note shows it. */
    @Test
    void aRecorderThatFoundItsTargetStopped() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.waits(SyntheticJvmTrace.MAIN, 10, 40, "worker", SyntheticJvmTrace.WORKER)
                    .note(
                            100,
                            "source: Flight Recorder",
                            "state",
                            "ended",
                            "detail",
                            "process 100 is stopped, by a signal or a debugger, and does not answer; what happened in its last"
                                    + " 3.2 s is not known");
            Diagnosis diagnosis = stage.diagnose();
            assertThat(JudgementMessages.of(diagnosis))
                    .startsWith(
                            "Warning: the last data of Flight Recorder (process 100 was stopped, by a signal or a debugger)"
                                    + " could not be read; this diagnosis covers only the readable part. ");
            assertThat(WarningMessages.of(diagnosis.warnings()))
                    .contains("recording of Flight Recorder ended early: process 100 is stopped, by a signal or a"
                            + " debugger, and does not answer; what happened in its last 3.2 s is not known");
        }
    }

    @Test
    void aRecorderThatFoundItsTargetFrozen() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            String why =
                    "process 100 is frozen with its control group /box and does not answer; what happened is not known";
            stage.note(100, "source: Flight Recorder", "state", "ended", "detail", why);
            assertThat(WarningMessages.unreadParts(stage.diagnose().unreadParts()))
                    .containsExactly("the last data of Flight Recorder (process 100 was frozen with its control"
                            + " group /box)");
        }
    }

    @Test
    void aSourceThatIsOnIsNoWarning() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.note(0, "source: Flight Recorder", "state", "on", "detail", "process 100 is stopped, they say");
            Diagnosis diagnosis = stage.diagnose();
            assertThat(WarningMessages.unreadParts(diagnosis.unreadParts())).isEmpty();
            assertThat(WarningMessages.of(diagnosis.warnings())).noneMatch(warning -> warning.contains("ended"));
        }
    }

    /** The process was killed some seconds after Flight Recorder's last data, or the disk was full. */
    @ParameterizedTest
    @CsvSource({"2000, 5.04 s", "6030, 1.01 s", "6050,"})
    void theEndThatFlightRecorderLacksIsReported(int lastMs, String offScheduler) {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.note(0, "source: Flight Recorder", "state", "on", "detail", "waits of 1.0 ms and more")
                    .note(lastMs, "Flight Recorder file", "slices", "1")
                    .waits(SyntheticJvmTrace.MAIN, 7_000, 7_040, "worker", SyntheticJvmTrace.WORKER);
            Diagnosis diagnosis = stage.diagnose();
            assertThat(WarningMessages.unreadParts(diagnosis.unreadParts()))
                    .isEqualTo(
                            offScheduler == null
                                    ? List.of()
                                    : List.of("data of Flight Recorder for the last " + offScheduler));
            assertThat(WarningMessages.of(diagnosis.warnings()).stream()
                            .filter(warning -> warning.contains("are missing")))
                    .hasSize(offScheduler == null ? 0 : 1)
                    .allMatch(warning -> warning.startsWith("lock waits in the last " + offScheduler));
        }
    }

    /** The end of a recording is reported before that of its source. */
    @Test
    void ofASourceThatEndedNothingElseIsSaid() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.note(0, "source: Flight Recorder", "state", "on", "detail", "")
                    .note(10, "source: Flight Recorder", "state", "ended", "detail", "the target does not answer")
                    .waits(SyntheticJvmTrace.MAIN, 7_000, 7_040, "worker", SyntheticJvmTrace.WORKER);
            assertThat(WarningMessages.unreadParts(stage.diagnose().unreadParts()))
                    .isEmpty();
        }
    }
}
