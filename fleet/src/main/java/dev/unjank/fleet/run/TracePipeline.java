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
 * Traces in at one end, their rows out at the other: a thread that brings files, a pool that works on them, and the caller's thread,
 * which hands the rows on, batch by batch. Each waits for the next, so that memory does not depend on how many traces there are, nor
 * on whether they lie in one archive.
 */
final class TracePipeline {
    private static final int TRACES_IN_BATCH = 1_000;
    private static final long ROWS_IN_BATCH = 100_000;

    /** A killed run loses no more work than this. */
    private static final long BATCH_NANOS = Duration.ofSeconds(10).toNanos();

    private static final long TICK_MILLIS = 100;

    /** The model of a trace takes less than 8 bytes of memory for each of its file while it is made. */
    private static final int MEMORY_PER_BYTE = 8;

    private final TraceTask task;
    private final Path temporary;
    private final Sink sink;
    private final LocalRun.Watcher watcher;
    private final AdmissionGate company;
    private final List<TraceResult> batch = new ArrayList<>();
    private long batchRows;
    private long batchStart;
    private RunTotals tally = RunTotals.NOTHING;
    private boolean isStuck;

    /** Where traces come from. */
    @FunctionalInterface
    interface Source {
        /** Hands over all of them, on a thread of its own, which is interrupted when nobody wants more. */
        void feed(TraceFeeder feeder) throws IOException, InterruptedException;
    }

    /** Where rows go. */
    @FunctionalInterface
    interface Sink {
        /** Takes a batch, on the caller's thread; the list is cleared afterwards, at the latest. */
        void write(List<TraceResult> batch) throws IOException;
    }

    /**
     * A pipeline.
     *
     * @param temporary a folder for what has to be unpacked or fetched
     * @param watcher told of progress
     * @param company in which traces are asked
     */
    TracePipeline(TraceTask task, Path temporary, Sink sink, LocalRun.Watcher watcher, AdmissionGate company) {
        this.task = task;
        this.temporary = temporary;
        this.sink = sink;
        this.watcher = watcher;
        this.company = company;
    }

    /**
     * Runs until all traces have been asked, or the watcher wants no more, or too many do not end. Once.
     *
     * @param threads how many traces to ask at once
     * @param seen the names of those that are not to be asked
     * @param before what has been done before
     * @return what was done, then and now
     */
    RunTotals run(Source source, int threads, TraceNameSet seen, RunTotals before) throws IOException {
        tally = before;
        ByteBudget budget = new ByteBudget(Runtime.getRuntime().maxMemory() / MEMORY_PER_BYTE);
        try (WorkerPool pool = new WorkerPool(task::asker, task.limits(), company, threads)) {
            run(pool, new Feeding(source, new TraceFeeder(pool, seen, budget, task.limits(), temporary)));
        }
        return tally;
    }

    private void run(WorkerPool pool, Feeding feeding) throws IOException {
        try (feeding) {
            while (!watcher.isStopWanted() && (!feeding.isOver() || pool.isBusy())) {
                if (company.isStuck()) { // asked once: the next moment one may come back
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

    /** Whether traces were left because too many others did not end; what was done until then has been handed on. */
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

    /** The thread that brings files. */
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
