package dev.unjank.record.jvm;

import dev.unjank.record.helper.HelperProcess;
import dev.unjank.record.linux.MachineClocks;
import dev.unjank.record.session.RecordingInterval;
import dev.unjank.record.session.RevocableSink;
import dev.unjank.record.session.TraceSink;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.jfr.EarlierChunkThreads;
import dev.unjank.trace.read.jfr.JfrChunks;
import dev.unjank.trace.read.jfr.JfrReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Copies the files of a target's recording to the trace: the events of each chunk once, with their times on the
 * machine's clock. Used by one thread at a time; the counts may be read by others.
 */
final class JfrFileCopier {
    /** The maximum error of the wall clock in a piece. */
    private static final long WALL_ERROR_NANOS = 1_000_000;

    private final TargetJvm target;
    private final Decoder decoder;
    private final RevocableSink sink;
    private final Set<Long> seen = new HashSet<>();
    private final MachineClocks clocks = new MachineClocks();
    private final JfrFrameCopier frames;
    private final DeferredGcWaits held = new DeferredGcWaits();
    private final EarlierChunkThreads earlier = new EarlierChunkThreads();
    private @Nullable JfrClockConverter last;
    private JfrChunks.@Nullable Chunk lastChunk;
    private volatile long readingBytes;
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();

    JfrFileCopier(TargetJvm target, Decoder decoder, RevocableSink sink) {
        this.target = target;
        this.decoder = decoder;
        this.sink = sink;
        frames = new JfrFrameCopier(target.pid());
    }

    /** Decodes recordings. */
    interface Decoder {
        /** Decodes one: see {@link JfrReader#read(MemorySegment, TraceBuilder, EarlierChunkThreads)}. */
        boolean read(MemorySegment file, TraceBuilder builder, EarlierChunkThreads earlier);
    }

    /** Counts a gap between two pieces as one lost event. A gap because the target exited is not a loss. */
    void missed(long from, long until) {
        RecordingInterval interval = sink.interval();
        if (interval.hasBegun() && interval.touches(from, until) && !target.hasEnded()) {
            lost.incrementAndGet();
            sink.lost(FlightRecorderSource.NAME, 1);
            long begin = interval.nearest(from);
            Map<String, Object> facts = Map.of("at most ns", interval.nearest(until) - begin);
            sink.write(segment -> segment.note(begin, "Flight Recorder was not recording", facts));
        }
    }

    /** Copies a file of a recording and returns its name. */
    String copy(RollingJfrRecording from, String file) throws IOException {
        from.read(file, (size, content) -> {
            readingBytes = size;
            if (size > HelperProcess.mostBytes()) {
                notRead(size, "larger than " + (HelperProcess.mostBytes() >> 20) + " MB");
                return;
            }
            try (Arena arena = Arena.ofShared();
                    InputStream in = content.open()) {
                MemorySegment bytes = read(in, arena.allocate(size));
                List<JfrChunks.Chunk> chunks = JfrChunks.split(bytes);
                if (chunks.isEmpty()) {
                    notRead(size, "not a recording");
                }
                for (JfrChunks.Chunk chunk : chunks) {
                    if (seen.add(chunk.startTicks())) {
                        copy(chunk);
                    }
                }
            }
        });
        return file;
    }

    private static MemorySegment read(InputStream in, MemorySegment into) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long at = 0;
        for (int count; at < into.byteSize() && (count = in.read(buffer)) >= 0; ) {
            int taken = (int) Math.min(count, into.byteSize() - at);
            MemorySegment.copy(buffer, 0, into, ValueLayout.JAVA_BYTE, at, taken);
            at += taken;
        }
        return into.asSlice(0, at);
    }

    /** Counts an invalid file as a loss. Only a hostile target writes invalid files. */
    private void notRead(long size, String reason) {
        lost.incrementAndGet();
        sink.lost(FlightRecorderSource.NAME, 1);
        long now = sink.interval().nearest(System.nanoTime());
        Map<String, Object> facts = Map.of("bytes", size, "reason", reason);
        sink.write(segment -> segment.note(now, "Flight Recorder file not read", facts));
    }

    private void copy(JfrChunks.Chunk file) {
        MemorySegment bytes = file.bytes();
        target.threads().add(JfrChunks.threads(bytes), sink);
        try (TraceBuilder builder = new TraceBuilder("chunk")) {
            if (!decoder.read(bytes, builder, earlier)) {
                return;
            }
            Trace chunk = builder.build();
            JfrClockConverter clock = JfrClockConverter.of(chunk, otherwise(file));
            last = clock;
            lastChunk = file;
            JfrSliceCopier chunkCopy = new JfrSliceCopier(
                    chunk, clock, target.pid(), target.threads(), target.samples(), held, sink.interval());
            events.addAndGet(chunkCopy.to(sink));
            sink.unlessRevoked(
                    () -> target.waitsAtEnd().add(chunk, clock, sink.interval().until()));
            if (chunkCopy.lost() > 0) {
                lost.addAndGet(chunkCopy.lost());
                sink.lost(FlightRecorderSource.NAME, chunkCopy.lost());
            }
            events.addAndGet(frames.copy(chunk, clock, sink));
            events.addAndGet(JfrSampleCopier.copy(chunk, clock, target.pid(), sink));
            note(sink, chunk, clock);
        }
    }

    private JfrClockConverter otherwise(JfrChunks.Chunk file) {
        JfrClockConverter continued = last == null || lastChunk == null ? null : last.continuedFor(lastChunk, file);
        if (continued != null && continued.error() < WALL_ERROR_NANOS) {
            return continued;
        }
        MachineClocks.Reading now = clocks.read();
        return JfrClockConverter.at(now.monotonic() - now.real(), now.realError() + WALL_ERROR_NANOS);
    }

    private void note(TraceSink to, Trace chunk, JfrClockConverter clock) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("clock error ns", clock.error());
        facts.put("slices", chunk.slices().size());
        int number = 0;
        for (String warning : chunk.warnings()) {
            facts.put("warning " + ++number, warning);
        }
        long at = to.interval().nearest(clock.nanos(chunk.endNs()));
        to.write(segment -> segment.note(at, "Flight Recorder file", facts));
    }

    /** Writes the waits for collections whose end no file contained. */
    void writeOpenWaits() {
        held.writeOpen(target.pid(), sink);
    }

    RevocableSink sink() {
        return sink;
    }

    /** The size of the last file that was read. */
    long readingBytes() {
        return readingBytes;
    }

    long events() {
        return events.get();
    }

    long lost() {
        return lost.get();
    }
}
