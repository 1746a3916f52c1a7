package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
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
 * Reads a recording into a builder, chunk by chunk. A damaged chunk gives what comes before the damage, and a damaged event
 * is left out; the next chunk is found by its first bytes. Chunks of another run of a virtual machine, put behind one another,
 * are told apart by their clocks.
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

    /** The run that the last chunk was of, and what becomes of its events. */
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
     * Reads a recording.
     *
     * @param file all of its bytes, unpacked
     * @param builder receives the events, and warnings about records that could not be read
     * @return whether at least one chunk had readable metadata
     */
    public static boolean read(MemorySegment file, TraceBuilder builder) {
        return read(file, builder, new EarlierChunkThreads());
    }

    /**
     * Reads chunks of a run of which others were read before.
     *
     * @param file all of its bytes, unpacked
     * @param builder receives the events, and warnings about records that could not be read
     * @param earlier the threads that the chunks before named; those of these chunks are added
     * @return whether at least one chunk had readable metadata
     */
    public static boolean read(MemorySegment file, TraceBuilder builder, EarlierChunkThreads earlier) {
        JfrReader jfr = new JfrReader(file, builder, earlier);
        jfr.run();
        return jfr.chunks > 0;
    }

    private void run() {
        long at = 0;
        while (at < file.byteSize()) {
            ChunkHeader header = ChunkHeader.at(file, at);
            if (header == null) {
                at = ChunkHeader.next(file, at + 1);
            } else if (!header.compressed()) {
                omissions.count(UnreadableRecords.Kind.FIXED_CHUNK);
                at = ChunkHeader.next(file, at + 1);
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

    /** Reads a chunk, and returns where the next one begins. */
    private long chunk(ChunkHeader header) {
        ChunkScanner scan = new ChunkScanner(file, cursor, header);
        scan.run();
        ChunkMetadata metadata = scan.metadata();
        if (metadata == null) {
            omissions.count(UnreadableRecords.Kind.BARE_CHUNK);
            builder.addUnreadPart("a chunk that does not say what its events are");
        } else {
            chunks++;
            JvmRun of = recordingOf(header);
            of.enter(header, pools(scan, metadata), metadata, constants);
            events(header, scan.end(), metadata);
            if (scan.isDamaged()) {
                warnOfDamage(header, scan);
            }
        }
        return ChunkHeader.next(file, Math.max(scan.next(), header.start() + 1));
    }

    private JvmRun recordingOf(ChunkHeader header) {
        JvmRun last = recording;
        if (last != null && last.continuesIn(header)) {
            return last;
        }
        if (last != null) {
            last.emit();
            earlier = new EarlierChunkThreads(); // another run's numbers are others'
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

    /** Goes from event to event; the scan has seen that all lengths fit. */
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
        String where = "the chunk at byte " + header.start();
        if (!header.finished()) {
            builder.warn(where + " was not finished, as when a process is killed; it is read up to byte " + scan.end());
        } else {
            builder.warn(where + " is cut or damaged at byte " + scan.end() + "; what follows in it is missing");
            builder.addUnreadPart("the rest of a damaged chunk");
        }
    }
}
