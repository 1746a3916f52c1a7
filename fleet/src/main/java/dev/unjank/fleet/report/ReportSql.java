package dev.unjank.fleet.report;

import dev.unjank.fleet.compare.FleetComparison;

/** Expressions that several tables select. */
final class ReportSql {
    static final int MOST_ROWS = 20;

    private ReportSql() {}

    /** Percentiles that are actual values, as in {@link FleetComparison}. */
    static String quantiles(String value) {
        return "quantile_disc(%1$s, 0.5), quantile_disc(%1$s, 0.95), quantile_disc(%1$s, 0.99)".formatted(value);
    }

    /** The three traces with the greatest values; of traces with equal values, the last by name. */
    static String worst(String trace, String value, String condition) {
        return "array_to_string(max_by(%1$s, row(%2$s, %1$s), 3) FILTER (WHERE %3$s), chr(0))"
                .formatted(trace, value, condition);
    }
}
