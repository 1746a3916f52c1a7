package dev.unjank.trace.model;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * An immutable column of a table, contiguous and outside the Java heap: one value per row, all of one width, in
 * native byte order, as columnar engines expect. Any number of threads may read it. Its memory is freed when neither
 * the column nor its segment is reachable.
 */
public abstract sealed class Column permits IntColumn, LongColumn, ShortColumn {
    /** The alignment that columnar engines prefer. */
    private static final int ALIGNMENT = 64;

    final MemorySegment segment;
    private final int size;

    /** A column of zeros, to be filled before it is published. */
    Column(int size, ValueLayout layout) {
        this.size = size;
        segment = Arena.ofAuto().allocate(size * layout.byteSize(), ALIGNMENT);
    }

    /**
     * The memory as a buffer, null if it is too large for one. Before the optimizing compiler runs, single reads from
     * a buffer are a third faster.
     */
    final @Nullable ByteBuffer buffer() {
        return segment.byteSize() > Integer.MAX_VALUE
                ? null
                : segment.asByteBuffer().order(ByteOrder.nativeOrder());
    }

    /** {@return the number of rows} */
    public final int size() {
        return size;
    }

    /** {@return the column's memory, read-only, for reading whole columns} */
    public final MemorySegment segment() {
        return segment.asReadOnly();
    }

    /**
     * Fills a column from its first row to its last. Values are buffered in an array because single writes to memory
     * are slow.
     *
     * @param <C> the type of the column
     */
    public abstract static sealed class Filler<C extends Column>
            permits IntColumn.Filler, LongColumn.Filler, ShortColumn.Filler {
        /** The number of values written to the column at once. */
        private static final int BUFFERED = 1 << 10;

        private final C column;
        private final ValueLayout layout;
        private int rows;
        int buffered;

        Filler(C column, ValueLayout layout) {
            this.column = column;
            this.layout = layout;
        }

        /** The length of the buffer for a column of a size. */
        static int buffer(int size) {
            return Math.min(size, BUFFERED);
        }

        /** The buffer, which contains {@link #buffered} values. */
        abstract MemorySegment values();

        final void flush() {
            long width = layout.byteSize();
            MemorySegment.copy(values(), 0, column.segment, rows * width, buffered * width);
            rows += buffered;
            buffered = 0;
        }

        /**
         * Returns the column, after every row has been added.
         *
         * @return the column
         * @throws IllegalStateException if rows are missing
         */
        public final C column() {
            flush();
            if (rows != column.size()) {
                throw new IllegalStateException(rows + " of " + column.size() + " rows");
            }
            return column;
        }
    }
}
