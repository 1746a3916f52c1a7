package dev.unjank.record.session;

import dev.unjank.record.linux.Cpus;
import dev.unjank.record.linux.MachineClocks;
import dev.unjank.trace.write.FrameTimelineWriter;
import dev.unjank.trace.write.FtraceCpuWriter;
import dev.unjank.trace.write.TraceClock;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.TrackEventWriter;
import dev.unjank.trace.write.TrackWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * A part of a recording that is a trace by itself: it begins with the clocks and names who is in it, and refers to nothing that
 * another part says. Used under the lock of the {@link RecordingFile}.
 */
public final class TraceSegment {
    private static final String CATEGORY = "unjank";

    /** Of so many it is remembered that they were described; then they are described anew. */
    private static final int MOST_TRACKS = 1 << 16;

    private final TraceWriter writer;
    private final TrackEventWriter events;
    private final FrameTimelineWriter frames;
    private final MachineClocks clocks;
    private final LongSupplier now;
    private final long mainTrack;
    private final Set<Long> tracks = new HashSet<>();

    /**
     * Begins one.
     *
     * @param clocks what ties the clocks together
     * @param begin when it begins: nothing that is said of it has an earlier time
     * @param now the time, which stands still once the recording is over
     * @param census who is in it
     * @param target the process that the recording is of
     */
    TraceSegment(OutputStream out, MachineClocks clocks, long begin, LongSupplier now, TraceMetadata census, int target)
            throws IOException {
        this.clocks = clocks;
        this.now = now;
        writer = new TraceWriter(out, WireFormat.COMPACT);
        mainTrack = TrackWriter.ofProcess(target);
        events = writer.trackEvents(TraceClock.MONOTONIC, mainTrack);
        // Two parts are further apart in time than one has frames.
        frames = writer.frames(TraceClock.MONOTONIC, System.nanoTime());
        clockSnapshot(begin);
        for (SourceAvailability source : census.sources()) {
            source(begin, source);
        }
        writer.systemInfo(
                System.getProperty("os.version"),
                System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch"),
                Cpus.count());
        writer.cpuInfo(census.cpus());
        census.writeTo(this);
    }

    // ---- for sources

    /**
     * Slices, marks and flows, on the clock of {@link System#nanoTime}.
     *
     * @return where they go
     */
    public TrackEventWriter events() {
        return events;
    }

    /**
     * Frames, on the clock of {@link System#nanoTime}.
     *
     * @return where they go
     */
    public FrameTimelineWriter frames() {
        return frames;
    }

    /**
     * The kernel's events of one CPU, which are on the boot clock: see {@link #bootTime}.
     *
     * @param cpu the CPU
     * @return where they go
     */
    public FtraceCpuWriter cpu(int cpu) {
        return writer.cpu(cpu);
    }

    /**
     * What is neither of a program nor of a CPU, on the boot clock.
     *
     * @return the writer of this part
     */
    public TraceWriter packets() {
        return writer;
    }

    /**
     * Brings a time onto the boot clock.
     *
     * @param nanos of {@link System#nanoTime}
     * @return nanoseconds of the boot clock
     */
    public long bootTime(long nanos) {
        return nanos + clocks.bootOffset();
    }

    /**
     * The track of a thread, for {@link #events}.
     *
     * @param pid its process
     * @param tid the thread
     * @return the track's id
     */
    public long track(int pid, int tid) {
        return TrackWriter.ofThread(pid, tid);
    }

    /**
     * The track of a thread that may not have been named as its program calls it: the track is said to be the thread's all the same.
     *
     * @param ts when it is used
     * @param pid its process
     * @param tid the thread
     * @return the track's id
     * @throws IOException if the file fails
     */
    public long track(long ts, int pid, int tid) throws IOException {
        long track = track(pid, tid);
        if (isNew(track)) {
            events.tracks().threadLane(ts, track, pid, tid);
        }
        return track;
    }

    /**
     * A track of a process for what belongs to none of its threads, for {@link #events}.
     *
     * @param ts when it is used
     * @param pid the process
     * @param name what lies on it
     * @return the track's id
     * @throws IOException if the file fails
     */
    public long track(long ts, int pid, String name) throws IOException {
        long parent = TrackWriter.ofProcess(pid);
        long track = TrackWriter.named(parent, name);
        if (isNew(track)) {
            events.tracks().track(ts, parent, name);
        }
        return track;
    }

    private boolean isNew(long track) {
        if (tracks.size() >= MOST_TRACKS) {
            tracks.clear();
        }
        return tracks.add(track);
    }

    /**
     * A counter of a process has a new value.
     *
     * @param ts when
     * @param pid the process
     * @param name the counter's name
     * @param unit what it counts
     * @param value its value from now on
     * @throws IOException if the file fails
     */
    public void counter(long ts, int pid, String name, TrackWriter.Unit unit, long value) throws IOException {
        counterOn(ts, TrackWriter.ofProcess(pid), name, unit, value);
    }

    /**
     * A counter of a thread, or of a process, has a new value.
     *
     * @param ts when
     * @param pid the process
     * @param tid the thread, -1 if the counter is the process's
     * @param name the counter's name
     * @param unit what it counts
     * @param value its value from now on
     * @throws IOException if the file fails
     */
    public void counter(long ts, int pid, int tid, String name, TrackWriter.Unit unit, long value) throws IOException {
        counterOn(ts, tid < 0 ? TrackWriter.ofProcess(pid) : track(ts, pid, tid), name, unit, value);
    }

    private void counterOn(long ts, long parent, String name, TrackWriter.Unit unit, long value) throws IOException {
        long track = TrackWriter.ofCounter(parent, name);
        if (isNew(track)) {
            events.tracks().counter(ts, parent, name, unit);
        }
        events.counter(ts, track, value);
    }

    /**
     * Says something of the recording itself, such as what could not be recorded: a mark on the target's process.
     *
     * @param ts when
     * @param what what it is about
     * @param facts pairs of a key and its value, a text or a whole number
     * @throws IOException if the file fails
     */
    public void note(long ts, String what, Map<String, Object> facts) throws IOException {
        TrackEventWriter.Event note = events.instant(ts, mainTrack, CATEGORY, what);
        facts.forEach((key, value) -> {
            if (value instanceof Number number) {
                note.arg(key, number.longValue());
            } else {
                note.arg(key, value.toString());
            }
        });
        note.write();
    }

    // ---- for the file

    /** Ties the clocks together as they are now, and says at a time of the recording how exactly. */
    void clockSnapshot(long ts) throws IOException {
        MachineClocks.Reading reading = clocks.read();
        Map<String, Object> errors = new LinkedHashMap<>();
        if (reading.hasBoot()) {
            writer.clockSnapshot(reading.boot(), reading.monotonic(), reading.real());
            errors.put("boottime error ns", reading.bootError());
        } else {
            writer.clockSnapshot(reading.monotonic(), reading.real());
        }
        errors.put("realtime error ns", reading.realError());
        note(ts, "clocks", errors);
    }

    /** Says what is recorded and what is not. */
    void source(SourceAvailability source) throws IOException {
        source(now.getAsLong(), source);
    }

    private void source(long ts, SourceAvailability source) throws IOException {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("state", source.state().name().toLowerCase(Locale.ROOT));
        facts.put("detail", source.detail());
        note(ts, "source: " + source.source(), facts);
    }

    void process(TraceMetadata.ProcessName process) throws IOException {
        long ts = now.getAsLong();
        writer.processTree(
                bootTime(ts),
                List.of(new TraceWriter.ProcessEntry(process.pid(), process.parentPid(), process.name())),
                List.of());
        if (process.isJvm()) {
            events.tracks().process(ts, process.pid(), process.name(), TrackWriter.JVM);
        } else {
            events.tracks().process(ts, process.pid(), process.name());
        }
    }

    void thread(TraceMetadata.ThreadName thread) throws IOException {
        boolean _ = isNew(track(thread.pid(), thread.tid()));
        events.tracks().thread(now.getAsLong(), thread.pid(), thread.tid(), thread.name());
    }

    /** Names threads as the kernel calls them. */
    void kernelThreads(Iterable<TraceMetadata.ThreadName> threads) throws IOException {
        List<TraceWriter.ThreadEntry> entries = new ArrayList<>();
        for (TraceMetadata.ThreadName thread : threads) {
            entries.add(new TraceWriter.ThreadEntry(thread.tid(), thread.pid(), thread.name()));
        }
        if (!entries.isEmpty()) {
            writer.processTree(bootTime(now.getAsLong()), List.of(), entries);
        }
    }

    /** Says how a thread is scheduled. */
    void scheduling(TraceMetadata.ThreadScheduling thread) throws IOException {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("tid", thread.tid());
        facts.put("policy", thread.how().policy());
        facts.put("nice", thread.how().nice());
        facts.put("real-time priority", thread.how().realTimePriority());
        note(now.getAsLong(), "scheduling of " + thread.name(), facts);
    }

    /** Events of a source were lost before this: so many since the recording began. */
    void lost(String source, long sum) throws IOException {
        events.dataLoss();
        counterOn(now.getAsLong(), mainTrack, "lost: " + source, TrackWriter.Unit.COUNT, sum);
    }

    /** Hands everything to the stream. */
    void flush() throws IOException {
        writer.flush();
    }

    /** Ends this part. */
    void close() throws IOException {
        writer.close();
    }
}
