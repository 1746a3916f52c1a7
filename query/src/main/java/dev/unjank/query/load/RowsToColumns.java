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

/** Converts rows of objects, as {@link Rows} returns them, to a {@link NativeTable}. */
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
                    long unused = unusedValue(values);
                    table.longs(column.name(), unused, row -> values.get(row) instanceof Long value ? value : unused);
                }
                case REAL ->
                    table.doubles(column.name(), row -> values.get(row) instanceof Double value ? value : Double.NaN);
                case TEXT ->
                    table.strings(column.name(), row -> values.get(row) instanceof String value ? value : null);
                case BLOB -> throw doesNotFit(column, "bytes");
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
                throw doesNotFit(column, String.valueOf(value));
            }
            values.add(value);
        }
        return values;
    }

    /** An integer that no row has, to mean NULL. */
    private static long unusedValue(List<@Nullable Object> values) {
        Set<Object> low = new HashSet<>();
        for (Object value : values) {
            if (value instanceof Long number && number < Long.MIN_VALUE + values.size() + 1) {
                low.add(number);
            }
        }
        long unused = Long.MIN_VALUE;
        while (low.contains(unused)) {
            unused++;
        }
        return unused;
    }

    private static QueryException doesNotFit(Rows.Column column, String value) {
        return new QueryException(Kind.FAILURE, "column " + column.name() + " cannot hold " + value, -1);
    }
}
