package dev.unjank.fleet.report;

import static dev.unjank.fleet.report.Cells.count;
import static dev.unjank.fleet.report.Cells.decimals;
import static dev.unjank.fleet.report.Cells.number;

import dev.unjank.fleet.folder.FleetDatabase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cost of incidents by a key. A trace may have hundreds of incidents. Therefore incidents are summed per trace
 * first, and percentiles are computed from a histogram with a resolution of 0.1 ms, the displayed precision.
 *
 * @param name the name of the table in the message catalogue
 * @param key the key, as SQL
 * @param condition the condition of incidents, as SQL
 * @param incidents the relation of incidents
 * @param missed the relation of incidents with their missed frames
 */
record CostTable(String name, String key, String condition, String incidents, String missed) {
    CostTable(String name, String key, String condition) {
        this(name, key, condition, "incidents", "missed");
    }

    /** Computes the table; the arguments are those of its title. */
    ReportTable of(FleetDatabase store, Object... arguments) throws IOException {
        List<@Nullable Object[]> found = store.all("""
            WITH chosen AS (SELECT *, %1$s AS key FROM %5$s WHERE %2$s),
            in_trace AS (
                SELECT key, trace, count(*) AS incidents, sum(dur) AS dur, max(dur) AS longest FROM chosen GROUP BY ALL),
            frames AS (SELECT %1$s AS key, sum(frames) AS frames FROM %6$s WHERE %2$s GROUP BY ALL),
            tenths AS (SELECT key, round(dur / 1e5) AS tenth, count(*) AS those FROM chosen GROUP BY ALL),
            ranks AS (
                SELECT key, tenth / 10 AS ms, sum(those) OVER (PARTITION BY key) AS everyone,
                    sum(those) OVER (PARTITION BY key ORDER BY tenth) AS up_to_here FROM tenths),
            percentiles AS (
                SELECT key, min(ms) FILTER (WHERE up_to_here >= 0.5 * everyone) AS p50,
                    min(ms) FILTER (WHERE up_to_here >= 0.95 * everyone) AS p95,
                    min(ms) FILTER (WHERE up_to_here >= 0.99 * everyone) AS p99 FROM ranks GROUP BY key)
            SELECT i.key, sum(incidents), count(*), sum(dur) / 1e6, coalesce(any_value(frames), 0), any_value(p50),
                any_value(p95), any_value(p99), max(longest) / 1e6, %3$s
            FROM in_trace i JOIN percentiles p ON p.key IS NOT DISTINCT FROM i.key
            LEFT JOIN frames f ON f.key IS NOT DISTINCT FROM i.key
            GROUP BY i.key ORDER BY coalesce(any_value(frames), 0) DESC, sum(dur) DESC, i.key LIMIT %4$d""".formatted(
                key, condition, ReportSql.worst("trace", "longest", "true"), ReportSql.MOST_ROWS, incidents, missed));
        double most = Cells.most(found, 3);
        List<ReportTable.Row> rows = new ArrayList<>();
        for (@Nullable Object[] row : found) {
            rows.add(new ReportTable.Row(
                    List.of(
                            Cells.text(row[0]),
                            count(row[4]),
                            decimals(row[3]),
                            count(row[1]),
                            count(row[2]),
                            decimals(row[5]),
                            decimals(row[6]),
                            decimals(row[7]),
                            decimals(row[8])),
                    number(row[3]) / most,
                    Cells.traces(row[9])));
        }
        return new ReportTable(
                FleetMessages.of(name + ".title", arguments),
                FleetMessages.of(name + ".remark"),
                FleetMessages.columns(name, "frames", "ms", "incidents", "traces", "p50", "p95", "p99", "worst"),
                rows);
    }
}
