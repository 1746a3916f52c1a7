package dev.unjank.trace.model;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import org.jspecify.annotations.Nullable;

/** A column of ints, four bytes per row. */
public final class IntColumn extends Column {
    private static final ValueLayout.OfInt LAYOUT = ValueLayout.JAVA_INT;

    /** The column as a buffer, for single reads; null if it exceeds the size of a buffer. */
    private final @Nullable IntBuffer buffer;

    private IntColumn(int size) {
        super(size, LAYOUT);
        ByteBuffer bytes = buffer();
        buffer = bytes == null ? null : bytes.asIntBuffer();
    }

    /**
     * {@return a column with a copy of the values}
     *
     * @param values the values
     */
    public static IntColumn of(int[] values) {
        IntColumn column = new IntColumn(values.length);
        column.segment.copyFrom(MemorySegment.ofArray(values));
        return column;
    }

    /**
     * {@return the value of a row}
     *
     * @param row a row
     * @throws IndexOutOfBoundsException if there is no such row
     */
    public int get(int row) {
        return buffer == null ? segment.get(LAYOUT, (long) row << 2) : buffer.get(row);
    }

    /**
     * {@return the number of adjacent rows copied into an array; many times faster than single reads}
     *
     * @param first the first row
     * @param into the array to fill
     */
    public int read(int first, int[] into) {
        int count = Math.min(into.length, size() - first);
        MemorySegment.copy(segment, (long) first << 2, MemorySegment.ofArray(into), 0, (long) count << 2);
        return count;
    }

    /** Fills a column from its first row to its last. */
    public static final class Filler extends Column.Filler<IntColumn> {
        private final int[] values;

        /**
         * Starts a column.
         *
         * @param size the number of rows
         */
        public Filler(int size) {
            super(new IntColumn(size), LAYOUT);
            values = new int[buffer(size)];
        }

        /**
         * Adds a row.
         *
         * @param value its value
         */
        public void add(int value) {
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
