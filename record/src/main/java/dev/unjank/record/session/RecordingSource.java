package dev.unjank.record.session;

import java.io.IOException;

/**
 * A source of events: the kernel's scheduler, the target's Flight Recorder, the owners of its locks. A recording calls
 * the methods from one thread, in the order {@link #probe}, {@link #start}, {@link #begin}, {@link #end}, {@link
 * #stop}, {@link #close}; the counts may be read by any thread.
 *
 * <p>A source that ends early reports it by {@link TraceSink#ended}.
 *
 * <p>A source never makes the target wait. It drops events that it cannot take in time, and reports them by {@link
 * TraceSink#lost}.
 */
public interface RecordingSource {
    /**
     * Checks whether the source is available, and names a remedy if it is not. Its changes must not outlast the
     * process.
     */
    SourceAvailability probe();

    /**
     * Prepares the source, which may take seconds and cause load in the target. Called only if the probe found it
     * available. Processes and threads may be named from now on; events count after {@link #begin} only. If it fails,
     * it must revert its changes.
     */
    void start(TraceSink sink) throws IOException;

    /**
     * Switches the source on. The recording begins when this has returned for all sources. Earlier events are dropped
     * by the source, by {@link TraceSink#interval}, or by the sink, which has no file until then. If it fails, {@link
     * #stop} is called.
     */
    default void begin() throws IOException {}

    /**
     * Switches the source off: later events, such as the effects of stopping other sources, are not part of the
     * recording. Must be quick. Called once, unless the recording never began. {@link #stop} is called even if this
     * method fails.
     */
    default void end() throws IOException {}

    /**
     * Whether {@link #stop} needs answers of the target, which may be stopped. Such sources are stopped last, so that
     * the other sources can revert their changes even if the target does not answer.
     */
    default boolean asksTarget() {
        return false;
    }

    /**
     * Stops the source: it writes its events up to {@link #end} to the sink, reverts all changes, and does not use the
     * sink any more. Called once after {@link #start}, even if the target has ended or writing has failed. Waits only a
     * few seconds for a target that does not answer.
     *
     * @throws IOException if a change could not be reverted; the message names it
     */
    void stop() throws IOException;

    /**
     * Releases the resources of the probe. Called last, once for every probed source, when all sources have been
     * stopped.
     */
    default void close() {}

    /** The number of events recorded so far. */
    long events();

    /**
     * The time up to which this source is complete: all events that ended before have been written, except those that
     * {@link #stop} finds. By default now: the source writes each event when it ends.
     *
     * @return a time of {@link System#nanoTime}, never decreasing; {@link Long#MAX_VALUE} if it has ended early
     */
    default long settledUntil() {
        return System.nanoTime();
    }

    /** The number of events known to be lost so far, by default none. */
    default long lost() {
        return 0;
    }
}
