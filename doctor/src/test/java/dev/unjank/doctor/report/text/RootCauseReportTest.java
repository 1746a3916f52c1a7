package dev.unjank.doctor.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.judge.RootCauseFinder;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.scene.JsonReportSchema;
import dev.unjank.doctor.scene.ShopScene;
import dev.unjank.doctor.scene.StubQueries;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.trace.model.SchedState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The report leads with the line of code to change. */
class RootCauseReportTest {
    private static final int CLIENT = 1000;
    private static final int SERVER = 2000;

    @Test
    void theShopsJournalIsNamedAndTheSleepIsTheSecondLine() {
        String report = report(100);
        assertThat(report).contains("100 %", "http-worker-# in Shop.writeJournal →");
        assertThat(report.lines().map(String::strip))
                .containsSubsequence(
                        "Root cause     sleeping owner; 16 waits queued behind it in a lock convoy",
                        "Waits for      a lock of class java.util.concurrent.locks.ReentrantLock",
                        "Waiter         http-worker-# (8 threads), in shop.Shop.writeJournal (line 18)",
                        "Owner          http-worker-# (8 threads), in shop.Shop.writeJournal (line 19)",
                        "Owner code     shop.Disk.sync (line 5), sleeping",
                        "Waiter stack   jdk.internal.misc.Unsafe.park",
                        "… shop.Shop.writeJournal (line 18)",
                        "Left out       3 frames (--cause 1)");
        assertThat(report.lines()).hasSizeLessThan(100);
    }

    @Test
    void theSleepersAreTheOwnersByTheirStacks() {
        try (SyntheticJvmTrace stage = ShopScene.play()) {
            RootCause first = RootCauseFinder.of(stage.diagnose()).causes().getFirst();
            assertThat(first.verdict()).isEqualTo(Verdict.SLEEPING_OWNER);
            assertThat(first.example().owner().evidence()).isEqualTo(Evidence.STACK_INFERRED);
        }
    }

    /** Two threads that sleep there at the same time do not hold one lock. */
    @Test
    void sleepersAtTheSameTimeAreNotTakenForOwners() {
        try (SyntheticJvmTrace stage = ShopScene.playWithoutLockAroundIt()) {
            assertThat(stage.diagnose().incidents())
                    .filteredOn(incident -> incident.rootWait().kind().isLock())
                    .isNotEmpty()
                    .allSatisfy(
                            incident -> assertThat(incident.owner().evidence()).isEqualTo(Evidence.UNKNOWN));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 72, 100})
    void linesFitTheWidth(int width) {
        assertThat(report(width).lines().filter(line -> !line.contains("unjank query")))
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(width));
    }

    @Test
    void oneCauseIsShownInFull() {
        try (SyntheticJvmTrace stage = ShopScene.play()) {
            Diagnosis diagnosis = stage.diagnose();
            assertThat(RootCauseReport.ofCause(diagnosis, 1, TextReport.Style.plain(), StubQueries.OF_TRACE))
                    .contains("java.util.concurrent.locks.ReentrantLock.lock (line 322)", "java.lang.Thread.run")
                    .doesNotContain("more", "…", "Left out");
            assertThat(RootCauseReport.ofCause(diagnosis, 99, TextReport.Style.plain(), StubQueries.OF_TRACE))
                    .isEmpty();
        }
    }

    private static String reportOf(SyntheticJvmTrace stage) {
        Diagnosis diagnosis = stage.diagnose();
        return RootCauseReport.of(diagnosis.withWarnings(List.of()), TextReport.Style.plain(), StubQueries.OF_TRACE);
    }

    @Test
    void theFirstRootCauseComesFirstAlsoIfAnotherWaitIsLonger() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.name(201, "http-worker-1").name(202, "http-worker-2");
            for (int i = 0; i < 6; i++) {
                stage.waits(201, 10 + 20 * i, 25 + 20 * i, "worker", SyntheticJvmTrace.WORKER);
            }
            stage.slice(SyntheticJvmTrace.WORKER, 9, 140, "sleep", "sleeping");
            stage.parks(202, 10, 70, "ReentrantLock$NonfairSync", 0);
            assertThat(reportOf(stage).lines().skip(2).limit(7))
                    .containsExactly(
                            "Root cause 1: sleeping owner",
                            "",
                            "  Waiter         http-worker-1 in app.Main, in app.Ui.draw (line 7)",
                            "  Owner          worker in app.Main",
                            "  Waits for      a monitor of app.Store",
                            "  Total wait     90.000 ms in 6 waits, 60 % of the reported wait time",
                            "  Longest of all 60.000 ms: unknown (incident #1, root cause 2)");
        }
    }

    /** The rows are in the order of their cost, which has a column where it is not the total. */
    @Test
    void theTableHasTheOrderOfItsFirstTime() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.name(201, "http-worker-1");
            stage.waits(SyntheticJvmTrace.MAIN, 10, 40, "worker", SyntheticJvmTrace.WORKER);
            stage.parks(201, 10, 100, "ReentrantLock$NonfairSync", 0);
            String report = reportOf(stage);
            assertThat(report)
                    .contains("by blocked time of event threads and main threads")
                    .contains("━━ 1  cost 30.000 ms ━━", "━━ 25 % of wait time");
            assertThat(report.lines()
                            .filter(line -> line.matches(" +([#12]) .*"))
                            .map(String::strip))
                    .satisfiesExactly(
                            heading -> assertThat(heading).matches("# +cost +total +share +waits .*"),
                            first -> assertThat(first).startsWith("1    30.000 ms    30.000 ms  25 %"),
                            second -> assertThat(second).startsWith("2     0.000 ms    90.000 ms  75 %"));
        }
        assertThat(report(100))
                .contains(" total share  waits threads         p50 ")
                .doesNotContain(" cost ");
    }

    /**
     * Without scheduler events no wait can be judged to be an inversion; the waits of the table are those of its
     * columns.
     */
    @Test
    void inversionsAreNotRecordedWithoutSchedulerEvents() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.waits(SyntheticJvmTrace.MAIN, 10, 40, "worker", SyntheticJvmTrace.WORKER);
            assertThat(reportOf(stage).replaceAll("\\s+", " "))
                    .contains("Priority inversions are not recorded: the trace has no scheduler events.")
                    .doesNotContain("None of these was a priority inversion");
            assertThat(JsonReportSchema.json(stage.diagnose())).contains("\"inversions\" : null");
        }
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.waits(SyntheticJvmTrace.MAIN, 10, 40, "worker", SyntheticJvmTrace.WORKER)
                    .runs(0, SyntheticJvmTrace.WORKER, "worker", 10, 39, SchedState.SLEEPING);
            assertThat(reportOf(stage)).contains("None of these was").doesNotContain("not recorded: the trace has");
        }
    }

    /** The server thread waited for a lock for most of the call: its owner is the one to look at. */
    @Test
    void theOwnerOfTheLockBehindACallIsNamed() {
        assertThat(reportOfCall(14)).contains("  Nested owner   holder");
    }

    /** Near miss: the lock took a moment of the call. */
    @Test
    void theOwnerOfALockThatTookAMomentIsNot() {
        assertThat(reportOfCall(5.9)).contains("Server thread").doesNotContain("Nested owner");
    }

    private static String reportOfCall(double lockedUntilMs) {
        Diagnosis diagnosis = new SyntheticTrace()
                .process(CLIENT, "com.example.app")
                .process(SERVER, "server")
                .thread(2003, SERVER, "binder:2000_3", 120)
                .thread(2004, SERVER, "holder", 120)
                .runs(CLIENT, 1, 5.001, SchedState.SLEEPING)
                .runs(2003, 5.05, 5.2, SchedState.SLEEPING)
                .call(CLIENT, 5, 15, 2003, 5.1, 14.98)
                .slice(2003, "monitor contention with owner holder (2004) waiters=0", 5.15, lockedUntilMs)
                .runs(2004, 5.05, lockedUntilMs - 0.02, SchedState.SLEEPING)
                .wakes(2004, lockedUntilMs - 0.03, 2003)
                .runs(2003, lockedUntilMs - 0.01, lockedUntilMs + 0.1, SchedState.SLEEPING)
                .runs(2003, 14.9, 16, SchedState.SLEEPING)
                .wakes(2003, 14.99, CLIENT)
                .runs(CLIENT, 15, 20, SchedState.SLEEPING)
                .diagnose(DoctorOptions.defaults());
        return RootCauseReport.of(diagnosis, new TextReport.Style(100, false, true, 5, false), StubQueries.OF_TRACE);
    }

    @Test
    void theLongestWaitOfTheFirstRootCauseIsNotNamed() {
        assertThat(report(100)).contains("Root cause 1: sleeping owner").doesNotContain("Longest of all");
    }

    /** Two screens, also of twelve root causes with deep stacks. */
    @Test
    void aReportOfAServerFitsInAHundredLines() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            for (int cause = 0; cause < 12; cause++) {
                StringBuilder stack = new StringBuilder("void java.lang.Thread.sleep(long)(Thread.java:1)");
                for (int frame = 0; frame < 40; frame++) {
                    stack.append("\nvoid shop.service.internal.Layer%dOfCause%d.doTheWork()(Layer.java:%d)"
                            .formatted(frame, cause, frame));
                }
                for (int i = 0; i < 40; i++) {
                    int tid = 1000 + 10 * cause + i % 8;
                    stage.name(tid, "a-pool-of-the-server-%c-thread-%d".formatted('a' + cause, i % 8));
                    stage.withStack(tid, 4 * (i / 8) * 8, 4 * (i / 8) * 8 + 20, "sleep", "sleeping", stack.toString());
                }
            }
            String report = reportOf(stage);
            assertThat(RootCauseFinder.of(stage.diagnose()).causes()).hasSize(12);
            assertThat(report).contains("and 2 more, ");
            ReportLengthTest.assertFits(report, 3);
        }
    }

    /** Root causes of locks have more facts and two stacks each: facts are left out before the program's frames. */
    @Test
    void aReportOfManyLocksFitsInAHundredLinesAndKeepsFramesOfTheProgram() {
        try (SyntheticJvmTrace stage = ShopScene.play()) {
            for (int cause = 0; cause < 12; cause++) {
                int owner = 3000 + 10 * cause;
                for (int i = 0; i < 4; i++) {
                    int tid = 2000 + 10 * cause + i;
                    stage.name(tid, "a-pool-of-the-server-%c-thread-%d".formatted('a' + cause, i));
                    stage.stacked(
                            tid,
                            30 * cause,
                            30 * cause + 25,
                            "park",
                            "parking on java.util.concurrent.locks.ReentrantLock$NonfairSync (owner tid: %d)"
                                    .formatted(owner),
                            List.of(
                                    "jdk.internal.misc.Unsafe.park",
                                    "java.util.concurrent.locks.ReentrantLock.lock",
                                    "shop.service.Layer%d.takeTheLockOfThisLayer".formatted(cause),
                                    "shop.service.Layer%d.doTheWorkOfThisLayer".formatted(cause)));
                }
                stage.name(owner, "the-owner-of-the-lock-of-layer-%c".formatted('a' + cause));
                stage.stacked(
                        owner,
                        30 * cause,
                        30 * cause + 25,
                        "sleep",
                        "sleeping",
                        List.of(
                                "java.lang.Thread.sleep",
                                "shop.service.Layer%d.takeTheLockOfThisLayer".formatted(cause),
                                "shop.service.Layer%d.runTheOwner".formatted(cause)));
            }
            String report = reportOf(stage);
            ReportLengthTest.assertFits(report, 3);
            assertThat(report.lines().filter(line -> line.contains("Unsafe.park")))
                    .isNotEmpty();
            assertThat(report.replaceAll("\\s+", " "))
                    .as("the program's frame below the library's")
                    .containsPattern("Waiter stack jdk.internal.misc.Unsafe.park[^…]*… shop\\.")
                    .contains("Left out Waits for, Wait verdicts, 5 frames (--cause 1)")
                    .contains("and 7 more, 700.000 ms in all (--cause N shows each)");
        }
    }

    private static String report(int width) {
        try (SyntheticJvmTrace stage = ShopScene.play()) {
            return RootCauseReport.of(
                    stage.diagnose(), new TextReport.Style(width, false, true, 5, false), StubQueries.OF_TRACE);
        }
    }
}
