package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.DataLoss;
import dev.unjank.trace.read.jfr.format.ChunkHeader;
import dev.unjank.trace.read.jfr.format.ChunkMetadata;
import dev.unjank.trace.read.jfr.format.ConstantPools;
import dev.unjank.trace.read.jfr.format.Cursor;
import dev.unjank.trace.read.jfr.format.FieldReader;
import org.jspecify.annotations.Nullable;

/**
 * The events of one JVM run, across its chunks. Events come in the order in which they were written, and may depend
 * on later ones; so nothing is added to the builder before {@link #emit}.
 */
final class JvmRun implements SliceBuffer.Owners {
    // The slots of the fields that nearly every type has.
    static final int START = 0;
    static final int DURATION = 1;
    static final int THREAD = 2;

    /** Events further from their chunk's time come from a broken clock or file. */
    private static final long MAX_DISTANCE_NS = 86_400_000_000_000L;

    /** The pid of a JVM with an unknown pid; no kernel assigns this one. */
    private static final int UNKNOWN_PID = 1 << 30;

    private final TraceBuilder builder;
    private final TickClock clock;
    final JfrThreads threads = new JfrThreads();
    private final EarlierChunkThreads earlier;
    private final SliceBuffer slices = new SliceBuffer();
    final MonitorWaits monitors = new MonitorWaits();
    final Deadlocks deadlocks = new Deadlocks();
    final WaitDetails waits;
    final VmPauses pauses;
    final AllocationStalls allocations = new AllocationStalls();
    final LooperStalls stalls;
    final LooperMessages messages;
    final ExecutionSamples samples = new ExecutionSamples();
    final CounterSamples counters = new CounterSamples();
    final FrameEvents frames;
    final RecordingSettings settings = new RecordingSettings();
    private final long firstNs;
    private int pid;
    private String program = "";

    // Of the current chunk.
    private @Nullable ChunkConstants constants;
    private long startNs;
    private long earliestNs;
    private long latestNs;
    /** The time of the last loss of events; negative if there was none. */
    private long lostUntilNs = -1;

    JvmRun(TraceBuilder builder, ChunkHeader first, FrameEvents frames, EarlierChunkThreads earlier) {
        this.builder = builder;
        this.earlier = earlier;
        this.frames = frames;
        clock = TickClock.of(first);
        firstNs = clock.ns(first.startTicks());
        waits = new WaitDetails(builder);
        pauses = new VmPauses(builder);
        stalls = new LooperStalls(builder);
        messages = new LooperMessages(builder);
    }

    /** Whether a chunk belongs to the same run. */
    boolean continuesIn(ChunkHeader header) {
        return clock.continuesIn(header);
    }

    /** Starts a chunk. */
    void enter(ChunkHeader header, ConstantPools pools, ChunkMetadata metadata, Cursor cursor) {
        leave();
        constants = new ChunkConstants(metadata, pools, cursor, builder, threads, earlier);
        constants.remember();
        settings.read(metadata);
        long start = clock.ns(header.startTicks());
        startNs = start;
        builder.unmodeledEvent(start);
        builder.unmodeledEvent(start + Math.min(header.durationNs(), MAX_DISTANCE_NS));
        earliestNs = start - MAX_DISTANCE_NS;
        latestNs = start + Math.min(header.durationNs(), MAX_DISTANCE_NS) + MAX_DISTANCE_NS;
    }

    /** Ends the current chunk. */
    private void leave() {
        if (lostUntilNs > startNs) {
            builder.addDataLoss(DataLoss.ANY_CPU, startNs, lostUntilNs);
        }
        lostUntilNs = -1;
    }

    /**
     * Records that Flight Recorder dropped a buffer at a time. Its events may be as old as the chunk: a thread's buffer
     * is written when it is full or the chunk ends.
     */
    void lost(long ns) {
        lostUntilNs = Math.max(lostUntilNs, ns);
    }

    /** The start of an event; negative if it is invalid. */
    long start(FieldReader event) {
        return plausible(clock.ns(event.number(START)));
    }

    /** The end of an event; before its start if it is invalid. */
    long end(FieldReader event) {
        return plausible(clock.ns(event.number(START) + Math.max(0, event.number(DURATION))));
    }

    private long plausible(long ns) {
        return ns >= earliestNs && ns <= latestNs ? ns : -1;
    }

    /** The thread of an event; {@link JfrThreads#NONE} if it has none or its time is invalid. */
    int thread(FieldReader event) {
        long start = start(event);
        int thread = start < 0 ? JfrThreads.NONE : constants().thread(event.value(THREAD));
        if (thread != JfrThreads.NONE) {
            threads.firstSeen(thread, start);
        }
        return thread;
    }

    void slice(FieldReader event, int name, int category) {
        slice(event, name, category, SliceBuffer.NO_NOTE);
    }

    /** Adds a slice with details for an event. */
    void slice(FieldReader event, int name, int category, long note) {
        int thread = thread(event);
        if (thread != JfrThreads.NONE && name >= 0) {
            slices.add(thread, start(event), seen(thread, end(event)), name, category, note);
        }
    }

    /** Records that the thread existed at the end of its event. */
    private long seen(int thread, long end) {
        if (end >= 0) {
            threads.firstSeen(thread, end);
        }
        return end;
    }

    void setProcessName(int ownPid, String ownProgram) {
        pid = ownPid;
        program = ownProgram;
    }

    ChunkConstants constants() {
        if (constants == null) {
            throw new IllegalStateException("no chunk was entered");
        }
        return constants;
    }

    /** The text of a field of an event, see {@link ChunkConstants#text}. */
    @Nullable
    String text(FieldReader event, int field) {
        return constants().text(event.field(field), event.value(field));
    }

    /** The string id of a prefix and the text of a field of an event, see {@link ChunkConstants#textId}. */
    int textId(String prefix, FieldReader event, int field) {
        return constants().textId(prefix, event.field(field), event.value(field));
    }

    StackTraceReader stacks() {
        return constants().stacks();
    }

    /** Adds everything that was read to the builder. */
    void emit() {
        leave();
        if (pid <= 0) {
            pid = UNKNOWN_PID;
        }
        builder.kernel().javaProcess(firstNs, pid, program.isEmpty() ? -1 : builder.intern(program));
        monitors.emitTo(slices, threads, builder);
        deadlocks.emitTo(slices, samples, threads, waits, builder, firstNs);
        threads.emitTo(builder, pid);
        pauses.emitTo(slices, threads);
        allocations.emitTo(slices, builder);
        stalls.emitTo(slices, threads);
        messages.emitTo(slices);
        slices.emitTo(builder, this);
        samples.emitTo(builder, threads, pid);
        counters.emitTo(builder, threads, pid);
        frames.emitTo(builder, threads, pid);
        settings.warnings(monitors.size(), deadlocks.hasDumps()).forEach(builder::warn);
    }

    @Override
    public int newTrack(int line) {
        return builder.tracks().newTrack(line < 0 ? -1 : threads.tid(line), pid);
    }

    @Override
    public void note(long ts, int track, long note) {
        if (WaitDetails.isOne(note)) {
            waits.emit(ts, track, note, threads);
        } else {
            messages.note(ts, track, note, threads, pid);
        }
    }
}
