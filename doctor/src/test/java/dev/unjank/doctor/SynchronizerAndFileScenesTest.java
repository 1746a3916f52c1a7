package dev.unjank.doctor;

import static dev.unjank.doctor.scene.SyntheticJvmTrace.MAIN;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.MS;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.OTHER;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.judge.RootCauseFinder;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.report.CauseMessages;
import dev.unjank.doctor.report.WaitMessages;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waits for the permit of a semaphore, the end of a thread and the content of a file, with stacks as recorded. */
class SynchronizerAndFileScenesTest {
    private static final List<String> ACQUIRE = List.of(
            "jdk.internal.misc.Unsafe.park",
            "java.util.concurrent.locks.LockSupport.park",
            "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire",
            "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquireSharedInterruptibly",
            "java.util.concurrent.Semaphore.acquire");
    private static final String SEMAPHORE = "parking on java.util.concurrent.Semaphore$NonfairSync";
    private static final List<String> WAIT = List.of("java.lang.Object.wait0", "java.lang.Object.wait");
    private static final List<String> JOIN = List.of(
            "java.lang.Object.wait0", "java.lang.Object.wait", "java.lang.Thread.join", "java.lang.Thread.join");
    private static final List<String> POOL = List.of(
            "java.util.concurrent.FutureTask.run",
            "java.util.concurrent.ThreadPoolExecutor.runWorker",
            "java.util.concurrent.ThreadPoolExecutor$Worker.run",
            "java.lang.Thread.run");
    private static final List<String> OWN_LOOP = List.of("app.Consumer.run", "java.lang.Thread.run");

    private final SyntheticJvmTrace stage = new SyntheticJvmTrace();

    @AfterEach
    void close() {
        stage.close();
    }

    private static List<String> stack(List<String> inner, String... program) {
        List<String> all = new ArrayList<>(inner);
        all.addAll(List.of(program));
        all.addAll(POOL);
        return all;
    }

    private static List<String> inOwnLoop(List<String> inner) {
        List<String> all = new ArrayList<>(inner);
        all.addAll(OWN_LOOP);
        return all;
    }

    private List<Incident> incidents() {
        List<Incident> found = stage.diagnose().incidents();
        found.forEach(incident -> SceneDiagnoses.assertTiled(incident.rootWait()));
        return found;
    }

    private void assertOnly(Verdict verdict, WaitKind kind, String target, String site) {
        assertThat(incidents()).singleElement().satisfies(incident -> {
            assertThat(incident.verdict()).isEqualTo(verdict);
            assertThat(incident.rootWait().kind()).isEqualTo(kind);
            assertThat(incident.rootWait().target()).isEqualTo(target);
            assertThat(incident.rootWait().location().method()).isEqualTo(site);
        });
    }

    /** One permit: the thread that got it before has it until the next thread gets it. */
    @Test
    void aSemaphoresHolderIsInferred() {
        List<String> acquire = stack(ACQUIRE, "app.Gate.enter", "app.Shop.handle");
        List<String> work = stack(List.of("java.lang.Thread.sleep"), "app.Shop.print", "app.Shop.handle");
        int[] tids = {MAIN, WORKER, OTHER};
        for (int i = 0; i < 9; i++) { // each has the permit for 10 ms and waits for 20 ms
            int tid = tids[i % 3];
            stage.stacked(tid, 10 * i, 10 * i + 20, "park", SEMAPHORE, acquire);
            stage.stacked(tid, 10 * i + 20, 10 * i + 29.9, "sleep", "sleeping", work);
        }
        RootCause cause = RootCauseFinder.of(stage.diagnose()).causes().getFirst();
        assertThat(cause.verdict()).isEqualTo(Verdict.RESOURCE_EXHAUSTED);
        assertThat(cause.kind()).isEqualTo(WaitKind.RESOURCE);
        assertThat(CauseMessages.what(cause)).isEqualTo("Semaphore.acquire");
        assertThat(cause.waiterSite().method()).isEqualTo("app.Gate.enter");
        assertThat(cause.ownerSite().method()).isEqualTo("app.Gate.enter");
        assertThat(cause.ownerActivity().getLast().method()).isEqualTo("app.Shop.print");
        Incident fifth = incidents().stream()
                .filter(incident -> incident.verdict() == Verdict.RESOURCE_EXHAUSTED)
                .filter(incident -> incident.rootWait().startNs() == 40 * MS)
                .findFirst()
                .orElseThrow();
        assertThat(fifth.owner().thread().tid())
                .as("it got the permit at 40 ms")
                .isEqualTo(OTHER);
        assertThat(fifth.judgement().evidence()).isEqualTo(Evidence.TIMING_INFERRED);
        assertThat(WaitMessages.resource(cause.example().resource()))
                .startsWith("inferred: 3 threads held it, one at a time; hold time: median 10.000 ms, ");
    }

    /** A thread of its own that waits for permits in its loop waits for work. */
    @Test
    void aConsumersSemaphoreIsIdle() {
        stage.stacked(WORKER, 10, 60, "park", SEMAPHORE, inOwnLoop(ACQUIRE));
        assertThat(incidents()).isEmpty();
    }

    /** A class of the program with the same simple name may be anything. */
    @Test
    void aSemaphoreOfTheProgramsIsASignal() {
        stage.stacked(
                WORKER, 10, 60, "wait", "waiting on app.Semaphore", stack(WAIT, "app.Semaphore.acquire", "app.A.a"));
        assertOnly(Verdict.WAITED_FOR_RESULT, WaitKind.RESULT, "Object.wait", "app.Semaphore.acquire");
    }

    /** The thread that ends notifies those that join it. */
    @Test
    void aJoinNamesTheThreadThatEnded() {
        stage.stacked(
                MAIN, 10, 60, "wait", "waiting on java.lang.Thread", stack(JOIN, "app.Batch.finish"), "waker", WORKER);
        assertOnly(Verdict.WAITED_FOR_RESULT, WaitKind.RESULT, "Thread.join", "app.Batch.finish");
        Incident join = incidents().getFirst();
        assertThat(join.owner().thread().tid()).isEqualTo(WORKER);
        assertThat(join.owner().evidence()).isEqualTo(Evidence.OWNER_NAMED);
    }

    @Test
    void withoutItsNotifierTheThreadThatEndedIsUnknown() {
        stage.stacked(MAIN, 10, 60, "wait", "waiting on java.lang.Thread", stack(JOIN, "app.Batch.finish"));
        assertThat(incidents()).singleElement().satisfies(join -> {
            assertThat(join.rootWait().target()).isEqualTo("Thread.join");
            assertThat(join.owner().evidence()).isEqualTo(Evidence.UNKNOWN);
        });
    }

    /** A wait for a signal on an object of class Thread is no join. */
    @Test
    void aWaitOnAThreadIsNoJoin() {
        stage.stacked(MAIN, 10, 60, "wait", "waiting on java.lang.Thread", stack(WAIT, "app.A.await", "app.A.a"));
        assertOnly(Verdict.WAITED_FOR_RESULT, WaitKind.RESULT, "Object.wait", "app.A.await");
    }

    /** Flight Recorder's stack of a read begins with the caller. */
    @Test
    void aReadOfAFileNamesTheFileAndTheCode() {
        stage.stacked(WORKER, 10, 60, "io", "file read /data/journal", stack(List.of(), "app.Store.load", "app.A.a"));
        assertOnly(Verdict.SLOW_IO, WaitKind.IO, "file read /data/journal", "app.Store.load");
    }

    @Test
    void aReadBelowTheJdksStreamsNamesTheProgramsCode() {
        List<String> streams = List.of("java.io.FileInputStream.read", "java.io.BufferedReader.readLine");
        stage.stacked(WORKER, 10, 60, "io", "file read /data/journal", stack(streams, "app.Store.load", "app.A.a"));
        assertOnly(Verdict.SLOW_IO, WaitKind.IO, "file read /data/journal", "app.Store.load");
    }

    /** A thread of its own that reads in its loop waits for input. */
    @Test
    void aConsolesReaderIsIdle() {
        stage.stacked(WORKER, 10, 60, "io", "file read /dev/tty", inOwnLoop(List.of("java.io.FileInputStream.read")));
        assertThat(incidents()).isEmpty();
    }
}
