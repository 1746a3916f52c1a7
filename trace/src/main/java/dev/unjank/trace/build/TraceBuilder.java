package dev.unjank.trace.build;

import dev.unjank.trace.build.event.EventLog;
import dev.unjank.trace.build.event.IdRemapping;
import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.collections.StringPool;
import dev.unjank.trace.concurrent.TaskQueue;
import dev.unjank.trace.model.DataLoss;
import dev.unjank.trace.model.Machine;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.TraceNote;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Trace} from events in any order. Importers and tests add them to the sinks of the builder, one for
 * each family of events. The builder first stores the events; {@link #build} then sorts them by time (equal times keep
 * their order) and derives threads, states and slices in one pass.
 *
 * <p>Strings are ids from {@link #intern}; -1 stands for no string. Numbers from a damaged trace are harmless: events
 * with an impossible CPU number or a negative time are dropped and counted, all other numbers are accepted.
 *
 * <p>Not thread-safe. A builder builds once. It holds memory outside the heap until it has built or is closed.
 */
public final class TraceBuilder implements AutoCloseable {
    /** The number of events from which several threads sort faster than one. */
    private static final int WORTH_A_THREAD = 100_000;

    private final StringPool strings = new StringPool();
    final BlockPool pool;
    private final EventLogs logs;
    private final KernelEventSink kernel;
    private final RareKernelEventSink rareKernel;
    private final ProgramEventSink program;
    private final TrackEventSink tracks;
    private final StackSampleSink samples;
    private final String name;
    private final List<TraceNote> warnings = new ArrayList<>();
    private final Set<TraceNote> unreadParts = new LinkedHashSet<>();
    private final List<DataLoss> dataLosses = new ArrayList<>();
    private final Map<String, String> facts = new LinkedHashMap<>();
    private final Set<Machine.App> packages = new LinkedHashSet<>();
    private final RecorderSink recorder = new RecorderSink();
    private long sizeBytes;
    private long skippedPackets;
    private long skippedFtraceEvents;

    /** Creates a builder without events. */
    public TraceBuilder(String name) {
        this(name, new BlockPool());
    }

    private TraceBuilder(String name, BlockPool pool) {
        this.pool = pool;
        this.name = name;
        logs = new EventLogs(pool);
        kernel = new KernelEventSink(logs);
        rareKernel = new RareKernelEventSink(logs);
        program = new ProgramEventSink(logs);
        tracks = new TrackEventSink(logs);
        samples = new StackSampleSink(logs);
    }

    /** {@return the sink of kernel events: scheduling, wakeups, threads and processes, binder} */
    public KernelEventSink kernel() {
        return kernel;
    }

    /** {@return the sink of kernel events that few traces contain} */
    public RareKernelEventSink rareKernel() {
        return rareKernel;
    }

    /** {@return the sink of events of programs, by thread and process} */
    public ProgramEventSink program() {
        return program;
    }

    /** {@return the sink of events of programs, by track} */
    public TrackEventSink tracks() {
        return tracks;
    }

    /** {@return the sink of stack samples} */
    public StackSampleSink samples() {
        return samples;
    }

    /** Interns a string; equal strings have equal ids. */
    public int intern(String text) {
        return strings.intern(text);
    }

    /** Interns a string in UTF-8; equal strings have equal ids. */
    public int intern(byte[] bytes, int from, int length) {
        return strings.intern(bytes, from, length);
    }

    /** Interns a string that is probably known already; faster if the guess is right. The guess is -1 for none. */
    public int intern(byte[] bytes, int from, int length, int likely) {
        return strings.intern(bytes, from, length, likely);
    }

    /**
     * Sets the CPU on which the following events were recorded, -1 if unknown. It is used by {@link
     * ProgramEventSink#begin} and the other methods without a CPU parameter. It affects only the order of events with
     * equal times, and it makes loading faster because the events of one CPU arrive in order.
     */
    public void onCpu(int cpu) {
        logs.onCpu(cpu);
    }

    /**
     * Adds an event that the model does not contain. It counts for the start and end of the trace, and for the order of
     * other events with equal times.
     */
    public void unmodeledEvent(long ts) {
        if (logs.accept(ts)) {
            logs.current().addOther(ts);
        }
    }

    /** Adds an event like {@link #unmodeledEvent} that may be much older than the trace: a line of a log. */
    public void logLine(long ts) {
        if (ts >= 0) {
            logs.current().addOther(ts);
        }
    }

    /** {@return whether there are no events} */
    public boolean isEmpty() {
        return logs.isEmpty();
    }

    /** {@return the time of the earliest event in ns, 0 if there is none} */
    public long startNs() {
        return logs.startNs();
    }

    /** {@return the time of the last event in ns, 0 if there is none} */
    public long endNs() {
        return logs.endNs();
    }

    /**
     * Creates a builder for a part of this trace, for one thread at a time, to be added by {@link #append}. It must not
     * be used after this builder is closed.
     */
    public TraceBuilder newPart() {
        return new TraceBuilder(name, pool);
    }

    /** Sets the size of the input as stored. */
    public void sizeBytes(long bytes) {
        sizeBytes = bytes;
    }

    /** Adds an entry to the metadata of the trace, by Perfetto's name; the first value of an entry wins. */
    public void putMetadata(String what, String value) {
        facts.putIfAbsent(what, value);
    }

    /** An entry of the metadata, null if there is none. */
    public @Nullable String metadata(String what) {
        return facts.get(what);
    }

    /** Adds an installed Android package. */
    public void addPackage(Machine.App installed) {
        packages.add(installed);
    }

    /** {@return the sink of what the recorder says about its recording} */
    public RecorderSink recorder() {
        return recorder;
    }

    /** Adds a warning for the users of the trace. */
    public void warn(TraceNote warning) {
        warnings.add(warning);
    }

    /**
     * Adds a description of a part of the input that could not be read; see {@link Trace#unreadParts}. Duplicates are
     * ignored.
     */
    public void addUnreadPart(TraceNote part) {
        unreadParts.add(part);
    }

    /** {@return whether the end of an input is missing} */
    public boolean isTruncated() {
        return unreadParts.stream().anyMatch(part -> part.key().equals("unread.end"));
    }

    /**
     * Adds a period in which events were lost, from the last event before it ({@link Long#MIN_VALUE} if there was none)
     * to the first one after it; see {@link Trace#dataLosses}.
     */
    public void addDataLoss(int cpu, long fromNs, long toNs) {
        dataLosses.add(DataLoss.recorded(cpu, fromNs, toNs));
    }

    /** Adds numbers of skipped records; see {@link Trace#skipped}. */
    public void skipped(long packets, long ftraceEvents) {
        skippedPackets += packets;
        skippedFtraceEvents += ftraceEvents;
    }

    /**
     * Appends the events of a part from {@link #newPart}, which must not be used afterwards. Importers may read parts
     * of a trace in parallel, each into its own builder; the result is as if one builder had received all events, part
     * by part.
     */
    public void append(TraceBuilder part) {
        addEvents(part, 0);
        kernel.append(part.kernel);
        addFacts(part);
        part.warnings.forEach(this::warn);
        recorder.append(part.recorder);
    }

    /**
     * Appends another file, read into a part that must not be used afterwards: its times are shifted, and its name, if
     * it is not null, is added to its warnings.
     */
    public void appendFile(TraceBuilder part, long shiftNs, @Nullable String file) {
        if (willFit(part, shiftNs)) {
            addEvents(part, shiftNs);
            kernel.appendFile(part.kernel, shiftNs);
        } else {
            warn(of(file, TraceNote.of("outOfRange")));
        }
        addFacts(part);
        part.warnings.forEach(warning -> warn(of(file, warning)));
        recorder.appendFile(part.recorder);
    }

    private void addEvents(TraceBuilder part, long shiftNs) {
        if (part.pool != pool) {
            throw new IllegalArgumentException("a part of another trace");
        }
        int[] names = strings.addAll(part.strings);
        IdRemapping.Rows rows = new IdRemapping.Rows(
                before(tracks.tracks.size(), part.tracks.tracks.size()),
                before(tracks.counterTracks.size(), part.tracks.counterTracks.size()),
                before(program.frames.size(), part.program.frames.size()),
                before(tracks.queueEvents.size(), part.tracks.queueEvents.size()),
                before(tracks.args.size(), part.tracks.args.size()));
        int[] calls = samples.callstacks.append(part.samples.callstacks, names);
        IdRemapping ids = new IdRemapping(names, calls, rows, shiftNs);
        tracks.append(part.tracks, ids);
        program.frames.append(part.program.frames, ids);
        logs.append(part.logs, ids);
        part.dataLosses.forEach(loss -> addDataLoss(
                loss.cpu(),
                loss.startNs() == Long.MIN_VALUE ? part.startNs() + shiftNs : loss.startNs() + shiftNs,
                loss.endNs() + shiftNs));
    }

    private void addFacts(TraceBuilder part) {
        skippedPackets += part.skippedPackets;
        skippedFtraceEvents += part.skippedFtraceEvents;
        unreadParts.addAll(part.unreadParts);
        part.facts.forEach(this::putMetadata);
        packages.addAll(part.packages);
    }

    private static TraceNote of(@Nullable String file, TraceNote warning) {
        return file == null ? warning : TraceNote.of("ofFile", file, warning);
    }

    /** The number of rows before the first row of a part; 0 if the part has none. */
    private static int before(int rows, int ofPart) {
        return ofPart == 0 ? 0 : rows;
    }

    private static boolean willFit(TraceBuilder part, long shiftNs) {
        return part.isEmpty() || (shiftNs <= 0 ? part.startNs() >= -shiftNs : part.endNs() <= Long.MAX_VALUE - shiftNs);
    }

    /** Builds the trace and closes this builder. */
    public Trace build() {
        return build(ForkJoinPool.commonPool());
    }

    /**
     * Builds the trace with the calling thread and those of an executor, and closes this builder; {@code Runnable::run}
     * builds on the calling thread only.
     */
    public Trace build(Executor executor) {
        try (pool) {
            return trace(executor);
        }
    }

    private Trace trace(Executor executor) {
        if (logs.badCpus > 0) {
            warn(TraceNote.of("badCpus", logs.badCpus));
        }
        if (logs.badTimes > 0) {
            warn(TraceNote.of("badTimes", logs.badTimes));
        }
        EventLog[] sorted = sort(logs.all(), executor);
        EventDispatcher walk = new EventDispatcher(
                pool,
                strings,
                kernel,
                program.frames,
                tracks,
                samples.callstacks,
                facts.getOrDefault("system_machine", ""),
                executor);
        walk.run(sorted);
        Trace.Skipped skipped = new Trace.Skipped(skippedPackets, skippedFtraceEvents);
        Machine machine = new Machine(facts, List.copyOf(packages));
        return walk.trace(
                name,
                sizeBytes,
                startNs(),
                endNs(),
                skipped,
                warnings,
                List.copyOf(unreadParts),
                dataLosses(),
                machine,
                recorder.report(kernel.wakeups.processes()),
                strings);
    }

    /** In time order, clipped to the trace. */
    private List<DataLoss> dataLosses() {
        return dataLosses.stream()
                .map(loss -> DataLoss.recorded(
                        loss.cpu(), Math.max(startNs(), loss.startNs()), Math.min(endNs(), loss.endNs())))
                .filter(loss -> loss.startNs() < loss.endNs())
                .sorted(Comparator.comparingLong(DataLoss::startNs))
                .toList();
    }

    /** Sorts the logs that are not in order, several at a time if they are long. */
    private static EventLog[] sort(EventLog[] logs, Executor executor) {
        EventLog[] sorted = new EventLog[logs.length];
        boolean isMuchToDo = Arrays.stream(logs).mapToLong(EventLog::unsorted).sum() > WORTH_A_THREAD;
        TaskQueue.forEach(isMuchToDo ? executor : Runnable::run, logs.length, i -> sorted[i] = logs[i].sort());
        return sorted;
    }

    /** Releases the memory of a builder that will not build, and of its parts. Does nothing after {@link #build}. */
    @Override
    public void close() {
        pool.close();
    }
}
