package dev.unjank.doctor.model;

import dev.unjank.trace.model.TraceNote;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A limit of a diagnosis: data that the trace lacks, a part of the input that could not be read, or options that select
 * nothing.
 */
public sealed interface Warning {
    /**
     * A note of the reader or the converter of the trace.
     *
     * @param note the note
     */
    record OfTrace(TraceNote note) implements Warning {}

    /**
     * The options select a thread or a process that the trace does not contain.
     *
     * @param missing the part of the selection that the trace does not contain
     * @param process the selected process; null for any
     * @param thread the selected thread; null for main threads
     * @param isThread whether the missing process has the name of a thread
     * @param names the number of names that the trace contains
     * @param similar the most similar of these names, nearest first; all if there are few
     * @param areAll whether {@code similar} has all names
     */
    record EmptySelection(
            Missing missing,
            @Nullable String process,
            @Nullable String thread,
            boolean isThread,
            int names,
            List<String> similar,
            boolean areAll)
            implements Warning {
        /** Copies the list. */
        public EmptySelection {
            similar = List.copyOf(similar);
        }
    }

    /** The part of a selection that the trace does not contain. */
    enum Missing {
        /** The process. */
        PROCESS,
        /** The thread. */
        THREAD,
        /** A main thread. */
        MAIN_THREAD
    }

    /**
     * The owners of some incidents are unknown.
     *
     * @param incidents the number of incidents without a known owner
     * @param all the number of all incidents with an owner, known or not
     */
    record OwnersUnknown(int incidents, int all) implements Warning {}

    /**
     * A source of the recording ended before the recording.
     *
     * @param source the source
     * @param reason the recorder's note on the reason
     */
    record SourceEnded(String source, String reason) implements Warning {}

    /**
     * A source did not write its last seconds.
     *
     * @param source the source
     * @param durNs the missing time at the end, in ns
     */
    record EndMissing(String source, long durNs) implements Warning {}

    /**
     * The recorder's ring buffer kept less than the trace spans.
     *
     * @param keptNs the time that the buffer kept, in ns
     */
    record RingBufferShort(long keptNs) implements Warning {}

    /** The program uses virtual threads, most waits of which no recording of the JVM contains. */
    record VirtualThreadWaitsMissing() implements Warning {}

    /** The trace records no frames. */
    record FramesNotRecorded() implements Warning {}
}
