package dev.unjank.record.session;

import java.io.IOException;

/**
 * Something that can be recorded: the kernel's scheduling, the Flight Recorder of the target, the owners of its locks. A recording
 * calls the methods from one thread, in the order {@link #probe}, {@link #start}, {@link #begin}, {@link #end}, {@link #stop}, {@link #close};
 * what counts is read by any.
 *
 * <p>A source that ends early, for whatever reason, tells of it by {@link TraceSink#ended}.
 *
 * <p>A source never makes the target wait. What it cannot take in time it loses, and tells of it by {@link TraceSink#lost}.
 */
public interface RecordingSource {
    /**
     * Finds out whether this can be recorded here and now. Changes nothing that outlasts the process.
     *
     * @return whether it is on, and what to do if not
     */
    SourceAvailability probe();

    /**
     * Gets ready, which may take seconds and be a load for the target. Called only if the probe found it on. Processes and
     * threads may be named from now on; of events only those count that come after {@link #begin}.
     *
     * @param sink where they go
     * @throws IOException if it does not work after all; nothing is left behind then
     */
    void start(TraceSink sink) throws IOException;

    /**
     * To be on from when this returns. The recording begins when it has returned for all sources; what happened before is left
     * out, be it by the source, as {@link TraceSink#interval} tells, or by the sink, which has no file until then.
     *
     * @throws IOException if it does not work after all; {@link #stop} is called then
     */
    default void begin() throws IOException {}

    /**
     * The recording is over: what happens from now on, such as what the ends of other sources do to the target, is no part of it.
     * To be done in no time. Called once, unless the recording has never begun.
     *
     * @throws IOException if something cannot be switched off; {@link #stop} is called all the same
     */
    default void end() throws IOException {}

    /**
     * Whether {@link #stop} needs answers of the target, which may stand still. Such a source is stopped after those that do not, so that these are
     * restored whatever the target does.
     *
     * @return false if the target may be stopped meanwhile
     */
    default boolean asksTarget() {
        return false;
    }

    /**
     * Ends for good: what has happened until {@link #end} is given to the sink, everything that was changed is as it was, and no thread of
     * this source touches the sink any more. Called once after {@link #start}, also if the target has gone and if writing has failed. A target
     * that does not answer is waited for for some seconds only.
     *
     * @throws IOException if something is left behind; the message names it
     */
    void stop() throws IOException;

    /**
     * Gives back what the probe has taken. Called last, once for every source that was probed, when all sources have been stopped.
     */
    default void close() {}

    /**
     * How many events have been recorded so far.
     *
     * @return the count
     */
    long events();

    /**
     * Up to when this source has told everything: nothing that ended before will come any more, unless {@link #stop} finds it.
     *
     * @return a time of {@link System#nanoTime}, never one before what it was; {@link Long#MAX_VALUE} if it has ended early
     */
    long settledUntil();

    /**
     * How many events are known to have been lost so far.
     *
     * @return the count
     */
    long lost();
}
