package dev.unjank.trace.model;

import java.util.List;

/** A whole trace in memory: its tables, and what went wrong while it was read. Immutable; any thread may read it. */
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

    /** What is known of the trace as a whole. */
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
        public About {
            warnings = List.copyOf(warnings);
            unreadParts = List.copyOf(unreadParts);
            dataLosses = List.copyOf(dataLosses);
        }
    }

    /**
     * How much of the input is of kinds that the model has no place for. Every real trace holds such data; it matters if
     * something that ought to be there is not.
     *
     * @param packets how many packets
     * @param ftraceEvents how many kernel events, texts in the trace marker that are not atrace's among them
     */
    public record Skipped(long packets, long ftraceEvents) {}

    /**
     * What to call the trace.
     *
     * @return the file's name without its folder, or what the builder was given
     */
    public String name() {
        return about.name();
    }

    /**
     * The size of the input.
     *
     * @return bytes, as stored; 0 for a trace that was never a file
     */
    public long sizeBytes() {
        return about.sizeBytes();
    }

    /**
     * The time of the first event.
     *
     * @return ns on the trace's clock; 0 for a trace without events
     */
    public long startNs() {
        return about.startNs();
    }

    /**
     * The time of the last event.
     *
     * @return ns on the trace's clock, not before {@link #startNs}
     */
    public long endNs() {
        return about.endNs();
    }

    /**
     * Whether next to nothing happens for nearly all of the time, as where damage has changed the times of a few events. A warning
     * says so, too.
     *
     * @return true if {@link #startNs} and {@link #endNs} may be far from when the trace was recorded
     */
    public boolean isDurationImplausible() {
        return about.isDurationImplausible();
    }

    /**
     * What a reader of any result should know about the input: lost events, a cut end, parts that were skipped.
     *
     * @return one line each, the worst first; unmodifiable
     */
    public List<String> warnings() {
        return about.warnings();
    }

    /**
     * Which parts of the input are missing since they could not be read, so that nothing that was not found is known not to be there.
     *
     * @return the beginnings of sentences, such as {@code the last 86 % of boot.pftrace}; empty for an input that was read to its
     *     end; unmodifiable
     */
    public List<String> unreadParts() {
        return about.unreadParts();
    }

    /**
     * When events were lost, as far as the input says so: nobody can rely on what the tables tell of these times.
     *
     * @return in order of time; unmodifiable
     */
    public List<DataLoss> dataLosses() {
        return about.dataLosses();
    }

    /**
     * What was passed over because the model has no place for it. What could not be read for other reasons is among the
     * {@link #warnings}.
     *
     * @return the counts
     */
    public Skipped skipped() {
        return about.skipped();
    }

    /**
     * What the input says of the machine that it is of.
     *
     * @return its facts and packages, empty where it says nothing
     */
    public Machine machine() {
        return about.machine();
    }

    /**
     * All texts.
     *
     * @return the strings
     */
    public Strings strings() {
        return strings;
    }

    /**
     * The processes.
     *
     * @return the table
     */
    public Processes processes() {
        return processes;
    }

    /**
     * The threads.
     *
     * @return the table
     */
    public Threads threads() {
        return threads;
    }

    /**
     * What each thread was doing, as the scheduler told.
     *
     * @return the table, empty without scheduler events
     */
    public ThreadStates threadStates() {
        return threadStates;
    }

    /**
     * Which threads had priorities that others lent them.
     *
     * @return the table, empty unless the kernel told of it
     */
    public InheritedPriorities inheritedPriorities() {
        return inheritedPriorities;
    }

    /**
     * Who ran on each CPU.
     *
     * @return the table, empty without scheduler events
     */
    public CpuRuns cpuRuns() {
        return cpuRuns;
    }

    /**
     * What threads and processes said they were doing.
     *
     * @return the table
     */
    public Slices slices() {
        return slices;
    }

    /**
     * What slices led to.
     *
     * @return the table
     */
    public Flows flows() {
        return flows;
    }

    /**
     * What else is told of slices.
     *
     * @return the table
     */
    public Args args() {
        return args;
    }

    /**
     * What slices say of the messages they are about.
     *
     * @return the table
     */
    public MessageQueueEvents queueEvents() {
        return queueEvents;
    }

    /**
     * Numbers over time.
     *
     * @return the table
     */
    public Counters counters() {
        return counters;
    }

    /**
     * Android's frame timeline.
     *
     * @return the table, empty before Android 12
     */
    public Frames frames() {
        return frames;
    }

    /**
     * Where threads were when they were sampled.
     *
     * @return the table, empty unless a profiler was on
     */
    public Callstacks callstacks() {
        return callstacks;
    }

    /**
     * What a profiler found threads doing.
     *
     * @return the table, empty unless a profiler was on
     */
    public StackSamples samples() {
        return samples;
    }

    /**
     * Whether the trace tells which threads ran, waited and slept.
     *
     * @return true if there is at least one thread state
     */
    public boolean hasScheduling() {
        return threadStates.size() > 0;
    }
}
