package dev.unjank.example;

import dev.unjank.looper.Handler;
import dev.unjank.looper.HandlerThread;
import dev.unjank.looper.LooperStats;
import dev.unjank.looper.LooperWatchdog;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A watched loop with three kinds of stalls: the program of docs/guide/observing.md. */
public final class WatchdogExample {
    private static final Object DATABASE = new Object();

    private WatchdogExample() {}

    private static void readRow() {
        synchronized (DATABASE) {
            pause(1);
        }
    }

    private static void save() {
        synchronized (DATABASE) {
            pause(500);
        }
    }

    private static void poll() {
        pause(2);
    }

    public static void main(String[] args) throws InterruptedException {
        HandlerThread ui = new HandlerThread("ui");
        ui.start();
        Handler handler = new Handler(ui.getLooper());
        LooperWatchdog watchdog = new LooperWatchdog(Duration.ofMillis(200));
        watchdog.watch(ui.getLooper());
        watchdog.start();
        LooperStats stats = LooperStats.of(ui.getLooper());

        title("a healthy second");
        LooperStats.Snapshot before = stats.snapshot();
        for (int i = 0; i < 100; i++) {
            handler.post(WatchdogExample::poll);
            pause(10);
        }
        System.out.println(stats.snapshot().since(before));

        title("a delivery waits for a lock");
        Thread saver = new Thread(WatchdogExample::save, "saver");
        saver.start();
        pause(50);
        handler.post(WatchdogExample::readRow);
        saver.join();
        pause(200);

        title("a thread sends faster than the loop runs");
        Thread poller = new Thread(
                () -> {
                    for (int i = 0; i < 200; i++) {
                        handler.post(WatchdogExample::poll);
                    }
                },
                "poller");
        poller.start();
        poller.join();
        pause(600);

        title("a barrier is forgotten");
        int token = ui.getLooper().getQueue().postSyncBarrier();
        handler.post(WatchdogExample::poll);
        pause(400);
        ui.getLooper().getQueue().removeSyncBarrier(token);
        pause(200);

        title("slow thresholds, and a line for each delivery");
        watchdog.close();
        ui.getLooper().setSlowLogThresholdMs(100, 50);
        handler.post(() -> pause(120));
        pause(200);
        ui.getLooper().setMessageLogging(System.out::println);
        handler.sendEmptyMessage(7);
        ui.quitSafely();
        ui.join();
    }

    private static void title(String text) {
        System.out.println("---- " + text);
    }

    private static void pause(long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
