package dev.unjank.query.result;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rows whose columns of any type, such as {@code extract_arg}, have numbers again: the engine's columns have one type
 * each, so that it has these numbers as strings. A string that looks exactly like one of its numbers becomes a number
 * as well.
 */
public final class DynamicRows implements Rows {
    private static final Pattern INTEGER = Pattern.compile("0|-?[1-9][0-9]{0,17}");
    private static final Pattern REAL = Pattern.compile("-?[0-9]{1,17}\\.[0-9]{1,17}(e[+-][0-9]{1,3})?");

    private final Rows rows;
    private final List<Boolean> isDynamic;

    /**
     * Wraps rows.
     *
     * @param rows the rows, which this object closes
     * @param isDynamic for each column whether its values have several types
     */
    public DynamicRows(Rows rows, List<Boolean> isDynamic) {
        this.rows = rows;
        this.isDynamic = List.copyOf(isDynamic);
    }

    @Override
    public List<Column> columns() {
        return rows.columns();
    }

    @Override
    public boolean next() throws QueryException {
        return rows.next();
    }

    @Override
    public @Nullable Object get(int column) throws QueryException {
        Object value = rows.get(column);
        return isDynamic.get(column) && value instanceof String text ? number(text) : value;
    }

    private static Object number(String text) {
        if (INTEGER.matcher(text).matches()) {
            return Long.valueOf(text);
        }
        return REAL.matcher(text).matches() ? Double.valueOf(text) : text;
    }

    @Override
    public void close() {
        rows.close();
    }
}
