package dev.unjank.trace.model;

import dev.unjank.trace.collections.BinarySearch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import org.jspecify.annotations.Nullable;

/** A column of longs, eight bytes per row. */
public final class LongColumn extends Column {
    private static final ValueLayout.OfLong LAYOUT = ValueLayout.JAVA_LONG;

    /** The column as a buffer, for single reads; null if it exceeds the size of a buffer. */
    private final @Nullable LongBuffer buffer;

    private LongColumn(int size) {
        super(size, LAYOUT);
        ByteBuffer bytes = buffer();
        buffer = bytes == null ? null : bytes.asLongBuffer();
    }

    /**
     * {@return a column with a copy of the values}
     *
     * @param values the values
     */
    public static LongColumn of(long[] values) {
        LongColumn column = new LongColumn(values.length);
        column.segment.copyFrom(MemorySegment.ofArray(values));
        return column;
    }

    /**
     * {@return the value of a row}
     *
     * @param row a row
     * @throws IndexOutOfBoundsException if there is no such row
     */
    public long get(int row) {
        return buffer == null ? segment.get(LAYOUT, (long) row << 3) : buffer.get(row);
    }

    /**
     * The last row in [from, to) with a value not above a limit; {@code from - 1} if there is none. The values must
     * ascend.
     */
    int lastNotAbove(long limit, int from, int to) {
        return BinarySearch.first(from, to, row -> get(row) > limit) - 1;
    }

    /**
     * {@return the number of adjacent rows copied into an array; many times faster than single reads}
     *
     * @param first the first row
     * @param into the array to fill
     */
    public int read(int first, long[] into) {
        int count = Math.min(into.length, size() - first);
        MemorySegment.copy(segment, (long) first << 3, MemorySegment.ofArray(into), 0, (long) count << 3);
        return count;
    }

    /** Fills a column from its first row to its last. */
    public static final class Filler extends Column.Filler<LongColumn> {
        private final long[] values;

        /**
         * Starts a column.
         *
         * @param size the number of rows
         */
        public Filler(int size) {
            super(new LongColumn(size), LAYOUT);
            values = new long[buffer(size)];
        }

        /**
         * Adds a row.
         *
         * @param value its value
         */
        public void add(long value) {
            if (buffered == values.length) {
                flush();
            }
            values[buffered++] = value;
        }

        @Override
        MemorySegment values() {
            return MemorySegment.ofArray(values);
        }
    }
}
