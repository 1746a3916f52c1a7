package dev.unjank.fleet.run;

import dev.unjank.fleet.task.TraceResult;
import dev.unjank.fleet.task.TraceTask;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The pipeline of a run: a thread that feeds files, a pool that processes them, and the caller's thread, which writes
 * rows in batches. Each stage waits for the next, so that memory does not depend on the number of traces.
 */
final class TracePipeline {
    private static final int TRACES_IN_BATCH = 1_000;
    private static final long ROWS_IN_BATCH = 100_000;

    /** The maximum amount of work that a killed run loses. */
    private static final long BATCH_NANOS = Duration.ofSeconds(10).toNanos();

    private static final long TICK_MILLIS = 100;

    /** The memory factor: a trace takes less than 8 bytes of memory per byte of its file while it is read. */
    private static final int MEMORY_PER_BYTE = 8;

    private final TraceTask task;
    private final Path temporary;
    private final Sink sink;
    private final LocalRun.Watcher watcher;
    private final AdmissionGate gate;
    private final List<TraceResult> batch = new ArrayList<>();
    private long batchRows;
    private long batchStart;
    private RunTotals tally = RunTotals.NOTHING;
    private boolean isStuck;

    /** The source of traces. */
    @FunctionalInterface
    interface Source {
        /** Feeds all traces, on its own thread, which is interrupted when the run stops. */
        void feed(TraceFeeder feeder) throws IOException, InterruptedException;
    }

    /** The writer of rows. */
    @FunctionalInterface
    interface Sink {
        /** Writes a batch on the caller's thread. The list is cleared afterwards. */
        void write(List<TraceResult> batch) throws IOException;
    }

    TracePipeline(TraceTask task, Path temporary, Sink sink, LocalRun.Watcher watcher, AdmissionGate gate) {
        this.task = task;
        this.temporary = temporary;
        this.sink = sink;
        this.watcher = watcher;
        this.gate = gate;
    }

    /**
     * Runs until all traces are processed, the watcher stops it, or too many traces are stuck. Returns the totals of
     * earlier runs and this one. Call once.
     */
    RunTotals run(Source source, int threads, TraceNameSet seen, RunTotals before) throws IOException {
        tally = before;
        ByteBudget budget = new ByteBudget(Runtime.getRuntime().maxMemory() / MEMORY_PER_BYTE);
        try (WorkerPool pool = new WorkerPool(task::analyzer, task.limits(), gate, threads)) {
            run(pool, new Feeding(source, new TraceFeeder(pool, seen, budget, task.limits(), temporary)));
        }
        return tally;
    }

    private void run(WorkerPool pool, Feeding feeding) throws IOException {
        try (feeding) {
            while (!watcher.isStopWanted() && (!feeding.isOver() || pool.isBusy())) {
                if (gate.isStuck()) { // read once: a stuck trace may end any time
                    isStuck = true;
                    break;
                }
                TraceResult outcome = pool.poll(TICK_MILLIS);
                if (outcome != null) {
                    take(outcome);
                }
                if (isDue()) {
                    write();
                }
                watcher.done(tally);
            }
            write();
            feeding.rethrow();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Whether traces remain because too many other traces are stuck. Finished traces have been written. */
    boolean isStuck() {
        return isStuck;
    }

    private void take(TraceResult outcome) {
        if (batch.isEmpty()) {
            batchStart = System.nanoTime();
        }
        batch.add(outcome);
        batchRows += outcome.rows();
        tally = tally.plus(outcome, task.labels());
    }

    private boolean isDue() {
        return batch.size() >= TRACES_IN_BATCH
                || batchRows >= ROWS_IN_BATCH
                || (!batch.isEmpty() && System.nanoTime() - batchStart > BATCH_NANOS);
    }

    private void write() throws IOException {
        if (!batch.isEmpty()) {
            sink.write(batch);
            batch.clear();
            batchRows = 0;
        }
    }

    /** The thread that feeds files. */
    private static final class Feeding implements AutoCloseable {
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private final Thread thread;

        Feeding(Source source, TraceFeeder feeder) {
            thread = Thread.ofPlatform().daemon().name("fleet-feeder").start(() -> {
                try {
                    source.feed(feeder);
                } catch (Throwable e) {
                    failure.set(e); // for rethrow()
                }
            });
        }

        boolean isOver() {
            return !thread.isAlive();
        }

        void rethrow() throws IOException {
            switch (failure.get()) {
                case null -> {}
                case IOException e -> throw e;
                case Error e -> throw e;
                case Throwable e -> throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            thread.interrupt();
        }
    }
}
