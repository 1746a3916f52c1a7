package dev.unjank.doctor.judge;

import static dev.unjank.doctor.scene.SyntheticTrace.APP;
import static dev.unjank.doctor.scene.SyntheticTrace.SERVER;
import static dev.unjank.doctor.scene.SyntheticTrace.ns;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.CriticalPath;
import dev.unjank.doctor.model.CriticalPath.PathSlice;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.OwnWorkFrame;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.trace.model.SchedState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The threads that a missed frame passed, one after another. */
class CriticalPathFinderTest {
    private static final int RENDERER = 1001;
    private static final int WORKER = 1002;

    private final SyntheticTrace stage = new SyntheticTrace()
            .process(APP, "com.example.app")
            .thread(RENDERER, APP, "RenderThread", 110)
            .thread(WORKER, APP, "worker", 120);

    private CriticalPath path() {
        List<OwnWorkFrame> late = stage.diagnose(DoctorOptions.defaults()).ownWorkFrames();
        assertThat(late).hasSize(1);
        return late.getFirst().path();
    }

    /** The path as {@code thread from-to} in ms. */
    private static List<String> steps(CriticalPath path) {
        return path.intervals().stream()
                .map(interval -> interval.owner().thread().name() + " " + interval.startNs() / 1_000_000 + "-"
                        + interval.endNs() / 1_000_000)
                .toList();
    }

    /** A frame from 1 to 101 ms; the main thread runs until 40 ms, then waits until 90 ms. */
    private void waitsForRenderer() {
        stage.frame(APP, 7, 1, 20, 101)
                .begins(APP, "Choreographer#doFrame 7", 2)
                .slice(APP, "measure", 2, 30)
                .slice(APP, "postAndWait", 40, 90)
                .ends(APP, 100)
                .runs(APP, 1, 40, SchedState.SLEEPING)
                .runs(APP, 90, 101, SchedState.SLEEPING);
    }

    @Test
    void aWaitLeadsToTheThreadThatEndedIt() {
        waitsForRenderer();
        stage.begins(RENDERER, "upload", 10)
                .slice(RENDERER, "texture", 50, 80)
                .ends(RENDERER, 90)
                .runs(RENDERER, 10, 91, SchedState.SLEEPING)
                .wakes(RENDERER, 90, APP);
        CriticalPath path = path();
        assertThat(steps(path)).containsExactly("com.example.app 1-40", "RenderThread 40-90", "com.example.app 90-101");
        assertThat(path.intervals().get(1).owner().evidence()).isEqualTo(Evidence.WAKER_INFERRED);
        CriticalPath.ThreadWork renderer = path.threads().get(1);
        assertThat(renderer.durNs()).isEqualTo(ns(50));
        assertThat(renderer.states().getFirst().state()).isEqualTo(OwnerState.RUNNING);
        assertThat(renderer.slices())
                .containsExactly(
                        new PathSlice("upload", 0, ns(50), ns(20)), new PathSlice("texture", 1, ns(30), ns(30)));
        assertThat(path.threads().getFirst().slices())
                .as("the wait's slice is long, though other threads were the path in it")
                .contains(new PathSlice("postAndWait", 1, ns(50), 0));
    }

    /** The render thread is busy meanwhile, but another thread ended the wait. */
    @Test
    void aBusyThreadThatDidNotEndTheWaitIsNoPart() {
        waitsForRenderer();
        stage.slice(RENDERER, "upload", 10, 95)
                .runs(RENDERER, 10, 95, SchedState.SLEEPING)
                .runs(WORKER, 30, 91, SchedState.SLEEPING)
                .wakes(WORKER, 90, APP);
        assertThat(steps(path())).containsExactly("com.example.app 1-40", "worker 40-90", "com.example.app 90-101");
    }

    /** The main thread did not wait at all. */
    @Test
    void aBusyThreadWithoutAWaitIsNoPart() {
        stage.frame(APP, 7, 1, 20, 101)
                .slice(APP, "Choreographer#doFrame 7", 2, 100)
                .runs(APP, 1, 101, SchedState.SLEEPING)
                .slice(RENDERER, "DrawFrames 6", 10, 90)
                .runs(RENDERER, 10, 91, SchedState.SLEEPING);
        assertThat(steps(path())).containsExactly("com.example.app 1-101");
    }

    /** Frame 7 is drawn after the main thread is done with it; then the GPU has it. */
    @Test
    void theRenderThreadDrawsTheFrame() {
        stage.frame(APP, 7, 1, 20, 101)
                .slice(APP, "Choreographer#doFrame 7", 2, 50)
                .runs(APP, 1, 50, SchedState.SLEEPING)
                .slice(RENDERER, "DrawFrames 7", 45, 95)
                .runs(RENDERER, 45, 96, SchedState.SLEEPING);
        CriticalPath path = path();
        assertThat(steps(path)).containsExactly("com.example.app 1-45", "RenderThread 45-95", "null 95-101");
        assertThat(path.intervals().getLast().owner().evidence()).isEqualTo(Evidence.UNKNOWN);
    }

    /** A worker ends the render thread's wait, which ends the main thread's. */
    @Test
    void waitsAreFollowedFromThreadToThread() {
        waitsForRenderer();
        stage.begins(RENDERER, "upload", 10)
                .ends(RENDERER, 90)
                .runs(RENDERER, 10, 50, SchedState.SLEEPING)
                .runs(WORKER, 45, 71, SchedState.SLEEPING)
                .wakes(WORKER, 70, RENDERER)
                .runs(RENDERER, 70, 91, SchedState.SLEEPING)
                .wakes(RENDERER, 90, APP);
        assertThat(steps(path()))
                .containsExactly(
                        "com.example.app 1-40",
                        "RenderThread 40-50",
                        "worker 50-70",
                        "RenderThread 70-90",
                        "com.example.app 90-101");
    }

    /** Threads that sleep for each other do not lead back. */
    @Test
    void aCircleEndsThePath() {
        waitsForRenderer();
        stage.begins(RENDERER, "upload", 10)
                .ends(RENDERER, 90)
                .runs(RENDERER, 10, 50, SchedState.SLEEPING)
                .wakes(APP, 60, RENDERER)
                .runs(RENDERER, 60, 91, SchedState.SLEEPING)
                .wakes(RENDERER, 90, APP);
        assertThat(steps(path()))
                .containsExactly("com.example.app 1-40", "RenderThread 40-90", "com.example.app 90-101");
    }

    /** Outside of slices the main thread waits for its next message, from any thread. */
    @Test
    void anIdleSleepIsNotFollowed() {
        stage.frame(APP, 7, 1, 20, 101)
                .slice(APP, "Choreographer#doFrame 7", 60, 100)
                .runs(APP, 1, 10, SchedState.SLEEPING)
                .runs(WORKER, 5, 61, SchedState.SLEEPING)
                .wakes(WORKER, 60, APP)
                .runs(APP, 60, 101, SchedState.SLEEPING);
        assertThat(steps(path())).containsExactly("com.example.app 1-101");
    }

    /** The thread of another process that woke it may have had any reason. */
    @Test
    void anotherProcessIsNotFollowed() {
        waitsForRenderer();
        stage.process(SERVER, "server")
                .runs(SERVER, 30, 91, SchedState.SLEEPING)
                .wakes(SERVER, 90, APP);
        assertThat(steps(path())).containsExactly("com.example.app 1-101");
    }

    /** A recorded owner is better than a waker: the wait stays a segment of the thread that waits. */
    @Test
    void aKnownWaitKeepsItsOwner() {
        stage.frame(APP, 7, 1, 20, 101)
                .begins(APP, "Choreographer#doFrame 7", 2)
                .slice(
                        APP,
                        "monitor contention with owner worker (1002) at void a.B.c()(B.java:1) waiters=0 blocking from"
                                + " void d.E.f()(E.java:2)",
                        40,
                        60)
                .ends(APP, 101)
                .runs(APP, 1, 40, SchedState.SLEEPING)
                .runs(WORKER, 30, 61, SchedState.SLEEPING)
                .wakes(WORKER, 60, APP)
                .runs(APP, 60, 101, SchedState.SLEEPING);
        CriticalPath path = path();
        assertThat(steps(path)).containsExactly("com.example.app 1-101");
        assertThat(path.intervals().getFirst().segments()).anySatisfy(part -> {
            assertThat(part.state()).isEqualTo(OwnerState.BLOCKED);
            assertThat(part.nextWait()).isNotNull();
        });
    }

    /** Of slices within one another those are named that differ much. */
    @Test
    void aSliceThatFillsAnotherIsNotNamed() {
        stage.frame(APP, 7, 1, 20, 101)
                .begins(APP, "Choreographer#doFrame 7", 1)
                .begins(APP, "traversal", 2)
                .slice(APP, "measure", 3, 60)
                .ends(APP, 100)
                .ends(APP, 101)
                .runs(APP, 1, 101, SchedState.SLEEPING);
        assertThat(path().threads().getFirst().slices())
                .containsExactly(
                        new PathSlice("Choreographer#doFrame 7", 0, ns(100), ns(2)),
                        new PathSlice("measure", 2, ns(57), ns(57)));
    }
}
