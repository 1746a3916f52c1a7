package dev.unjank.trace.model;

import java.util.List;

/**
 * A trace in memory: its tables, which refer to one table of strings and to each other's rows by number, and the
 * problems found while it was read.
 * Immutable; any thread may read it.
 *
 * @param about the properties of the trace as a whole; there is a method for each
 * @param strings the strings
 * @param processes the processes
 * @param threads the threads
 * @param threadStates the scheduling states of threads, empty without scheduler events
 * @param inheritedPriorities boosts by priority inheritance, empty if the trace does not contain such events
 * @param cpuRuns the runs of each CPU, empty without scheduler events
 * @param slices the slices of threads and processes
 * @param flows the flows between slices
 * @param args the args of slices
 * @param queueEvents the message queue events of slices
 * @param counters the counters
 * @param frames Android's frame timeline, empty before Android 12
 * @param callstacks the call stacks of samples, empty without a profiler
 * @param samples the samples of a profiler, empty without a profiler
 */
public record Trace(
        About about,
        Strings strings,
        Processes processes,
        Threads threads,
        ThreadStates threadStates,
        InheritedPriorities inheritedPriorities,
        CpuRuns cpuRuns,
        Slices slices,
        Flows flows,
        Args args,
        MessageQueueEvents queueEvents,
        Counters counters,
        Frames frames,
        Callstacks callstacks,
        StackSamples samples) {
    /**
     * The properties of the trace as a whole; {@link Trace} has a method for each.
     *
     * @param name the file's name, or the name set by the builder
     * @param sizeBytes the size of the input as stored, 0 if it is no file
     * @param startNs the time of the first event
     * @param endNs the time of the last event
     * @param isDurationImplausible whether nearly all of the duration is empty
     * @param skipped the amount of input that the model does not contain
     * @param warnings problems of the input, the worst first
     * @param unreadParts the parts of the input that could not be read
     * @param dataLosses periods in which events were lost, in time order
     * @param machine the machine that was recorded
     * @param recorder what the recorder says about its recording
     */
    public record About(
            String name,
            long sizeBytes,
            long startNs,
            long endNs,
            boolean isDurationImplausible,
            Skipped skipped,
            List<TraceNote> warnings,
            List<TraceNote> unreadParts,
            List<DataLoss> dataLosses,
            Machine machine,
            RecorderReport recorder) {
        /** Copies the lists. */
        public About {
            warnings = List.copyOf(warnings);
            unreadParts = List.copyOf(unreadParts);
            dataLosses = List.copyOf(dataLosses);
        }
    }

    /**
     * The amount of input that the model does not contain. Every real trace contains such data.
     *
     * @param packets the number of packets
     * @param ftraceEvents the number of kernel events, including strings in the kernel's trace marker
     *     that are not in atrace's format
     */
    public record Skipped(long packets, long ftraceEvents) {}

    /** {@return the file's name without its folder, or the name set by the builder} */
    public String name() {
        return about.name();
    }

    /** {@return the size of the input in bytes, as stored; 0 for a trace that is not from a file} */
    public long sizeBytes() {
        return about.sizeBytes();
    }

    /** {@return the time of the first event, ns on the trace's clock; 0 for a trace without events} */
    public long startNs() {
        return about.startNs();
    }

    /** {@return the time of the last event, ns on the trace's clock, not before {@link #startNs}} */
    public long endNs() {
        return about.endNs();
    }

    /**
     * {@return whether nearly all of the trace's duration is empty, as if the timestamps of a few events were damaged}
     * Then {@link #startNs} and {@link #endNs} may be far from the time of the recording, and there is also a warning.
     */
    public boolean isDurationImplausible() {
        return about.isDurationImplausible();
    }

    /**
     * {@return problems of the input that affect results (lost events, truncation, skipped parts): a sentence each, the
     * worst first; unmodifiable}
     */
    public List<String> warnings() {
        return TraceNote.sentences(about.warnings());
    }

    /** {@return the {@link #warnings} as structured notes, in the same order; unmodifiable} */
    public List<TraceNote> warningNotes() {
        return about.warnings();
    }

    /**
     * {@return the parts of the input that could not be read, so that results may be incomplete; each a noun phrase,
     * such as {@code the last 86 % of boot.pftrace}; unmodifiable}
     */
    public List<String> unreadParts() {
        return TraceNote.sentences(about.unreadParts());
    }

    /** {@return the {@link #unreadParts} as structured notes, in the same order; unmodifiable} */
    public List<TraceNote> unreadPartNotes() {
        return about.unreadParts();
    }

    /**
     * {@return periods in which events were lost, as far as the input records it, in time order: the tables are
     * unreliable there; unmodifiable}
     */
    public List<DataLoss> dataLosses() {
        return about.dataLosses();
    }

    /**
     * {@return the amount of input that the model does not contain} Damaged records are not counted here; see
     * {@link #warnings}.
     */
    public Skipped skipped() {
        return about.skipped();
    }

    /** {@return what the recorder says about its recording, empty if unknown} */
    public RecorderReport recorder() {
        return about.recorder();
    }

    /** {@return the machine that was recorded: its metadata and packages, empty if unknown} */
    public Machine machine() {
        return about.machine();
    }

    /** {@return whether the trace contains scheduler events: at least one thread state} */
    public boolean hasScheduling() {
        return threadStates.size() > 0;
    }
}
