package dev.unjank.doctor;

import static dev.unjank.doctor.scene.SyntheticJvmTrace.MAIN;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.MS;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.OTHER;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.judge.RootCauseFinder;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.IdleMethods;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.ResourceUse;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.model.Warning;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.report.Advice;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.trace.read.jfr.JfrChunks;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The waits of a Java virtual machine other than those for locks: which are incidents, of which verdict, and which are
 * idle.
 */
class RuntimeWaitScenesTest {
    private static final String CONDITION =
            "parking on java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";
    private static final String FUTURE = "parking on java.util.concurrent.FutureTask";
    private static final List<String> AWAIT = List.of(
            "jdk.internal.misc.Unsafe.park",
            "java.util.concurrent.locks.LockSupport.park",
            "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await");
    private static final String TAKE = "java.util.concurrent.LinkedBlockingQueue.take";
    private static final List<String> POOL_THREAD = List.of(
            "java.util.concurrent.FutureTask.run",
            "java.util.concurrent.ThreadPoolExecutor.runWorker",
            "java.util.concurrent.ThreadPoolExecutor$Worker.run",
            "java.lang.Thread.run");
    private static final List<String> OWN_THREAD = List.of("java.lang.Thread.run");

    private final SyntheticJvmTrace stage = new SyntheticJvmTrace();

    @AfterEach
    void close() {
        stage.close();
    }

    private static List<String> stack(List<String> inner, List<String> program, List<String> outer) {
        List<String> all = new ArrayList<>(inner);
        all.addAll(program);
        all.addAll(outer);
        return all;
    }

    private static List<String> take(List<String> program, List<String> outer) {
        List<String> inner = new ArrayList<>(AWAIT);
        inner.add(TAKE);
        return stack(inner, program, outer);
    }

    private List<Incident> incidents() {
        List<Incident> found = stage.diagnose(DoctorOptions.defaults()).incidents();
        found.forEach(incident -> SceneDiagnoses.assertTiled(incident.rootWait()));
        return found;
    }

    private Incident only() {
        List<Incident> found = incidents();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    @Test
    void aPoolOfTwoConnections() {
        List<String> borrow = take(List.of("app.Pool.borrow", "app.Shop.handle"), POOL_THREAD);
        List<String> query =
                stack(List.of("java.lang.Thread.sleep"), List.of("app.Db.query", "app.Shop.handle"), POOL_THREAD);
        int[] tids = {MAIN, WORKER, OTHER};
        for (int i = 0; i < 9; i++) { // each has a connection for 20 ms and waits for 10 ms
            int tid = tids[i % 3];
            stage.stacked(tid, 10 * i, 10 * i + 10, "park", CONDITION, borrow);
            stage.stacked(tid, 10 * i + 10, 10 * i + 29.9, "sleep", "sleeping", query);
        }
        List<Incident> waits = incidents().stream()
                .filter(incident -> incident.verdict() == Verdict.RESOURCE_EXHAUSTED)
                .toList();
        assertThat(waits).hasSize(9);
        Incident wait = waits.stream()
                .filter(incident -> incident.rootWait().startNs() == 40 * MS)
                .findFirst()
                .orElseThrow();
        assertThat(wait.rootWait().kind()).isEqualTo(WaitKind.RESOURCE);
        assertThat(wait.rootWait().target()).isEqualTo("LinkedBlockingQueue.take");
        assertThat(wait.rootWait().location().method()).isEqualTo("app.Pool.borrow");
        assertThat(wait.owner().thread().tid()).as("it waits again at 50 ms").isEqualTo(OTHER);
        assertThat(wait.owner().location().method()).isEqualTo("app.Pool.borrow");
        assertThat(wait.owner().stack().frames())
                .as("what it does with the connection")
                .extracting(CodeLocation::method)
                .startsWith("java.lang.Thread.sleep", "app.Db.query");
        assertThat(wait.judgement().evidence()).isEqualTo(Evidence.TIMING_INFERRED);
        assertThat(wait.timeIn(OwnerState.SLEEPING)).isGreaterThan(9 * MS);
        ResourceUse use = wait.resource();
        assertThat(use.atOnce()).isEqualTo(2);
        assertThat(use.threads()).isEqualTo(3);
        assertThat(use.medianNs()).isEqualTo(20 * MS);
    }

    /**
     * The holder puts its connection back and takes it again before the thread that this wakes: two holds, not a long
     * one.
     */
    @Test
    void aHolderThatTakesThePermitAgainBeforeTheNextHasTwoHolds() {
        List<String> borrow = take(List.of("app.Pool.borrow", "app.Shop.handle"), POOL_THREAD);
        stage.stacked(MAIN, 0, 10, "park", CONDITION, borrow)
                .stacked(WORKER, 0, 30, "park", CONDITION, borrow)
                .stacked(WORKER, 30.1, 50, "park", CONDITION, borrow)
                .stacked(OTHER, 0, 70, "park", CONDITION, borrow)
                .stacked(MAIN, 50.1, 90, "park", CONDITION, borrow)
                .stacked(WORKER, 70.1, 110, "park", CONDITION, borrow)
                .stacked(OTHER, 90.1, 130, "park", CONDITION, borrow);
        ResourceUse use = incidents().getFirst().resource();
        assertThat(use.atOnce()).isEqualTo(1);
        assertThat(use.longestNs()).isEqualTo(20 * MS);
        assertThat(use.medianNs()).isEqualTo(20 * MS);
    }

    @Test
    void waitsOfVirtualThreadsAreSaidToBeMissing() {
        stage.name(VIRTUAL, "");
        assertThat(stage.slice(VIRTUAL, 10, 20, "sleep", "sleeping").diagnose().warnings())
                .contains(new Warning.VirtualThreadWaitsMissing());
    }

    /** Near miss: without virtual threads nothing of them is missing. */
    @Test
    void ofPlatformThreadsNoneAreMissing() {
        assertThat(stage.slice(WORKER, 10, 20, "sleep", "sleeping").diagnose().warnings())
                .doesNotContain(new Warning.VirtualThreadWaitsMissing());
    }

    @Test
    void theThreadThatContinuesVirtualThreadsShowsThatThereAreSome() {
        assertThat(stage.name(OTHER, "VirtualThread-unblocker")
                        .slice(OTHER, 10, 20, "", "a slice")
                        .diagnose()
                        .warnings())
                .contains(new Warning.VirtualThreadWaitsMissing());
    }

    @Test
    void aVirtualThreadThatSleepsGetsOtherAdvice() {
        stage.name(VIRTUAL, "");
        List<String> sleep =
                stack(List.of("java.lang.Thread.sleep"), List.of("app.Shop.retry", "app.Shop.handle"), VIRTUAL_THREAD);
        stage.stacked(VIRTUAL, 10, 60, "sleep", "sleeping", sleep).stacked(WORKER, 10, 50, "sleep", "sleeping", sleep);
        assertThat(incidents())
                .filteredOn(incident -> incident.verdict() == Verdict.SLEPT)
                .extracting(incident -> Advice.of(incident, Platform.JVM).getFirst())
                .satisfiesExactly(
                        ofVirtual -> assertThat(ofVirtual).startsWith("A sleep of a virtual thread keeps no carrier"),
                        ofPlatform -> assertThat(ofPlatform).startsWith("Do not sleep on a thread"));
    }

    /** Near miss: nothing is recorded of the holders, and the stack of a wait for the resource is none of a hold. */
    @Test
    void holdersWithoutARecordedCallHaveNoStack() {
        List<String> borrow = take(List.of("app.Pool.borrow", "app.Shop.handle"), POOL_THREAD);
        int[] tids = {MAIN, WORKER, OTHER};
        for (int i = 0; i < 9; i++) {
            stage.stacked(tids[i % 3], 10 * i, 10 * i + 10, "park", CONDITION, borrow);
        }
        assertThat(incidents())
                .filteredOn(incident -> incident.verdict() == Verdict.RESOURCE_EXHAUSTED)
                .isNotEmpty()
                .allSatisfy(incident ->
                        assertThat(incident.owner().stack().isEmpty()).isTrue());
    }

    @Test
    void aWorkerThatWaitsForItsNextTaskIsIdle() {
        List<String> worker = List.of(
                "java.util.concurrent.ThreadPoolExecutor.getTask",
                "java.util.concurrent.ThreadPoolExecutor.runWorker",
                "java.lang.Thread.run");
        stage.stacked(WORKER, 10, 110, "park", CONDITION, take(List.of(), worker));
        stage.stacked(OTHER, 10, 110, "park", CONDITION, take(List.of("app.Consumer.run"), OWN_THREAD));
        assertThat(incidents()).isEmpty();
    }

    /** A method that dispatches events or requests is on the stack of its handlers, too. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sun.net.httpserver.ServerImpl$Dispatcher.handle",
                "com.sun.glass.ui.gtk.GtkApplication._runLoop",
                "akka.dispatch.Mailbox.run"
            })
    void aHandlerThatSleepsIsNotIdle(String dispatcher) {
        List<String> outer = List.of(dispatcher, "java.lang.Thread.run");
        List<String> handler = stack(List.of("java.lang.Thread.sleep"), List.of("app.Handler.handle"), outer);
        stage.stacked(WORKER, 10, 110, "sleep", "sleeping", handler);
        assertThat(only().verdict()).isEqualTo(Verdict.SLEPT);
    }

    /** Near misses: nothing of the program is below the dispatcher. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sun.net.httpserver.ServerImpl$Dispatcher.run",
                "com.sun.glass.ui.monocle.RunnableProcessor.runLoop",
                "akka.dispatch.forkjoin.ForkJoinPool.awaitWork"
            })
    void aDispatcherThatWaitsForEventsIsIdle(String dispatcher) {
        stage.stacked(WORKER, 10, 110, "park", CONDITION, take(List.of(), List.of(dispatcher, "java.lang.Thread.run")));
        assertThat(incidents()).isEmpty();
    }

    @Test
    void theOptionsDecideFirst() {
        stage.stacked(WORKER, 10, 110, "park", CONDITION, take(List.of("app.Consumer.run"), OWN_THREAD));
        stage.stacked(
                OTHER, 10, 110, "park", CONDITION, take(List.of("app.Pool.borrow", "app.Shop.handle"), OWN_THREAD));
        DoctorOptions options = DoctorOptions.defaults()
                .withIdle(new IdleMethods(List.of("app.Pool.borrow"), List.of("app.Consumer.")));
        assertThat(stage.diagnose(options).incidents())
                .singleElement()
                .satisfies(incident ->
                        assertThat(incident.rootWait().thread().tid()).isEqualTo(WORKER));
    }

    @Test
    void oneThreadAtAConditionWaitsForAResult() {
        stage.stacked(MAIN, 10, 60, "park", CONDITION, stack(AWAIT, List.of("app.A.await", "app.A.b"), POOL_THREAD));
        Incident incident = only();
        assertThat(incident.rootWait().kind()).isEqualTo(WaitKind.RESULT);
        assertThat(incident.rootWait().target()).isEqualTo("Condition.await");
        assertThat(incident.verdict()).isEqualTo(Verdict.WAITED_FOR_RESULT);
        assertThat(incident.judgement().evidence()).isEqualTo(Evidence.UNKNOWN);
    }

    private void waitsForFuture() {
        List<String> get = List.of(
                "java.util.concurrent.locks.LockSupport.park",
                "java.util.concurrent.FutureTask.awaitDone",
                "java.util.concurrent.FutureTask.get");
        stage.stacked(MAIN, 10, 110, "park", FUTURE, stack(get, List.of("app.Request.run", "app.A.b"), POOL_THREAD));
    }

    @Test
    void aFutureOfABusyPool() {
        waitsForFuture();
        for (int at = 10; at <= 110; at += 20) {
            stage.sampled(WORKER, at, "app.Price.compute");
        }
        Incident incident = only();
        assertThat(incident.rootWait().target()).isEqualTo("FutureTask.get");
        assertThat(incident.verdict()).isEqualTo(Verdict.WAITED_FOR_RESULT);
        assertThat(incident.owner().thread().tid()).isEqualTo(WORKER);
        assertThat(incident.judgement().evidence()).isEqualTo(Evidence.TIMING_INFERRED);
        assertThat(incident.longestDetail(OwnerState.RUNNING)).isEqualTo("app.Price.compute");
    }

    @Test
    void ofTwoCandidatesNoneIsNamed() {
        waitsForFuture();
        stage.sampled(WORKER, 100, "app.Price.compute").sampled(OTHER, 100, "app.Log.write");
        assertThat(only().judgement().evidence()).isEqualTo(Evidence.UNKNOWN);
    }

    @Test
    void whatBlockedTheProducerCounts() {
        waitsForFuture();
        stage.waits(WORKER, 15, 105, "other", OTHER);
        stage.stacked(
                WORKER,
                110.1,
                150,
                "park",
                CONDITION,
                take(List.of(), List.of("java.util.concurrent.ThreadPoolExecutor.getTask", "java.lang.Thread.run")));
        for (int at = 10; at <= 110; at += 20) {
            stage.sampled(OTHER, at, "app.Store.write");
        }
        Incident incident = incidents().stream()
                .filter(found -> found.rootWait().thread().tid() == MAIN)
                .findFirst()
                .orElseThrow();
        assertThat(incident.owner().thread().tid()).isEqualTo(WORKER);
        assertThat(incident.verdict()).isEqualTo(Verdict.LONG_HOLD);
        assertThat(incident.judgement().responsibleThread().tid()).isEqualTo(OTHER);
    }

    @Test
    void theNotifierIsTheProducer() {
        stage.stacked(
                MAIN,
                10,
                60,
                "wait",
                "waiting on app.Latch",
                stack(
                        List.of("java.lang.Object.wait0", "java.lang.Object.wait"),
                        List.of("app.A.a", "app.B.b"),
                        OWN_THREAD),
                "waker",
                WORKER);
        Incident incident = only();
        assertThat(incident.rootWait().target()).isEqualTo("Object.wait");
        assertThat(incident.owner().thread().tid()).isEqualTo(WORKER);
        assertThat(incident.owner().evidence()).isEqualTo(Evidence.OWNER_NAMED);
    }

    @Test
    void mainThatJoinsIsIdle() {
        stage.stacked(
                MAIN,
                10,
                60,
                "wait",
                "waiting on java.lang.Thread",
                List.of(
                        "java.lang.Object.wait0",
                        "java.lang.Object.wait",
                        "java.lang.Thread.join",
                        "app.A.stop",
                        "app.A.main"));
        assertThat(incidents()).isEmpty();
    }

    @Test
    void aSleepInARequest() {
        stage.stacked(
                WORKER,
                10,
                60,
                "sleep",
                "sleeping",
                stack(
                        List.of("java.lang.Thread.sleep0", "java.lang.Thread.sleep"),
                        List.of("app.Shop.retry"),
                        POOL_THREAD));
        Incident incident = only();
        assertThat(incident.verdict()).isEqualTo(Verdict.SLEPT);
        assertThat(incident.rootWait().location().method()).isEqualTo("app.Shop.retry");
        assertThat(incident.judgement().evidence()).isEqualTo(Evidence.WAITER_EVENTS);
    }

    /** A sleep from 10 to 60 ms, with a pause. */
    private Incident sleepWithPause(double fromMs, double toMs) {
        stage.stop(fromMs, toMs, "gc", "GC pause: G1Full (System.gc())")
                .stacked(
                        WORKER,
                        10,
                        60,
                        "sleep",
                        "sleeping",
                        stack(List.of("java.lang.Thread.sleep"), List.of("app.Shop.retry"), POOL_THREAD));
        return incidents().stream()
                .filter(incident -> incident.rootWait().kind() == WaitKind.SLEEP)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aSleepThatAPauseProlongsIsDueToThePause() {
        Incident incident = sleepWithPause(15, 59.5);
        assertThat(incident.verdict()).isEqualTo(Verdict.GC_BLOCKED);
        assertThat(incident.judgement().decisiveNs()).isEqualTo(44_500_000);
    }

    @Test
    void aShortPauseAtTheEndOfASleepIsNotTheCause() {
        assertThat(sleepWithPause(40, 59.5).verdict()).isEqualTo(Verdict.SLEPT);
    }

    @Test
    void aPauseBeforeTheEndOfASleepDoesNotProlongIt() {
        Incident incident = sleepWithPause(11, 55);
        assertThat(incident.verdict()).isEqualTo(Verdict.SLEPT);
        assertThat(incident.judgement().decisiveNs()).isEqualTo(6_000_000);
    }

    @Test
    void aSleepInAThreadsOwnLoopIsIdle() {
        stage.stacked(
                WORKER,
                10,
                60,
                "sleep",
                "sleeping",
                List.of("java.lang.Thread.sleep", "app.Poller.lambda$start$0", "java.lang.Thread.run"));
        assertThat(incidents()).isEmpty();
    }

    @Test
    void aReadInARequest() {
        stage.stacked(
                WORKER,
                10,
                60,
                "io",
                "socket read db:5432",
                stack(List.of("sun.nio.ch.NioSocketImpl.read"), List.of("app.Db.query"), POOL_THREAD));
        Incident incident = only();
        assertThat(incident.verdict()).isEqualTo(Verdict.SLOW_IO);
        assertThat(incident.rootWait().target()).isEqualTo("socket read db:5432");
    }

    @Test
    void aServersReadOfTheNextRequestIsIdle() {
        stage.stacked(
                WORKER,
                10,
                60,
                "io",
                "socket read client:1",
                stack(
                        List.of("sun.nio.ch.NioSocketImpl.read", "sun.net.httpserver.Request.<init>"),
                        List.of("app.Main.lambda$main$0"),
                        POOL_THREAD));
        assertThat(incidents()).isEmpty();
    }

    @Test
    void aPinnedVirtualThreadNamesItsCarrier() {
        List<String> sleep = List.of("java.lang.Thread.sleep", "app.Native.call", "java.lang.VirtualThread.run");
        stage.stacked(WORKER, 10, 60, "pinned", "virtual thread pinned: Native frame", sleep, "carrier", OTHER);
        stage.stacked(WORKER, 9, 61, "sleep", "sleeping", sleep);
        Incident incident = only();
        assertThat(incident.verdict()).isEqualTo(Verdict.PINNED);
        assertThat(incident.rootWait().target()).isEqualTo("Native frame");
        assertThat(incident.owner().thread().tid()).isEqualTo(OTHER);
    }

    @Test
    void aVirtualThreadThatSleepsUnmounted() {
        stage.stacked(
                WORKER,
                10,
                60,
                "sleep",
                "sleeping",
                List.of(
                        "java.lang.Thread.sleep",
                        "app.Shop.retry",
                        "java.util.concurrent.ThreadPerTaskExecutor$TaskRunner.run",
                        "java.lang.VirtualThread.run"));
        assertThat(only().verdict()).isEqualTo(Verdict.SLEPT);
    }

    private static final int VIRTUAL = JfrChunks.FIRST_VIRTUAL + 1;
    private static final int PINNED = JfrChunks.FIRST_VIRTUAL + 2;
    private static final List<String> VIRTUAL_THREAD = List.of("java.lang.VirtualThread.run");

    /** A class initializer pins from 10 to 60 ms, and another thread sleeps from 5 ms on. */
    private void sleepsWhilePinned(int tid, double toMs, Object... asked) {
        stage.name(VIRTUAL, "").name(PINNED, "");
        stage.stacked(
                PINNED,
                10,
                60,
                "pinned",
                "virtual thread pinned: VM call to app.Config.<clinit> on stack",
                stack(
                        List.of("java.lang.Thread.sleep"),
                        List.of("app.Retry.pause", "app.Config.<clinit>", "app.Shop.load"),
                        VIRTUAL_THREAD),
                "carrier",
                OTHER);
        stage.stacked(
                tid,
                5,
                toMs,
                "sleep",
                "sleeping",
                stack(
                        List.of("java.lang.Thread.sleep"),
                        List.of("app.Shop.poll", "java.util.concurrent.FutureTask.run"),
                        VIRTUAL_THREAD),
                asked);
    }

    private List<String> kindsAndTimes() {
        return incidents().stream()
                .map(incident -> incident.rootWait().kind() + " "
                        + incident.rootWait().durNs() / SyntheticJvmTrace.MS + " " + incident.verdict())
                .sorted()
                .toList();
    }

    @Test
    void whatASleepLastedLongerThanAskedForWasAWaitForACarrier() {
        sleepsWhilePinned(VIRTUAL, 61, "sleep time", 15 * SyntheticJvmTrace.MS);
        assertThat(kindsAndTimes()).containsExactly("CARRIER 41 PINNED", "PINNED 50 PINNED", "SLEEP 15 SLEPT");
        Incident carrier = incidents().stream()
                .filter(incident -> incident.rootWait().kind() == WaitKind.CARRIER)
                .findFirst()
                .orElseThrow();
        assertThat(carrier.owner().thread().tid()).isEqualTo(PINNED);
        assertThat(carrier.owner().location().method()).isEqualTo("app.Config.<clinit>");
        assertThat(carrier.judgement().evidence()).isEqualTo(Evidence.TIMING_INFERRED);
    }

    /** Near miss: a thread of the operating system needs no carrier. */
    @Test
    void aPlatformThreadsSleepIsWhole() {
        sleepsWhilePinned(WORKER, 61, "sleep time", 15 * SyntheticJvmTrace.MS);
        assertThat(kindsAndTimes()).containsExactly("PINNED 50 PINNED", "SLEEP 56 SLEPT");
    }

    @Test
    void withoutTheTimeAskedForASleepIsWhole() {
        sleepsWhilePinned(VIRTUAL, 61);
        assertThat(kindsAndTimes()).containsExactly("PINNED 50 PINNED", "SLEEP 56 SLEPT");
    }

    @Test
    void aSleepThatEndsInTimeIsWhole() {
        sleepsWhilePinned(VIRTUAL, 61, "sleep time", 56 * SyntheticJvmTrace.MS - 500_000);
        assertThat(kindsAndTimes()).containsExactly("PINNED 50 PINNED", "SLEEP 56 SLEPT");
    }

    @Test
    void aDelayAfterThePinnedTimeIsNoWaitForItsCarrier() {
        sleepsWhilePinned(VIRTUAL, 161, "sleep time", 40 * SyntheticJvmTrace.MS);
        assertThat(kindsAndTimes()).containsExactly("PINNED 50 PINNED", "SLEEP 156 SLEPT");
    }

    @Test
    void theCodeThatPinsIsTheCodeOfItsRootCause() {
        sleepsWhilePinned(VIRTUAL, 61, "sleep time", 15 * SyntheticJvmTrace.MS);
        List<RootCause> causes =
                RootCauseFinder.of(stage.diagnose(DoctorOptions.defaults())).causes();
        assertThat(causes).hasSize(2);
        RootCause pinned = causes.getFirst();
        assertThat(pinned.verdict()).isEqualTo(Verdict.PINNED);
        assertThat(pinned.incidents())
                .as("the pinned thread and the one without a carrier")
                .hasSize(2);
        assertThat(pinned.waiterSite().method()).isEqualTo("app.Config.<clinit>");
    }

    private List<Verdict> mainWaits(String method) {
        stage.stacked(MAIN, 10, 110, "park", FUTURE, stack(AWAIT, List.of(method), List.of("app.A.main")));
        return incidents().stream().map(Incident::verdict).toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.util.concurrent.FutureTask.get",
                "java.util.concurrent.CompletableFuture.join",
                "java.util.concurrent.ForkJoinTask.join"
            })
    void mainThatWaitsForAResultIsNotIdle(String method) {
        assertThat(mainWaits(method)).containsExactly(Verdict.WAITED_FOR_RESULT);
    }

    /** Near misses: until the program is to end, for the ends of other threads, and for work. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.util.concurrent.CountDownLatch.await",
                "java.util.concurrent.ThreadPoolExecutor.awaitTermination",
                "java.util.concurrent.LinkedBlockingQueue.take"
            })
    void mainThatWaitsForItsEndOrForWorkIsIdle(String method) {
        assertThat(mainWaits(method)).isEmpty();
    }
}
