package dev.unjank.doctor.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.judge.RootCauseFinder;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.scene.ShopScene;
import dev.unjank.doctor.scene.StubQueries;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The report leads with the line of code to change. */
class RootCauseReportTest {
    @Test
    void theShopsJournalIsNamedAndTheSleepIsTheSecondLine() {
        String report = report(100);
        assertThat(report).contains("100 %", "http-worker-# in Shop.writeJournal →");
        assertThat(report.lines().map(String::strip))
                .containsSubsequence(
                        "Root cause     sleeping owner, waiting for a lock of class",
                        "java.util.concurrent.locks.ReentrantLock",
                        "Waiter         http-worker-#, 8 threads, in shop.Shop.writeJournal (line 18)",
                        "Owner          http-worker-#, 8 threads, in shop.Shop.writeJournal (line 19)",
                        "Meanwhile      sleeping in shop.Disk.sync (line 5)",
                        "Waiter stack   jdk.internal.misc.Unsafe.park (Unsafe)",
                        "… 1 library frame",
                        "shop.Shop.writeJournal (line 18)");
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
                    .doesNotContain("more", "library frame");
            assertThat(RootCauseReport.ofCause(diagnosis, 99, TextReport.Style.plain(), StubQueries.OF_TRACE))
                    .isEmpty();
        }
    }

    private static String report(int width) {
        try (SyntheticJvmTrace stage = ShopScene.play()) {
            return RootCauseReport.of(
                    stage.diagnose(), new TextReport.Style(width, false, true, 5, false), StubQueries.OF_TRACE);
        }
    }
}
