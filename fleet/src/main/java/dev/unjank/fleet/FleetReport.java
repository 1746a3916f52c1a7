package dev.unjank.fleet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a fleet's traces say together: which verdicts, locks and methods cost most, how much of it is the message queue, how it spreads
 * over devices, builds and versions, and which traces to open.
 *
 * <p>A missed frame counts for the incident that took most of its time, and so only once, as with the doctor.
 *
 * @param folder the run's folder, as it was named
 * @param headline all in a sentence or two
 * @param tables the parts, those without rows left out
 */
public record FleetReport(String folder, String headline, List<ReportTable> tables) {
    private static final int MOST_ROWS = 20;

    /** A method without its parameters. */
    private static final String PLACE = "coalesce(regexp_replace(%s, '\\(.*', ''), '?')";

    /** Each incident with the missed frames of which it took most. */
    private static final String COSTLY = """
            CREATE VIEW costly AS
            SELECT i.*, coalesce(f.frames, 0) AS frames FROM incidents i LEFT JOIN (
                SELECT trace, incident_id, count(*) AS frames FROM (
                    SELECT trace, arg_max(incident_id, overlap_dur) AS incident_id FROM frame_costs
                    WHERE is_missed = 1 GROUP BY trace, frame_id)
                GROUP BY trace, incident_id) f
            ON f.trace = i.trace AND f.incident_id = i.id""";

    private static final String LOCKS = "kind IN ('monitor', 'runtime_lock', 'mutex', 'park', 'futex')";

    private static final String COSTS = "count(*), count(DISTINCT trace), sum(dur) / 1e6, sum(frames),"
            + " quantile_cont(dur, 0.5) / 1e6, quantile_cont(dur, 0.95) / 1e6, quantile_cont(dur, 0.99) / 1e6,"
            + " max(dur) / 1e6, array_to_string(max_by(trace, dur, 3) FILTER (WHERE is_longest), chr(10))";

    private static final List<String> COST_COLUMNS =
            List.of("incidents", "traces", "ms", "frames", "p50", "p95", "p99", "worst");

    /** Keeps its own copy of the list. */
    public FleetReport {
        tables = List.copyOf(tables);
    }

    /**
     * Reads a run.
     *
     * @param store the run
     * @return its report
     * @throws IOException if it cannot be read
     */
    public static FleetReport of(FleetStore store) throws IOException {
        store.requireDoctor();
        store.each(COSTLY, _ -> {});
        List<ReportTable> tables = new ArrayList<>();
        tables.add(costs(
                store,
                "Verdicts",
                "Why threads waited. Times in ms; frames: missed ones of which the wait took most.",
                "verdict",
                "verdict",
                "true"));
        tables.add(costs(
                store,
                "Locks, by where their owners were",
                "Waits for locks, by the method in which the lock was held.",
                "held in",
                PLACE.formatted("blocking_method"),
                LOCKS + " AND blocking_method IS NOT NULL"));
        tables.add(costs(
                store,
                "Locks, by where threads waited",
                "The same waits, by the method that had to wait.",
                "waited in",
                PLACE.formatted("blocked_method"),
                LOCKS + " AND blocked_method IS NOT NULL"));
        tables.add(costs(
                store,
                "Other waits",
                "What threads waited for that is no lock.",
                "waited for",
                "kind || coalesce(' ' || what, '')",
                "NOT (" + LOCKS + ")"));
        tables.add(inversions(store));
        tables.add(queue(store));
        for (String label : List.of("device", "os_build", "app_version")) {
            tables.add(spread(store, label));
            tables.add(starts(store, label));
        }
        tables.add(failures(store));
        tables.removeIf(table -> table.rows().isEmpty());
        return new FleetReport(store.folder().toString(), headline(store), tables);
    }

    private static String headline(FleetStore store) throws IOException {
        @Nullable
        Object[] all = store.all("SELECT count(*), sum(dur) / 1e9, sum(lock_wait_dur) / 1e6, sum(frame_count),"
                        + " sum(missed_frame_count), (SELECT count(*) FROM incidents), (SELECT count(*) FROM failures)"
                        + " FROM summaries")
                .getFirst();
        double frames = number(all[3]);
        String missed = frames == 0
                ? "no frames are known"
                : String.format(
                        Locale.ROOT,
                        "%,.0f of %,.0f frames were missed (%.2f %%)",
                        number(all[4]),
                        frames,
                        number(all[4]) / frames * 100);
        return String.format(
                Locale.ROOT,
                "%,.0f traces, %,.0f s in all, %,.0f failed. %,.0f incidents; main threads (of a JVM all) waited for locks for %,.1f ms"
                        + " (%.3f ms/s); %s.",
                number(all[0]),
                number(all[1]),
                number(all[6]),
                number(all[5]),
                number(all[2]),
                number(all[2]) / Math.max(1e-9, number(all[1])),
                missed);
    }

    private static ReportTable costs(
            FleetStore store, String title, String remark, String column, String key, String condition)
            throws IOException {
        String waits = "(SELECT *, row_number() OVER (PARTITION BY key, trace ORDER BY dur DESC) = 1 AS is_longest FROM"
                + " (SELECT *, " + key + " AS key FROM costly WHERE " + condition + "))";
        List<@Nullable Object[]> found = store.all("SELECT key, " + COSTS + " FROM " + waits
                + " GROUP BY key ORDER BY sum(frames) DESC, sum(dur) DESC, key LIMIT " + MOST_ROWS);
        double most = found.stream().mapToDouble(row -> number(row[3])).max().orElse(1);
        List<ReportTable.Row> rows = new ArrayList<>();
        for (@Nullable Object[] row : found) {
            rows.add(new ReportTable.Row(
                    List.of(
                            text(row[0]),
                            count(row[1]),
                            count(row[2]),
                            millis(row[3]),
                            count(row[4]),
                            millis(row[5]),
                            millis(row[6]),
                            millis(row[7]),
                            millis(row[8])),
                    number(row[3]) / most,
                    Arrays.asList(text(row[9]).split("\n", -1))));
        }
        List<String> columns = new ArrayList<>(List.of(column));
        columns.addAll(COST_COLUMNS);
        return new ReportTable(title, remark, columns, rows);
    }

    private static ReportTable inversions(FleetStore store) throws IOException {
        String range = "CASE WHEN dur < 10000000 THEN '1 to 10 ms' WHEN dur <= 16000000 THEN '10 to 16 ms'"
                + " ELSE 'over 16 ms' END";
        return costs(
                store,
                "Priority inversions, by how long they blocked",
                "Waits whose owner had a lower priority, was ready to run, and got no CPU.",
                "blocked",
                range,
                "verdict = 'PRIORITY_INVERSION'");
    }

    private static ReportTable queue(FleetStore store) throws IOException {
        String queue = "(coalesce(blocked_method, '') LIKE '%MessageQueue%' OR coalesce(blocking_method, '') LIKE"
                + " '%MessageQueue%')";
        return costs(
                store,
                "The message queue's share",
                "Of the waits of main threads for locks: those in or for a MessageQueue, and all others.",
                "lock",
                "CASE WHEN " + queue + " THEN 'MessageQueue' ELSE 'others' END",
                LOCKS + " AND is_main_thread = 1");
    }

    private static ReportTable spread(FleetStore store, String label) throws IOException {
        List<@Nullable Object[]> found = store.all("SELECT " + label + ", count(*),"
                + " quantile_cont(lock_wait_dur, 0.5) / 1e6, quantile_cont(lock_wait_dur, 0.95) / 1e6,"
                + " quantile_cont(lock_wait_dur, 0.99) / 1e6, sum(missed_frame_count), sum(frame_count),"
                + " array_to_string(max_by(trace, lock_wait_dur, 3), chr(10)) FROM summaries WHERE " + label
                + " IS NOT NULL GROUP BY " + label + " ORDER BY count(*) DESC, " + label + " LIMIT " + MOST_ROWS);
        double most = found.stream().mapToDouble(row -> number(row[3])).max().orElse(1);
        List<ReportTable.Row> rows = new ArrayList<>();
        for (@Nullable Object[] row : found) {
            double frames = number(row[6]);
            rows.add(new ReportTable.Row(
                    List.of(
                            text(row[0]),
                            count(row[1]),
                            millis(row[2]),
                            millis(row[3]),
                            millis(row[4]),
                            count(row[6]),
                            frames == 0 ? "" : String.format(Locale.ROOT, "%.2f", number(row[5]) / frames * 100)),
                    number(row[3]) / Math.max(1e-9, most),
                    Arrays.asList(text(row[7]).split("\n", -1))));
        }
        return new ReportTable(
                "By " + label.replace('_', ' '),
                "How long a trace's main threads waited for locks, in ms, and which share of its frames was missed.",
                List.of(label.replace('_', ' '), "traces", "p50", "p95", "p99", "frames", "missed %"),
                rows);
    }

    private static ReportTable starts(FleetStore store, String label) throws IOException {
        List<@Nullable Object[]> found = store.all("SELECT " + label + ", count(*), quantile_cont(dur, 0.5) / 1e6,"
                + " quantile_cont(dur, 0.95) / 1e6, quantile_cont(dur, 0.99) / 1e6,"
                + " array_to_string(max_by(trace, dur, 3) FILTER (WHERE is_longest), chr(10)) FROM (SELECT *,"
                + " row_number() OVER (PARTITION BY trace ORDER BY dur DESC) = 1 AS is_longest FROM (SELECT trace,"
                + " any_value(" + label + ") AS " + label + ", max(first_frame_ts) - max(ts) AS dur FROM start_ups"
                + " WHERE first_frame_ts > ts AND " + label + " IS NOT NULL GROUP BY trace, id)) GROUP BY " + label
                + " ORDER BY count(*) DESC, " + label + " LIMIT "
                + MOST_ROWS);
        double most = found.stream().mapToDouble(row -> number(row[3])).max().orElse(1);
        List<ReportTable.Row> rows = new ArrayList<>();
        for (@Nullable Object[] row : found) {
            rows.add(new ReportTable.Row(
                    List.of(text(row[0]), count(row[1]), millis(row[2]), millis(row[3]), millis(row[4])),
                    number(row[3]) / Math.max(1e-9, most),
                    Arrays.asList(text(row[5]).split("\n", -1))));
        }
        return new ReportTable(
                "Starts by " + label.replace('_', ' '),
                "From the start of an app to its first frame, in ms.",
                List.of(label.replace('_', ' '), "starts", "p50", "p95", "p99"),
                rows);
    }

    private static ReportTable failures(FleetStore store) throws IOException {
        List<@Nullable Object[]> found = store.all("SELECT reason, count(*), sum(bytes) / 1e6,"
                + " array_to_string(max_by(file, bytes, 3), chr(10)) FROM failures GROUP BY reason"
                + " ORDER BY count(*) DESC, reason LIMIT " + MOST_ROWS);
        double most = found.stream().mapToDouble(row -> number(row[1])).max().orElse(1);
        List<ReportTable.Row> rows = new ArrayList<>();
        for (@Nullable Object[] row : found) {
            rows.add(new ReportTable.Row(
                    List.of(text(row[0]), count(row[1]), millis(row[2])),
                    number(row[1]) / most,
                    Arrays.asList(text(row[3]).split("\n", -1))));
        }
        return new ReportTable("Failures", "Traces that gave no rows.", List.of("reason", "traces", "MB"), rows);
    }

    private static double number(@Nullable Object value) {
        return value instanceof Number number ? number.doubleValue() : 0;
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    private static String count(@Nullable Object value) {
        return String.format(Locale.ROOT, "%,.0f", number(value));
    }

    private static String millis(@Nullable Object value) {
        return String.format(Locale.ROOT, "%,.1f", number(value));
    }
}
