package dev.unjank.record.session;

import dev.unjank.record.linux.Cpus;
import dev.unjank.record.linux.MachineClocks;
import dev.unjank.trace.write.FrameTimelineWriter;
import dev.unjank.trace.write.FtraceCpuWriter;
import dev.unjank.trace.write.PerfSampleWriter;
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
 * A part of a recording that is a trace by itself: it begins with a clock snapshot and metadata, and does not refer to
 * other parts. Guarded by the lock of the {@link RecordingFile}.
 */
public final class TraceSegment {
    private static final String CATEGORY = "unjank";
    private static final String CLOCKS = "clocks";

    /** The number of described tracks to remember; then they are described again. */
    private static final int MOST_TRACKS = 1 << 16;

    private final TraceWriter writer;
    private final TrackEventWriter events;
    private final FrameTimelineWriter frames;
    private final PerfSampleWriter samples;
    private final MachineClocks clocks;
    private final LongSupplier now;
    private final long mainTrack;
    private final Set<Long> tracks = new HashSet<>();

    /**
     * Begins a part.
     *
     * @param begin its start: no packet has an earlier time
     * @param now the time, which does not advance after the end of the recording
     */
    TraceSegment(
            OutputStream out, MachineClocks clocks, long begin, LongSupplier now, TraceMetadata metadata, int target)
            throws IOException {
        this.clocks = clocks;
        this.now = now;
        writer = new TraceWriter(out, WireFormat.COMPACT);
        mainTrack = TrackWriter.ofProcess(target);
        events = writer.trackEvents(TraceClock.MONOTONIC, mainTrack);
        // start times in ns differ by more than a part has frames, so numbers are unique
        frames = writer.frames(TraceClock.MONOTONIC, System.nanoTime());
        samples = writer.perfSamples(TraceClock.MONOTONIC);
        Map<String, Object> errors = clockSnapshot();
        // notes before the description would belong to no process
        events.tracks().process(begin, target, "", metadata.targetLabels());
        note(begin, CLOCKS, errors);
        for (SourceAvailability source : metadata.sources()) {
            source(begin, source);
        }
        writer.systemInfo(
                System.getProperty("os.version"),
                System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch"),
                Cpus.count());
        writer.cpuInfo(metadata.cpus());
        metadata.writeTo(this);
    }

    // ---- for sources

    /** The writer of slices, instants and flows, on the clock of {@link System#nanoTime}. */
    public TrackEventWriter events() {
        return events;
    }

    /** The writer of frames, on the clock of {@link System#nanoTime}. */
    public FrameTimelineWriter frames() {
        return frames;
    }

    /** The writer of stack samples of running threads, on the clock of {@link System#nanoTime}. */
    public PerfSampleWriter samples() {
        return samples;
    }

    /** The writer of the kernel's events of a CPU, on the boot clock: see {@link #bootTime}. */
    public FtraceCpuWriter cpu(int cpu) {
        return writer.cpu(cpu);
    }

    /** The writer of other packets, on the boot clock. */
    public TraceWriter packets() {
        return writer;
    }

    /** Converts a time of {@link System#nanoTime} to the boot clock. */
    public long bootTime(long nanos) {
        return nanos + clocks.bootOffset();
    }

    /** The track of a thread, for {@link #events}. */
    public long track(int pid, int tid) {
        return TrackWriter.ofThread(pid, tid);
    }

    /** The track of a thread that may have no Java name: describes the track. */
    public long track(long ts, int pid, int tid) throws IOException {
        long track = track(pid, tid);
        if (isNew(track)) {
            events.tracks().threadLane(ts, track, pid, tid);
        }
        return track;
    }

    /** A track of a process for {@link #events}. */
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

    /** Writes the value of a counter of a thread, or of the process if {@code tid} is -1. */
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
     * Writes a note about the recording: an instant on the target's process, with strings and whole numbers as
     * arguments.
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

    /** Writes a clock snapshot, with a note on its error. */
    void clockSnapshot(long ts) throws IOException {
        note(ts, CLOCKS, clockSnapshot());
    }

    /** Writes a clock snapshot, and returns its error. */
    private Map<String, Object> clockSnapshot() throws IOException {
        MachineClocks.Reading reading = clocks.read();
        Map<String, Object> errors = new LinkedHashMap<>();
        if (reading.hasBoot()) {
            writer.clockSnapshot(reading.boot(), reading.monotonic(), reading.real());
            errors.put("boottime error ns", reading.bootError());
        } else {
            writer.clockSnapshot(reading.monotonic(), reading.real());
        }
        errors.put("realtime error ns", reading.realError());
        return errors;
    }

    /** Writes the availability of a source. */
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

    /** Writes the kernel's names of threads. */
    void kernelThreads(Iterable<TraceMetadata.ThreadName> threads) throws IOException {
        List<TraceWriter.ThreadEntry> entries = new ArrayList<>();
        for (TraceMetadata.ThreadName thread : threads) {
            entries.add(new TraceWriter.ThreadEntry(thread.tid(), thread.pid(), thread.name()));
        }
        if (!entries.isEmpty()) {
            writer.processTree(bootTime(now.getAsLong()), List.of(), entries);
        }
    }

    /** Writes the scheduling of a thread. */
    void scheduling(TraceMetadata.ThreadScheduling thread) throws IOException {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("tid", thread.tid());
        facts.put("policy", thread.how().policy());
        facts.put("nice", thread.how().nice());
        facts.put("real-time priority", thread.how().realTimePriority());
        note(now.getAsLong(), "scheduling of " + thread.name(), facts);
    }

    /** Writes the total of a source's lost events, with a marker for the loss. */
    void lost(String source, long sum) throws IOException {
        events.dataLoss();
        counterOn(now.getAsLong(), mainTrack, "lost: " + source, TrackWriter.Unit.COUNT, sum);
    }

    /** Flushes to the stream. */
    void flush() throws IOException {
        writer.flush();
    }

    /** Ends this part. */
    void close() throws IOException {
        writer.close();
    }
}
