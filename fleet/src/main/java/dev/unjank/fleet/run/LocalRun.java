package dev.unjank.fleet.run;

import dev.unjank.fleet.folder.CompletedTraces;
import dev.unjank.fleet.folder.FleetFolder;
import dev.unjank.fleet.folder.ParquetPartWriter;
import dev.unjank.fleet.input.Inputs;
import dev.unjank.fleet.label.LabelFile;
import dev.unjank.fleet.task.TraceTask;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A task over all traces of a fleet, on this machine. What it keeps of each trace is some 30 bytes, the name by which it is known to have
 * been met.
 */
public final class LocalRun {
    /** What to say of a run that ended before its time because of them. */
    public static final String STUCK =
            "too many traces did not end in their time and go on; what was done is kept: --resume goes on";

    private LocalRun() {}

    /** Told how a run is getting on. */
    @FunctionalInterface
    public interface Watcher {
        /**
         * Something has been done. On the thread that runs, often.
         *
         * @param tally what, in all
         */
        void done(RunTotals tally);

        /**
         * Asked as often.
         *
         * @return whether to end now, with what has been done
         */
        default boolean isStopWanted() {
            return false;
        }
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

    /**
     * What earlier runs have done.
     *
     * @param seen gets the names of the traces that parts have, those that failed among them, and of the files that are no traces
     */
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
     * Rows wait so long for being written that the collector takes them for old ones, which it would leave alone until there is no
     * more room: memory would grow with the number of traces. Little else is alive, so this takes some ten milliseconds.
     */
    private static void collect() {
        System.gc();
    }
}
