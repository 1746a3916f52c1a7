package dev.unjank.fleet;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A task over all traces of a fleet, on this machine: a thread that brings files, a pool that works on them, and the caller's thread,
 * which writes the rows. Each waits for the next, so that memory does not depend on how many traces there are, but for some 30 bytes
 * a name by which a trace is known to have been met.
 */
public final class LocalRun {
    private static final int TRACES_IN_PART = 1_000;
    private static final long ROWS_IN_PART = 100_000;

    /** A killed run loses no more work than this. */
    private static final long PART_NANOS = Duration.ofSeconds(10).toNanos();

    private static final long TICK_MILLIS = 100;

    /** So many traces that never end stop the run, as they would take the processors from the others. */
    private static final int MOST_STUCK = 16;

    /** The model of a trace takes less than 8 bytes of memory for each of its file while it is made. */
    private static final int MEMORY_PER_BYTE = 8;

    private final TraceTask task;
    private final FleetFolder folder;
    private final Watcher watcher;
    private final List<Outcome> batch = new ArrayList<>();
    private long batchRows;
    private long batchStart;
    private Tally tally = Tally.after(0);

    /** Told how a run is getting on. */
    @FunctionalInterface
    public interface Watcher {
        /**
         * Something has been done. On the thread that runs, often.
         *
         * @param tally what, in all
         */
        void done(Tally tally);

        /**
         * Asked as often.
         *
         * @return whether to end now, with what has been done
         */
        default boolean isStopWanted() {
            return false;
        }
    }

    private LocalRun(TraceTask task, FleetFolder folder, Watcher watcher) {
        this.task = task;
        this.folder = folder;
        this.watcher = watcher;
    }

    /**
     * Runs until all traces have been asked, or the watcher wants no more.
     *
     * @param task what to ask them
     * @param inputs the traces; those that the folder has already are left out
     * @param threads how many to ask at once
     * @param folder where the rows go
     * @param watcher told of progress
     * @return what was done
     * @throws IOException if inputs cannot be listed or rows not be written, or if too many traces never end
     */
    public static Tally run(TraceTask task, Inputs inputs, int threads, FleetFolder folder, Watcher watcher)
            throws IOException {
        return new LocalRun(task, folder, watcher).run(inputs, threads);
    }

    private Tally run(Inputs inputs, int threads) throws IOException {
        Seen seen = folder.done();
        tally = Tally.after(seen.size());
        folder.skipped(seen);
        ByteBudget budget = new ByteBudget(Runtime.getRuntime().maxMemory() / MEMORY_PER_BYTE);
        try (Pool pool = new Pool(task::asker, task.limits().time(), threads);
                PartWriter writer = new PartWriter(folder.path())) {
            Feeding feeding = new Feeding(new Feeder(pool, seen, budget, task.limits(), folder.temporary()), inputs);
            try {
                while (!watcher.isStopWanted() && (!feeding.isOver() || pool.isBusy())) {
                    Outcome outcome = pool.poll(TICK_MILLIS);
                    if (outcome != null) {
                        take(outcome);
                    }
                    writeIfDue(writer);
                    watcher.done(tally);
                    if (pool.stuck() > MOST_STUCK) {
                        write(writer);
                        throw new IOException(
                                MOST_STUCK
                                        + " traces did not end in their time and go on; what was done is kept: --resume goes on");
                    }
                }
                write(writer);
                feeding.rethrow();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            } finally {
                feeding.stop();
            }
        }
        return tally;
    }

    private void take(Outcome outcome) {
        if (batch.isEmpty()) {
            batchStart = System.nanoTime();
        }
        batch.add(outcome);
        batchRows += outcome.rows();
        tally = tally.plus(outcome);
    }

    private void writeIfDue(PartWriter writer) throws IOException {
        boolean due = batch.size() >= TRACES_IN_PART
                || batchRows >= ROWS_IN_PART
                || (!batch.isEmpty() && System.nanoTime() - batchStart > PART_NANOS);
        if (due) {
            write(writer);
        }
    }

    private void write(PartWriter writer) throws IOException {
        if (!batch.isEmpty()) {
            folder.add(batch, writer);
            batch.clear();
            batchRows = 0;
            collect();
        }
    }

    /**
     * Rows wait so long for being written that the collector takes them for old ones, which it would leave alone until there is no
     * more room: memory would grow with the number of traces. Little else is alive, so this takes some ten milliseconds.
     */
    private static void collect() {
        System.gc();
    }

    /** The thread that brings files. */
    private static final class Feeding {
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private final Thread thread;

        Feeding(Feeder feeder, Inputs inputs) {
            thread = Thread.ofPlatform().daemon().name("fleet-feeder").start(() -> {
                try {
                    feeder.feed(inputs);
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

        void stop() {
            thread.interrupt();
        }
    }
}
