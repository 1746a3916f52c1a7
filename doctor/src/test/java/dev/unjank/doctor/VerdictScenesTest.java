package dev.unjank.doctor;

import static dev.unjank.trace.example.Scene.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.example.Contention;
import dev.unjank.trace.example.Scene;
import dev.unjank.trace.example.SceneProcess;
import dev.unjank.trace.example.SceneThread;
import dev.unjank.trace.write.KernelEvent;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Verdicts from the bytes of a trace on: a scene that gets the verdict, and the same scene with one thing changed that must not.
 * The main thread of the app, priority 110, is the one that waits, from 5 ms on. Those about locks alone are in {@link
 * DoctorTest}; about messages in {@link BacklogScenesTest}.
 */
class VerdictScenesTest {
    private static final int FUTEX_WAIT_PRIVATE = 128;
    private static final long ADDRESS = 0x7f00_1000;

    private final Scene scene = new Scene();
    private final SceneProcess app = scene.process(1000, "com.example.app");
    private final SceneThread main = app.mainThread("com.example.app", 110);
    private final SceneProcess server = scene.process(2000, "server");

    /** Whether systrace text, as the tests write it, tells all of the scene: it has no events of binder and of system calls. */
    private boolean isText = true;

    /** What was found, in a word: the verdict, whom it blames and how that is known; "none" for nothing. */
    private String verdict() {
        String found = word(Scenes.inAnyFormat(scene, DoctorOptions.defaults()));
        if (isText) {
            assertThat(word(Scenes.inText(scene, DoctorOptions.defaults())))
                    .as("in systrace text")
                    .isEqualTo(found);
        }
        return found;
    }

    private static String word(Diagnosis diagnosis) {
        if (diagnosis.incidents().isEmpty()) {
            return "none";
        }
        assertThat(diagnosis.incidents()).hasSize(1);
        Judgement judgement = diagnosis.incidents().getFirst().judgement();
        return judgement.verdict() + " " + judgement.blamed().tid() + " " + judgement.evidence();
    }

    // ---- SLOW_REPLY

    @ParameterizedTest
    @CsvSource({
        "works,            SLOW_REPLY 2001 OWNER_NAMED",
        "sleeps,           SLEEPING_OWNER 2001 OWNER_NAMED",
        "has no CPU,       PRIORITY_INVERSION 2001 OWNER_NAMED",
        "was asked to,     none", // a one-way call has nobody waiting
        "is back at once,  none",
    })
    void aCallOfAnotherProcess(String thatThread, String expected) {
        SceneThread binder = server.thread(2001, "binder:2000_1", 120);
        SceneThread greedy = server.thread(2002, "greedy", 115);
        isText = false;
        boolean oneWay = thatThread.equals("was asked to");
        double back = thatThread.equals("is back at once") ? 5.5 : 15;

        main.begin("onCreate").runs(0, ms(4.9)).does(KernelEvent.binderTransaction(1, false, oneWay));
        main.runs(0, ms(5)).sleeps(ms(back));
        if (!oneWay) {
            main.wokenBy(binder).runnable(ms(back + 0.05)).does(KernelEvent.binderReceived(2));
        }
        main.runs(0, ms(20)).end();

        binder.sleeps(ms(4.95)).wokenBy(main).runnable(ms(5)).does(KernelEvent.binderReceived(1));
        binder.runs(1, ms(5.1));
        switch (thatThread) {
            case "sleeps" -> binder.sleeps(ms(back - 0.3));
            case "has no CPU" -> {
                greedy.sleeps(ms(5.05)).runnable(ms(5.1)).runs(1, ms(back - 0.3));
                binder.runnable(ms(back - 0.3));
            }
            default -> {}
        }
        binder.runs(1, ms(back - 0.1));
        if (!oneWay) {
            binder.does(KernelEvent.binderTransaction(2, true, false));
        }
        binder.runs(1, ms(back + 0.2));
        assertThat(verdict()).isEqualTo(expected);
    }

    // ---- futex waits: call 98, on a machine that the trace does not name

    @ParameterizedTest
    @CsvSource({
        "98,  true,  worker,    true,  LONG_HOLD 1001 WAKER_INFERRED",
        "98,  true,  worker,    false, SLEEPING_OWNER 1001 WAKER_INFERRED",
        "98,  false, worker,    true,  none", // a thread that does nothing else waits for work
        "63,  true,  worker,    true,  none", // read is no futex
        "98,  true,  stranger,  true,  UNKNOWN -1 UNKNOWN", // of another process: cannot have had the lock
        "98,  true,  interrupt, true,  UNKNOWN -1 UNKNOWN", // a timeout
    })
    void aFutex(int call, boolean amid, String waker, boolean works, String expected) {
        SceneThread worker = app.thread(1001, "worker", 120);
        SceneThread stranger = server.thread(2001, "stranger", 120);
        isText = false;
        if (amid) {
            main.begin("traversal");
        }
        main.runs(0, ms(5)).calls(call, ADDRESS, FUTEX_WAIT_PRIVATE, 0);
        main.runs(0, ms(5.01)).sleeps(ms(14.9));
        switch (waker) {
            case "worker" -> main.wokenBy(worker);
            case "stranger" -> main.wokenBy(stranger);
            default -> {}
        }
        main.runnable(ms(14.95)).returns(call, 0).runs(0, ms(20));
        if (amid) {
            main.end();
        }
        for (SceneThread other : new SceneThread[] {worker, stranger}) {
            int cpu = other == worker ? 1 : 2;
            other.runs(cpu, ms(6));
            if (!works) {
                other.sleeps(ms(14.5));
            }
            other.runs(cpu, ms(16));
        }
        assertThat(verdict()).isEqualTo(expected);
    }

    // ---- mutexes of native code, of which nobody names the owner

    @ParameterizedTest
    @CsvSource({
        "worker,    works,      LONG_HOLD 1001 WAKER_INFERRED",
        "worker,    sleeps,     SLEEPING_OWNER 1001 WAKER_INFERRED",
        "worker,    has no CPU, PRIORITY_INVERSION 1001 WAKER_INFERRED",
        "stranger,  works,      UNKNOWN -1 UNKNOWN", // of another process: cannot have had it
        "interrupt, works,      UNKNOWN -1 UNKNOWN",
    })
    void aMutexOfNativeCode(String waker, String does, String expected) {
        SceneThread worker = app.thread(1001, "worker", 120);
        SceneThread stranger = server.thread(2001, "stranger", 120);
        SceneThread greedy = server.thread(2002, "greedy", 115);
        main.runs(0, ms(5))
                .begin("Contending for pthread mutex")
                .runs(0, ms(5.01))
                .sleeps(ms(14.9));
        switch (waker) {
            case "worker" -> main.wokenBy(worker);
            case "stranger" -> main.wokenBy(stranger);
            default -> {}
        }
        main.runnable(ms(14.95)).end().runs(0, ms(20));
        stranger.runs(2, ms(16));
        worker.runs(1, ms(6));
        switch (does) {
            case "sleeps" -> worker.sleeps(ms(14.5));
            case "has no CPU" -> {
                greedy.sleeps(ms(5.9)).runnable(ms(6)).runs(1, ms(14.5));
                worker.runnable(ms(14.5));
            }
            default -> {}
        }
        worker.runs(1, ms(16));
        assertThat(verdict()).isEqualTo(expected);
    }

    // ---- the garbage collector

    @ParameterizedTest
    @CsvSource({
        "sleeps,          before the flip, GC_BLOCKED_BY_CRITICAL 1002 WAKER_INFERRED",
        "sleeps,          in the flip,     GC_BLOCKED 1002 WAKER_INFERRED", // who sleeps keeps nobody from stopping all
        // threads
        "works,           before the flip, GC_BLOCKED 1002 WAKER_INFERRED",
        "has no CPU,      before the flip, PRIORITY_INVERSION 1002 WAKER_INFERRED",
        "is an interrupt, before the flip, UNKNOWN -1 UNKNOWN",
    })
    void aFlipThatWaitsForAThread(String third, String when, String expected) {
        SceneThread collector = app.thread(1005, "HeapTaskDaemon", 124);
        SceneThread pinning = app.thread(1002, "pinning", 120);
        SceneThread greedy = server.thread(2002, "greedy", 115);
        boolean flips = when.equals("in the flip");

        main.runs(0, ms(5)).begin("IncrementalDisableThreadFlip");
        main.sleeps(ms(14.9)).wokenBy(collector).runnable(ms(14.95)).end().runs(0, ms(20));

        collector.sleeps(ms(2.9)).runnable(ms(3)).begin("Background concurrent copying GC");
        collector.runs(2, ms(4.5)).begin("FlipThreadRoots");
        collector.runs(2, ms(4.6));
        if (flips) {
            collector.begin("ThreadListFlip");
        }
        collector.sleeps(ms(14.2));
        if (!third.equals("is an interrupt")) {
            collector.wokenBy(pinning);
        }
        collector.runnable(ms(14.3)).runs(2, ms(14.5));
        if (!flips) {
            collector.begin("ThreadListFlip");
        }
        collector.runs(2, ms(14.8)).end().end().runs(2, ms(18)).end();

        pinning.runs(3, ms(4.7));
        switch (third) {
            case "works" -> {}
            case "has no CPU" -> {
                greedy.sleeps(ms(4.6)).runnable(ms(4.7)).runs(3, ms(14));
                pinning.runnable(ms(14));
            }
            default -> pinning.sleeps(ms(14));
        }
        pinning.runs(3, ms(15));
        assertThat(verdict()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "GC: Wait For Completion Alloc, works,      124, GC_BLOCKED 1005 OWNER_NAMED",
        "WaitForGcToComplete,           works,      124, GC_BLOCKED 1005 OWNER_NAMED",
        // not the garbage: its collector is less important
        "GC: Wait For Completion Alloc, has no CPU, 124, PRIORITY_INVERSION 1005 OWNER_NAMED",
        "WaitForGcToComplete,           has no CPU, 110, PREEMPTED_OWNER 1005 OWNER_NAMED",
        "Wait for something else,       works,      124, none",
    })
    void aCollection(String slice, String collects, int priority, String expected) {
        SceneThread collector = app.thread(1005, "HeapTaskDaemon", priority);
        SceneThread greedy = server.thread(2002, "greedy", 115);
        main.runs(0, ms(5)).begin(slice);
        main.sleeps(ms(14.9)).wokenBy(collector).runnable(ms(14.95)).end().runs(0, ms(20));
        collector.begin("Background concurrent copying GC").runs(2, ms(5.5));
        if (collects.equals("has no CPU")) {
            greedy.sleeps(ms(5.4)).runnable(ms(5.5)).runs(2, ms(14));
            collector.runnable(ms(14));
        }
        collector.runs(2, ms(18)).end();
        assertThat(verdict()).isEqualTo(expected);
    }

    // ---- threads that are held still

    /** The owner of a lock comes back from native code, 5.2 ms, while the collector has stopped all threads, 4.5 to 13 ms. */
    @ParameterizedTest
    @CsvSource({
        "ScopedPause, stops,          GC_BLOCKED 1005 WAKER_INFERRED",
        "Trim,        stops,          SAFEPOINT_BLOCKED 1005 WAKER_INFERRED",
        "ScopedPause, has no CPU,     PRIORITY_INVERSION 1005 WAKER_INFERRED", // not garbage: who collects it
        "ScopedPause, sleeps on,      SLEEPING_OWNER 1001 OWNER_NAMED", // for something else
        "ScopedPause, slept before,   SLEEPING_OWNER 1001 OWNER_NAMED",
        "ScopedPause, other waker,    SLEEPING_OWNER 1001 OWNER_NAMED",
        "ScopedPause, other process,  SLEEPING_OWNER 1001 OWNER_NAMED",
        "ScopedPause, in native code, LONG_HOLD 1001 OWNER_NAMED",
    })
    void anOwnerThatIsStopped(String cause, String how, String expected) {
        SceneThread worker = app.thread(1001, "worker", 120);
        SceneProcess of = how.equals("other process") ? server : app;
        SceneThread collector = of.thread(1005, "HeapTaskDaemon", 124);
        SceneThread greedy = server.thread(2002, "greedy", 115);
        SceneThread signal = app.thread(1006, "signal", 120);
        double wakes = how.equals("sleeps on") ? 13.5 : 13.06;

        collector
                .runs(2, ms(4.5))
                .begin("Suspending mutator threads")
                .runs(2, ms(4.55))
                .end();
        collector.begin("Mutator threads suspended for " + cause);
        if (how.equals("has no CPU")) {
            greedy.sleeps(ms(5.4)).runnable(ms(5.5)).runs(2, ms(12.5));
            collector.runs(2, ms(5.5)).runnable(ms(12.5));
        }
        collector
                .runs(2, ms(13))
                .end()
                .begin("Resuming mutator threads")
                .runs(2, ms(13.05))
                .end();
        collector.runs(2, ms(18));
        signal.runs(3, ms(18));
        main.runs(0, ms(5)).blocksOn(Contention.heldBy(worker)).sleeps(ms(14.9));
        main.wokenBy(worker).runnable(ms(14.95)).acquires().runs(0, ms(20));
        if (!how.equals("in native code")) {
            worker.runs(1, ms(how.equals("slept before") ? 4.2 : 5.2)).sleeps(ms(wakes));
            worker.wokenBy(how.equals("other waker") ? signal : collector).runnable(ms(wakes + 0.01));
        }
        worker.runs(1, ms(16));
        assertThat(verdict()).isEqualTo(expected);
    }

    /** The main thread finds that it was told to stop. */
    @ParameterizedTest
    @CsvSource({
        "suspends com.example.app, works,      SAFEPOINT_BLOCKED 1001 OWNER_NAMED",
        "suspends main,            works,      SAFEPOINT_BLOCKED 1001 OWNER_NAMED",
        "suspends main,            sleeps,     SAFEPOINT_BLOCKED 1001 OWNER_NAMED",
        "suspends main,            has no CPU, PRIORITY_INVERSION 1001 OWNER_NAMED",
        "suspends somebody else,   works,      SAFEPOINT_BLOCKED 1001 WAKER_INFERRED", // by the waker
        "says nothing,             works,      SAFEPOINT_BLOCKED 1001 WAKER_INFERRED",
        "is an interrupt,          works,      UNKNOWN -1 UNKNOWN",
        "collects,                 works,      GC_BLOCKED 1001 OWNER_NAMED",
        "collects elsewhere,       works,      UNKNOWN -1 UNKNOWN", // another process has nothing to do with it
        "pauses,                   works,      GC_BLOCKED 1001 OWNER_NAMED",
        "trims the heap,           works,      SAFEPOINT_BLOCKED 1001 OWNER_NAMED",
    })
    void aThreadThatIsToldToStop(String by, String does, String expected) {
        SceneThread other = (by.equals("collects elsewhere") ? server : app).thread(1001, "other", 120);
        SceneThread greedy = server.thread(2002, "greedy", 115);
        main.runs(0, ms(5)).begin("FullSuspendCheck").runs(0, ms(5.1)).sleeps(ms(14.9));
        if (!by.equals("is an interrupt")) {
            main.wokenBy(other);
        }
        main.runnable(ms(14.95)).end().runs(0, ms(20));
        other.runs(1, ms(4));
        switch (by) {
            case "collects", "collects elsewhere" -> other.begin("Background concurrent copying GC");
            case "pauses" -> other.begin("Mutator threads suspended for ScopedPause");
            case "trims the heap" -> other.begin("Mutator threads suspended for Trim");
            default ->
                other.begin(
                        by.startsWith("suspends ")
                                ? "SuspendThreadByThreadId suspended " + by.substring("suspends ".length()) + " id=1"
                                : "something else");
        }
        other.runs(1, ms(5.2));
        switch (does) {
            case "sleeps" -> other.sleeps(ms(14.5));
            case "has no CPU" -> {
                greedy.sleeps(ms(5.1)).runnable(ms(5.2)).runs(1, ms(14.5));
                other.runnable(ms(14.5));
            }
            default -> {}
        }
        other.runs(1, ms(14.85)).end().runs(1, ms(18));
        assertThat(verdict()).isEqualTo(expected);
    }

    /** Somebody looks at the stack of a thread that comes back from native code, which then sleeps without a word. */
    @ParameterizedTest
    @CsvSource({
        "worker,   14.8, SAFEPOINT_BLOCKED 1001 OWNER_NAMED",
        "stranger, 14.8, none", // meant for another thread
        "worker,   14.0, none", // it is let go on, and sleeps on
    })
    void aThreadWhoseStackIsLookedAt(String whom, double until, String expected) {
        SceneThread profiler = app.thread(1001, "profiler", 120);
        SceneThread worker = app.thread(1002, "worker", 120);
        profiler.runs(1, ms(5.5)).begin("SuspendThreadByPeer suspended " + whom + " id=7");
        profiler.runs(1, ms(until)).end().runs(1, ms(18));
        worker.runs(2, ms(5))
                .sleeps(ms(14.85))
                .wokenBy(profiler)
                .runnable(ms(14.9))
                .runs(2, ms(18));
        Diagnosis diagnosis = Scenes.inAnyFormat(scene, DoctorOptions.defaults().withThread("worker"));
        assertThat(diagnosis.incidents())
                .extracting(found ->
                        found.verdict() + " " + found.judgement().blamed().tid() + " "
                                + found.judgement().evidence())
                .isEqualTo(expected.equals("none") ? List.of() : List.of(expected));
        if (!expected.equals("none")) {
            Wait wait = diagnosis.incidents().getFirst().tree();
            assertThat(wait.durNs()).isEqualTo(ms(14.85 - 5.5)); // what it slept before, it slept for something else
        }
    }

    // ---- LOCK_CONVOY

    @ParameterizedTest
    @CsvSource({
        "1,  3, 3, true,  LOCK_CONVOY 1001 OWNER_NAMED",
        "1,  2, 3, true,  LONG_HOLD 1001 OWNER_NAMED", // two before it are a queue as any
        "20, 3, 1, true,  LONG_HOLD 1001 OWNER_NAMED", // the first one was slow, the others were not
        "1,  3, 3, false, LONG_HOLD 1001 OWNER_NAMED", // they wait for another lock
    })
    void threadsInARow(double firstMs, int followers, double eachMs, boolean sameLock, String expected) {
        SceneThread first = app.thread(1001, "first", 110);
        SceneThread elsewhere = app.thread(1009, "elsewhere", 110);
        double end = 5 + firstMs + followers * eachMs;
        first.runs(1, ms(end + 1));
        elsewhere.runs(9, ms(end + 1));
        for (int i = 0; i < followers; i++) {
            SceneThread owner = sameLock ? first : elsewhere;
            double gets = 5 + firstMs + i * eachMs;
            SceneThread follower = app.thread(1002 + i, "follower " + i, 110);
            follower.runs(2 + i, ms(4.4)).blocksOn(Contention.heldBy(owner).waiters(i));
            follower.runs(2 + i, ms(4.5)).sleeps(ms(gets - 0.1)).wokenBy(owner);
            follower.runnable(ms(gets)).acquires().runs(2 + i, ms(gets + eachMs));
        }
        main.runs(0, ms(5)).blocksOn(Contention.heldBy(first).waiters(followers));
        main.runs(0, ms(5.1)).sleeps(ms(end - 0.1)).wokenBy(first).runnable(ms(end));
        main.acquires().runs(0, ms(end + 3));
        assertThat(verdict()).isEqualTo(expected);
    }

    // ---- nobody in the way

    @ParameterizedTest
    @CsvSource({
        "has no CPU, 2.0,   110, NO_CPU 1000 SCHEDULER",
        "has no CPU, 0.999, 110, none",
        "has no CPU, 2.0,   121, none", // it is nice to others, and has asked for no better
        "sleeps,     2.0,   110, none",
    })
    void aThreadWithoutACpu(String does, double ms, int priority, String expected) {
        main.priority(priority).begin("bindApplication").runs(0, ms(5));
        if (does.equals("sleeps")) {
            main.sleeps(ms(5 + ms));
        } else {
            main.runnable(ms(5 + ms));
        }
        main.runs(0, ms(9)).end();
        server.thread(2002, "greedy", 115).sleeps(ms(4.9)).runnable(ms(5)).runs(0, ms(5 + ms));
        assertThat(verdict()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "in the kernel, 2.0,   true,  BLOCKING_IO 1000 SCHEDULER",
        "in the kernel, 2.0,   false, BLOCKING_IO 1000 SCHEDULER",
        "in the kernel, 0.999, true,  none",
        "ordinarily,    2.0,   true,  none",
    })
    void aThreadThatSleeps(String how, double ms, boolean ioWait, String expected) {
        main.begin("bindApplication").runs(0, ms(5));
        if (how.equals("ordinarily")) {
            main.sleeps(ms(5 + ms)).runnable(ms(5.01 + ms));
        } else {
            main.sleepsUninterruptibly(ms(5 + ms), ioWait, "folio_wait_bit_common")
                    .runnable(ms(5.01 + ms));
        }
        main.runs(0, ms(9)).end();
        assertThat(verdict()).isEqualTo(expected);
        if (!expected.equals("none")) {
            Incident incident = Scenes.only(scene);
            assertThat(incident.tree().what()).isEqualTo("folio_wait_bit_common");
            assertThat(incident.ownerStates().getFirst().state())
                    .isEqualTo(ioWait ? OwnerState.IO_WAIT : OwnerState.UNINTERRUPTIBLE);
        }
    }

    // ---- UNKNOWN

    @ParameterizedTest
    @CsvSource({"1001, LONG_HOLD 1001 OWNER_NAMED", "4711, UNKNOWN 4711 OWNER_NAMED"})
    void anOwnerOfWhomTheTraceTellsNothing(int tid, String expected) {
        SceneThread worker = app.thread(1001, "worker", 120);
        worker.runs(1, ms(16));
        main.runs(0, ms(5)).begin("Lock contention on thread list lock (owner tid: " + tid + ")");
        main.sleeps(ms(14.9)).wokenBy(worker).runnable(ms(14.95)).end().runs(0, ms(20));
        assertThat(verdict()).isEqualTo(expected);
    }

    // ---- lent priorities

    /**
     * The kernel shows a thread that was lent a priority with that one. A real-time one helps, as the owner then is the more
     * important thread; any other changes nothing, though it looks better than the waiting thread's own.
     */
    @ParameterizedTest
    @CsvSource({
        "0,   PRIORITY_INVERSION, 120",
        "105, PRIORITY_INVERSION, 120",
        "97,  PREEMPTED_OWNER,    97",
    })
    void anOwnerThatWasLentAPriority(int lent, Verdict verdict, int counts) {
        SceneThread worker = app.thread(1001, "worker", 120);
        SceneThread greedy = server.thread(2002, "greedy", 115);
        worker.runs(1, ms(6));
        if (lent > 0) {
            worker.inherits(lent);
        }
        worker.runs(1, ms(6.1)).runnable(ms(13)).runs(1, ms(15));
        if (lent > 0) {
            worker.inherits(120);
        }
        worker.runs(1, ms(16));
        greedy.sleeps(ms(6)).runnable(ms(6.1)).runs(1, ms(13));
        main.runs(0, ms(5)).blocksOn(Contention.heldBy(worker)).sleeps(ms(14.9));
        main.wokenBy(worker).runnable(ms(14.95)).acquires().runs(0, ms(20));

        Diagnosis diagnosis = Scenes.inAnyFormat(scene, DoctorOptions.defaults());
        Incident incident = diagnosis.incidents().getFirst();
        assertThat(incident.verdict()).isEqualTo(verdict);
        assertThat(incident.judgement().decisiveNs()).isEqualTo(ms(6.9));
        Part preempted = incident.tree().tenures().getFirst().parts().stream()
                .filter(part -> part.state() == OwnerState.PREEMPTED)
                .findFirst()
                .orElseThrow();
        assertThat(preempted.thread().priority()).isEqualTo(counts);
        assertThat(preempted.thread().hasInherited()).isEqualTo(lent > 0);
        if (lent > 0) {
            assertThat(preempted.thread().inherited()).isEqualTo(lent);
            assertThat(Words.identity(preempted.thread(), "com.example.app"))
                    .endsWith(lent == counts ? "priority 97, lent" : "priority 120, lent 105");
        }
    }
}
