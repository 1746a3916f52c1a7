package dev.unjank.workbench.bench.queue;

import dev.unjank.workbench.bench.comparison.BenchmarkQuestion.Row;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The task of several timers: counts their runs, on the loop's thread, and records the time of the last. */
final class DrainCounter implements Runnable {
    /** The time reserved for setting one timer. */
    private static final long NANOS_PER_TIMER = 600;

    private final CountDownLatch over = new CountDownLatch(1);
    private int left;
    private long end;

    DrainCounter(int timers) {
        left = timers;
    }

    /** The table rows, one per backlog size. */
    static List<Row> rows(List<BenchmarkTarget> targets) {
        return Stream.of(1_000, 10_000, 100_000)
                .map(timers -> new Row("%,d timers".formatted(timers), String.valueOf(timers), 0, targets))
                .toList();
    }

    /**
     * A deadline before which that many timers can usually be set: a whole millisecond of {@link System#nanoTime()}.
     */
    static long soon(int timers) {
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() + timers * NANOS_PER_TIMER);
        return TimeUnit.MILLISECONDS.toNanos(millis + 5);
    }

    @Override
    public void run() {
        if (--left == 0) {
            end = System.nanoTime();
            over.countDown();
        }
    }

    /** Waits for the last timer to run; returns its time on the clock of {@link System#nanoTime()}. */
    long end() throws InterruptedException {
        over.await();
        return end;
    }
}
