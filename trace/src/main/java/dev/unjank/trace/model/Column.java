package dev.unjank.trace.model;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A finished column of a table, outside the Java heap and in one piece: one value a row, all of one width, in the machine's byte
 * order, as columnar engines want them. It never changes, any number of threads may read it, and its memory is given back when
 * nobody holds the column or its segment any more.
 */
public abstract sealed class Column permits IntColumn, LongColumn, ShortColumn {
    /** What columnar engines like a column to begin at a multiple of. */
    private static final int ALIGNMENT = 64;

    final MemorySegment segment;
    private final int size;

    /** A column of zeros, to be filled before anybody else sees it. */
    Column(int size, ValueLayout layout) {
        this.size = size;
        segment = Arena.ofAuto().allocate(size * layout.byteSize(), ALIGNMENT);
    }

    /**
     * The memory as a buffer, from which single reads are a third faster while only the first compiler has been at work; null if
     * that is too large for one.
     */
    final @Nullable ByteBuffer buffer() {
        return segment.byteSize() > Integer.MAX_VALUE
                ? null
                : segment.asByteBuffer().order(ByteOrder.nativeOrder());
    }

    /**
     * How many rows there are.
     *
     * @return the count
     */
    public final int size() {
        return size;
    }

    /**
     * The column's memory, for readers of whole columns.
     *
     * @return the rows one after the other, not to be written to
     */
    public final MemorySegment segment() {
        return segment.asReadOnly();
    }

    /** Fills a column from its first row to its last. Values go through an array, since single writes to memory are slow. */
    public abstract static sealed class Filler<C extends Column>
            permits IntColumn.Filler, LongColumn.Filler, ShortColumn.Filler {
        /** How many values go into the column at once. */
        private static final int BUFFERED = 1 << 10;

        private final C column;
        private final ValueLayout layout;
        private int rows;
        int buffered;

        Filler(C column, ValueLayout layout) {
            this.column = column;
            this.layout = layout;
        }

        /** How long the array of values is for a column of a size. */
        static int buffer(int size) {
            return Math.min(size, BUFFERED);
        }

        /** The array of values, of which {@link #buffered} are there. */
        abstract MemorySegment values();

        final void flush() {
            long width = layout.byteSize();
            MemorySegment.copy(values(), 0, column.segment, rows * width, buffered * width);
            rows += buffered;
            buffered = 0;
        }

        /** The column, once every row has been added. */
        public final C column() {
            flush();
            if (rows != column.size()) {
                throw new IllegalStateException(rows + " of " + column.size() + " rows");
            }
            return column;
        }
    }
}
