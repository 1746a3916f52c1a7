package dev.unjank.trace.read.jfr.format;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The first walk over a chunk, from length to length: where the chunk really ends, and where its metadata and checkpoints
 * are. The header says that, too, but not if the writer was killed; and not every writer links every checkpoint.
 */
public final class ChunkScanner {
    /** The type of checkpoints. */
    public static final long CHECKPOINT_TYPE = 1;

    /** The shortest event: its length, its type, and something. */
    private static final int SHORTEST = 2;

    private final MemorySegment file;
    private final Cursor cursor;
    private final ChunkHeader header;

    private long end;
    private long next;
    private boolean damaged;
    private @Nullable ChunkMetadata metadata;
    private long[] checkpoints = new long[16];
    private int checkpointCount;

    public ChunkScanner(MemorySegment file, Cursor cursor, ChunkHeader header) {
        this.file = file;
        this.cursor = cursor;
        this.header = header;
    }

    /** Walks over the chunk. */
    public void run() {
        long trusted = header.trustedEnd(file);
        long to = trusted < 0 ? file.byteSize() : trusted;
        try {
            metadata = ChunkMetadata.at(cursor, header.start() + header.metadata(), to);
        } catch (DamagedRecordingException e) {
            metadata = null; // another of the chunk's may do
        }
        end = walk(header.start() + ChunkHeader.SIZE, to, trusted < 0);
        next = trusted < 0 ? end : trusted;
        damaged = !header.finished() || (end < to && !ChunkHeader.isAt(file, end));
        if (end < next) {
            followLinks(next);
        }
    }

    /** Goes from event to event, and returns where that ends. */
    private long walk(long from, long to, boolean otherChunkMayBegin) {
        long at = from;
        try {
            while (at < to && !(otherChunkMayBegin && ChunkHeader.isAt(file, at))) {
                cursor.seek(at);
                long length = cursor.varint();
                long type = cursor.varint();
                if (length < SHORTEST || length > to - at) {
                    break;
                }
                if (type == CHECKPOINT_TYPE) {
                    addCheckpoint(at);
                } else if (type == ChunkMetadata.TYPE && metadata == null) {
                    tryMetadata(at, at + length);
                }
                at += length;
            }
        } catch (DamagedRecordingException e) {
            // The chunk ends within the length of an event.
        }
        return at;
    }

    private void tryMetadata(long at, long to) {
        try {
            metadata = ChunkMetadata.at(cursor, at, to);
        } catch (DamagedRecordingException e) {
            metadata = null; // an event of type 0 that is none
        }
    }

    /** Finds the checkpoints behind damage: the header names the last, and each the one before it. */
    private void followLinks(long to) {
        long at = header.start() + header.checkpoint();
        try {
            while (at >= end && at < to) {
                cursor.seek(at);
                cursor.varint();
                if (cursor.varint() != CHECKPOINT_TYPE) {
                    return;
                }
                addCheckpoint(at);
                cursor.skipVarints(2);
                long delta = cursor.varint();
                if (delta >= 0) {
                    return;
                }
                at += delta;
            }
        } catch (DamagedRecordingException e) {
            // No more can be found.
        }
    }

    private void addCheckpoint(long at) {
        if (checkpointCount == checkpoints.length) {
            checkpoints = Arrays.copyOf(checkpoints, checkpointCount * 2);
        }
        checkpoints[checkpointCount++] = at;
    }

    /** Where the last event that can be read ends. */
    public long end() {
        return end;
    }

    /** From where on another chunk may be. */
    public long next() {
        return next;
    }

    /** Whether its writer did not finish the chunk, or something is in it that cannot be read. */
    public boolean isDamaged() {
        return damaged;
    }

    /** What the chunk's types are; null if that cannot be had, and no event be read. */
    @Nullable
    public ChunkMetadata metadata() {
        return metadata;
    }

    public int checkpointCount() {
        return checkpointCount;
    }

    public long checkpoint(int index) {
        return checkpoints[index];
    }
}
