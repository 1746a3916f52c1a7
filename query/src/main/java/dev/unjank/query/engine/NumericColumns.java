package dev.unjank.query.engine;

import java.util.Arrays;
import java.util.BitSet;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBReadableVector;

/** Columns of numbers that the engine gave. Each is kept as 64 bits a row: a whole number, or the bits of a real one. */
public final class NumericColumns {
    /** What stands for a NULL until it is known that it is one: few columns have it as a value. */
    private static final long RARE = Long.MIN_VALUE;

    private final long[][] values;
    private final BitSet[] nulls;
    private int size;

    public NumericColumns(int columns) {
        values = new long[columns][1 << 10];
        nulls = new BitSet[columns];
        Arrays.setAll(nulls, _ -> new BitSet());
    }

    /** Takes more rows. */
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

    private void add(DuckDBReadableVector vector, int rows, long[] into, BitSet none) {
        if (vector.getType() == DuckDBColumnType.DOUBLE) {
            for (int row = 0; row < rows; row++) {
                into[size + row] = Double.doubleToRawLongBits(vector.getDouble(row, Double.NaN));
            }
            return;
        }
        for (int row = 0; row < rows; row++) {
            long value = vector.getLong(row, RARE);
            into[size + row] = value;
            if (value == RARE && vector.isNull(row)) {
                none.set(size + row);
            }
        }
    }

    public int size() {
        return size;
    }

    /** The values of a column, with something behind the last. A NULL among real numbers is no number. */
    public long[] values(int column) {
        return values[column];
    }

    /** A whole number that is no value of a column, and that it has from now on for each NULL. */
    public long none(int column) {
        long[] all = values[column];
        BitSet absent = nulls[column];
        long none = Long.MIN_VALUE;
        while (contains(all, none, absent)) {
            none++;
        }
        for (int row = absent.nextSetBit(0); row >= 0; row = absent.nextSetBit(row + 1)) {
            all[row] = none;
        }
        return none;
    }

    private boolean contains(long[] all, long number, BitSet absent) {
        for (int row = 0; row < size; row++) {
            if (all[row] == number && !absent.get(row)) {
                return true;
            }
        }
        return false;
    }
}
