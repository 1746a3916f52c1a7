package dev.unjank.trace.model;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ShortBuffer;
import org.jspecify.annotations.Nullable;

/** A column of shorts, two bytes per row. */
public final class ShortColumn extends Column {
    private static final ValueLayout.OfShort LAYOUT = ValueLayout.JAVA_SHORT;

    /** The column as a buffer, for single reads; null if it exceeds the size of a buffer. */
    private final @Nullable ShortBuffer buffer;

    private ShortColumn(int size) {
        super(size, LAYOUT);
        ByteBuffer bytes = buffer();
        buffer = bytes == null ? null : bytes.asShortBuffer();
    }

    /**
     * {@return a column with a copy of the values}
     *
     * @param values the values
     */
    public static ShortColumn of(short[] values) {
        ShortColumn column = new ShortColumn(values.length);
        column.segment.copyFrom(MemorySegment.ofArray(values));
        return column;
    }

    /**
     * {@return the value of a row}
     *
     * @param row a row
     * @throws IndexOutOfBoundsException if there is no such row
     */
    public short get(int row) {
        return buffer == null ? segment.get(LAYOUT, (long) row << 1) : buffer.get(row);
    }

    /** Fills a column from its first row to its last. */
    public static final class Filler extends Column.Filler<ShortColumn> {
        private final short[] values;

        /**
         * Starts a column.
         *
         * @param size the number of rows
         */
        public Filler(int size) {
            super(new ShortColumn(size), LAYOUT);
            values = new short[buffer(size)];
        }

        /**
         * Adds a row.
         *
         * @param value its value
         */
        public void add(short value) {
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
