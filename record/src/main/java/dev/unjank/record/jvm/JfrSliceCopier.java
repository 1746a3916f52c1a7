package dev.unjank.record.jvm;

import dev.unjank.record.agent.AgentProtocol;
import dev.unjank.record.agent.LockOwnerSampler;
import dev.unjank.record.session.RecordingInterval;
import dev.unjank.record.session.TraceSegment;
import dev.unjank.record.session.TraceSink;
import dev.unjank.trace.convert.SliceArgCopier;
import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.jfr.JfrChunks;
import dev.unjank.trace.write.TrackEventWriter;
import dev.unjank.trace.write.TrackWriter;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Copies the slices and counters of a Flight Recorder chunk into the recording, on the recording's clock and with the
 * sampled lock owners. Slices outside of the recording's interval are dropped or cut. Slices of threads are on the
 * threads' tracks, pauses of the JVM on process tracks.
 */
final class JfrSliceCopier {
    /** Events per batch, which bounds the time under the file's lock. */
    private static final int BATCH = 256;

    /** The end of a slice that lasts beyond the recording: the trace contains no end. */
    private static final long NO_END = Long.MAX_VALUE;

    private static final String SAFEPOINT = "safepoint";
    private static final String UNKNOWN_OPERATION = "safepoint: unknown operation";

    /** The JVM's thread that writes a chunk, in a safepoint of its own. */
    private static final String CHUNK_WRITER = "JFR Recorder Thread";

    private static final String LOCK_CLASS = "debug." + JfrChunks.LOCK_CLASS;

    private final Trace chunk;
    private final JfrClockConverter clock;
    private final int pid;
    private final JavaThreads threads;
    private final LockOwnerSamples samples;
    private final DeferredGcWaits held;
    private final RecordingInterval interval;
    private final Map<Integer, Long> javaIds = new HashMap<>();

    /** The formatted stacks. */
    private final Map<String, String> stacks = new HashMap<>();

    private final JfrMessageCopier messages;
    private final int writingOfChunk;
    private long copied;
    private long lost;

    JfrSliceCopier(
            Trace chunk,
            JfrClockConverter clock,
            int pid,
            JavaThreads threads,
            LockOwnerSamples samples,
            DeferredGcWaits held,
            RecordingInterval interval) {
        this.chunk = chunk;
        this.clock = clock;
        this.pid = pid;
        this.threads = threads;
        this.samples = samples;
        this.held = held;
        this.interval = interval;
        messages = new JfrMessageCopier(chunk, clock);
        writingOfChunk = writingOfChunk(chunk.slices());
    }

    /** Copies everything, and returns the number of events. */
    long to(TraceSink sink) {
        held.settle(chunk, clock, pid, sink);
        Slices slices = chunk.slices();
        for (int utid = 0; utid < chunk.threads().size(); utid++) {
            if (LockOwnerSampler.NAME.equals(chunk.threads().name(utid))) {
                continue;
            }
            nameVirtual(sink, utid);
            for (int from = slices.first(utid); from < slices.end(utid); from = next(from, slices.end(utid))) {
                int first = from;
                int end = next(from, slices.end(utid));
                int thread = utid;
                sink.write(segment -> thread(segment, thread, first, end));
            }
        }
        for (int from = slices.firstAsync(); from < slices.size(); from = Math.min(from + BATCH, slices.size())) {
            int first = from;
            int end = Math.min(from + BATCH, slices.size());
            sink.write(segment -> process(segment, first, end));
        }
        for (int track = 0; track < chunk.counters().tracks(); track++) {
            if (!JfrChunks.isOfClocks(chunk.counters().name(track))) {
                counter(sink, track);
            }
        }
        return copied;
    }

    /** The number of copied reports of lost events: each counts as one loss. */
    long lost() {
        return lost;
    }

    private void counter(TraceSink sink, int track) {
        Counters counters = chunk.counters();
        boolean isLoss = counters.name(track).equals(JfrChunks.LOST);
        int tid = counters.utid(track) < 0 ? -1 : chunk.threads().tid(counters.utid(track));
        TrackWriter.Unit unit = switch (counters.unit(track)) {
            case "ns" -> TrackWriter.Unit.TIME_NS;
            case "bytes" -> TrackWriter.Unit.SIZE_BYTES;
            default -> TrackWriter.Unit.COUNT;
        };
        for (int from = counters.first(track); from < counters.end(track); from += BATCH) {
            int first = from;
            int end = Math.min(from + BATCH, counters.end(track));
            sink.write(segment -> {
                for (int row = first; row < end; row++) {
                    long ts = clock.nanos(counters.ts(row));
                    if (interval.touches(ts, ts)) {
                        lost += isLoss ? 1 : 0;
                        segment.counter(ts, pid, tid, counters.name(track), unit, counters.value(row));
                    }
                }
            });
            copied += end - first;
        }
    }

    /**
     * Platform threads are listed in the chunk; virtual threads, most without a name, are known from their events only.
     */
    private void nameVirtual(TraceSink sink, int utid) {
        int tid = chunk.threads().tid(utid);
        if (tid >= JfrChunks.FIRST_VIRTUAL
                && chunk.slices().first(utid) < chunk.slices().end(utid)) {
            sink.thread(pid, tid, Objects.requireNonNullElse(chunk.threads().name(utid), ""));
        }
    }

    /** The end of a batch: before an outermost slice, so that nested slices stay together. */
    private int next(int from, int end) {
        int at = Math.min(from + BATCH, end);
        while (at < end && chunk.slices().depth(at) > 0) {
            at++;
        }
        return at;
    }

    private void thread(TraceSegment segment, int utid, int first, int end) throws IOException {
        Slices slices = chunk.slices();
        int tid = chunk.threads().tid(utid);
        long track = segment.track(pid, tid);
        long[] ends = new long[end - first];
        int open = 0;
        for (int row = first; row < end; row++) {
            long begin = clock.nanos(slices.ts(row));
            while (open > 0 && ends[open - 1] <= begin) {
                segment.events().end(ends[--open], track).write();
            }
            if (!interval.touches(begin, slices.isOpen(row) ? begin : clock.nanos(slices.endNs(row)))) {
                continue;
            }
            begin = Math.max(begin, interval.from());
            if (slices.isOpen(row)) {
                held.hold(tid, begin, category(slices, row), slices.name(row));
                continue;
            }
            if (slices.dur(row) == 0) {
                TrackEventWriter.Event mark =
                        segment.events().instant(begin, track, category(slices, row), slices.name(row));
                messages.describe(mark, row).write();
                copied++;
                continue;
            }
            // Times of different events are rounded differently: a slice that ends slightly after its parent is cut.
            long until = clock.nanos(slices.endNs(row));
            until = open > 0 ? Math.min(until, ends[open - 1]) : until;
            begin(segment, track, row, tid, begin, Math.min(until, interval.until()));
            ends[open++] = until > interval.until() ? NO_END : Math.max(begin, until);
            copied++;
        }
        while (open > 0) {
            long over = ends[--open];
            if (over != NO_END) {
                segment.events().end(over, track).write();
            }
        }
    }

    private static String category(Slices slices, int row) {
        String category = slices.category(row);
        return category.isEmpty() ? "monitor" : category;
    }

    private void begin(TraceSegment segment, long track, int row, int tid, long begin, long until) throws IOException {
        String name = chunk.slices().name(row);
        String category = category(chunk.slices(), row);
        byte kind = LockSliceNames.kind(name);
        LockOwnerSample seen = kind < 0 ? null : sample(row, tid, kind, name, until);
        TrackEventWriter.Event event = beginWait(segment, track, category, name, begin, seen);
        SliceArgCopier.copy(chunk.args(), row, event, this::words);
        messages.describe(event, row).write();
        if (seen != null && kind == AgentProtocol.PARK) {
            List<LockOwnerSample> later = samples.handOvers(seen, until);
            for (int i = 0; i < later.size(); i++) {
                long from = Math.max(begin, later.get(i).ns()); // it may have been seen before the recording began
                long end = i + 1 < later.size() ? later.get(i + 1).ns() : until;
                if (from < end) {
                    beginWait(segment, track, category, name, from, later.get(i))
                            .write();
                    segment.events().end(end, track).write();
                }
            }
        }
    }

    /** Adds source files to the frames of a stack, as in slice names. */
    private String words(String key, String text) {
        return key.equals(JfrChunks.STACK)
                ? stacks.computeIfAbsent(
                        text,
                        stack -> stack.lines().map(LockSliceNames::siteWithFile).collect(Collectors.joining("\n")))
                : text;
    }

    /** The sample of a wait, which may have begun before the recording. */
    private @Nullable LockOwnerSample sample(int row, int tid, byte kind, String name, long until) {
        String lock = kind == AgentProtocol.PARK
                ? LockSliceNames.parkedOn(name)
                : chunk.args().text(row, LOCK_CLASS);
        return samples.of(javaId(tid), kind, lock, clock.nanos(chunk.slices().ts(row)), until);
    }

    /** Begins a slice, with the owner in its name if it is a lock wait with a sample. */
    private TrackEventWriter.Event beginWait(
            TraceSegment segment, long track, String category, String name, long ns, @Nullable LockOwnerSample seen)
            throws IOException {
        if (seen == null) {
            return segment.events().begin(ns, track, category, LockSliceNames.with(name, null, null));
        }
        String named = LockSliceNames.with(name, threads.owner(seen.owner()), seen.site());
        return seen.addStack(segment.events().begin(ns, track, category, named));
    }

    private long javaId(int tid) {
        return javaIds.computeIfAbsent(tid, threads::javaId);
    }

    private void process(TraceSegment segment, int first, int last) throws IOException {
        Slices slices = chunk.slices();
        for (int row = first; row < last; row++) {
            long begin = clock.nanos(slices.ts(row));
            long end = clock.nanos(slices.endNs(row));
            if (!interval.touches(begin, end)) {
                continue;
            }
            begin = interval.nearest(begin);
            String category = slices.category(row);
            String name = row == writingOfChunk ? chunkWriting() : slices.name(row);
            long track = segment.track(begin, pid, trackName(name, category));
            segment.events().begin(begin, track, category, name).write();
            segment.events().end(interval.nearest(end), track).write();
            copied++;
        }
    }

    /**
     * The safepoint in which Flight Recorder writes a chunk, because the recorder ends a piece: it begins in this
     * chunk, and only the next one has its operation. -1 if the chunk does not end so.
     */
    private static int writingOfChunk(Slices slices) {
        for (int row = slices.size() - 1; row >= slices.firstAsync(); row--) {
            if (slices.category(row).equals(SAFEPOINT) && slices.name(row).startsWith("safepoint: ")) {
                return slices.name(row).equals(UNKNOWN_OPERATION) ? row : -1;
            }
        }
        return -1;
    }

    private String chunkWriting() {
        for (int utid = 0; utid < chunk.threads().size(); utid++) {
            if (CHUNK_WRITER.equals(chunk.threads().name(utid))) {
                return "safepoint: JFRSafepointWrite by " + CHUNK_WRITER + " ("
                        + chunk.threads().tid(utid) + ")";
            }
        }
        return "safepoint: JFRSafepointWrite";
    }

    /**
     * The track of a process slice. Slices of a track must nest: pauses are within safepoints, but collections of
     * different collectors may overlap.
     */
    static String trackName(String name, String category) {
        if (name.startsWith(JfrChunks.COLLECTION)) {
            int cause = name.indexOf(" (");
            return cause < 0 ? name : name.substring(0, cause);
        }
        int kind = name.indexOf(':');
        return kind < 0 ? category : name.substring(0, kind);
    }
}
