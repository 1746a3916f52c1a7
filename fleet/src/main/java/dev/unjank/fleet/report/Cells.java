package dev.unjank.fleet.report;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The values of a query as cells of a table. */
final class Cells {
    /** The lower bound of divisors, to avoid division by zero. */
    static final double LEAST = 1e-9;

    private Cells() {}

    /** The maximum of a column, as a divisor. */
    static double most(List<@Nullable Object[]> rows, int column) {
        return rows.stream().mapToDouble(row -> number(row[column])).reduce(LEAST, Math::max);
    }

    /** The values of {@link ReportSql#worst}. */
    static List<String> traces(@Nullable Object joined) {
        return Arrays.asList(text(joined).split("\0", -1));
    }

    static double number(@Nullable Object value) {
        return value instanceof Number number ? number.doubleValue() : 0;
    }

    static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    static String count(@Nullable Object value) {
        return String.format(Locale.ROOT, "%,.0f", number(value));
    }

    static String decimals(@Nullable Object value) {
        return String.format(Locale.ROOT, "%,.1f", number(value));
    }
}
