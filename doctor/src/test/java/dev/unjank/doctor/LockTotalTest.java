package dev.unjank.doctor;

import static dev.unjank.doctor.JvmStage.MAIN;
import static dev.unjank.doctor.JvmStage.MS;
import static dev.unjank.doctor.JvmStage.OTHER;
import static dev.unjank.doctor.JvmStage.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which lock several waits were for, whoever waited. */
class LockTotalTest {
    private static String text(Diagnosis diagnosis) {
        return TextReport.of(diagnosis, TextReport.Style.plain());
    }

    @Test
    void waitsOfSeveralThreadsForOneLockAreOneLine() {
        try (JvmStage stage = new JvmStage()) {
            Diagnosis diagnosis = stage.waitsAsRecorded(MAIN, 10, 20, "other", OTHER)
                    .waitsAsRecorded(WORKER, 10, 25, "other", OTHER)
                    .waitsAsRecorded(WORKER, 40, 43, "main", MAIN)
                    .parks(WORKER, 60, 70, "ReentrantLock", 0)
                    .diagnose();
            List<LockTotal> locks = LockTotal.of(diagnosis.incidents());
            assertThat(locks).singleElement().satisfies(lock -> {
                assertThat(lock.waits()).isEqualTo(3);
                assertThat(lock.durNs()).isEqualTo(28 * MS);
                assertThat(lock.longest().tree().durNs()).isEqualTo(15 * MS);
                assertThat(lock.holder().name()).isEqualTo("other");
                assertThat(lock.heldNs()).isEqualTo(25 * MS);
                assertThat(lock.toldNs()).isEqualTo(28 * MS);
            });
            assertThat(text(diagnosis)).contains("""

                    By lock  3 waits for a monitor of app.Store: 28.000 ms in all, at most 15.000 ms; longest behind
                             other (25.000 ms).

                    """);
        }
    }

    @Test
    void whoHeldItIsSaidAsFarAsTheTraceTells() {
        try (JvmStage stage = new JvmStage()) {
            Diagnosis untold = stage.parks(MAIN, 10, 20, "ReentrantLock", 0)
                    .parks(WORKER, 10, 20, "ReentrantLock", 0)
                    .diagnose();
            assertThat(text(untold)).contains("; who held it, the trace does not tell.");
        }
        try (JvmStage stage = new JvmStage()) {
            Diagnosis half = stage.parks(MAIN, 10, 20, "ReentrantLock", 0)
                    .parks(WORKER, 30, 34, "ReentrantLock", OTHER)
                    .diagnose();
            assertThat(LockWords.of(half).getFirst())
                    .endsWith("; longest, as far as the trace tells, behind other (4.000 ms).");
        }
    }

    /** Of the locks that somebody waited for now and then none is what threads waited for most. */
    @Test
    void aLockThatHardlyAnybodyWaitedForIsLeftOut() {
        try (JvmStage stage = new JvmStage()) {
            Diagnosis diagnosis = stage.waitsAsRecorded(MAIN, 10, 12, "other", OTHER)
                    .waitsAsRecorded(WORKER, 20, 22, "other", OTHER)
                    .parks(WORKER, 60, 160, "ReentrantLock", 0)
                    .diagnose();
            assertThat(LockTotal.of(diagnosis.incidents())).hasSize(1);
            assertThat(text(diagnosis)).doesNotContain("By lock");
        }
    }

    /** Of {@code a monitor lock} there are many, of the thread list's lock there is one in each process. */
    @Test
    void onAndroidOnlyTheRuntimesOwnLocksHaveNames() {
        Diagnosis diagnosis = new Stage()
                .process(Stage.APP, "com.example.app")
                .process(Stage.SERVER, "server")
                .slice(Stage.APP, "Lock contention on thread list lock (owner tid: 2000)", 10, 15)
                .slice(Stage.APP, "Lock contention on thread list lock (owner tid: 2000)", 20, 23)
                .slice(Stage.APP, "Lock contention on a monitor lock (owner tid: 2000)", 30, 35)
                .slice(Stage.APP, "Lock contention on a monitor lock (owner tid: 2000)", 40, 45)
                .slice(Stage.SERVER, "Lock contention on thread list lock (owner tid: 1000)", 50, 52)
                .diagnose(DoctorOptions.defaults());
        assertThat(diagnosis.incidents()).hasSize(5);
        assertThat(LockWords.of(diagnosis))
                .containsExactly(
                        "2 waits for the thread list lock in com.example.app: 8.000 ms in all, at most 5.000 ms;"
                                + " longest behind server (8.000 ms).");
    }
}
