package dev.unjank.scene;

import static dev.unjank.scene.Scene.ms;

import dev.unjank.trace.write.AtraceMarks;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The project's example trace, {@code examples/launcher-inversion.pftrace}: 60 ms of a phone with two CPUs, in which
 * a launcher's main thread is blocked twice. It reproduces a priority inversion recorded on a device with Android 15,
 * with the original times and priorities; the rest is invented.
 *
 * <ol>
 *   <li>First for 9.148 ms in {@code MessageQueue.next}. A binder thread of lower priority holds the queue's lock
 *       inside {@code enqueueMessage}; for 5.512 ms of that time, threads of intermediate priority preempt it: a
 *       priority inversion. The current frame misses its deadline.
 *   <li>Then for 3.5 ms, by a background thread that reads a file while it holds the lock of a cache: not an inversion,
 *       although the owner's priority is lower.
 * </ol>
 */
public final class LauncherExample {
    private static final String ICON_CACHE_READ =
            "com.android.launcher3.icons.BitmapInfo com.android.launcher3.icons.IconCache.readIcon("
                    + "android.content.ComponentName)(IconCache.java:214)";
    private static final String ICON_CACHE_GET =
            "void com.android.launcher3.icons.IconCache.applyIcon(com.android.launcher3.model.data.ItemInfo)"
                    + "(IconCache.java:167)";
    private static final String LAYER = "TX - com.android.launcher3/com.android.launcher3.Launcher#7829";
    private static final int NO_JANK = 1;
    private static final int APP_DEADLINE_MISSED = 64;

    private LauncherExample() {}

    /** Writes the example. */
    public static void main(String[] args) throws IOException {
        Files.write(Path.of(args[0]), trace());
    }

    /** The example's bytes. */
    public static byte[] trace() {
        return scene().toBytes(WireFormat.COMPACT);
    }

    /** The example as a scene. */
    public static Scene scene() {
        Scene scene = new Scene();
        SceneProcess launcher = scene.process(3363, "com.android.launcher3");
        SceneThread main = launcher.mainThread("droid.launcher3", 110);
        SceneThread binder = launcher.thread(3384, "binder:3363_2", 120);
        SceneThread loader = launcher.thread(3391, "launcher-loader", 130);

        SceneProcess systemServer = scene.process(1286, "system_server");
        systemServer.mainThread("system_server", 118);
        SceneThread display = systemServer.thread(1313, "android.display", 117);
        SceneThread animation = systemServer.thread(1315, "android.anim", 116);
        SceneThread network = systemServer.thread(1402, "tworkPolicy.uid", 118);

        SceneProcess mail = scene.process(7100, "com.example.mail");
        SceneThread mailMain = mail.mainThread("om.example.mail", 112);

        enqueueUnderTheLock(binder, animation, network, display);
        readUnderTheLock(loader);
        startMail(mailMain);
        homeScreen(main, binder, loader);

        launcher.frame(LAYER, ms(2), ms(18.667), ms(6.2), NO_JANK);
        launcher.frame(LAYER, ms(18.667), ms(35.333), ms(37.1), APP_DEADLINE_MISSED);
        launcher.frame(LAYER, ms(35.333), ms(52), ms(42.3), NO_JANK);
        return scene;
    }

    /** The main thread: three frames, blocked during the second and after the third. */
    private static void homeScreen(SceneThread main, SceneThread binder, SceneThread loader) {
        ArtContention queueLock = ArtContention.heldBy(binder);
        ArtContention cacheLock = ArtContention.heldBy(loader).at(ICON_CACHE_READ, ICON_CACHE_GET);

        main.sleeps(ms(1.95)).runnable(ms(2));
        drawFrame(main, 1000, ms(6));

        main.sleeps(ms(18.6))
                .runnable(ms(18.7))
                .begin("android.view.InputEventReceiver")
                .runs(0, ms(20.9));
        main.end().runs(0, ms(21)).blocksOn(queueLock);
        main.sleeps(ms(30.143)).wokenBy(binder).runnable(ms(30.148)).acquires().runs(0, ms(30.2));
        drawFrame(main, 1002, ms(37));

        main.runs(0, ms(37.3));
        drawFrame(main, 1004, ms(42.2));
        main.runs(0, ms(44)).begin("bindAllItems").runs(0, ms(44.5)).blocksOn(cacheLock);
        main.sleeps(ms(47.95))
                .wokenBy(loader)
                .runnable(ms(48))
                .acquires()
                .runs(0, ms(50.4))
                .end();
    }

    private static void drawFrame(SceneThread main, int token, long until) {
        main.begin("Choreographer#doFrame " + token).runs(0, until).end();
    }

    /** The owner of the queue's lock and the threads that preempt it, one after the other. */
    private static void enqueueUnderTheLock(
            SceneThread binder, SceneThread animation, SceneThread network, SceneThread display) {
        binder.sleeps(ms(20.45)).runnable(ms(20.5)).begin("binder reply").runs(1, ms(21.1));
        binder.runnable(ms(25))
                .runs(1, ms(25.005))
                .sleeps(ms(28.528))
                .runnable(ms(30.14))
                .runs(1, ms(30.6));
        binder.end().runs(1, ms(30.65));

        animation.sleeps(ms(21.06)).runnable(ms(21.1)).runs(1, ms(23.4));
        network.sleeps(ms(22)).runnable(ms(23.4)).runs(1, ms(25));
        display.sleeps(ms(27.2)).runnable(ms(27.25)).runs(1, ms(30.14));
    }

    /** The owner of the cache's lock. */
    private static void readUnderTheLock(SceneThread loader) {
        loader.sleeps(ms(43)).runnable(ms(43.1)).begin("loadWorkspace").runs(1, ms(44.7));
        loader.sleepsUninterruptibly(ms(47.75), true, "folio_wait_bit_common")
                .runnable(ms(47.8))
                .runs(1, ms(51));
        loader.prints(AtraceMarks.counter(3363, "icons loaded", 24)).end().runs(1, ms(51.2));
    }

    /** An app that starts meanwhile and uses the idle time of CPU 0. */
    private static void startMail(SceneThread mailMain) {
        mailMain.sleeps(ms(20)).runnable(ms(21)).begin("bindApplication").runs(0, ms(30.148));
        mailMain.runnable(ms(44.5))
                .runs(0, ms(48))
                .runnable(ms(50.4))
                .runs(0, ms(60))
                .end();
    }
}
