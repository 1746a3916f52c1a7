package dev.unjank.trace.read.jfr.format;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Scans a chunk from length to length: finds its real end, its metadata and its checkpoints. The header contains
 * them, too, but not if the writer was killed; and not every writer links every checkpoint.
 */
public final class ChunkScanner {
    public static final long CHECKPOINT_TYPE = 1;

    /** The shortest event: its length, its type, and one byte. */
    private static final int MIN_EVENT_BYTES = 2;

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

    /** Scans the chunk. */
    public void run() {
        long trusted = header.trustedEnd(file);
        long to = trusted < 0 ? file.byteSize() : trusted;
        try {
            metadata = ChunkMetadata.at(cursor, header.start() + header.metadata(), to);
        } catch (DamagedRecordingException e) {
            metadata = null; // another metadata event of the chunk may be valid
        }
        end = walk(header.start() + ChunkHeader.SIZE, to, trusted < 0);
        next = trusted < 0 ? end : trusted;
        damaged = !header.finished() || (end < to && !ChunkHeader.isAt(file, end));
        if (end < next) {
            followLinks(next);
        }
    }

    /** Walks from event to event, and returns the end of the last one. */
    private long walk(long from, long to, boolean otherChunkMayBegin) {
        long at = from;
        try {
            while (at < to && !(otherChunkMayBegin && ChunkHeader.isAt(file, at))) {
                cursor.seek(at);
                long length = cursor.varint();
                long type = cursor.varint();
                if (length < MIN_EVENT_BYTES || length > to - at) {
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
            metadata = null; // a zero length or type is not an event
        }
    }

    /** Finds the checkpoints after damage: the header refers to the last, and each to the previous one. */
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
            // the rest cannot be found
        }
    }

    private void addCheckpoint(long at) {
        if (checkpointCount == checkpoints.length) {
            checkpoints = Arrays.copyOf(checkpoints, checkpointCount * 2);
        }
        checkpoints[checkpointCount++] = at;
    }

    /** The end of the last readable event. */
    public long end() {
        return end;
    }

    /** The position from which another chunk may begin. */
    public long next() {
        return next;
    }

    /** Whether the chunk is unfinished or partly unreadable. */
    public boolean isDamaged() {
        return damaged;
    }

    /** The chunk's types; null if the metadata is unreadable, and with it all events. */
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
