package dev.unjank.fleet.report;

import dev.unjank.fleet.compare.FleetComparison;
import dev.unjank.fleet.folder.FleetDatabase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The report on a fleet: the most expensive verdicts, locks and methods, MessageQueue's share of the main threads' lock
 * wait time, the distribution over devices, builds and versions, and the worst traces.
 *
 * <p>A missed frame counts once, for the incident with the longest overlap, as in the doctor's report.
 *
 * @param folder the fleet's folder, as the user gave it
 */
public record FleetReport(String folder, String headline, List<ReportTable> tables) {
    private static final int MOST_ROWS = 20;

    /** The lower bound of divisors, to avoid division by zero. */
    private static final double LEAST = 1e-9;

    /** A method without its parameters. */
    private static final String PLACE = "coalesce(split_part(%s, '(', 1), '?')";

    /** Creates the table of incidents with their missed frames, which all cost tables use. */
    private static final String MISSED = """
            CREATE TABLE missed AS SELECT i.trace, i.cause, verdict, kind, what, blocking_method, blocked_method, is_main_thread, dur, frames
            FROM incidents i JOIN (
                SELECT trace, incident_id, count(*) AS frames FROM (
                    SELECT trace, arg_max(incident_id, row(overlap_dur, -incident_id)) AS incident_id FROM frame_costs
                    WHERE is_missed = 1 GROUP BY trace, frame_id)
                GROUP BY trace, incident_id) f
            ON f.trace = i.trace AND f.incident_id = i.id""";

    /** The description of a root cause, equal in all traces. Short waits, and sleeps of lock owners, have no root cause. */
    private static final String CAUSE = """
            CASE WHEN c.rank IS NULL THEN '(none: short waits, sleeps under a lock)' ELSE concat(c.process_name, ': ', c.kind, ' ',
                c.resource, ', ', c.waiter_group, CASE WHEN c.owner <> '' THEN ' → ' || c.owner END) END AS root_cause""";

    private static final String WITH_CAUSES =
            "(SELECT i.*, " + CAUSE + " FROM %s i LEFT JOIN causes c ON c.trace = i.trace AND c.rank = i.cause)";

    private static final String WHAT = "coalesce(what, kind)";

    private static final String LOCKS = "kind IN ('monitor', 'runtime_lock', 'mutex', 'park', 'futex')";

    private static final List<String> COST_COLUMNS =
            List.of("frames", "ms", "incidents", "traces", "p50", "p95", "p99", "worst");

    /** A label of traces as SQL; its value is null if unknown. */
    private record Label(String name, String value) {}

    private static final String NOT_KNOWN = "(unknown)";

    /** The order of labels: by their number of traces, unknown last. */
    private static final String KNOWN_FIRST = " ORDER BY label IS NULL, count(*) DESC, label";

    private static final List<Label> LABELS = List.of(
            new Label("device", "device"),
            new Label("os build", "os_build"),
            new Label("app version", "CASE WHEN app_version IS NOT NULL THEN concat_ws(' ', app, app_version) END"));

    public FleetReport {
        tables = List.copyOf(tables);
    }

    /** Builds the report of a fleet. */
    public static FleetReport of(FleetDatabase store) throws IOException {
        store.requireDoctor();
        store.each(MISSED, _ -> {});
        List<ReportTable> tables = new ArrayList<>();
        tables.add(causes(store));
        tables.add(costs(store, "Verdicts", "Waits by verdict.", "verdict", "verdict", "true"));
        tables.add(costs(
                store,
                "Locks",
                "Lock waits by lock: class, name in the runtime, or the kind of lock if neither is known.",
                "lock",
                WHAT,
                LOCKS));
        tables.add(costs(
                store,
                "Locks by owner method",
                "Lock waits by the method that held the lock, if known.",
                "held in",
                PLACE.formatted("blocking_method"),
                LOCKS + " AND blocking_method IS NOT NULL"));
        tables.add(costs(
                store,
                "Locks by waiter method",
                "Lock waits by the method that waited, if known.",
                "waited in",
                PLACE.formatted("blocked_method"),
                LOCKS + " AND blocked_method IS NOT NULL"));
        tables.add(costs(
                store, "Other waits", "Waits for anything except locks.", "waited for", WHAT, "NOT (" + LOCKS + ")"));
        tables.add(inversions(store));
        tables.add(queue(store));
        for (Label label : LABELS) {
            tables.add(spread(store, label));
            tables.add(starts(store, label));
        }
        tables.add(failures(store));
        tables.removeIf(table ->
                table.rows().stream().allMatch(row -> row.cells().getFirst().equals(NOT_KNOWN)));
        return new FleetReport(store.folder().toString(), headline(store), tables);
    }

    private static String headline(FleetDatabase store) throws IOException {
        @Nullable
        Object[] all = store.all(
                        "SELECT count(*), sum(dur) / 1e9, sum(lock_wait_dur) FILTER (WHERE dur IS NOT NULL) / 1e6, sum(frame_count),"
                                + " sum(missed_frame_count), (SELECT count(*) FROM incidents), (SELECT count(*) FROM failures),"
                                + " (SELECT count(unread) FROM traces), count(*) - count(dur)"
                                + " FROM summaries")
                .getFirst();
        double frames = number(all[3]);
        double doubtful = number(all[8]);
        String without =
                doubtful == 0 ? "" : String.format(Locale.ROOT, " (%,.0f of doubtful duration excluded)", doubtful);
        String missed = frames == 0
                ? "no frames recorded"
                : String.format(
                        Locale.ROOT,
                        "%,.0f of %,.0f frames were missed (%.2f %%)",
                        number(all[4]),
                        frames,
                        number(all[4]) / frames * 100);
        return String.format(
                Locale.ROOT,
                "%,.0f traces, %,.0f s in total%s, %,.0f partly read, %,.0f failed. %,.0f incidents; main threads (for a JVM, all threads) waited %,.1f ms for locks"
                        + " (%.3f ms/s); %s.",
                number(all[0]),
                number(all[1]),
                without,
                number(all[7]),
                number(all[6]),
                number(all[5]),
                number(all[2]),
                number(all[2]) / Math.max(LEAST, number(all[1])),
                missed);
    }

    /**
     * The cost of incidents by a key. A trace may have hundreds of incidents. Therefore incidents are summed per trace first, and
     * percentiles are computed from a histogram with a resolution of 0.1 ms, the displayed precision.
     */
    private static ReportTable costs(
            FleetDatabase store, String title, String remark, String column, String key, String condition)
            throws IOException {
        return costs(store, title, remark, column, key, condition, "incidents", "missed");
    }

    /** Root causes: the same one in several traces is one row, and the rows add up to all incidents. */
    private static ReportTable causes(FleetDatabase store) throws IOException {
        return costs(
                store,
                "Root causes",
                "The root causes of waits: process, resource, waiters, owner's code. Times in ms; frames: missed frames that"
                        + " were mainly caused by these waits.",
                "root cause",
                "root_cause",
                "true",
                WITH_CAUSES.formatted("incidents"),
                WITH_CAUSES.formatted("missed"));
    }

    /** Costs by a key of two relations: incidents, and incidents with their missed frames. */
    private static ReportTable costs(
            FleetDatabase store,
            String title,
            String remark,
            String column,
            String key,
            String condition,
            String incidents,
            String missed)
            throws IOException {
        String sql = """
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
                GROUP BY i.key ORDER BY coalesce(any_value(frames), 0) DESC, sum(dur) DESC, i.key LIMIT %4$d""".formatted(key, condition, worst("trace", "longest", "true"), MOST_ROWS, incidents, missed);
        List<@Nullable Object[]> found = store.all(sql);
        double most = most(found, 3);
        List<ReportTable.Row> rows = new ArrayList<>();
        for (@Nullable Object[] row : found) {
            rows.add(new ReportTable.Row(
                    List.of(
                            text(row[0]),
                            count(row[4]),
                            decimals(row[3]),
                            count(row[1]),
                            count(row[2]),
                            decimals(row[5]),
                            decimals(row[6]),
                            decimals(row[7]),
                            decimals(row[8])),
                    number(row[3]) / most,
                    traces(row[9])));
        }
        List<String> columns = new ArrayList<>(List.of(column));
        columns.addAll(COST_COLUMNS);
        return new ReportTable(title, remark, columns, rows);
    }

    private static ReportTable inversions(FleetDatabase store) throws IOException {
        String range = "CASE WHEN dur < 10000000 THEN 'under 10 ms' WHEN dur <= 16000000 THEN '10 to 16 ms'"
                + " ELSE 'over 16 ms' END";
        return costs(
                store,
                "Priority inversions by duration",
                "Waits whose owner had a lower priority and was runnable but had no CPU.",
                "blocked",
                range,
                "verdict = 'PRIORITY_INVERSION'");
    }

    private static ReportTable queue(FleetDatabase store) throws IOException {
        String queue = "(coalesce(blocked_method, '') LIKE '%MessageQueue%' OR coalesce(blocking_method, '') LIKE"
                + " '%MessageQueue%')";
        String waits = LOCKS + " AND is_main_thread = 1";
        @Nullable
        Object share = store.all(
                        "SELECT 100.0 * sum(dur) FILTER (WHERE " + queue + ") / sum(dur) FROM incidents WHERE " + waits)
                .getFirst()[0];
        return costs(
                store,
                String.format(Locale.ROOT, "Share of MessageQueue: %.1f %%", number(share)),
                "Lock wait time of main threads, split into waits in or for a MessageQueue and other waits.",
                "lock",
                "CASE WHEN " + queue + " THEN 'MessageQueue' ELSE 'others' END",
                waits);
    }

    private static ReportTable spread(FleetDatabase store, Label label) throws IOException {
        String rate = "CASE WHEN dur > 0 THEN lock_wait_dur * 1e3 / dur ELSE 0 END";
        List<@Nullable Object[]> found = store.all("SELECT label, count(*), " + quantiles("rate")
                + ", sum(missed_frame_count), sum(frame_count), " + worst("trace", "rate", "true") + " FROM (SELECT *, "
                + label.value + " AS label, " + rate + " AS rate FROM summaries WHERE dur IS NOT NULL) GROUP BY label"
                + KNOWN_FIRST
                + " LIMIT " + MOST_ROWS);
        double most = most(found, 3);
        List<ReportTable.Row> rows = new ArrayList<>();
        for (@Nullable Object[] row : found) {
            double frames = number(row[6]);
            rows.add(new ReportTable.Row(
                    List.of(
                            label(row[0]),
                            count(row[1]),
                            decimals(row[2]),
                            decimals(row[3]),
                            decimals(row[4]),
                            count(row[6]),
                            frames == 0 ? "" : String.format(Locale.ROOT, "%.2f", number(row[5]) / frames * 100)),
                    number(row[3]) / most,
                    traces(row[7])));
        }
        return new ReportTable(
                "By " + label.name,
                "Lock wait time of main threads in ms per second of a trace, and the share of missed frames.",
                List.of(label.name, "traces", "p50", "p95", "p99", "frames", "missed %"),
                rows);
    }

    private static ReportTable starts(FleetDatabase store, Label label) throws IOException {
        List<@Nullable Object[]> found = store.all("SELECT label, count(*), " + quantiles("dur / 1e6") + ", "
                + worst("trace", "dur", "is_longest") + " FROM (SELECT *, " + label.value + " AS label,"
                + " row_number() OVER (PARTITION BY trace ORDER BY dur DESC) = 1 AS is_longest FROM ("
                + FleetDatabase.APP_STARTUPS
                + ")) GROUP BY label" + KNOWN_FIRST + " LIMIT " + MOST_ROWS);
        double most = most(found, 3);
        List<ReportTable.Row> rows = new ArrayList<>();
        for (@Nullable Object[] row : found) {
            rows.add(new ReportTable.Row(
                    List.of(label(row[0]), count(row[1]), decimals(row[2]), decimals(row[3]), decimals(row[4])),
                    number(row[3]) / most,
                    traces(row[5])));
        }
        return new ReportTable(
                "Startups by " + label.name,
                "Time from app startup to first frame in ms.",
                List.of(label.name, "startups", "p50", "p95", "p99"),
                rows);
    }

    private static ReportTable failures(FleetDatabase store) throws IOException {
        List<@Nullable Object[]> found = store.all("SELECT reason, count(*), sum(bytes) / 1e6, "
                + worst("file", "bytes", "true") + " FROM failures GROUP BY reason"
                + " ORDER BY count(*) DESC, reason LIMIT " + MOST_ROWS);
        double most = most(found, 1);
        List<ReportTable.Row> rows = new ArrayList<>();
        for (@Nullable Object[] row : found) {
            rows.add(new ReportTable.Row(
                    List.of(text(row[0]), count(row[1]), decimals(row[2])), number(row[1]) / most, traces(row[3])));
        }
        return new ReportTable(
                "Failures", "Traces that could not be processed.", List.of("reason", "traces", "MB"), rows);
    }

    /** Percentiles that are actual values, as in {@link FleetComparison}. */
    private static String quantiles(String value) {
        return "quantile_disc(%1$s, 0.5), quantile_disc(%1$s, 0.95), quantile_disc(%1$s, 0.99)".formatted(value);
    }

    /** The three traces with the greatest values; of traces with equal values, the last by name. */
    private static String worst(String trace, String value, String condition) {
        return "array_to_string(max_by(%1$s, row(%2$s, %1$s), 3) FILTER (WHERE %3$s), chr(0))"
                .formatted(trace, value, condition);
    }

    /** The maximum of a column, as a divisor. */
    private static double most(List<@Nullable Object[]> rows, int column) {
        return rows.stream().mapToDouble(row -> number(row[column])).reduce(LEAST, Math::max);
    }

    private static List<String> traces(@Nullable Object joined) {
        return Arrays.asList(text(joined).split("\0", -1));
    }

    private static double number(@Nullable Object value) {
        return value instanceof Number number ? number.doubleValue() : 0;
    }

    private static String label(@Nullable Object value) {
        return value == null ? NOT_KNOWN : value.toString();
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    private static String count(@Nullable Object value) {
        return String.format(Locale.ROOT, "%,.0f", number(value));
    }

    private static String decimals(@Nullable Object value) {
        return String.format(Locale.ROOT, "%,.1f", number(value));
    }
}
