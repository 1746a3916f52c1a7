package dev.unjank.doctor.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.report.ThreadLabels;
import dev.unjank.doctor.report.html.Timeline.Lane;
import dev.unjank.doctor.report.html.Timeline.State;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.model.Trace;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimelineBuilderTest {

    private static Timeline worst(Trace trace) {
        Diagnosis diagnosis = HtmlPages.diagnosis(trace);
        return new TimelineBuilder(diagnosis, trace).of(diagnosis.incidents().getFirst());
    }

    @Test
    void theThreadsThatMatter() {
        Timeline timeline = worst(HtmlPages.example());
        assertThat(timeline.lanes())
                .extracting(lane -> lane.thread().name() + " " + lane.role())
                .containsExactly(
                        "droid.launcher3 BLOCKED",
                        "binder:3363_2 OWNER",
                        "android.anim PREEMPTING",
                        "android.display PREEMPTING",
                        "tworkPolicy.uid PREEMPTING");
    }

    @Test
    void whatTheOwnerDidIsWhatTheSchedulerSays() {
        Timeline timeline = worst(HtmlPages.example());
        Lane owner = timeline.lanes().get(1);
        long ready = owner.states().stream()
                .filter(state -> state.kind().state() == OwnerState.RUNNABLE)
                .filter(state -> state.startNs() >= timeline.links().getFirst().startNs())
                .mapToLong(State::durNs)
                .sum();
        assertThat(ready).isEqualTo(5_512_000);
        assertThat(owner.slices()).extracting(Timeline.Slice::name).contains("binder reply");
        assertThat(timeline.links())
                .extracting(Timeline.Link::lane, Timeline.Link::ownerLane, Timeline.Link::durNs)
                .containsExactly(tuple(0, 1, 9_143_000L), tuple(0, 0, 5_000L));
    }

    @Test
    void aLaneWithTooMuchToDrawIsSampled() {
        Scene scene = new Scene();
        SceneProcess app = scene.process(1000, "com.example");
        SceneThread main = app.mainThread("com.example", 110);
        SceneThread worker = app.thread(1001, "worker", 120);
        for (int i = 0; i < 5_000; i++) {
            worker.begin("step").runs(1, Scene.us(10 * i + 5)).end();
            worker.sleeps(Scene.us(10 * i + 10));
        }
        worker.runs(1, Scene.us(51_000));
        main.runs(0, Scene.us(2)).blocksOn(ArtContention.heldBy(worker)).sleeps(Scene.us(50_500));
        main.wokenBy(worker).runnable(Scene.us(50_600)).acquires().runs(0, Scene.us(52_000));

        Lane owner = worst(HtmlPages.read(scene)).lanes().get(1);
        assertThat(owner.coarse()).isTrue();
        assertThat(owner.states()).hasSizeLessThanOrEqualTo(1_500);
        assertThat(owner.slices()).hasSizeLessThanOrEqualTo(400);
        assertTiled(owner.states());
    }

    @Test
    void aThreadThatBeginsAndEndsInBetween() {
        Scene scene = new Scene();
        SceneProcess app = scene.process(1000, "com.example");
        SceneThread main = app.mainThread("com.example", 110);
        SceneThread owner = app.thread(1001, "owner", 120);
        main.runs(0, Scene.ms(1)).spawns(owner);
        owner.runnable(Scene.ms(1.1)).runs(1, Scene.ms(4));
        main.runs(0, Scene.ms(2)).blocksOn(ArtContention.heldBy(owner)).sleeps(Scene.ms(3.9));
        main.wokenBy(owner).runnable(Scene.ms(4)).acquires().runs(0, Scene.ms(5));
        owner.exits();

        Lane lane = worst(HtmlPages.read(scene)).lanes().get(1);
        assertThat(lane.thread().name()).isEqualTo("owner");
        assertTiled(lane.states());
    }

    /** Some programs write nothing for a process's name; its main thread's own is then what there is. */
    @Test
    void whoWokeAThreadHasANameThoughItsProcessHasNone() {
        Scene scene = new Scene();
        SceneProcess app = scene.process(1000, "com.example");
        SceneThread main = app.mainThread("com.example", 110);
        SceneThread nameless = scene.process(2000, "").mainThread("m.example.other", 120);
        nameless.runs(1, Scene.ms(5));
        main.runs(0, Scene.ms(1)).blocksOn(ArtContention.heldBy(nameless)).sleeps(Scene.ms(4));
        main.wokenBy(nameless).runnable(Scene.ms(4.1)).acquires().runs(0, Scene.ms(6));

        Lane lane = worst(HtmlPages.read(scene)).lanes().getFirst();
        assertThat(lane.states())
                .extracting(state -> state.kind().waker())
                .filteredOn(waker -> waker != null)
                .isNotEmpty()
                .allSatisfy(waker -> assertThat(ThreadLabels.name(waker)).isEqualTo("m.example.other"));
    }

    /** Of all the threads that stood still those are drawn that lost something, the surest first. */
    @Test
    void whoWasIdleWhileAllStoodStillIsNotDrawn() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.name(111, "parked")
                    .name(112, "works")
                    .name(113, "reads")
                    .slice(111, 5, 100, "park", "parking on app.Queue")
                    .slice(113, 5, 100, "io", "socket read db:5432")
                    .slice(112, 5, 100, "mq", "app.Work: #1")
                    .sampled(SyntheticJvmTrace.EVENTS, 48, "app.Ui.paint")
                    .name(SyntheticJvmTrace.EVENTS, "sampled")
                    .stop(50, 70, "gc", "GC pause: G1New (G1 Evacuation Pause)");
            Timeline timeline = worst(stage.trace());
            assertThat(timeline.lanes())
                    .extracting(lane -> lane.thread().name())
                    .containsExactly("works", "sampled");
            assertThat(timeline.lanes())
                    .allSatisfy(lane -> assertThat(lane.role()).isEqualTo(Timeline.Role.BLOCKED));
        }
    }

    /** The collector's own threads and the one that does the machine's operations are what the others wait for. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theMachinesOwnThreadsDoNotWaitForThemselves(boolean collects) {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.name(111, "C2 CompilerThread0")
                    .name(112, "GC Thread#0")
                    .name(113, "VM Thread")
                    .name(114, "JFR Periodic Tasks")
                    .stop(50, 72, "safepoint", "safepoint: GC_HeapInspection by JFR Periodic Tasks (114)");
            if (collects) {
                stage.stop(51, 71, "gc", "GC pause: G1Full (Heap Inspection Initiated GC)");
            }
            Timeline timeline = worst(stage.trace());
            assertThat(timeline.lanes())
                    .extracting(lane -> lane.thread().name() + " " + lane.role())
                    .startsWith("main BLOCKED", "worker BLOCKED", "other BLOCKED", "JFR Periodic Tasks OWNER")
                    .endsWith(
                            collects ? "VM Thread MACHINE" : "JFR Periodic Tasks OWNER",
                            collects ? "GC Thread#0 MACHINE" : "VM Thread MACHINE")
                    .hasSize(collects ? 6 : 5);
            assertThat(timeline.links()).extracting(Timeline.Link::lane).containsExactly(0, 1, 2, 3);
        }
    }

    /**
     * A machine may have a dozen such threads: those that a profiler saw at work in the pause did it, those beside the
     * program did not.
     */
    @Test
    void ofTheMachinesThreadsThoseAtWork() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.name(111, "G1 Main Marker")
                    .name(112, "G1 Conc#0")
                    .name(113, "GC Thread#0")
                    .name(114, "GC Thread#1")
                    .name(115, "GC Thread#2")
                    .name(116, "VM Thread")
                    .sampled(112, 60, "mark")
                    .sampled(115, 60, "copy")
                    .stop(50, 70, "gc", "GC pause: G1New (G1 Evacuation Pause)");
            assertThat(worst(stage.trace()).lanes())
                    .filteredOn(lane -> lane.role() == Timeline.Role.MACHINE)
                    .extracting(lane -> lane.thread().name())
                    .containsExactly("VM Thread", "GC Thread#2", "GC Thread#0");
        }
    }

    @Test
    void whereNothingIsKnownOfAnyThreadSomethingIsDrawnAllTheSame() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.stop(50, 70, "gc", "GC pause: G1New (G1 Evacuation Pause)");
            assertThat(worst(stage.trace()).lanes())
                    .extracting(lane -> lane.thread().name())
                    .containsExactly("main", "worker", "other");
        }
    }

    private static void assertTiled(List<State> states) {
        assertThat(states).isNotEmpty();
        long at = states.getFirst().startNs();
        for (State state : states) {
            assertThat(state.startNs()).isEqualTo(at);
            assertThat(state.durNs()).isPositive();
            at += state.durNs();
        }
    }
}
