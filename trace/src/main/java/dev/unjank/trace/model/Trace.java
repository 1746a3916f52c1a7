package dev.unjank.trace.model;

import java.util.List;

/** A trace in memory: its tables, and the problems found while it was read. Immutable; any thread may read it. */
public final class Trace {
    private final About about;
    private final Strings strings;
    private final Processes processes;
    private final Threads threads;
    private final ThreadStates threadStates;
    private final InheritedPriorities inheritedPriorities;
    private final CpuRuns cpuRuns;
    private final Slices slices;
    private final Flows flows;
    private final Args args;
    private final MessageQueueEvents queueEvents;
    private final Counters counters;
    private final Frames frames;
    private final Callstacks callstacks;
    private final StackSamples samples;

    /**
     * Creates a trace from its tables, which share their strings and row numbers.
     *
     * @param about the properties of the trace as a whole
     * @param strings the strings
     * @param processes the processes
     * @param threads the threads
     * @param threadStates the states of threads
     * @param inheritedPriorities the boosts by priority inheritance
     * @param cpuRuns the runs of CPUs
     * @param slices the slices
     * @param flows the flows between slices
     * @param args the args of slices
     * @param queueEvents the message queue events of slices
     * @param counters the counters
     * @param frames Android's frame timeline
     * @param callstacks the call stacks of samples
     * @param samples the samples of profilers
     */
    public Trace(
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
        this.about = about;
        this.strings = strings;
        this.processes = processes;
        this.threads = threads;
        this.threadStates = threadStates;
        this.inheritedPriorities = inheritedPriorities;
        this.cpuRuns = cpuRuns;
        this.slices = slices;
        this.flows = flows;
        this.args = args;
        this.queueEvents = queueEvents;
        this.counters = counters;
        this.frames = frames;
        this.callstacks = callstacks;
        this.samples = samples;
    }

    /**
     * The properties of the trace as a whole; {@link Trace} has a method for each.
     *
     * @param name the file's name, or the name set by the builder
     * @param sizeBytes the size of the input as stored, 0 if it is no file
     * @param startNs the time of the first event
     * @param endNs the time of the last event
     * @param isDurationImplausible whether nearly all of the duration is empty
     * @param skipped the amount of input that the model does not contain
     * @param warnings problems of the input, one line each, the worst first
     * @param unreadParts the parts of the input that could not be read
     * @param dataLosses periods in which events were lost, in time order
     * @param machine the machine that was recorded
     */
    public record About(
            String name,
            long sizeBytes,
            long startNs,
            long endNs,
            boolean isDurationImplausible,
            Skipped skipped,
            List<String> warnings,
            List<String> unreadParts,
            List<DataLoss> dataLosses,
            Machine machine) {
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
     * @param ftraceEvents the number of kernel events, including strings in the trace marker that are not atrace's
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
     * {@return problems of the input that affect results (lost events, truncation, skipped parts): one line each, the
     * worst first; unmodifiable}
     */
    public List<String> warnings() {
        return about.warnings();
    }

    /**
     * {@return the parts of the input that could not be read, so that results may be incomplete: beginnings of
     * sentences, such as {@code the last 86 % of boot.pftrace}; unmodifiable}
     */
    public List<String> unreadParts() {
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
     * {@return the amount of input that the model does not contain} Records that could not be read for other reasons
     * are among the {@link #warnings}.
     */
    public Skipped skipped() {
        return about.skipped();
    }

    /** {@return the machine that was recorded: its metadata and packages, empty if unknown} */
    public Machine machine() {
        return about.machine();
    }

    /** {@return the strings} */
    public Strings strings() {
        return strings;
    }

    /** {@return the processes} */
    public Processes processes() {
        return processes;
    }

    /** {@return the threads} */
    public Threads threads() {
        return threads;
    }

    /** {@return the scheduling states of threads, empty without scheduler events} */
    public ThreadStates threadStates() {
        return threadStates;
    }

    /** {@return boosts by priority inheritance, empty if the trace does not contain such events} */
    public InheritedPriorities inheritedPriorities() {
        return inheritedPriorities;
    }

    /** {@return the runs of each CPU, empty without scheduler events} */
    public CpuRuns cpuRuns() {
        return cpuRuns;
    }

    /** {@return the slices of threads and processes} */
    public Slices slices() {
        return slices;
    }

    /** {@return the flows between slices} */
    public Flows flows() {
        return flows;
    }

    /** {@return the args of slices} */
    public Args args() {
        return args;
    }

    /** {@return the message queue events of slices} */
    public MessageQueueEvents queueEvents() {
        return queueEvents;
    }

    /** {@return the counters} */
    public Counters counters() {
        return counters;
    }

    /** {@return Android's frame timeline, empty before Android 12} */
    public Frames frames() {
        return frames;
    }

    /** {@return the call stacks of samples, empty without a profiler} */
    public Callstacks callstacks() {
        return callstacks;
    }

    /** {@return the samples of a profiler, empty without a profiler} */
    public StackSamples samples() {
        return samples;
    }

    /** {@return whether the trace contains scheduler events: at least one thread state} */
    public boolean hasScheduling() {
        return threadStates.size() > 0;
    }
}
