package dev.unjank.fleet.report;

import static dev.unjank.fleet.report.Cells.count;
import static dev.unjank.fleet.report.Cells.decimals;
import static dev.unjank.fleet.report.Cells.number;

import dev.unjank.fleet.folder.FleetDatabase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Selects the tables of a report: costs of incidents, distributions over labels, and failures. */
final class ReportTables {
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

    /**
     * The description of a root cause, equal in all traces. Short waits, and sleeps of lock owners, have no root cause.
     */
    private static final String CAUSE = """
            CASE WHEN c.rank IS NULL THEN %s ELSE concat(c.process_name, ': ', c.kind, ' ', c.resource, ', ',
                c.waiter_group, CASE WHEN c.owner <> '' THEN ' → ' || c.owner END) END AS root_cause""".formatted(FleetMessages.literal("causes.none"));

    private static final String WITH_CAUSES =
            "(SELECT i.*, " + CAUSE + " FROM %s i LEFT JOIN causes c ON c.trace = i.trace AND c.rank = i.cause)";

    private static final String WHAT = "coalesce(what, kind)";

    private static final String LOCKS = "kind IN ('monitor', 'runtime_lock', 'mutex', 'park', 'futex')";

    private static final String MAIN_LOCKS = LOCKS + " AND is_main_thread = 1";

    private static final String MESSAGE_QUEUE =
            "(coalesce(blocked_method, '') LIKE '%MessageQueue%' OR coalesce(blocking_method, '') LIKE"
                    + " '%MessageQueue%')";

    private static final List<CostTable> COSTS = List.of(
            new CostTable(
                    "causes",
                    "root_cause",
                    "true",
                    WITH_CAUSES.formatted("incidents"),
                    WITH_CAUSES.formatted("missed")),
            new CostTable("verdicts", "verdict", "true"),
            new CostTable("locks", WHAT, LOCKS),
            new CostTable("owners", PLACE.formatted("blocking_method"), LOCKS + " AND blocking_method IS NOT NULL"),
            new CostTable("waiters", PLACE.formatted("blocked_method"), LOCKS + " AND blocked_method IS NOT NULL"),
            new CostTable("others", WHAT, "NOT (" + LOCKS + ")"),
            new CostTable(
                    "inversions",
                    "CASE WHEN dur < 10000000 THEN %s WHEN dur <= 16000000 THEN %s ELSE %s END"
                            .formatted(
                                    FleetMessages.literal("inversions.short"),
                                    FleetMessages.literal("inversions.middle"),
                                    FleetMessages.literal("inversions.long")),
                    "verdict = 'PRIORITY_INVERSION'"));

    private static final CostTable QUEUE = new CostTable(
            "queue",
            "CASE WHEN " + MESSAGE_QUEUE + " THEN 'MessageQueue' ELSE " + FleetMessages.literal("queue.others")
                    + " END",
            MAIN_LOCKS);

    /** A label of traces, by its name in the message catalogue; its value as SQL, null if unknown. */
    private record Label(String name, String value) {
        String title() {
            return FleetMessages.of("column." + name);
        }
    }

    private static final String UNKNOWN = FleetMessages.of("label.unknown");

    /** The order of labels: by their number of traces, unknown last. */
    private static final String KNOWN_FIRST = " ORDER BY label IS NULL, count(*) DESC, label";

    private static final List<Label> LABELS = List.of(
            new Label("device", "device"),
            new Label("build", "os_build"),
            new Label("version", "CASE WHEN app_version IS NOT NULL THEN concat_ws(' ', app, app_version) END"));

    private ReportTables() {}

    /** The tables without those in which every row is of an unknown label. */
    static List<ReportTable> of(FleetDatabase store) throws IOException {
        store.each(MISSED, _ -> {});
        List<ReportTable> tables = new ArrayList<>();
        for (CostTable table : COSTS) {
            tables.add(table.of(store));
        }
        tables.add(QUEUE.of(store, queueShare(store)));
        for (Label label : LABELS) {
            tables.add(spread(store, label));
            tables.add(starts(store, label));
        }
        tables.add(failures(store));
        tables.removeIf(table ->
                table.rows().stream().allMatch(row -> row.cells().getFirst().equals(UNKNOWN)));
        return tables;
    }

    private static String queueShare(FleetDatabase store) throws IOException {
        @Nullable
        Object share = store.all("SELECT 100.0 * sum(dur) FILTER (WHERE " + MESSAGE_QUEUE
                        + ") / sum(dur) FROM incidents WHERE " + MAIN_LOCKS)
                .getFirst()[0];
        return String.format(Locale.ROOT, "%.1f", number(share));
    }

    private static ReportTable spread(FleetDatabase store, Label label) throws IOException {
        String rate = "CASE WHEN dur > 0 THEN lock_wait_dur * 1e3 / dur ELSE 0 END";
        List<@Nullable Object[]> found = store.all("SELECT label, count(*), " + ReportSql.quantiles("rate")
                + ", sum(missed_frame_count), sum(frame_count), " + ReportSql.worst("trace", "rate", "true")
                + " FROM (SELECT *, "
                + label.value + " AS label, " + rate + " AS rate FROM summaries WHERE dur IS NOT NULL) GROUP BY label"
                + KNOWN_FIRST
                + " LIMIT " + ReportSql.MOST_ROWS);
        double most = Cells.most(found, 3);
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
                    Cells.traces(row[7])));
        }
        return new ReportTable(
                FleetMessages.of("spread.title", label.title()),
                FleetMessages.of("spread.remark"),
                FleetMessages.columns(label.name, "traces", "p50", "p95", "p99", "frames", "missedShare"),
                rows);
    }

    private static ReportTable starts(FleetDatabase store, Label label) throws IOException {
        List<@Nullable Object[]> found = store.all("SELECT label, count(*), " + ReportSql.quantiles("dur / 1e6") + ", "
                + ReportSql.worst("trace", "dur", "is_longest") + " FROM (SELECT *, " + label.value + " AS label,"
                + " row_number() OVER (PARTITION BY trace ORDER BY dur DESC) = 1 AS is_longest FROM ("
                + FleetDatabase.APP_STARTUPS
                + ")) GROUP BY label" + KNOWN_FIRST + " LIMIT " + ReportSql.MOST_ROWS);
        double most = Cells.most(found, 3);
        List<ReportTable.Row> rows = new ArrayList<>();
        for (@Nullable Object[] row : found) {
            rows.add(new ReportTable.Row(
                    List.of(label(row[0]), count(row[1]), decimals(row[2]), decimals(row[3]), decimals(row[4])),
                    number(row[3]) / most,
                    Cells.traces(row[5])));
        }
        return new ReportTable(
                FleetMessages.of("startups.title", label.title()),
                FleetMessages.of("startups.remark"),
                FleetMessages.columns(label.name, "startups", "p50", "p95", "p99"),
                rows);
    }

    private static ReportTable failures(FleetDatabase store) throws IOException {
        List<@Nullable Object[]> found = store.all("SELECT reason, count(*), sum(bytes) / 1e6, "
                + ReportSql.worst("file", "bytes", "true") + " FROM failures GROUP BY reason"
                + " ORDER BY count(*) DESC, reason LIMIT " + ReportSql.MOST_ROWS);
        double most = Cells.most(found, 1);
        List<ReportTable.Row> rows = new ArrayList<>();
        for (@Nullable Object[] row : found) {
            rows.add(new ReportTable.Row(
                    List.of(Cells.text(row[0]), count(row[1]), decimals(row[2])),
                    number(row[1]) / most,
                    Cells.traces(row[3])));
        }
        return new ReportTable(
                FleetMessages.of("failures.title"),
                FleetMessages.of("failures.remark"),
                FleetMessages.columns("failures", "traces", "megabytes"),
                rows);
    }

    private static String label(@Nullable Object value) {
        return value == null ? UNKNOWN : value.toString();
    }
}
