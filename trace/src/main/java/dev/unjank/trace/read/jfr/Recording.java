package dev.unjank.trace.read.jfr;

import dev.unjank.trace.TraceBuilder;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one run of a virtual machine, over all its chunks. Events come in the order in which they were written, and
 * what they mean may depend on later ones; so nothing is told to the builder before {@link #tell}.
 */
final class Recording implements SliceBuffer.Owners {
    // The places of the fields that nearly every kind has.
    static final int START = 0;
    static final int DURATION = 1;
    static final int THREAD = 2;

    /** Events further from their chunk's time come from a broken clock or file. */
    private static final long FARTHEST_NS = 86_400_000_000_000L;

    /** For a machine that does not tell its number; no kernel gives this one. */
    private static final int UNKNOWN_PID = 1 << 30;

    private final TraceBuilder builder;
    private final TickClock clock;
    private final JfrThreads threads = new JfrThreads();
    private final EarlierThreads earlier;
    private final SliceBuffer slices = new SliceBuffer();
    private final MonitorLog monitors = new MonitorLog();
    private final WaitNotes waits;
    private final PauseLog pauses;
    private final AllocationLog allocations = new AllocationLog();
    private final StallLog stalls;
    private final MessageLog messages;
    private final SampleLog samples = new SampleLog();
    private final CounterLog counters = new CounterLog();
    private final FrameLog frames;
    private final Settings settings = new Settings();
    private final long firstNs;
    private int pid;
    private String program = "";

    // Of the chunk that is being read.
    private @Nullable Constants constants;
    private long earliestNs;
    private long latestNs;

    Recording(TraceBuilder builder, ChunkHeader first, FrameLog frames, EarlierThreads earlier) {
        this.builder = builder;
        this.earlier = earlier;
        this.frames = frames;
        clock = TickClock.of(first);
        firstNs = clock.ns(first.startTicks());
        waits = new WaitNotes(builder);
        pauses = new PauseLog(builder);
        stalls = new StallLog(builder);
        messages = new MessageLog(builder);
    }

    /** Whether a chunk is of the same run. */
    boolean goesOnIn(ChunkHeader header) {
        return clock.goesOnIn(header);
    }

    /** A chunk begins. */
    void enter(ChunkHeader header, ConstantPools pools, Metadata metadata, Cursor cursor) {
        constants = new Constants(metadata, pools, cursor, builder, threads, earlier);
        constants.remember();
        settings.enter(metadata);
        long start = clock.ns(header.startTicks());
        builder.other(start);
        builder.other(start + Math.min(header.durationNs(), FARTHEST_NS));
        earliestNs = start - FARTHEST_NS;
        latestNs = start + Math.min(header.durationNs(), FARTHEST_NS) + FARTHEST_NS;
    }

    /** When an event began; negative if that is nonsense. */
    long start(Binding event) {
        return plausible(clock.ns(event.number(START)));
    }

    /** When an event ended; before its beginning if that is nonsense. */
    long end(Binding event) {
        return plausible(clock.ns(event.number(START) + Math.max(0, event.number(DURATION))));
    }

    private long plausible(long ns) {
        return ns >= earliestNs && ns <= latestNs ? ns : -1;
    }

    /** Who an event is about; {@link JfrThreads#NONE} if it does not say, or when it was is nonsense. */
    int thread(Binding event) {
        long start = start(event);
        int thread = start < 0 ? JfrThreads.NONE : constants().thread(event.value(THREAD));
        if (thread != JfrThreads.NONE) {
            threads.seen(thread, start);
        }
        return thread;
    }

    /** Makes a slice of an event. */
    void slice(Binding event, int name, int category) {
        slice(event, name, category, SliceBuffer.NO_NOTE);
    }

    /** Makes a slice of an event of which there is more to tell. */
    void slice(Binding event, int name, int category, long note) {
        int thread = thread(event);
        if (thread != JfrThreads.NONE && name >= 0) {
            slices.add(thread, start(event), seen(thread, end(event)), name, category, note);
        }
    }

    /** The thread is there at the end of its event, too. */
    private long seen(int thread, long end) {
        if (end >= 0) {
            threads.seen(thread, end);
        }
        return end;
    }

    void runsAs(int ownPid, String ownProgram) {
        pid = ownPid;
        program = ownProgram;
    }

    Constants constants() {
        if (constants == null) {
            throw new IllegalStateException("no chunk was entered");
        }
        return constants;
    }

    Stacks stacks() {
        return constants().stacks();
    }

    JfrThreads threads() {
        return threads;
    }

    SliceBuffer slices() {
        return slices;
    }

    MonitorLog monitors() {
        return monitors;
    }

    PauseLog pauses() {
        return pauses;
    }

    AllocationLog allocations() {
        return allocations;
    }

    StallLog stalls() {
        return stalls;
    }

    MessageLog messages() {
        return messages;
    }

    SampleLog samples() {
        return samples;
    }

    CounterLog counters() {
        return counters;
    }

    FrameLog frames() {
        return frames;
    }

    Settings settings() {
        return settings;
    }

    /** Tells the builder of all that was read. */
    void tell() {
        if (pid <= 0) {
            pid = UNKNOWN_PID;
        }
        builder.javaProcess(firstNs, pid, program.isEmpty() ? -1 : builder.intern(program));
        threads.tell(builder, pid);
        monitors.tell(slices, threads, builder);
        pauses.tell(slices, threads);
        allocations.tell(slices, builder);
        stalls.tell(slices, threads);
        messages.tell(slices);
        slices.tell(builder, this);
        samples.tell(builder, threads, pid);
        counters.tell(builder, threads, pid);
        frames.tell(builder, threads, pid);
        settings.warnings(monitors.size()).forEach(builder::warn);
    }

    @Override
    public int newTrack(int line) {
        return builder.newTrack(line < 0 ? -1 : threads.tid(line), pid);
    }

    @Override
    public void note(long ts, int track, long note) {
        if (WaitNotes.isOne(note)) {
            waits.tell(ts, track, note);
        } else {
            messages.note(ts, track, note, threads, pid);
        }
    }
}
