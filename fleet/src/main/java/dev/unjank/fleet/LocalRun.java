package dev.unjank.fleet;

import java.io.IOException;

/**
 * A task over all traces of a fleet, on this machine. What it keeps of each trace is some 30 bytes, the name by which it is known to have
 * been met.
 */
public final class LocalRun {
    /** So many traces that never end stop the run, as they would take the processors from the others. */
    private static final int MOST_STUCK = 16;

    private LocalRun() {}

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
        Seen seen = new Seen();
        Tally before = folder.done(seen, task.labels());
        try (PartWriter writer = new PartWriter(folder.path())) {
            Pipeline.Sink parts = batch -> {
                folder.add(batch, writer);
                batch.clear();
                collect();
            };
            return new Pipeline(task, folder.temporary(), parts, watcher, MOST_STUCK)
                    .run(feeder -> inputs.forEach(feeder::feed), threads, seen, before);
        }
    }

    /**
     * Rows wait so long for being written that the collector takes them for old ones, which it would leave alone until there is no
     * more room: memory would grow with the number of traces. Little else is alive, so this takes some ten milliseconds.
     */
    private static void collect() {
        System.gc();
    }
}
