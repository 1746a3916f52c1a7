package dev.unjank.trace.processor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A growing table of 64-bit values: integers, the bits of doubles, or ids of strings. */
public final class ProcessorTable {
    /** The value for NULL in every column. */
    public static final long NULL = Long.MIN_VALUE;

    /** The type of a column. */
    public enum Type {
        /** Integers. */
        INT,
        /** The bits of doubles. */
        REAL,
        /** Ids of strings. */
        TEXT
    }

    /**
     * A column.
     *
     * @param name its name in SQL
     * @param type the type of its values
     */
    public record Column(String name, Type type) {}

    private final String name;
    private final List<Column> columns;
    private final long[][] values;
    private int rows;

    ProcessorTable(String name, String columns) {
        this.name = name;
        this.columns = parse(columns);
        values = new long[this.columns.size()][16];
    }

    private static List<Column> parse(String text) {
        List<Column> columns = new ArrayList<>();
        for (String column : text.split(", *", -1)) {
            int space = column.indexOf(' ');
            columns.add(new Column(column.substring(0, space), Type.valueOf(column.substring(space + 1))));
        }
        return List.copyOf(columns);
    }

    /** {@return the name in SQL} */
    public String name() {
        return name;
    }

    /** {@return the columns in order} */
    public List<Column> columns() {
        return columns;
    }

    /** {@return the number of rows} */
    public int rows() {
        return rows;
    }

    /**
     * {@return a value, {@link #NULL} for none}
     *
     * @param row from 0
     * @param column from 0
     */
    public long get(int row, int column) {
        return values[column][row];
    }

    void set(int row, int column, long value) {
        values[column][row] = value;
    }

    /** The index of a column. */
    int column(String wanted) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(wanted)) {
                return i;
            }
        }
        throw new IllegalArgumentException(name + "." + wanted);
    }

    /** Adds a row; columns without a value are NULL. Returns its index. */
    int add(long... row) {
        if (rows == values[0].length) {
            for (int i = 0; i < values.length; i++) {
                values[i] = Arrays.copyOf(values[i], rows * 2);
            }
        }
        for (int i = 0; i < values.length; i++) {
            values[i][rows] = i < row.length ? row[i] : NULL;
        }
        return rows++;
    }
}
