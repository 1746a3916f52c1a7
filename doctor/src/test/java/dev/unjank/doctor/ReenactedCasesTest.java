package dev.unjank.doctor;

import static dev.unjank.scene.Scene.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.FrameCost;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.scene.IncidentDump;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.write.KernelEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The incidents of real devices that were worked out by hand ({@link HandWorkedCasesTest} has them where the devices'
 * traces are), rebuilt from the facts: who waited for whom, at which
 * priorities, and what each thread did for how long. Each is written as a trace in every encoding, read back and
 * diagnosed, and the report is compared with a table. Where the order of things is not part of what is known, it is
 * made up. All waits begin at 10 ms.
 */
class ReenactedCasesTest {
    private final Scene scene = new Scene();

    private Incident diagnosed(int tid) {
        Diagnosis diagnosis =
                SceneDiagnoses.inAnyFormat(scene, DoctorOptions.defaults().withThread(Integer.toString(tid)));
        assertThat(diagnosis.incidents()).hasSize(1);
        return diagnosis.incidents().getFirst();
    }

    /** Becomes ready when a CPU is free, and runs there. */
    private static SceneThread runsAt(SceneThread thread, int cpu, double from, double until) {
        return thread.sleeps(ms(from - 0.02)).runnable(ms(from)).runs(cpu, ms(until));
    }

    /**
     * Android 15: a home screen's message queue. Threads of its own priority and better ones run in place of the owner,
     * so it is a bounded inversion; the 33 us in which the main thread itself is in the way are nobody else's fault.
     */
    @Test
    void anInversionInAMessageQueue() {
        SceneProcess launcher = scene.process(3363, "com.android.launcher3");
        SceneThread main = launcher.mainThread("droid.launcher3", 110);
        SceneThread binder = launcher.thread(3384, "binder:3363_2", 120);
        SceneThread render = launcher.thread(3180, "RenderThread", 110);
        SceneThread hwBinder = scene.process(689, "composer").thread(690, "HwBinder:689_1", 97);
        SceneThread mail = scene.process(7100, "com.example.mail").mainThread("om.example.mail", 112);

        binder.runs(1, ms(9.99)).runnable(ms(15.512)).begin("AIDL::java::IRecentTasksListener::#1::server");
        binder.runs(1, ms(15.625)).end().sleeps(ms(19.5));
        // on the CPU of the owner, one after the other
        runsAt(hwBinder, 1, 9.99, 11.161);
        runsAt(render, 1, 11.161, 15.479);
        main.runs(0, ms(10)).blocksOn(ArtContention.heldBy(binder));
        main.runs(0, ms(10.1)).sleeps(ms(15.54)).wokenBy(binder).runnable(ms(19.106));
        main.runs(0, ms(19.148)).acquires().runs(0, ms(20));
        runsAt(mail, 0, 10.2, 19.106);

        assertThat(IncidentDump.of(diagnosed(3363))).isEqualTo("""
                blocked 3363 droid.launcher3 110 main
                wait    MONITOR 9.148 android.os.MessageQueue.next MessageQueue.java:348 waiters 0
                owner   3384 binder:3363_2 120 OWNER_NAMED android.os.MessageQueue.enqueueMessage MessageQueue.java:594
                did     RUNNABLE 5.512
                did     SLEEPING 3.523
                did     RUNNING 0.113
                instead 3180 RenderThread 110 4.318
                instead 690 HwBinder:689_1 97 1.161
                verdict PRIORITY_INVERSION (bounded) 5.512 OWNER_NAMED, blames 3384
                tree    3384 binder:3363_2 120 RUNNABLE 5.512
                tree    3384 binder:3363_2 120 RUNNING 0.028, AIDL::java::IRecentTasksListener::#1::server
                tree    3363 droid.launcher3 110 RUNNABLE 3.566
                tree    3363 droid.launcher3 110 RUNNING 0.042
                """);
    }

    /**
     * Android 15: the longest lack of a CPU in that trace, between threads of equal priority. With a priority one step
     * lower it is an inversion, unbounded, since the thread that ran meanwhile had a lower priority still.
     */
    @ParameterizedTest
    @CsvSource({"118, RUNNABLE_OWNER", "119, PRIORITY_INVERSION (unbounded)"})
    void aPreemptedOwner(int priority, String verdict) {
        SceneProcess system = scene.process(1286, "system_server");
        SceneThread network = system.thread(2978, "tworkPolicy.uid", 118);
        SceneThread ui = system.thread(1314, "android.ui", priority);
        SceneThread binder = system.thread(4113, "binder:1286_10", 100);
        SceneThread display = system.thread(1316, "android.display", 117);
        SceneThread probes = scene.process(821, "traced_probes").mainThread("traced_probes", 120);

        ui.runs(1, ms(9.99)).runnable(ms(25.601)).runs(1, ms(26));
        runsAt(binder, 1, 9.99, 12.67);
        runsAt(display, 1, 12.67, 14.011);
        runsAt(probes, 1, 14.011, 25.601);
        network.runs(0, ms(10)).blocksOn(ArtContention.heldBy(ui).ownerName("android.ui"));
        network.runs(0, ms(10.1)).sleeps(ms(25.637)).wokenBy(ui).runnable(ms(25.673));
        network.runs(0, ms(25.721)).acquires().runs(0, ms(26));

        assertThat(IncidentDump.of(diagnosed(2978))).isEqualTo("""
                blocked 2978 tworkPolicy.uid 118
                wait    MONITOR 15.721 android.os.MessageQueue.next MessageQueue.java:348 waiters 0
                owner   1314 android.ui %1$d OWNER_NAMED android.os.MessageQueue.enqueueMessage MessageQueue.java:594
                did     RUNNABLE 15.601
                did     RUNNING 0.120
                instead 821 traced_probes 120 11.590
                instead 4113 binder:1286_10 100 2.670
                instead 1316 android.display 117 1.341
                verdict %2$s 15.601 OWNER_NAMED, blames 1314
                tree    1314 android.ui %1$d RUNNABLE 15.601
                tree    1314 android.ui %1$d RUNNING 0.036
                tree    2978 tworkPolicy.uid 118 RUNNABLE 0.036
                tree    2978 tworkPolicy.uid 118 RUNNING 0.048
                """.formatted(priority, verdict));
    }

    /**
     * Android 15: the window manager's lock, held asleep for most of the time. Its owner is lent a better priority by
     * binder.
     */
    @Test
    void anOwnerAsleep() {
        SceneProcess system = scene.process(1286, "system_server");
        SceneThread animation = system.thread(1317, "android.anim", 116);
        SceneThread binder = system.thread(4113, "binder:1286_10", 112);
        SceneThread greedy = scene.process(494, "netd").thread(983, "binder:494_9", 112);
        SceneThread worker = scene.process(580, "adbd").thread(16080, "UsbFfs-worker", 120);
        ArtContention contention = new ArtContention(
                "binder:1286_10",
                4113,
                "int com.android.server.wm.ActivityStarter.execute()(ActivityStarter.java:765)",
                "void com.android.server.wm.WindowAnimator.lambda$new$1(long)(WindowAnimator.java:97)",
                1,
                4113);

        binder.begin("binder reply").runs(1, ms(9.9)).runnable(ms(10.039)).begin("acquire_wake_lock");
        binder.runs(1, ms(10.155))
                .runnable(ms(10.385))
                .end()
                .runs(1, ms(12.831))
                .sleeps(ms(23.46));
        binder.runs(1, ms(24)).end();
        runsAt(worker, 1, 9.9, 10.039);
        runsAt(greedy, 1, 10.155, 10.385);
        animation.begin("animation").runs(0, ms(10)).blocksOn(contention);
        animation
                .runs(0, ms(10.05))
                .sleeps(ms(22.861))
                .runnable(ms(23.425))
                .runs(0, ms(23.461))
                .acquires();
        animation.runs(0, ms(24)).end();

        assertThat(IncidentDump.of(diagnosed(1317))).isEqualTo("""
                blocked 1317 android.anim 116
                wait    MONITOR 13.461 com.android.server.wm.WindowAnimator.lambda$new$1 WindowAnimator.java:97 waiters 1
                owner   4113 binder:1286_10 112 OWNER_NAMED com.android.server.wm.ActivityStarter.execute ActivityStarter.java:765
                did     SLEEPING 10.629
                did     RUNNING 2.563
                did     RUNNABLE 0.269
                instead 983 binder:494_9 112 0.230
                instead 16080 UsbFfs-worker 120 0.039
                verdict SLEEPING_OWNER 10.030 OWNER_NAMED, blames 4113
                tree    4113 binder:1286_10 112 RUNNABLE 0.039
                tree    4113 binder:1286_10 112 RUNNING 0.116, acquire_wake_lock
                tree    4113 binder:1286_10 112 RUNNABLE 0.230
                tree    4113 binder:1286_10 112 RUNNING 2.446, binder reply
                tree    4113 binder:1286_10 112 SLEEPING 10.030, binder reply
                tree    1317 android.anim 116 RUNNABLE 0.564
                tree    1317 android.anim 116 RUNNING 0.036, animation
                """);
    }

    /**
     * Android 13: the number in the outer slice is the runtime's own, only the inner slice knows the tid. The owner
     * calls another process meanwhile, and the kernel changes its priority on the way.
     */
    @Test
    void anOwnerByTheRuntimesOwnNumber() {
        SceneProcess system = scene.process(1858, "system_server");
        SceneThread display = system.thread(2052, "android.display", 117);
        SceneThread binder = system.thread(11237, "binder:1858_20", 112);
        SceneThread logger = scene.process(460, "logd").thread(464, "logd.writer", 130);
        SceneThread serving = scene.process(513, "surfaceflinger").thread(3172, "binder:513_4", 110);
        ArtContention contention = new ArtContention(
                "binder:1858_20",
                182,
                "int com.android.server.wm.ActivityStarter.execute()(ActivityStarter.java:692)",
                "void com.android.server.wm.RootWindowContainer$RankTaskLayersRunnable.run()(RootWindowContainer.java:3565)",
                0,
                11237);

        binder.begin("startActivityInner")
                .runs(1, ms(10.751))
                .runnable(ms(13.286))
                .runs(1, ms(15.352));
        binder.does(KernelEvent.binderTransaction(5, false, false)).runs(1, ms(15.353));
        binder.priority(110).sleeps(ms(16.340)).wokenBy(serving).runnable(ms(16.341));
        binder.does(KernelEvent.binderReceived(6))
                .runs(1, ms(17))
                .runnable(ms(17.518))
                .runs(1, ms(18.818));
        binder.sleeps(ms(18.918)).runnable(ms(18.919)).runs(1, ms(20)).end();
        runsAt(logger, 1, 10.751, 13.286);
        serving.sleeps(ms(15.3525)).wokenBy(binder).runnable(ms(15.354)).does(KernelEvent.binderReceived(5));
        serving.runs(2, ms(16.3))
                .does(KernelEvent.binderTransaction(6, true, false))
                .runs(2, ms(16.5));
        display.runs(0, ms(10)).blocksOn(contention);
        display.runs(0, ms(10.1)).sleeps(ms(19.22)).wokenBy(binder).runnable(ms(19.34));
        display.runs(0, ms(19.364)).acquires().runs(0, ms(20));

        assertThat(IncidentDump.of(diagnosed(2052))).isEqualTo("""
                blocked 2052 android.display 117
                wait    MONITOR 9.364 com.android.server.wm.RootWindowContainer$RankTaskLayersRunnable.run RootWindowContainer.java:3565 waiters 0
                owner   11237 binder:1858_20 112 OWNER_FROM_CHILD com.android.server.wm.ActivityStarter.execute ActivityStarter.java:692
                did     RUNNING 5.222
                did     RUNNABLE 3.055
                did     BLOCKED 0.987
                did     SLEEPING 0.100
                instead 464 logd.writer 130 2.535
                verdict LONG_HOLD 5.078 OWNER_FROM_CHILD, blames 11237
                tree    11237 binder:1858_20 112 RUNNING 0.751, startActivityInner
                tree    11237 binder:1858_20 112 RUNNABLE 2.535
                tree    11237 binder:1858_20 112 RUNNING 2.067, startActivityInner
                tree    11237 binder:1858_20 112 waits for BINDER 0.987
                tree      3172 binder:513_4 110 RUNNABLE 0.001
                tree      3172 binder:513_4 110 RUNNING 0.986, binder reply
                tree    11237 binder:1858_20 110 RUNNABLE 0.001
                tree    11237 binder:1858_20 110 RUNNING 0.659, startActivityInner
                tree    11237 binder:1858_20 110 RUNNABLE 0.518
                tree    11237 binder:1858_20 110 RUNNING 1.300, startActivityInner
                tree    11237 binder:1858_20 110 SLEEPING 0.100, startActivityInner
                tree    11237 binder:1858_20 110 RUNNABLE 0.001
                tree    11237 binder:1858_20 110 RUNNING 0.301, startActivityInner
                tree    2052 android.display 117 RUNNABLE 0.120
                tree    2052 android.display 117 RUNNING 0.024
                """);
    }

    /**
     * Android 15: one frame of an app that is starting, and late by far. What its main thread waited for is booked to
     * it.
     */
    @Test
    void theLongFrameOfAStart() {
        SceneProcess app = scene.process(27246, "androidx.compose.integration.hero.macrobenchmark.target");
        SceneThread main = app.mainThread("enchmark.target", 110);
        SceneThread worker = app.thread(27262, "DefaultDispatch", 120);
        worker.runs(1, ms(400));
        main.runs(0, ms(20))
                .begin("Choreographer#doFrame 7848")
                .runs(0, ms(200))
                .blocksOn(ArtContention.heldBy(worker));
        main.sleeps(ms(300))
                .wokenBy(worker)
                .runnable(ms(300.05))
                .acquires()
                .runs(0, ms(1_100))
                .end();
        app.frame("TX - JetsnackActivity#7848", ms(10), ms(30), ms(1_131.6), 64);

        Diagnosis diagnosis = SceneDiagnoses.inAnyFormat(scene, DoctorOptions.defaults());
        assertThat(diagnosis.frames()).singleElement().satisfies(frame -> {
            assertThat(frame.source()).isEqualTo(Frame.Source.TIMELINE);
            assertThat(frame.durNs()).isEqualTo(ms(1_121.6));
            assertThat(frame.missedByNs()).isEqualTo(ms(1_101.6));
            assertThat(frame.jankType()).isEqualTo("App Deadline Missed");
            assertThat(frame.process()).isEqualTo("androidx.compose.integration.hero.macrobenchmark.target");
            assertThat(frame.missed() && frame.isAppJank()).isTrue();
        });
        Incident incident = diagnosis.incidents().getFirst();
        assertThat(incident.verdict()).isEqualTo(Verdict.LONG_HOLD);
        assertThat(diagnosis.costsOf(incident)).extracting(FrameCost::overlapNs).containsExactly(ms(100.05));
    }
}
