package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.TraceNote;
import dev.unjank.trace.read.common.UnreadableRecords;
import dev.unjank.trace.read.jfr.format.ChunkHeader;
import dev.unjank.trace.read.jfr.format.ChunkMetadata;
import dev.unjank.trace.read.jfr.format.ChunkScanner;
import dev.unjank.trace.read.jfr.format.ConstantPools;
import dev.unjank.trace.read.jfr.format.Cursor;
import dev.unjank.trace.read.jfr.format.DamagedRecordingException;
import dev.unjank.trace.read.jfr.format.EventBinding;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Reads a Flight Recorder recording into a builder, chunk by chunk. A damaged chunk yields everything before the
 * damage, and a damaged event is skipped; the next chunk is found by its signature. Concatenated chunks of different
 * JVM runs are distinguished by their clocks.
 */
public final class JfrReader {
    private static final int WINDOW = 1 << 16;

    private final MemorySegment file;
    private final TraceBuilder builder;
    private final Cursor cursor;
    private final Cursor constants;
    private final UnreadableRecords omissions = new UnreadableRecords();
    private final FrameEvents frames = new FrameEvents();

    private EarlierChunkThreads earlier;

    /** The run of the last chunk, with its events. */
    private @Nullable JvmRun recording;

    private EventBindings kinds = new EventBindings();
    private int chunks;
    private long skippedEvents;

    private JfrReader(MemorySegment file, TraceBuilder builder, EarlierChunkThreads earlier) {
        this.earlier = earlier;
        this.file = file;
        this.builder = builder;
        cursor = new Cursor(file, WINDOW);
        constants = new Cursor(file, ChunkConstants.WINDOW);
    }

    /**
     * Reads a whole recording, unpacked, and returns whether at least one chunk had readable metadata. The builder
     * receives the events, and warnings about records that could not be read.
     */
    public static boolean read(MemorySegment file, TraceBuilder builder) {
        return read(file, builder, new EarlierChunkThreads());
    }

    /**
     * Reads further chunks of a run as {@link #read(MemorySegment, TraceBuilder)} does, with the threads that earlier
     * chunks named; those of these chunks are added.
     */
    public static boolean read(MemorySegment file, TraceBuilder builder, EarlierChunkThreads earlier) {
        JfrReader jfr = new JfrReader(file, builder, earlier);
        jfr.run();
        return jfr.chunks > 0;
    }

    /** The error message for a recording of which {@link #read} has read nothing; null if it is only damaged. */
    public static @Nullable String reasonForRefusal(MemorySegment file) {
        String version = ChunkHeader.unsupportedVersion(file);
        if (version == null) {
            return null;
        }
        return "Flight Recorder format " + version
                + (version.startsWith("0.")
                        ? ", written by JDK 7 or 8: not supported; record with JDK 11 or later"
                        : ": not supported; it is newer than the formats 1 and 2, which can be read");
    }

    private void run() {
        long at = 0;
        while (at < file.byteSize()) {
            ChunkHeader header = ChunkHeader.at(file, at);
            if (header == null) {
                at = next(at + 1);
            } else if (!header.compressed()) {
                omissions.count(UnreadableRecords.Kind.FIXED_CHUNK);
                at = next(at + 1);
            } else {
                at = chunk(header);
            }
        }
        if (recording != null) {
            recording.emit();
        }
        builder.skipped(skippedEvents, 0);
        omissions.forEachWarning(builder::warn);
    }

    /** Reads a chunk, and returns the start of the next one. */
    private long chunk(ChunkHeader header) {
        ChunkScanner scan = new ChunkScanner(file, cursor, header);
        scan.run();
        ChunkMetadata metadata = scan.metadata();
        if (metadata == null) {
            omissions.count(UnreadableRecords.Kind.BARE_CHUNK);
            builder.addUnreadPart(TraceNote.of("unread.chunk"));
        } else {
            chunks++;
            JvmRun of = recordingOf(header);
            of.enter(header, pools(scan, metadata), metadata, constants);
            events(header, scan.end(), metadata);
            if (scan.isDamaged()) {
                warnOfDamage(header, scan);
            }
        }
        return next(Math.max(scan.next(), header.start() + 1));
    }

    private long next(long from) {
        long next = ChunkHeader.next(file, from);
        if (next == file.byteSize() && next - from > ChunkHeader.SEARCHED) {
            builder.addUnreadPart(TraceNote.of("unread.afterGap"));
        }
        return next;
    }

    private JvmRun recordingOf(ChunkHeader header) {
        JvmRun last = recording;
        if (last != null && last.continuesIn(header)) {
            return last;
        }
        if (last != null) {
            last.emit();
            earlier = new EarlierChunkThreads(); // keys of another run mean other threads
        }
        JvmRun next = new JvmRun(builder, header, frames, earlier);
        kinds = new EventBindings();
        ThreadEventImporter.bind(kinds, builder, next);
        VmEventImporter.bind(kinds, builder, next);
        recording = next;
        return next;
    }

    private ConstantPools pools(ChunkScanner scan, ChunkMetadata metadata) {
        ConstantPools pools = new ConstantPools(metadata);
        ChunkConstants.request(metadata, pools);
        for (int i = 0; i < scan.checkpointCount(); i++) {
            try {
                pools.read(cursor, scan.checkpoint(i), scan.next());
            } catch (DamagedRecordingException e) {
                omissions.count(UnreadableRecords.Kind.CHECKPOINT);
            }
        }
        return pools;
    }

    /** Reads all events; the scan has verified their lengths. */
    private void events(ChunkHeader header, long end, ChunkMetadata metadata) {
        EventBindings.Bindings bindings = kinds.bind(metadata);
        long at = header.start() + ChunkHeader.SIZE;
        while (at < end) {
            try {
                cursor.seek(at);
                cursor.endAt(end);
                at += cursor.varint();
                long type = cursor.varint();
                EventBinding binding = bindings.get(type);
                if (binding != null) {
                    binding.read(cursor, at);
                } else if (type != ChunkMetadata.TYPE && type != ChunkScanner.CHECKPOINT_TYPE) {
                    skippedEvents++;
                }
            } catch (DamagedRecordingException e) {
                omissions.count(UnreadableRecords.Kind.RECORDED_EVENT);
            }
        }
    }

    private void warnOfDamage(ChunkHeader header, ChunkScanner scan) {
        if (!header.finished()) {
            builder.warn(TraceNote.of("chunkUnfinished", header.start(), scan.end()));
        } else if (scan.end() == header.start() + header.size()) {
            builder.warn(TraceNote.of("afterChunk", header.start(), scan.end()));
        } else {
            builder.warn(TraceNote.of("chunkDamaged", header.start(), scan.end()));
            builder.addUnreadPart(TraceNote.of("unread.chunkRest"));
        }
    }
}
