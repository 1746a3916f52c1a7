package dev.unjank.query.engine;

import java.util.Arrays;
import java.util.BitSet;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBReadableVector;

/** Numeric columns of a result. Each value has 64 bits: an integer, or the bits of a double. */
public final class NumericColumns {
    /** Returned by the driver for NULL. Only if a value equals it the validity has to be checked. */
    private static final long NULL_CANDIDATE = Long.MIN_VALUE;

    private final long[][] values;
    private final BitSet[] nulls;
    private int size;

    /** Creates empty columns. */
    public NumericColumns(int columns) {
        values = new long[columns][1 << 10];
        nulls = new BitSet[columns];
        Arrays.setAll(nulls, _ -> new BitSet());
    }

    /** Appends the rows of a chunk. */
    public void add(DuckDBDataChunkReader chunk) {
        int rows = Math.toIntExact(chunk.rowCount());
        for (int column = 0; column < values.length; column++) {
            if (values[column].length - size < rows) {
                int capacity = Math.max(Math.addExact(size, rows), 2 * size);
                values[column] = Arrays.copyOf(values[column], capacity);
            }
            add(chunk.vector(column), rows, values[column], nulls[column]);
        }
        size += rows;
    }

    private void add(DuckDBReadableVector vector, int rows, long[] into, BitSet isNull) {
        if (vector.getType() == DuckDBColumnType.DOUBLE) {
            for (int row = 0; row < rows; row++) {
                into[size + row] = Double.doubleToRawLongBits(vector.getDouble(row, Double.NaN));
            }
            return;
        }
        for (int row = 0; row < rows; row++) {
            long value = vector.getLong(row, NULL_CANDIDATE);
            into[size + row] = value;
            if (value == NULL_CANDIDATE && vector.isNull(row)) {
                isNull.set(size + row);
            }
        }
    }

    public int size() {
        return size;
    }

    /** Values of a column; the array may be longer than {@link #size}. NULL in a DOUBLE column is NaN. */
    public long[] values(int column) {
        return values[column];
    }

    /** Chooses an integer that does not occur in a column, and stores it for each NULL. */
    public long nullValue(int column) {
        long[] all = values[column];
        BitSet isNull = nulls[column];
        long free = Long.MIN_VALUE;
        while (contains(all, free, isNull)) {
            free++;
        }
        for (int row = isNull.nextSetBit(0); row >= 0; row = isNull.nextSetBit(row + 1)) {
            all[row] = free;
        }
        return free;
    }

    private boolean contains(long[] all, long number, BitSet isNull) {
        for (int row = 0; row < size; row++) {
            if (all[row] == number && !isNull.get(row)) {
                return true;
            }
        }
        return false;
    }
}
