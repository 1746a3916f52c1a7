package dev.unjank.query.result;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rows whose columns of any type, such as {@code extract_arg}, have numbers again: the engine's columns have one type
 * each, so that it has these numbers as strings. A string of the trace becomes a number only if it is what the engine
 * prints for that number: {@code 1.5}, but not {@code 1.50}, {@code 01} or {@code +1}.
 */
public final class DynamicRows implements Rows {
    private static final Pattern INTEGER = Pattern.compile("0|-?[1-9][0-9]{0,18}");

    /** Digits without superfluous zeros, as the engine prints them. */
    private static final Pattern REAL = Pattern.compile(
            "-?(0|[1-9][0-9]{0,16})[.](0|[0-9]{0,16}[1-9])|-?[1-9]([.][0-9]{0,16}[1-9])?e([+][1-9][0-9]{1,2}|-[0-9]{2,3})");

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
            BigInteger value = new BigInteger(text);
            return value.bitLength() < Long.SIZE ? (Object) value.longValue() : text;
        }
        if (!REAL.matcher(text).matches()) {
            return text;
        }
        double value = Double.parseDouble(text);
        boolean isExact = new BigDecimal(text).compareTo(new BigDecimal(Double.toString(value))) == 0;
        return isExact ? (Object) value : text;
    }

    @Override
    public void close() {
        rows.close();
    }
}
