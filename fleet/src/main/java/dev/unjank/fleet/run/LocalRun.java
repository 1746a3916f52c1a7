package dev.unjank.fleet.run;

import dev.unjank.fleet.folder.CompletedTraces;
import dev.unjank.fleet.folder.FleetFolder;
import dev.unjank.fleet.folder.ParquetPartWriter;
import dev.unjank.fleet.input.Inputs;
import dev.unjank.fleet.label.LabelFile;
import dev.unjank.fleet.task.TraceTask;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;

/** Runs a task on all traces of a fleet on this machine. It keeps about 30 bytes per trace, for a hash of its name. */
public final class LocalRun {
    /** The message of a run that ended because too many traces are stuck. */
    public static final String STUCK =
            "too many traces exceeded the time limit and could not be stopped; finished traces are kept, continue with"
                    + " --resume";

    private LocalRun() {}

    /** A listener for the progress of a run. */
    @FunctionalInterface
    public interface Watcher {
        /** Reports the progress. Called often, on the thread that started the run. */
        void done(RunTotals tally);

        /** Whether to stop the run. Called as often as {@link #done}, on the same thread. */
        default boolean isStopWanted() {
            return false;
        }
    }

    /**
     * Runs until all traces are processed, or the watcher stops it.
     *
     * @param inputs the traces; those that the folder already has are left out
     * @param threads the number of traces to process in parallel
     * @throws IOException if inputs cannot be listed, rows cannot be written, or too many traces are stuck
     */
    public static RunTotals run(TraceTask task, Inputs inputs, int threads, FleetFolder folder, Watcher watcher)
            throws IOException {
        TraceNameSet seen = new TraceNameSet();
        RunTotals before = completed(folder, seen, task.labels());
        try (ParquetPartWriter writer = new ParquetPartWriter(folder.path())) {
            TracePipeline.Sink parts = batch -> {
                folder.add(batch, writer);
                batch.clear();
                collect();
            };
            TracePipeline pipeline =
                    new TracePipeline(task, folder.temporary(), parts, watcher, AdmissionGate.OF_THIS_VM);
            RunTotals tally = pipeline.run(feeder -> inputs.forEach(feeder::feed), threads, seen, before);
            if (pipeline.isStuck()) {
                throw new IOException(STUCK);
            }
            return tally;
        }
    }

    /** The totals of earlier runs. {@code seen} gets the names of their traces, failures and skipped files. */
    private static RunTotals completed(FleetFolder folder, TraceNameSet seen, LabelFile labels) throws IOException {
        AtomicReference<RunTotals> done = new AtomicReference<>(RunTotals.NOTHING);
        CompletedTraces.eachAsked(folder.path(), trace -> {
            if (seen.add(trace)) {
                done.updateAndGet(totals -> totals.plusBefore(trace, labels));
            }
        });
        CompletedTraces.eachSkipped(folder.path(), seen::add);
        return done.get();
    }

    /**
     * Runs the garbage collector. Rows wait so long to be written that they are promoted to the old generation, which
     * would grow with the number of traces. There are few other live objects, so this takes some tens of milliseconds.
     */
    private static void collect() {
        System.gc();
    }
}
