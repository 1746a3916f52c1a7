package dev.unjank.doctor;

import static dev.unjank.scene.Scene.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.VerdictScene;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Verdicts where threads are held still, for the garbage collector or for somebody else. */
class GcAndSuspensionScenesTest extends VerdictScene {
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
        "WaitForGcToComplete,           has no CPU, 110, RUNNABLE_OWNER 1005 OWNER_NAMED",
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

    /**
     * The owner of a lock comes back from native code, 5.2 ms, while the collector has stopped all threads, 4.5 to 13
     * ms.
     */
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
        main.runs(0, ms(5)).blocksOn(ArtContention.heldBy(worker)).sleeps(ms(14.9));
        main.wokenBy(worker).runnable(ms(14.95)).acquires().runs(0, ms(20));
        if (!how.equals("in native code")) {
            worker.runs(1, ms(how.equals("slept before") ? 4.2 : 5.2)).sleeps(ms(wakes));
            worker.wokenBy(how.equals("other waker") ? signal : collector).runnable(ms(wakes + 0.01));
        }
        worker.runs(1, ms(16));
        assertThat(verdict()).isEqualTo(expected);
    }

    /** The main thread finds that it was asked to stop. */
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
    void aRequestedSuspension(String by, String does, String expected) {
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
        Diagnosis diagnosis =
                SceneDiagnoses.inAnyFormat(scene, DoctorOptions.defaults().withThread("worker"));
        assertThat(diagnosis.incidents())
                .extracting(found -> found.verdict() + " "
                        + found.judgement().responsibleThread().tid() + " "
                        + found.judgement().evidence())
                .isEqualTo(expected.equals("none") ? List.of() : List.of(expected));
        if (!expected.equals("none")) {
            Wait wait = diagnosis.incidents().getFirst().rootWait();
            assertThat(wait.durNs()).isEqualTo(ms(14.85 - 5.5)); // what it slept before, it slept for something else
        }
    }
}
