package dev.unjank.trace.build;

import dev.unjank.trace.build.event.EventLog;
import dev.unjank.trace.build.event.IdRemapping;
import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.model.DataLoss;
import dev.unjank.trace.model.Machine;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link Trace} out of events, in whatever order they come: the one sink of all importers, and of tests that want a
 * trace of a few lines. Events are only noted at first; {@link #build} sorts them by time (equal times keep their order) and
 * then works out threads, states and slices in one walk.
 *
 * <p>Texts are given as ids from {@link #intern}; -1 stands for no text. Numbers from a broken trace do no harm: an event
 * with a CPU number that no machine has, or with a negative time, is dropped and counted, and every other number is taken as it
 * is.
 *
 * <p>Not thread-safe. A builder builds once. It holds memory outside the heap until it has built, or is closed.
 */
public final class TraceBuilder extends StackSampleSink implements AutoCloseable {
    /** So many events to be sorted make up for what it takes to have several threads do so. */
    private static final int WORTH_A_THREAD = 100_000;

    private final String name;
    private final List<String> warnings = new ArrayList<>();
    private final Set<String> addUnreadPart = new LinkedHashSet<>();
    private final List<DataLoss> dataLosses = new ArrayList<>();
    private final Map<String, String> facts = new LinkedHashMap<>();
    private final Set<Machine.App> packages = new LinkedHashSet<>();
    private long sizeBytes;
    private long skippedPackets;
    private long skippedFtraceEvents;

    /**
     * Begins a trace.
     *
     * @param name what to call it
     */
    public TraceBuilder(String name) {
        this(name, new BlockPool());
    }

    private TraceBuilder(String name, BlockPool pool) {
        super(pool);
        this.name = name;
    }

    /**
     * Begins a part of this trace, which is told of events of its own: see {@link #append}. It is of use as long as this
     * builder is.
     *
     * @return another builder, for any thread
     */
    public TraceBuilder newPart() {
        return new TraceBuilder(name, pool);
    }

    /**
     * Notes the size of the input.
     *
     * @param bytes as stored
     */
    public void sizeBytes(long bytes) {
        sizeBytes = bytes;
    }

    /**
     * Notes what the input says of the machine. The first word on a thing counts.
     *
     * @param what Perfetto's name of the entry
     * @param value what it is
     */
    public void putMetadata(String what, String value) {
        facts.putIfAbsent(what, value);
    }

    /**
     * {@return what the input says of the machine, null if it does not}
     *
     * @param what Perfetto's name of the entry
     */
    public @Nullable String metadata(String what) {
        return facts.get(what);
    }

    /**
     * Notes that there is an Android package on the machine.
     *
     * @param installed the package
     */
    public void addPackage(Machine.App installed) {
        packages.add(installed);
    }

    /**
     * Notes something that a reader of the results should know.
     *
     * @param line one line
     */
    public void warn(String line) {
        warnings.add(line);
    }

    /**
     * Notes that a part of the input could not be read, as {@link Trace#unreadParts} tells it.
     *
     * @param part which, told once however often it is noted
     */
    public void addUnreadPart(String part) {
        addUnreadPart.add(part);
    }

    /**
     * Notes that events were lost in a stretch of time, as {@link Trace#dataLosses} tells it.
     *
     * @param cpu the CPU whose events they were, {@link DataLoss#ANY_CPU} if that is not known
     * @param fromNs the last event before, {@link Long#MIN_VALUE} if there was none
     * @param toNs the first event after
     */
    public void addDataLoss(int cpu, long fromNs, long toNs) {
        dataLosses.add(new DataLoss(cpu, fromNs, toNs));
    }

    /**
     * Notes how much of the input was passed over, as {@link Trace#skipped} tells it.
     *
     * @param packets how many packets more
     * @param ftraceEvents how many kernel events more
     */
    public void skipped(long packets, long ftraceEvents) {
        skippedPackets += packets;
        skippedFtraceEvents += ftraceEvents;
    }

    /**
     * Adds the events of a part behind those of this builder. An importer may have parts of a trace read at once, each into a
     * builder of its own; the result is as if one builder had been told of everything, part by part.
     *
     * @param part a part made by {@link #newPart}; must not be used afterwards
     */
    public void append(TraceBuilder part) {
        append(part, 0, "");
    }

    /**
     * Adds the events of a part that was told of another clock, or of another file, behind those of this builder.
     *
     * @param part a part made by {@link #newPart}; must not be used afterwards
     * @param laterNs what is to be added to its times
     * @param label what to put before its warnings
     */
    public void append(TraceBuilder part, long laterNs, String label) {
        if (part.pool != pool) {
            throw new IllegalArgumentException("a part of another trace");
        }
        if (willFit(part, laterNs)) {
            int[] names = strings.addAll(part.strings);
            IdRemapping.Rows rows = new IdRemapping.Rows(
                    before(tracks.size(), part.tracks.size()),
                    before(counterTracks.size(), part.counterTracks.size()),
                    before(frames.size(), part.frames.size()),
                    before(queueEvents.size(), part.queueEvents.size()),
                    before(args.size(), part.args.size()));
            IdRemapping numbers = new IdRemapping(names, callstacks.append(part.callstacks, names), rows, laterNs);
            tracks.append(part.tracks);
            counterTracks.append(part.counterTracks, numbers);
            frames.append(part.frames, numbers);
            queueEvents.append(part.queueEvents, numbers);
            args.append(part.args, numbers);
            appendKernelEvents(part, numbers);
            part.dataLosses.forEach(loss -> addDataLoss(
                    loss.cpu(),
                    loss.startNs() == Long.MIN_VALUE ? part.startNs() + laterNs : loss.startNs() + laterNs,
                    loss.endNs() + laterNs));
        } else {
            warn(label + "its times lie beyond what the clock can show; all of it was left out");
        }
        skippedPackets += part.skippedPackets;
        skippedFtraceEvents += part.skippedFtraceEvents;
        part.warnings.forEach(line -> warn(label + line));
        addUnreadPart.addAll(part.addUnreadPart);
        part.facts.forEach(this::putMetadata);
        packages.addAll(part.packages);
    }

    /** How many rows there are before the first of a part; as good as none if that has none. */
    private static int before(int rows, int ofPart) {
        return ofPart == 0 ? 0 : rows;
    }

    private static boolean willFit(TraceBuilder part, long laterNs) {
        return part.isEmpty() || (laterNs <= 0 ? part.startNs() >= -laterNs : part.endNs() <= Long.MAX_VALUE - laterNs);
    }

    /**
     * Works out the trace, and closes this builder.
     *
     * @return the finished model
     */
    public Trace build() {
        try (pool) {
            return trace(false);
        }
    }

    /**
     * Does as {@link #build} on the calling thread alone, where that has others of its kind beside it: whoever makes many traces at
     * once has no processor to spare for the parts of one.
     *
     * @return the same model
     */
    public Trace buildAlone() {
        try (pool) {
            return trace(true);
        }
    }

    private Trace trace(boolean alone) {
        if (badCpus() > 0) {
            warn(badCpus() + " scheduler events name a CPU that no machine has; they were left out");
        }
        if (badTimes() > 0) {
            warn(badTimes() + " events are of a time before the clock's beginning; they were left out");
        }
        EventLog[] sorted = sort(logs, alone);
        EventDispatcher walk = new EventDispatcher(
                pool,
                strings,
                before414,
                hasWaking,
                frames,
                tracks,
                counterTracks,
                callstacks,
                args,
                facts.getOrDefault("system_machine", ""),
                alone);
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
                List.copyOf(addUnreadPart),
                dataLosses(),
                machine,
                queueEvents,
                strings);
    }

    /** In order of time, none of them longer than the trace. */
    private List<DataLoss> dataLosses() {
        return dataLosses.stream()
                .map(loss ->
                        new DataLoss(loss.cpu(), Math.max(startNs(), loss.startNs()), Math.min(endNs(), loss.endNs())))
                .filter(loss -> loss.startNs() < loss.endNs())
                .sorted(Comparator.comparingLong(DataLoss::startNs))
                .toList();
    }

    /** Most logs are in order; of those that are not, several threads take one each if they are long. */
    private static EventLog[] sort(EventLog[] logs, boolean alone) {
        Stream<EventLog> all = Arrays.stream(logs);
        boolean isMuchToDo = Arrays.stream(logs).mapToLong(EventLog::unsorted).sum() > WORTH_A_THREAD;
        return (isMuchToDo && !alone ? all.parallel() : all).map(EventLog::sort).toArray(EventLog[]::new);
    }

    /** Lets go of what a builder that will not build and its parts hold. Once it has built, that has happened. */
    @Override
    public void close() {
        pool.close();
    }
}
