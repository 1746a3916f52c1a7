package dev.unjank.doctor.judge;

import static dev.unjank.doctor.scene.SyntheticJvmTrace.MAIN;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.OTHER;
import static dev.unjank.doctor.scene.SyntheticTrace.APP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.trace.model.SchedState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Threads that follow one another on one lock. */
class LockConvoyFinderTest {
    private static final String NAME = "monitor contention with owner first (1001) at void a.B.c()(B.java:1) waiters=";
    private static final String MUTEX = "Contending for pthread mutex";

    /**
     * The first owner holds the lock until {@code firstMs}; then so many threads that waited have it for {@code
     * eachMs}, and the main thread gets it last.
     */
    @ParameterizedTest
    @CsvSource({
        "1, 3, 3, LOCK_CONVOY",
        "1, 2, 3, LONG_HOLD", // two before it are a queue as any
        "20, 3, 1, LONG_HOLD", // the first one was slow, the others were not
    })
    void threadsInARow(double firstMs, int followers, double eachMs, Verdict verdict) {
        SyntheticTrace stage =
                new SyntheticTrace().process(APP, "com.example.app").thread(1001, APP, "first", 110);
        double end = 5 + firstMs + followers * eachMs;
        stage.runs(1001, 1, end + 5, SchedState.SLEEPING);
        for (int i = 0; i < followers; i++) {
            int tid = 1002 + i;
            double gets = 5 + firstMs + i * eachMs;
            stage.thread(tid, APP, "follower " + i, 110)
                    .runs(tid, 1, 4.5, SchedState.SLEEPING)
                    .wakes(1001, gets - 0.1, tid)
                    .runs(tid, gets - 0.05, gets + eachMs, SchedState.SLEEPING)
                    .slice(tid, NAME + i, 4.4, gets);
        }
        stage.runs(APP, 1, 5.1, SchedState.SLEEPING)
                .wakes(1001, end - 0.1, APP)
                .runs(APP, end - 0.05, end + 3, SchedState.SLEEPING)
                .slice(APP, NAME + followers, 5, end);
        Incident incident = stage.incidents().getFirst();
        assertThat(incident.verdict()).isEqualTo(verdict);
        assertThat(incident.convoy() != null).isEqualTo(verdict == Verdict.LOCK_CONVOY);
        if (incident.convoy() != null) {
            assertThat(incident.convoy().threads()).isEqualTo(3);
        }
        SceneDiagnoses.assertTiled(incident.rootWait());
    }

    private static final String FAIR = "ReentrantLock$FairSync";

    /**
     * A lock of the library, as a recorder writes it: the name contains the owner at the beginning of the wait, the
     * first one, which sleeps while it holds the lock until {@code firstMs}. Three others that waited sleep with it in
     * turn, and main gets it last, after 30 ms.
     */
    @ParameterizedTest
    @CsvSource({
        "5,  ReentrantLock$FairSync,    103, LOCK_CONVOY",
        "18, ReentrantLock$FairSync,    103, SLEEPING_OWNER", // the first one alone had it for most of the time
        "5,  ReentrantLock$NonfairSync, 103, SLEEPING_OWNER", // the others waited for another lock
        "5,  ReentrantLock$FairSync,    109, SLEEPING_OWNER", // or it was in the hands of somebody else
    })
    void locksOfTheLibrary(int firstMs, String othersLock, int othersOwner, Verdict verdict) {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.name(109, "elsewhere").slice(OTHER, 0, 60, "sleep", "sleeping");
            double each = (30.0 - firstMs) / 3;
            for (int i = 0; i < 3; i++) {
                int tid = 111 + i;
                double gets = 10 + firstMs + i * each;
                stage.name(tid, "follower " + i)
                        .parks(tid, 9, gets, othersLock, othersOwner)
                        .slice(tid, gets, gets + each, "sleep", "sleeping");
            }
            stage.parks(MAIN, 10, 40, FAIR, OTHER);
            assertVerdict(stage, verdict);
        }
    }

    /**
     * The owner of the lock may wait for another lock again and again; the waiters for the first lock are no convoy
     * because of that.
     */
    @Test
    void whatAnOwnerWaitsForIsAnotherLock() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.name(111, "one").name(112, "two").name(113, "three");
            for (int i = 0; i < 3; i++) {
                stage.parks(OTHER, 11 + 9 * i, 19 + 9 * i, FAIR, 111 + i).slice(111 + i, 10, 40, "sleep", "sleeping");
            }
            stage.parks(MAIN, 10, 40, FAIR, OTHER);
            assertVerdict(stage, Verdict.SLEEPING_OWNER);
        }
    }

    /** Nor is it one of those that got the first, when two others did. */
    @Test
    void anOwnerThatWaitsIsNoneOfThoseThatFollowed() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.name(111, "one")
                    .name(112, "two")
                    .name(113, "three")
                    .parks(OTHER, 11, 13, FAIR, 113)
                    .slice(OTHER, 13, 60, "sleep", "sleeping")
                    .parks(111, 9, 20, FAIR, OTHER)
                    .parks(112, 9, 30, FAIR, OTHER)
                    .parks(MAIN, 10, 40, FAIR, OTHER);
            assertVerdict(stage, Verdict.SLEEPING_OWNER);
        }
    }

    /** Of monitors the class may be known: two in the hands of one owner are two locks. */
    @ParameterizedTest
    @CsvSource({"app.Store, LOCK_CONVOY", "app.Other, SLEEPING_OWNER"})
    void monitorsOfTwoClasses(String othersClass, Verdict verdict) {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            String wait = "monitor contention with owner other (103) waiters=%d lock=%s";
            stage.slice(OTHER, 0, 60, "sleep", "sleeping");
            for (int i = 0; i < 3; i++) {
                double gets = 15 + i * 8;
                stage.name(111 + i, "follower " + i).slice(111 + i, 9, gets, "", wait.formatted(i, othersClass));
            }
            stage.slice(MAIN, 10, 40, "", wait.formatted(3, "app.Store"));
            assertVerdict(stage, verdict);
        }
    }

    /**
     * Of three waits for one owner, which may hold two locks, the methods and the number of waiters tell the locks
     * apart.
     */
    @ParameterizedTest
    @CsvSource({
        "a.Lock.take,  a.Lock.get,  8.5,  1, LOCK_CONVOY",
        "a.Other.take, a.Other.get, 8.5,  1, LOCK_CONVOY", // another class of the package
        "b.Other.take, a.Lock.get,  8.5,  1, LOCK_CONVOY", // the owner took the lock again elsewhere
        "b.Other.take, b.Other.get, 8.5,  1, LONG_HOLD",
        "a.Lock.take,  a.Lock.get,  10.5, 1, LOCK_CONVOY",
        "a.Lock.take,  a.Lock.get,  10.5, 0, LONG_HOLD", // main waits already, but not for this lock
    })
    void monitorsOfAndroid(String owner, String waiter, double from, int waiters, Verdict verdict) {
        SyntheticTrace stage =
                new SyntheticTrace().process(APP, "com.example.app").thread(1001, APP, "owner", 110);
        String wait =
                "monitor contention with owner owner (1001) at void %s()(A.java:1) waiters=%d blocking from void %s()(A.java:2)";
        stage.runs(1001, 1, 60, SchedState.SLEEPING);
        for (int i = 0; i < 3; i++) {
            int tid = 1002 + i;
            double gets = 14 + i * 8;
            stage.thread(tid, APP, "follower " + i, 110)
                    .runs(tid, 1, from + 0.1, SchedState.SLEEPING)
                    .runs(tid, gets, gets + 8, SchedState.SLEEPING)
                    .slice(tid, wait.formatted(owner, waiters, waiter), from, gets);
        }
        stage.runs(APP, 1, 10.1, SchedState.SLEEPING)
                .runs(APP, 40, 50, SchedState.SLEEPING)
                .slice(APP, wait.formatted("a.Lock.take", 3, "a.Lock.get"), 10, 40);
        Incident incident = stage.incidents().getFirst();
        assertThat(incident.verdict()).isEqualTo(verdict);
        assertThat(incident.convoy() != null).isEqualTo(verdict == Verdict.LOCK_CONVOY);
    }

    private static void assertVerdict(SyntheticJvmTrace stage, Verdict verdict) {
        Incident incident = stage.diagnose(DoctorOptions.defaults().withThread("main"))
                .incidents()
                .getFirst();
        assertThat(incident.rootWait().durNs()).isEqualTo(30 * SyntheticJvmTrace.MS);
        assertThat(incident.verdict()).isEqualTo(verdict);
        assertThat(incident.convoy() != null).isEqualTo(verdict == Verdict.LOCK_CONVOY);
        SceneDiagnoses.assertTiled(incident.rootWait());
    }

    /**
     * The owner of a mutex of native code is not recorded: the thread that woke a waiter held it last, and was itself
     * woken by the thread before. Each has it for 5 ms.
     */
    @ParameterizedTest
    @CsvSource({"3, LOCK_CONVOY", "2, LONG_HOLD"})
    void aMutexWhoseOwnersAreInferred(int followers, Verdict verdict) {
        SyntheticTrace stage =
                new SyntheticTrace().process(APP, "com.example.app").thread(1001, APP, "first", 110);
        double gets = 10;
        stage.runs(1001, 1, gets + 0.05, SchedState.SLEEPING);
        int last = 1001;
        for (int i = 0; i < followers; i++) {
            int tid = 1002 + i;
            stage.thread(tid, APP, "follower " + i, 110)
                    .runs(tid, 1, 4.5, SchedState.SLEEPING)
                    .wakes(last, gets, tid)
                    .runs(tid, gets + 0.01, gets + 5.05, SchedState.SLEEPING)
                    .slice(tid, MUTEX, 4.4, gets + 0.01);
            last = tid;
            gets += 5;
        }
        stage.runs(APP, 1, 5.1, SchedState.SLEEPING)
                .wakes(last, gets, APP)
                .runs(APP, gets + 0.01, gets + 3, SchedState.SLEEPING)
                .slice(APP, MUTEX, 5, gets + 0.01);
        Incident incident = stage.incidents().getFirst();
        assertThat(incident.rootWait().kind()).isEqualTo(WaitKind.MUTEX);
        assertThat(incident.verdict()).isEqualTo(verdict);
        assertThat(incident.judgement().evidence()).isEqualTo(Evidence.WAKER_INFERRED);
        SceneDiagnoses.assertTiled(incident.rootWait());
    }
}
