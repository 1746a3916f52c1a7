package dev.unjank.trace.read.jfr.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The first {@value #SIZE} bytes of a chunk. Positions are offsets in the file.
 *
 * @param size its recorded length; 0 or too small if the writer was killed
 */
public record ChunkHeader(
        long start,
        long size,
        long checkpoint,
        long metadata,
        long startNs,
        long durationNs,
        long startTicks,
        long ticksPerSecond,
        boolean finished,
        boolean compressed) {
    public static final int SIZE = 68;

    private static final int MAGIC = 'F' << 24 | 'L' << 16 | 'R' << 8;
    /** The format of JDK 9 and 10. */
    private static final int OLDEST_MAJOR_VERSION = 1;

    /** The format of JDK 11 and later. */
    private static final int MAJOR_VERSION = 2;

    private static final int COMPRESSED = 1;

    /** The distance within which a chunk is searched. Without a limit, a damaged file of terabytes takes hours. */
    public static final long SEARCHED = 1L << 30;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** The header at a position; null if there is no valid one. */
    public static @Nullable ChunkHeader at(MemorySegment file, long start) {
        if (!isAt(file, start) || file.byteSize() - start < SIZE) {
            return null;
        }
        long ticksPerSecond = file.get(LONG, start + 56);
        return new ChunkHeader(
                start,
                file.get(LONG, start + 8),
                file.get(LONG, start + 16),
                file.get(LONG, start + 24),
                Math.max(0, file.get(LONG, start + 32)),
                Math.max(0, file.get(LONG, start + 40)),
                file.get(LONG, start + 48),
                ticksPerSecond > 0 ? ticksPerSecond : 1_000_000_000,
                file.get(ValueLayout.JAVA_BYTE, start + 64) == 0,
                (file.get(ValueLayout.JAVA_BYTE, start + 67) & COMPRESSED) != 0);
    }

    /** Whether a chunk begins at a position. */
    static boolean isAt(MemorySegment file, long start) {
        if (start > file.byteSize() - 6 || file.get(INT, start) != MAGIC) {
            return false;
        }
        int major = file.get(SHORT, start + 4);
        return major >= OLDEST_MAJOR_VERSION && major <= MAJOR_VERSION;
    }

    /** The version of the format of a file if its chunks cannot be read, such as 0.9; otherwise null. */
    public static @Nullable String unsupportedVersion(MemorySegment file) {
        if (file.byteSize() < 8 || file.get(INT, 0) != MAGIC || isAt(file, 0)) {
            return null;
        }
        return (file.get(SHORT, 4) & 0xffff) + "." + (file.get(SHORT, 6) & 0xffff);
    }

    /** The start of the next chunk at or after a position; the file's size if there is none within 1 GiB. */
    public static long next(MemorySegment file, long from) {
        return next(file, from, SEARCHED);
    }

    /** The same within another distance, for tests. */
    static long next(MemorySegment file, long from, long distance) {
        long last = Math.min(file.byteSize() - 6, from + distance - 1);
        for (long at = from; at <= last; at++) {
            if (file.get(ValueLayout.JAVA_BYTE, at) == 'F' && isAt(file, at)) {
                return at;
            }
        }
        return file.byteSize();
    }

    /** The end of the chunk if its size is plausible, -1 if it must be searched. */
    public long trustedEnd(MemorySegment file) {
        long room = file.byteSize() - start;
        if (!finished || size < SIZE || size > room) {
            return -1;
        }
        return size == room || isAt(file, start + size) ? start + size : -1;
    }
}
