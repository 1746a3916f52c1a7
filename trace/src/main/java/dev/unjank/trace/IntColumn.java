package dev.unjank.trace;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A finished column of ints, outside the Java heap and in one piece: four bytes a row in the machine's byte order, as
 * columnar engines want them. It never changes, any number of threads may read it, and its memory is given back when nobody
 * holds the column or its segment any more.
 */
public final class IntColumn {
    private static final ValueLayout.OfInt LAYOUT = ValueLayout.JAVA_INT;

    /** What columnar engines like a column to begin at a multiple of. */
    private static final int ALIGNMENT = 64;

    /** How many values go into the column at once. */
    private static final int BUFFERED = 1 << 10;

    private final MemorySegment segment;
    private final int size;

    private IntColumn(int size) {
        this.size = size;
        segment = Arena.ofAuto().allocate(size * LAYOUT.byteSize(), ALIGNMENT);
    }

    /** A column of zeros, to be filled before anybody else sees it. */
    static IntColumn ofSize(int size) {
        return new IntColumn(size);
    }

    /** A copy of an array. */
    static IntColumn of(int[] values) {
        IntColumn column = new IntColumn(values.length);
        column.fill(0, values, 0, values.length);
        return column;
    }

    /** Takes over part of an array, as the rows from {@code row}. */
    void fill(int row, int[] values, int from, int count) {
        MemorySegment.copy(values, from, segment, LAYOUT, row * LAYOUT.byteSize(), count);
    }

    /**
     * How many rows there are.
     *
     * @return the count
     */
    public int size() {
        return size;
    }

    /**
     * The value of a row.
     *
     * @param row a row
     * @return the value
     * @throws IndexOutOfBoundsException if there is no such row
     */
    public int get(int row) {
        return segment.get(LAYOUT, (long) row << 2);
    }

    /**
     * The column's memory, for readers of whole columns.
     *
     * @return the rows one after the other, not to be written to
     */
    public MemorySegment segment() {
        return segment.asReadOnly();
    }

    /** Fills a column from its first row to its last. */
    static final class Filler {
        private final IntColumn column;
        private final int[] buffer;
        private int rows;
        private int buffered;

        Filler(int size) {
            column = ofSize(size);
            buffer = new int[Math.min(size, BUFFERED)];
        }

        void add(int value) {
            if (buffered == buffer.length) {
                flush();
            }
            buffer[buffered++] = value;
        }

        private void flush() {
            column.fill(rows, buffer, 0, buffered);
            rows += buffered;
            buffered = 0;
        }

        /** The column, once every row has been added. */
        IntColumn column() {
            flush();
            if (rows != column.size) {
                throw new IllegalStateException(rows + " of " + column.size + " rows");
            }
            return column;
        }
    }
}
