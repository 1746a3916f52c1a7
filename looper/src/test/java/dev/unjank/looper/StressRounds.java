package dev.unjank.looper;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Real threads against the invariants of the queues. Rounds go on for a second in the quick form of a test, for half a
 * minute in the long one.
 */
@ParameterizedClass
@EnumSource
abstract class StressRounds {
    static final long QUICK_MILLIS = 1_000;
    static final long LONG_MILLIS = 30_000;
    static final long PATIENCE_SECONDS = 120;

    @Parameter
    QueueKind kind;

    HandlerThread startLooper() {
        HandlerThread thread =
                new HandlerThread("stressed", LooperOptions.defaults().withQueue(kind));
        thread.start();
        return thread;
    }

    interface Task {
        void run(int index) throws Exception;
    }

    /** Runs a task on several threads and waits for all of them; a failure in one is a failure of the test. */
    static void inParallel(int count, Task task) throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int index = i;
            Thread thread = new Thread(() -> {
                try {
                    task.run(index);
                } catch (Throwable t) {
                    failure.compareAndSet(null, t);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }

    static void rounds(long millis, Task round) throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        int n = 0;
        do {
            round.run(n++);
        } while (System.nanoTime() < end);
    }

    static void awaitSpinning(BooleanSupplier condition) {
        long start = System.nanoTime();
        for (int i = 1; !condition.getAsBoolean(); i++) {
            Thread.onSpinWait();
            if (i % 10_000 == 0 && System.nanoTime() - start > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new AssertionError("it did not arrive: the wake-up was lost");
            }
        }
    }

    static void pause(int turns) {
        for (int i = 0; i < turns; i++) {
            Thread.onSpinWait();
        }
    }
}
