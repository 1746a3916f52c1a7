package dev.unjank.doctor.judge;

import static dev.unjank.doctor.scene.SyntheticJvmTrace.MAIN;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.MS;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.OTHER;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.report.LockMessages;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.trace.model.SchedState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which lock several waits were for, regardless of the waiter. */
class LockWaitTotalTest {
    private static String text(Diagnosis diagnosis) {
        return TextReport.of(diagnosis, TextReport.Style.plain());
    }

    @Test
    void waitsOfSeveralThreadsForOneLockAreOneLine() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            Diagnosis diagnosis = stage.waitsAsRecorded(MAIN, 10, 20, "other", OTHER)
                    .waitsAsRecorded(WORKER, 10, 25, "other", OTHER)
                    .waitsAsRecorded(WORKER, 40, 43, "main", MAIN)
                    .parks(WORKER, 60, 70, "ReentrantLock", 0)
                    .diagnose();
            List<LockWaitTotal> locks = LockWaitTotal.of(diagnosis.incidents());
            assertThat(locks).singleElement().satisfies(lock -> {
                assertThat(lock.waits()).isEqualTo(3);
                assertThat(lock.durNs()).isEqualTo(28 * MS);
                assertThat(lock.longest().rootWait().durNs()).isEqualTo(15 * MS);
                assertThat(lock.longestOwner().name()).isEqualTo("other");
                assertThat(lock.longestOwnerNs()).isEqualTo(25 * MS);
                assertThat(lock.explainedNs()).isEqualTo(28 * MS);
            });
            assertThat(text(diagnosis)).contains("""

                    By lock  3 waits for a monitor of app.Store: total 28.000 ms, longest 15.000 ms; mostly owned by
                             other (25.000 ms in total).

                    """);
        }
    }

    @Test
    void whoHeldItIsSaidAsFarAsTheTraceTells() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            Diagnosis offScheduler = stage.parks(MAIN, 10, 20, "ReentrantLock", 0)
                    .parks(WORKER, 10, 20, "ReentrantLock", 0)
                    .diagnose();
            assertThat(text(offScheduler)).contains("; owner not recorded.");
        }
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            Diagnosis half = stage.parks(MAIN, 10, 20, "ReentrantLock", 0)
                    .parks(WORKER, 30, 34, "ReentrantLock", OTHER)
                    .diagnose();
            assertThat(LockMessages.of(half).getFirst())
                    .endsWith(
                            "; longest owner other (4.000 ms in total); owners are recorded for 4.000 ms of 14.000 ms.");
        }
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            Diagnosis most = stage.parks(MAIN, 10, 20, "ReentrantLock", OTHER)
                    .parks(WORKER, 30, 34, "ReentrantLock", 0)
                    .diagnose();
            assertThat(LockMessages.of(most).getFirst())
                    .endsWith(
                            "; mostly owned by other (10.000 ms in total); owners are recorded for 10.000 ms of 14.000 ms.");
        }
    }

    /** What is known of the whole time is said without reserve, also of who had less than half. */
    @Test
    void ofSeveralHoldersTheOneOfLongest() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            Diagnosis diagnosis = stage.parks(MAIN, 10, 14, "ReentrantLock", OTHER)
                    .parks(WORKER, 30, 33, "ReentrantLock", MAIN)
                    .parks(MAIN, 40, 43, "ReentrantLock", WORKER)
                    .diagnose();
            assertThat(LockMessages.of(diagnosis).getFirst()).endsWith("; longest owner other (4.000 ms in total).");
        }
    }

    /** Once the lock is free, a thread that has no CPU yet waits for nobody that had the lock, and that is known. */
    @Test
    void itsOwnLackOfACpuIsTold() {
        SyntheticTrace stage = new SyntheticTrace()
                .process(SyntheticTrace.APP, "com.example.app")
                .process(SyntheticTrace.SERVER, "server");
        for (int at : new int[] {10, 30}) {
            stage.runs(SyntheticTrace.APP, at - 5, at, SchedState.SLEEPING)
                    .slice(SyntheticTrace.APP, "Lock contention on thread list lock (owner tid: 2000)", at - 1, at + 8)
                    .wakes(SyntheticTrace.SERVER, at + 5, SyntheticTrace.APP)
                    .runs(SyntheticTrace.APP, at + 7, at + 9, SchedState.SLEEPING);
        }
        LockWaitTotal lock = LockWaitTotal.of(
                        stage.diagnose(DoctorOptions.defaults()).incidents())
                .getFirst();
        assertThat(lock.longest().rootWait().wakeDelayNs()).isPositive();
        assertThat(lock.explainedNs()).isEqualTo(lock.durNs());
        assertThat(lock.longestOwnerNs()).isLessThan(lock.durNs());
    }

    /** Damaged times may make waits of centuries, of which ten times as much is no number. */
    @Test
    void waitsOfCenturiesAreMost() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            double century = 3.2e12;
            Diagnosis diagnosis = stage.waitsAsRecorded(MAIN, 10, 10 + century, "other", OTHER)
                    .waitsAsRecorded(WORKER, 10, 10 + century / 2, "other", OTHER)
                    .diagnose();
            assertThat(LockMessages.of(diagnosis)).hasSize(1);
        }
    }

    /** Of the locks that somebody waited for now and then none is what threads waited for most. */
    @Test
    void aLockThatHardlyAnybodyWaitedForIsLeftOut() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            Diagnosis diagnosis = stage.waitsAsRecorded(MAIN, 10, 12, "other", OTHER)
                    .waitsAsRecorded(WORKER, 20, 22, "other", OTHER)
                    .parks(WORKER, 60, 160, "ReentrantLock", 0)
                    .diagnose();
            assertThat(LockWaitTotal.of(diagnosis.incidents())).hasSize(1);
            assertThat(text(diagnosis)).doesNotContain("By lock");
        }
    }

    /** Of {@code a monitor lock} there are many, of the thread list's lock there is one in each process. */
    @Test
    void onAndroidOnlyTheRuntimesOwnLocksHaveNames() {
        Diagnosis diagnosis = new SyntheticTrace()
                .process(SyntheticTrace.APP, "com.example.app")
                .process(SyntheticTrace.SERVER, "server")
                .slice(SyntheticTrace.APP, "Lock contention on thread list lock (owner tid: 2000)", 10, 15)
                .slice(SyntheticTrace.APP, "Lock contention on thread list lock (owner tid: 2000)", 20, 23)
                .slice(SyntheticTrace.APP, "Lock contention on a monitor lock (owner tid: 2000)", 30, 35)
                .slice(SyntheticTrace.APP, "Lock contention on a monitor lock (owner tid: 2000)", 40, 45)
                .slice(SyntheticTrace.SERVER, "Lock contention on thread list lock (owner tid: 1000)", 50, 52)
                .diagnose(DoctorOptions.defaults());
        assertThat(diagnosis.incidents()).hasSize(5);
        assertThat(LockMessages.of(diagnosis))
                .containsExactly(
                        "2 waits for the thread list lock in com.example.app: total 8.000 ms, longest 5.000 ms;"
                                + " mostly owned by server (8.000 ms in total).");
    }
}
