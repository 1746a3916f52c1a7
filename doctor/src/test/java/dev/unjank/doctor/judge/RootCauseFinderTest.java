package dev.unjank.doctor.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Summary;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.model.cause.CostMeasure;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.model.cause.RootCauses;
import dev.unjank.doctor.report.CauseMessages;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.trace.read.jfr.JfrChunks;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What makes a root cause of incidents, and what does not. */
class RootCauseFinderTest {
    private static final int HANDLER_1 = 201;
    private static final int HANDLER_2 = 202;
    private static final int HANDLER_3 = 203;
    private static final int TIMER = 301;

    private static final String SLEEPS_IN_JOURNAL = """
            void java.lang.Thread.sleep(long)(Thread.java:1)
            void shop.Disk.sync()(Disk.java:5)
            void app.Store.write()(Store.java:20)
            void app.Store.run()(Store.java:3)""";

    private final SyntheticJvmTrace stage = new SyntheticJvmTrace()
            .name(HANDLER_1, "http-worker-1")
            .name(HANDLER_2, "http-worker-2")
            .name(HANDLER_3, "http-worker-3")
            .name(TIMER, "timer");

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void oneHoldSeenByThreeThreadsOfAPoolIsOneOccurrence() {
        stage.waits(HANDLER_1, 10, 30, "worker", SyntheticJvmTrace.WORKER)
                .waits(HANDLER_2, 12, 30, "worker", SyntheticJvmTrace.WORKER)
                .waits(HANDLER_3, 14, 30, "worker", SyntheticJvmTrace.WORKER);
        RootCause cause = only(causes());
        assertThat(cause.occurrences()).isEqualTo(1);
        assertThat(cause.incidents()).containsExactly(1, 2, 3);
        assertThat(cause.waiters().name()).isEqualTo("http-worker-#");
        assertThat(cause.waiters().threads()).isEqualTo(3);
        assertThat(cause.totalNs()).isEqualTo(54 * SyntheticJvmTrace.MS);
        assertThat(cause.p50Ns()).isEqualTo(18 * SyntheticJvmTrace.MS);
        assertThat(cause.maxNs()).isEqualTo(20 * SyntheticJvmTrace.MS);
    }

    @Test
    void twoHoldsAreTwoOccurrences() {
        stage.waits(HANDLER_1, 10, 30, "worker", SyntheticJvmTrace.WORKER)
                .waits(HANDLER_1, 40, 50, "worker", SyntheticJvmTrace.WORKER);
        assertThat(only(causes()).occurrences()).isEqualTo(2);
    }

    /** One lock is one thing to change, whatever its waits were due to. */
    @Test
    void theVerdictDoesNotSplitALock() {
        stage.waits(HANDLER_1, 10, 40, "worker", SyntheticJvmTrace.WORKER)
                .slice(SyntheticJvmTrace.WORKER, 9, 41, "sleep", "sleeping")
                .waits(HANDLER_2, 60, 80, "worker", SyntheticJvmTrace.WORKER);
        RootCause cause = only(causes());
        assertThat(cause.verdict()).isEqualTo(Verdict.SLEEPING_OWNER);
        assertThat(cause.verdicts())
                .extracting(Summary.Total::verdict)
                .containsExactly(Verdict.SLEEPING_OWNER, Verdict.UNKNOWN);
    }

    @Test
    void aKnownVerdictWithATenthOfTheTimeIsNamed() {
        stage.waits(HANDLER_1, 10, 20, "worker", SyntheticJvmTrace.WORKER)
                .slice(SyntheticJvmTrace.WORKER, 9, 21, "sleep", "sleeping")
                .waits(HANDLER_2, 60, 150, "worker", SyntheticJvmTrace.WORKER);
        assertThat(only(causes()).verdict()).isEqualTo(Verdict.SLEEPING_OWNER);
    }

    @Test
    void lessThanATenthIsNot() {
        stage.waits(HANDLER_1, 10, 19, "worker", SyntheticJvmTrace.WORKER)
                .slice(SyntheticJvmTrace.WORKER, 9, 21, "sleep", "sleeping")
                .waits(HANDLER_2, 60, 150, "worker", SyntheticJvmTrace.WORKER);
        assertThat(only(causes()).verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void theOwnersCodeIsTheFrameThatTookTheLock() {
        stage.parksBehind(HANDLER_1, 10, 30, 10, SyntheticJvmTrace.WORKER, SLEEPS_IN_JOURNAL);
        RootCause cause = only(causes());
        assertThat(method(cause.ownerSite())).isEqualTo("app.Store.write");
        assertThat(method(cause.waiterSite())).isEqualTo("app.Store.put");
        assertThat(cause.ownerActivity())
                .extracting(CodeLocation::method)
                .containsExactly("java.lang.Thread.sleep", "shop.Disk.sync");
    }

    @Test
    void differentCodeOfOwnersIsADifferentCause() {
        stage.parksBehind(HANDLER_1, 10, 30, 10, SyntheticJvmTrace.WORKER, SLEEPS_IN_JOURNAL)
                .parksBehind(
                        HANDLER_1,
                        40,
                        45,
                        40,
                        SyntheticJvmTrace.WORKER,
                        "void app.Store.flush()(Store.java:50)\nvoid app.Store.run()(Store.java:3)");
        assertThat(causes().causes())
                .extracting(cause -> method(cause.ownerSite()))
                .containsExactly("app.Store.write", "app.Store.flush");
    }

    @Test
    void aWaitWithoutAnOwnerJoinsTheLargestCauseForTheSameLock() {
        stage.parksBehind(HANDLER_1, 10, 30, 10, SyntheticJvmTrace.WORKER, SLEEPS_IN_JOURNAL)
                .parks(HANDLER_2, 40, 60, "ReentrantLock$NonfairSync", 0);
        assertThat(only(causes()).incidents()).hasSize(2);
    }

    /** A sleep with a stack of {@code app.Store.write}, and a wait for the lock of its thread. */
    private void sleepsUnderLock(int sleeper, String name, double waitFromMs, double waitToMs) {
        stage.withStack(sleeper, 10, 40, "sleep", "sleeping", SLEEPS_IN_JOURNAL)
                .waits(HANDLER_1, waitFromMs, waitToMs, name, sleeper);
    }

    @Test
    void aSleepUnderALockIsAPartOfTheLocksCause() {
        sleepsUnderLock(TIMER, "timer", 12, 42);
        RootCauses causes = causes();
        RootCause cause = only(causes);
        assertThat(cause.verdict()).isEqualTo(Verdict.SLEEPING_OWNER);
        assertThat(cause.incidents()).hasSize(1);
        assertThat(cause.meanwhile()).hasSize(1);
        assertThat(causes.totalNs()).as("the sleep does not count again").isEqualTo(30 * SyntheticJvmTrace.MS);
        SceneDiagnoses.assertSound(stage.diagnose());
    }

    @Test
    void aSleepForWhichNobodyWaitsMostOfTheTimeIsAnotherCause() {
        sleepsUnderLock(TIMER, "timer", 26, 42);
        assertThat(causes().causes())
                .extracting(RootCause::verdict)
                .containsExactlyInAnyOrder(Verdict.SLEEPING_OWNER, Verdict.SLEPT);
        assertThat(causes().causes())
                .allSatisfy(cause -> assertThat(cause.partOf()).isNull());
    }

    @Test
    void aPoolThreadsSleepUnderALockIsItsOwnCauseAndSaysSo() {
        sleepsUnderLock(HANDLER_2, "http-worker-2", 12, 44);
        List<RootCause> causes = causes().causes();
        assertThat(causes).extracting(RootCause::verdict).containsExactly(Verdict.SLEEPING_OWNER, Verdict.SLEPT);
        assertThat(causes.getFirst().meanwhile()).isEmpty();
        assertThat(causes.getLast().partOf()).isEqualTo(causes.getFirst().key());
    }

    /** Locks of one class in one class of the program may be several. */
    @Test
    void aWaitInOtherCodeDoesNotJoinALockOfAGenericClass() {
        stage.parksBehind(HANDLER_1, 10, 30, 10, SyntheticJvmTrace.WORKER, SLEEPS_IN_JOURNAL)
                .slice(
                        HANDLER_2,
                        40,
                        60,
                        "park",
                        "parking on java.util.concurrent.locks.ReentrantLock$NonfairSync (owner tid: 0) blocking from void"
                                + " app.Store.get()(Store:9)");
        assertThat(causes().causes())
                .extracting(cause -> method(cause.waiterSite()))
                .containsExactly("app.Store.put", "app.Store.get");
    }

    @Test
    void otherWaitersAndOtherLocksAreOtherCauses() {
        stage.waits(HANDLER_1, 10, 30, "worker", SyntheticJvmTrace.WORKER)
                .waits(TIMER, 40, 70, "worker", SyntheticJvmTrace.WORKER)
                .parks(HANDLER_1, 80, 90, "ReentrantLock$NonfairSync", SyntheticJvmTrace.WORKER);
        assertThat(causes().causes()).hasSize(3);
    }

    @Test
    void threadsOfPoolsComeBeforeOtherThreads() {
        stage.waits(HANDLER_1, 10, 30, "worker", SyntheticJvmTrace.WORKER)
                .waits(TIMER, 40, 70, "worker", SyntheticJvmTrace.WORKER);
        RootCauses causes = causes();
        assertThat(causes.measure()).isEqualTo(CostMeasure.REQUEST_THREADS);
        assertThat(causes.causes())
                .extracting(cause -> cause.waiters().name())
                .containsExactly("http-worker-1", "timer");
        assertThat(causes.causes().getLast().costNs()).isZero();
    }

    @Test
    void missedFramesDecideWhereTheTraceHasThem() {
        stage.waits(HANDLER_1, 10, 90, "worker", SyntheticJvmTrace.WORKER)
                .waits(SyntheticJvmTrace.EVENTS, 102, 112, "worker", SyntheticJvmTrace.WORKER)
                .name(SyntheticJvmTrace.EVENTS, "AWT-EventQueue-0")
                .frame(SyntheticJvmTrace.EVENTS, "AWT-EventQueue-0", 1, 100, 120);
        RootCauses causes = causes();
        assertThat(causes.measure()).isEqualTo(CostMeasure.MISSED_FRAMES);
        assertThat(causes.causes().getFirst().waiters().name()).isEqualTo("AWT-EventQueue-0");
        assertThat(causes.causes().getFirst().costNs()).isEqualTo(10 * SyntheticJvmTrace.MS);
    }

    /** A pause that stops the owner of a lock, and one that prolongs a sleep, are not three things to change. */
    @Test
    void waitsThatAPauseExplainsArePartsOfItsCause() {
        stage.waits(HANDLER_1, 10, 92, "worker", SyntheticJvmTrace.WORKER)
                .stacked(
                        HANDLER_2,
                        18,
                        90,
                        "sleep",
                        "sleeping",
                        List.of("java.lang.Thread.sleep", "app.Store.retry", "app.Store.run"))
                .stop(20, 90, "gc", "GC pause: SerialOld (System.gc())");
        RootCause cause = only(causes());
        assertThat(cause.kind()).isEqualTo(WaitKind.GC);
        assertThat(cause.incidents()).hasSize(3);
        assertThat(cause.waiters().longest().isAllOfProcess()).isTrue();
        assertThat(cause.waiterSite()).isNull();
        assertThat(cause.example().rootWait().isProcessPause()).isTrue();
    }

    /** Not the one whose lock the pause made others wait for, although these waits take longer than the pause. */
    @Test
    void theThreadThatRequestedThePauseBlockedTheOthers() {
        stage.waits(HANDLER_1, 10, 92, "worker", SyntheticJvmTrace.WORKER)
                .waits(HANDLER_2, 10, 93, "worker", SyntheticJvmTrace.WORKER)
                .slice(
                        SyntheticJvmTrace.OTHER,
                        19,
                        91,
                        "gc",
                        "System.gc() from void app.Cleaner.clean()(Cleaner.java:9)")
                .stop(20, 90, "gc", "GC pause: SerialOld (System.gc())");
        RootCause cause = only(causes());
        assertThat(cause.incidents()).hasSize(3);
        assertThat(Objects.requireNonNull(cause.owners()).longest().name()).isEqualTo("other");
        assertThat(method(cause.ownerSite())).isEqualTo("app.Cleaner.clean");
    }

    /** Near miss: a wait for the lock alone. */
    @Test
    void theOwnerOfALockBlockedItsWaiters() {
        stage.waits(HANDLER_1, 10, 92, "worker", SyntheticJvmTrace.WORKER);
        assertThat(Objects.requireNonNull(only(causes()).owners()).longest().name())
                .isEqualTo("worker");
    }

    /** The longest pause is an example of neither the others' kind nor of their cause. */
    @Test
    void pausesOfDifferentCollectionsAreCountedByKind() {
        stage.stop(10, 15, "gc", "GC pause: G1New (G1 Evacuation Pause)")
                .stop(20, 30, "gc", "GC pause: G1Full (G1 Evacuation Pause)")
                .stop(40, 45, "gc", "GC pause: G1New (GCLocker Initiated GC)")
                .stop(50, 55, "gc", "GC pause: G1New (G1 Evacuation Pause)")
                .stop(60, 62, "gc", "GC pause: G1Old (G1 Humongous Allocation)");
        RootCause cause = only(causes());
        assertThat(cause.pauses())
                .containsExactly(
                        new RootCause.PauseTotal("G1New (G1 Evacuation Pause)", 2),
                        new RootCause.PauseTotal("G1Full (G1 Evacuation Pause)", 1),
                        new RootCause.PauseTotal("G1New (GCLocker Initiated GC)", 1),
                        new RootCause.PauseTotal("G1Old (G1 Humongous Allocation)", 1));
        assertThat(CauseMessages.what(cause)).isEqualTo("GC pauses (3 G1New, 1 full G1Full, 1 G1Old)");
    }

    /** Near miss: all are the same. */
    @Test
    void pausesOfEqualCollectionsHaveItsName() {
        stage.stop(10, 15, "gc", "GC pause: G1New (G1 Evacuation Pause)")
                .stop(20, 30, "gc", "GC pause: G1New (G1 Evacuation Pause)");
        assertThat(CauseMessages.what(only(causes()))).isEqualTo("a GC pause (G1New (G1 Evacuation Pause))");
    }

    @Test
    void aSleepThatEndsWithAPauseIsAPartOfItsCause() {
        sleepsWithPause(90.5);
        assertThat(only(causes()).incidents()).hasSize(2);
    }

    /** Near miss: the sleep lasted on. */
    @Test
    void aSleepThatGoesOnAfterThePauseIsItsOwnCause() {
        sleepsWithPause(95);
        assertThat(causes().causes()).extracting(RootCause::verdict).contains(Verdict.SLEPT, Verdict.GC_BLOCKED);
    }

    private void sleepsWithPause(double toMs) {
        stage.stacked(
                        HANDLER_2,
                        18,
                        toMs,
                        "sleep",
                        "sleeping",
                        List.of("java.lang.Thread.sleep", "app.Store.retry", "app.Store.run"))
                .stop(20, 90, "gc", "GC pause: SerialOld (System.gc())");
    }

    /**
     * Before the first recorded hold only the waker is known: a thread of the same pool took its connection with the
     * same code.
     */
    @Test
    void aReturnByAThreadOfTheWaitersPoolIsNoOtherCause() {
        takesFromPool(HANDLER_2);
        assertThat(resourceCauses()).singleElement().satisfies(cause -> {
            assertThat(cause.incidents()).hasSize(9);
            assertThat(method(cause.ownerSite())).isEqualTo("app.Pool.borrow");
        });
    }

    /** Near miss: another thread fills the queue. */
    @Test
    void aThreadThatFillsTheQueueIsAnotherCause() {
        takesFromPool(TIMER);
        assertThat(resourceCauses()).hasSize(2);
    }

    private List<RootCause> resourceCauses() {
        return causes().causes().stream()
                .filter(cause -> cause.kind() == WaitKind.RESOURCE)
                .toList();
    }

    private void takesFromPool(int firstWaker) {
        List<String> take = List.of(
                "jdk.internal.misc.Unsafe.park",
                "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await",
                "java.util.concurrent.LinkedBlockingQueue.take",
                "app.Pool.borrow",
                "app.Shop.handle");
        String name = "parking on java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";
        int[] tids = {HANDLER_1, HANDLER_2, HANDLER_3};
        stage.stacked(tids[0], 0, 10, "park", name, take, JfrChunks.WAKER, firstWaker);
        for (int i = 1; i < 9; i++) { // each has a connection for 20 ms and waits for 10 ms
            stage.stacked(tids[i % 3], 10 * i, 10 * i + 10, "park", name, take);
        }
    }

    @Test
    void sleepsInTwoMethodsAreTwoCauses() {
        sleeps(HANDLER_1, 10, "app.Store.retry");
        sleeps(HANDLER_1, 40, "app.Store.poll");
        sleeps(HANDLER_2, 10, "app.Store.poll");
        assertThat(causes().causes())
                .extracting(cause -> method(cause.waiterSite()))
                .containsExactly("app.Store.poll", "app.Store.retry");
    }

    private void sleeps(int tid, double fromMs, String method) {
        List<String> stack = List.of("java.lang.Thread.sleep", method, "app.Store.serve");
        stage.stacked(tid, fromMs, fromMs + 20, "sleep", "sleeping", stack);
    }

    /** Near miss: most of the wait was something else. */
    @Test
    void aWaitWithAShortPauseIsNoPartOfItsCause() {
        sleepsUnderLock(TIMER, "timer", 10, 90);
        stage.stop(20, 30, "gc", "GC pause: SerialOld (System.gc())");
        assertThat(causes().causes()).extracting(RootCause::kind).contains(WaitKind.MONITOR, WaitKind.GC);
    }

    private RootCauses causes() {
        return RootCauseFinder.of(stage.diagnose(DoctorOptions.defaults()));
    }

    private static RootCause only(RootCauses causes) {
        assertThat(causes.causes()).hasSize(1);
        return causes.causes().getFirst();
    }

    private static String method(@Nullable CodeLocation site) {
        return Objects.requireNonNull(site).method();
    }
}
