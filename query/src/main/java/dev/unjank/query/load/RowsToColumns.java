package dev.unjank.query.load;

import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.QueryException.Kind;
import dev.unjank.query.result.Rows;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rows of objects, as {@link Rows} gives them out, put into native memory for the engine to take in again. */
public final class RowsToColumns {
    private RowsToColumns() {}

    public static NativeTable inNativeMemory(List<Rows.Column> columns, List<@Nullable Object[]> rows, Arena arena)
            throws QueryException {
        NativeTable table = new NativeTable(arena, rows.size());
        for (int i = 0; i < columns.size(); i++) {
            Rows.Column column = columns.get(i);
            List<@Nullable Object> values = values(column, i, rows);
            switch (column.type()) {
                case INTEGER -> {
                    long none = unused(values);
                    table.longs(column.name(), none, row -> values.get(row) instanceof Long value ? value : none);
                }
                case REAL ->
                    table.reals(column.name(), row -> values.get(row) instanceof Double value ? value : Double.NaN);
                case TEXT -> table.texts(column.name(), row -> values.get(row) instanceof String value ? value : null);
                case BLOB -> throw unfit(column, "bytes");
            }
        }
        return table;
    }

    private static List<@Nullable Object> values(Rows.Column column, int index, List<@Nullable Object[]> rows)
            throws QueryException {
        List<@Nullable Object> values = new ArrayList<>(rows.size());
        for (@Nullable Object[] row : rows) {
            Object value = row[index];
            boolean fits = value == null
                    || switch (column.type()) {
                        case INTEGER -> value instanceof Long;
                        case REAL -> value instanceof Double;
                        case TEXT -> value instanceof String;
                        case BLOB -> false;
                    };
            if (!fits) {
                throw unfit(column, String.valueOf(value));
            }
            values.add(value);
        }
        return values;
    }

    /** A number that stands for NULL, since no row has it. */
    private static long unused(List<@Nullable Object> values) {
        Set<Object> low = new HashSet<>();
        for (Object value : values) {
            if (value instanceof Long number && number < Long.MIN_VALUE + values.size() + 1) {
                low.add(number);
            }
        }
        long none = Long.MIN_VALUE;
        while (low.contains(none)) {
            none++;
        }
        return none;
    }

    private static QueryException unfit(Rows.Column column, String value) {
        return new QueryException(Kind.FAILURE, "column " + column.name() + " cannot hold " + value, -1);
    }
}
