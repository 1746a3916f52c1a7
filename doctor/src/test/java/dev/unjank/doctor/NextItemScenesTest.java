package dev.unjank.doctor;

import static dev.unjank.doctor.scene.SyntheticJvmTrace.MAIN;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.judge.RootCauseFinder;
import dev.unjank.doctor.model.BlockedKind;
import dev.unjank.doctor.model.BlockedTime;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.IdleMethods;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.Advice;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.trace.read.jfr.JfrChunks;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A thread that is nearly always blocked in one call for its next item is idle; near misses are not. */
class NextItemScenesTest {
    private static final String CONDITION =
            "parking on java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";
    private static final List<String> PARK =
            List.of("jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.parkNanos");
    private static final String AWAIT =
            "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.awaitNanos";
    private static final String POLL = "java.util.concurrent.ArrayBlockingQueue.poll";
    private static final List<String> LOOP = List.of("app.Poller.next", "app.Poller.loop", "app.Poller$1.run");
    private static final List<String> OF_POOL = List.of(
            "java.util.concurrent.ThreadPoolExecutor.runWorker", "java.util.concurrent.ThreadPoolExecutor$Worker.run");
    private static final String THREAD = "java.lang.Thread.run";

    private final SyntheticJvmTrace stage = new SyntheticJvmTrace();

    @AfterEach
    void close() {
        stage.close();
    }

    private static List<String> poll(List<String> program) {
        List<String> all = new ArrayList<>(PARK);
        all.add(AWAIT);
        all.add(POLL);
        all.addAll(program);
        all.add(THREAD);
        return all;
    }

    private static List<String> append(List<String> program, String... outer) {
        List<String> all = new ArrayList<>(program);
        all.addAll(List.of(outer));
        return all;
    }

    /** Waits of 9.5 ms, every 10 ms. */
    private void waits(int tid, int count, List<String> stack) {
        for (int i = 0; i < count; i++) {
            stage.stacked(tid, 10 * i, 10 * i + 9.5, "park", CONDITION, stack);
        }
    }

    private Diagnosis diagnosis() {
        return stage.diagnose(DoctorOptions.defaults());
    }

    private List<Verdict> verdicts() {
        return diagnosis().incidents().stream().map(Incident::verdict).toList();
    }

    @Test
    void aLoopThatPollsAQueueIsIdle() {
        waits(WORKER, 10, poll(LOOP));
        assertThat(verdicts()).isEmpty();
        assertThat(diagnosis().blockedTime().kinds())
                .extracting(BlockedTime.KindTotal::kind)
                .containsExactly(BlockedKind.IDLE);
    }

    /** A queue of the program's that parks for a limited time, and a loop without a queue. */
    @ParameterizedTest
    @ValueSource(strings = {"lib.queues.BlockingConsumerArrayQueue.parkUntilNext", "app.Ticker.pause"})
    void aLoopThatParksForALimitedTimeIsIdle(String method) {
        List<String> stack = new ArrayList<>(PARK);
        stack.add(method);
        stack.addAll(LOOP);
        stack.add(THREAD);
        waits(WORKER, 10, stack);
        assertThat(verdicts()).isEmpty();
    }

    /** Near miss: without a limit, a park waits for what another thread does. */
    @Test
    void aParkWithoutALimitIsAWait() {
        waits(
                WORKER,
                10,
                append(
                        List.of("jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park"),
                        "app.Ticker.pause",
                        "app.Ticker.run",
                        THREAD));
        assertThat(verdicts()).hasSize(10).containsOnly(Verdict.WAITED_FOR_RESULT);
    }

    @Test
    void aLoopThatIsBusyForThreeTenthsOfItsTimeIsNotIdle() {
        for (int i = 0; i < 10; i++) {
            stage.stacked(WORKER, 10 * i, 10 * i + 7, "park", CONDITION, poll(LOOP));
        }
        assertThat(verdicts()).hasSize(10).containsOnly(Verdict.RESOURCE_EXHAUSTED);
    }

    /** Near miss: the thread has other work before and after, in which it reads. */
    @Test
    void aFewWaitsInARowAreNoLoop() {
        waits(WORKER, 10, poll(LOOP));
        stage.stacked(
                WORKER,
                150,
                160,
                "io",
                "socket",
                List.of("java.net.Socket.read", "app.Poller.more", "app.Poller$1.run"));
        assertThat(verdicts()).filteredOn(Verdict.RESOURCE_EXHAUSTED::equals).hasSize(10);
    }

    @Test
    void fourWaitsAreTooFew() {
        waits(WORKER, 4, poll(LOOP));
        assertThat(verdicts()).hasSize(4).containsOnly(Verdict.RESOURCE_EXHAUSTED);
    }

    /** Near miss: requests call the same method from different places. */
    @Test
    void theSameWaitWithSeveralCallersIsInRequests() {
        for (int i = 0; i < 10; i++) {
            List<String> program =
                    List.of("app.Pool.borrow", i % 2 == 0 ? "app.Shop.buy" : "app.Shop.list", "app.Shop$1.run");
            stage.stacked(WORKER, 10 * i, 10 * i + 9.5, "park", CONDITION, poll(program));
        }
        assertThat(verdicts()).hasSize(10).containsOnly(Verdict.RESOURCE_EXHAUSTED);
    }

    @Test
    void aTaskOfAPoolIsInTheMiddleOfWork() {
        waits(WORKER, 10, poll(append(LOOP, OF_POOL.toArray(String[]::new))));
        assertThat(verdicts()).hasSize(10).containsOnly(Verdict.RESOURCE_EXHAUSTED);
    }

    @Test
    void theMainThreadWaitsForResults() {
        waits(MAIN, 10, poll(List.of("app.Main.next", "app.Main.collect", "app.Main.main")));
        assertThat(verdicts()).hasSize(10).containsOnly(Verdict.RESOURCE_EXHAUSTED);
    }

    @Test
    void aServiceThatReturnsCompletedTasksIsNoQueueOfItems() {
        waits(
                WORKER,
                10,
                poll(append(
                        List.of("java.util.concurrent.ExecutorCompletionService.poll"), LOOP.toArray(String[]::new))));
        assertThat(verdicts()).hasSize(10).containsOnly(Verdict.RESOURCE_EXHAUSTED);
    }

    /** Twelve threads of their own share one connection: each waits for 92 % of its time, and one has it. */
    @Test
    void threadsThatShareOneConnectionAreNotIdle() {
        List<String> borrow = poll(List.of("app.Pool.borrow", "app.Shop.handle", "app.Shop$1.run"));
        for (int i = 0; i < 12; i++) {
            stage.name(200 + i, "handler-" + i);
            for (double at = i; at < 120; at += 12) {
                stage.stacked(200 + i, at + 1, at + 12, "park", CONDITION, borrow);
            }
        }
        Diagnosis diagnosis = diagnosis();
        assertThat(RootCauseFinder.of(diagnosis).causes().getFirst().verdict()).isEqualTo(Verdict.RESOURCE_EXHAUSTED);
        assertThat(diagnosis.incidents()).hasSize(120);
    }

    /** Near miss: consumers of one queue wait at once. */
    @Test
    void severalConsumersOfAQueueAreIdle() {
        for (int i = 0; i < 3; i++) {
            stage.name(200 + i, "consumer-" + i);
            waits(200 + i, 10, poll(LOOP));
        }
        assertThat(verdicts()).isEmpty();
    }

    /** The body of a lambda is called by a hidden class; the thread takes each item in its outermost method. */
    @Test
    void aConsumerInALambdaIsIdleAlsoIfItIsBusy() {
        List<String> stack = poll(List.of("app.Main.lambda$main$0", "app.Main$$Lambda.0x0000000077048228.run"));
        for (int i = 0; i < 10; i++) {
            stage.stacked(WORKER, 10 * i, 10 * i + 4, "park", CONDITION, stack);
        }
        assertThat(verdicts()).isEmpty();
    }

    @Test
    void theOptionDecidesFirst() {
        waits(WORKER, 10, poll(LOOP));
        DoctorOptions busy = DoctorOptions.defaults().withIdle(new IdleMethods(List.of(), List.of("app.Poller.next")));
        assertThat(stage.diagnose(busy).incidents()).hasSize(10);
    }

    /** Without a thread that had the item before, nobody can hold it for a shorter time. */
    @Test
    void aWaitForAnItemGetsItsOwnAdvice() {
        stage.stacked(WORKER, 0, 20, "park", CONDITION, poll(LOOP));
        assertThat(advice()).startsWith("Find the thread that adds the items");
    }

    @Test
    void aWaitForSpaceGetsItsOwnAdvice() {
        List<String> stack = new ArrayList<>(PARK);
        stack.addAll(List.of(AWAIT, "java.util.concurrent.ArrayBlockingQueue.put"));
        stack.addAll(LOOP);
        stage.stacked(WORKER, 0, 20, "park", CONDITION, append(stack, THREAD));
        assertThat(advice()).startsWith("Take items from the queue faster");
    }

    /** Near miss: who took objects before holds them. */
    @Test
    void aWaitForAPooledObjectKeepsItsAdvice() {
        List<String> borrow =
                poll(append(List.of("app.Pool.borrow", "app.Shop.handle"), OF_POOL.toArray(String[]::new)));
        for (int i = 0; i < 9; i++) {
            stage.stacked(new int[] {MAIN, WORKER, 103}[i % 3], 10 * i, 10 * i + 10, "park", CONDITION, borrow);
        }
        assertThat(advice()).startsWith("Hold the resource for a shorter time");
    }

    private static List<String> forSignal(String... program) {
        return append(List.of("java.lang.Object.wait0", "java.lang.Object.wait"), program);
    }

    private void waitsForNotifier() {
        stage.stacked(
                MAIN, 0, 100, "wait", "app.Result", forSignal("app.Main.get", "app.Main.run"), JfrChunks.WAKER, WORKER);
    }

    @Test
    void ofAProducerThatSleptTheSleepIsToBeFound() {
        waitsForNotifier();
        stage.stacked(WORKER, 0, 90, "sleep", "sleeping", List.of("java.lang.Thread.sleep", "app.Task.run", THREAD));
        assertThat(diagnosis().incidents().getFirst().verdict()).isEqualTo(Verdict.WAITED_FOR_RESULT);
        assertThat(advice()).startsWith("Find what the thread that produces the result waited for");
    }

    /** Near miss. */
    @Test
    void aProducerThatSleptForAThirdOfTheTimeIsToBeProfiled() {
        waitsForNotifier();
        stage.stacked(WORKER, 0, 30, "sleep", "sleeping", List.of("java.lang.Thread.sleep", "app.Task.run", THREAD));
        assertThat(advice()).contains("is the one to profile");
    }

    private String advice() {
        Diagnosis diagnosis = diagnosis();
        return Advice.of(RootCauseFinder.of(diagnosis).causes().getFirst().example(), diagnosis.platform())
                .getFirst();
    }
}
