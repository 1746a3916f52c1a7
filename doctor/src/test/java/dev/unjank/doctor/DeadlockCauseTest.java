package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.judge.RootCauseFinder;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.report.Advice;
import dev.unjank.doctor.report.json.JsonReport;
import dev.unjank.doctor.report.text.RootCauseReport;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.StubQueries;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A deadlock as a recorder that samples lock owners shows it, is the first root cause in all reports. */
class DeadlockCauseTest {
    private static final int ONE = 201;
    private static final int TWO = 202;

    private final SyntheticJvmTrace stage = new SyntheticJvmTrace()
            .name(ONE, "transfer-0")
            .name(TWO, "transfer-1")
            .waits(SyntheticJvmTrace.MAIN, 150, 180, "worker", SyntheticJvmTrace.WORKER);

    @AfterEach
    void close() {
        stage.close();
    }

    private Diagnosis deadlock() {
        return stage.waitsForEver(ONE, 10, "transfer-1", TWO, "app.Bank.transfer")
                .waitsForEver(TWO, 11, "transfer-0", ONE, "app.Bank.transfer")
                .diagnose();
    }

    private static RootCause first(Diagnosis diagnosis) {
        return RootCauseFinder.of(diagnosis).causes().getFirst();
    }

    @Test
    void bothThreadsAreOneRootCauseWithTheirCode() {
        Diagnosis diagnosis = deadlock();
        RootCause cause = first(diagnosis);
        assertThat(cause.verdict()).isEqualTo(Verdict.DEADLOCK);
        assertThat(cause.incidents()).hasSize(2);
        assertThat(cause.waiters().name()).isEqualTo("transfer-#");
        assertThat(cause.waiterSite().method()).isEqualTo("app.Bank.transfer");
        assertThat(cause.ownerSite().method()).isEqualTo("app.Bank.transfer");
        assertThat(Advice.of(cause.example(), diagnosis.platform()).getFirst())
                .startsWith("Acquire these locks in the same order everywhere");
        SceneDiagnoses.assertSound(diagnosis);
    }

    /** Different methods, locks and names: still one deadlock, before a longer sleep of the main thread. */
    @Test
    void threadsOfDifferentRolesAreOneRootCauseBeforeAllOthers() {
        stage.stacked(
                        SyntheticJvmTrace.MAIN,
                        0,
                        149,
                        "sleep",
                        "sleeping",
                        List.of("java.lang.Thread.sleep", "app.Main.pause", "app.Main.main"))
                .name(ONE, "audit")
                .name(TWO, "transfer")
                .waitsForEver(ONE, 160, "transfer", TWO, "app.Bank.transfer")
                .waitsForEver(TWO, 161, "audit", ONE, "app.Audit.run");
        Diagnosis diagnosis = stage.diagnose();
        RootCause cause = first(diagnosis);
        assertThat(cause.verdict()).isEqualTo(Verdict.DEADLOCK);
        assertThat(cause.incidents()).hasSize(2);
        assertThat(cause.waiters().name().split(", ", -1)).containsExactlyInAnyOrder("audit", "transfer");
        assertThat(cause.waiters().threads()).isEqualTo(2);
        assertThat(RootCauseFinder.of(diagnosis).causes().get(1).verdict()).isEqualTo(Verdict.SLEPT);
        assertThat(RootCauseReport.of(diagnosis, TextReport.Style.plain(), StubQueries.OF_TRACE))
                .contains("Root cause 1: deadlock");
        SceneDiagnoses.assertSound(diagnosis);
    }

    /** Near miss: two deadlocks of other threads are two root causes. */
    @Test
    void twoDeadlocksAreTwoRootCauses() {
        stage.name(203, "reader").name(204, "writer");
        Diagnosis diagnosis = stage.waitsForEver(ONE, 10, "transfer-1", TWO, "app.Bank.transfer")
                .waitsForEver(TWO, 11, "transfer-0", ONE, "app.Bank.audit")
                .waitsForEver(203, 12, "writer", 204, "app.Log.write")
                .waitsForEver(204, 13, "reader", 203, "app.Log.read")
                .diagnose();
        assertThat(RootCauseFinder.of(diagnosis).causes())
                .filteredOn(cause -> cause.verdict() == Verdict.DEADLOCK)
                .hasSize(2)
                .allSatisfy(cause -> assertThat(cause.incidents()).hasSize(2));
    }

    /** The threads also waited for the lock for longer before. */
    @Test
    void aDeadlockAfterLongWaitsForTheLockIsFirst() {
        stage.waits(ONE, 0, 90, "transfer-1", TWO)
                .waitsForEver(ONE, 160, "transfer-1", TWO, "app.Bank.transfer")
                .waitsForEver(TWO, 161, "transfer-0", ONE, "app.Bank.transfer");
        assertThat(first(stage.diagnose()).verdict()).isEqualTo(Verdict.DEADLOCK);
    }

    @Test
    void textAndJsonSayTheSame() throws IOException {
        Diagnosis diagnosis = deadlock();
        assertThat(RootCauseReport.of(diagnosis, TextReport.Style.plain(), StubQueries.OF_TRACE))
                .contains(
                        "a monitor of app.Account: transfer-# in Bank.transfer → transfer-# in Bank.transfer",
                        "Acquire these locks in the same order everywhere");
        StringWriter json = new StringWriter();
        JsonReport.write(diagnosis, StubQueries.OF_TRACE, json);
        assertThat(json.toString())
                .contains("\"verdict\" : \"DEADLOCK\"", "\"method\" : \"app.Bank.transfer\"")
                .contains("\"next\" : \"Acquire these locks in the same order everywhere");
    }

    @Test
    void eachThreadIsNamedWithItsCodeItsLockAndTheLocksOwner() {
        String report = RootCauseReport.of(deadlock(), TextReport.Style.plain(), StubQueries.OF_TRACE);
        assertThat(report.replaceAll("\\s+", " "))
                .contains("Cycle transfer-0 in app.Bank.transfer (A.java:1) waits for a monitor of app.Account, owner"
                        + " transfer-1; transfer-1 in app.Bank.transfer (A.java:1) waits for a monitor of app.Account,"
                        + " owner transfer-0 ")
                .contains("Owner stack app.Bank.transfer (A.java:1) app.Bank.run (A.java:9)");
    }

    /** Near miss: a lock wait of another thread that never ends is listed after that of the main thread. */
    @Test
    void withoutACycleTheMainThreadsWaitIsTheFirstIncident() {
        stage.waitsForEver(ONE, 10, "transfer-1", TWO, "app.Bank.transfer");
        assertThat(stage.diagnose().incidents().getFirst().rootWait().thread().tid())
                .isEqualTo(SyntheticJvmTrace.MAIN);
    }

    /** A deadlock never ends: a wait of the main thread, which is more severe, is listed after it. */
    @Test
    void aDeadlockIsTheFirstIncident() {
        Diagnosis diagnosis = deadlock();
        assertThat(diagnosis.incidents()).extracting(Incident::verdict).startsWith(Verdict.DEADLOCK, Verdict.DEADLOCK);
        assertThat(diagnosis.incidents().get(2).rootWait().thread().tid()).isEqualTo(SyntheticJvmTrace.MAIN);
        assertThat(TextReport.of(diagnosis, TextReport.Style.plain())).contains("\nDeadlock (incident #1)\n");
    }

    /** Near miss: other waits have no cycle. */
    @Test
    void aWaitForALockHasNoCycle() {
        assertThat(RootCauseReport.of(stage.diagnose(), TextReport.Style.plain(), StubQueries.OF_TRACE))
                .contains("Owner ")
                .doesNotContain("Cycle");
    }

    private List<Verdict> verdicts() {
        return stage.diagnose().incidents().stream().map(Incident::verdict).toList();
    }

    @Test
    void longWaitsForEachOtherInTurnAreNoDeadlock() {
        stage.waits(ONE, 10, 70, "transfer-1", TWO).waits(TWO, 75, 140, "transfer-0", ONE);
        assertThat(verdicts()).hasSize(3).doesNotContain(Verdict.DEADLOCK);
    }

    /** One of them got its lock, so it was not in the cycle any more. */
    @Test
    void waitsForEachOtherThatOverlapAndEndAreNoDeadlock() {
        stage.waits(ONE, 10, 70, "transfer-1", TWO).waits(TWO, 30, 140, "transfer-0", ONE);
        assertThat(verdicts()).hasSize(3).doesNotContain(Verdict.DEADLOCK);
    }
}
