package dev.unjank.workbench.lab.load;

import dev.unjank.cli.demo.load.Niceness;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * A load of medium priority that uses no lock: processes 30 images a second, each for two thirds of its period.
 */
public final class CameraLoad extends Thread {
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1) / 30;
    private static final long BUSY_NANOS = PERIOD_NANOS * 2 / 3;

    private final int nice;
    private volatile boolean stop;

    private CameraLoad(int number, int nice) {
        super("camera-" + number);
        setDaemon(true);
        this.nice = nice;
    }

    /** Creates several loads, not started; one per CPU keeps all CPUs busy. */
    public static List<CameraLoad> several(int count, int nice) {
        return IntStream.range(0, count).mapToObj(i -> new CameraLoad(i, nice)).toList();
    }

    @Override
    public void run() {
        Niceness.setCurrentThread(nice);
        long next = System.nanoTime();
        while (!stop) {
            long busyUntil = System.nanoTime() + BUSY_NANOS;
            while (System.nanoTime() < busyUntil) {
                Thread.onSpinWait();
            }
            next = Math.max(next + PERIOD_NANOS, System.nanoTime()); // does not catch up on late images
            for (long early; (early = next - System.nanoTime()) > 0 && !stop; ) {
                LockSupport.parkNanos(early);
            }
        }
    }

    /** Requests the thread to end soon. */
    public void stopSoon() {
        stop = true;
    }
}
