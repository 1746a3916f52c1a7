package dev.unjank.fleet.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fleet.compare.FleetComparison;
import dev.unjank.fleet.folder.FleetDatabase;
import dev.unjank.fleet.folder.FleetFolder;
import dev.unjank.fleet.folder.ParquetPartWriter;
import dev.unjank.fleet.label.TraceLabels;
import dev.unjank.fleet.run.FleetTestRuns;
import dev.unjank.fleet.task.ResultColumn;
import dev.unjank.fleet.task.ResultTable;
import dev.unjank.fleet.task.TaskQuery;
import dev.unjank.fleet.task.TraceResult;
import dev.unjank.query.result.Rows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a report and a comparison make of rows that are known. */
class ReportArithmeticTest {
    private static final long MS = 1_000_000;

    @TempDir
    private Path folder;

    /** The rows of one trace. */
    private static final class Made {
        private final String trace;
        private final TraceLabels labels;
        private final List<ResultTable> tables = new ArrayList<>();

        Made(String trace, TraceLabels labels) {
            this.trace = trace;
            this.labels = labels;
        }

        private void add(String table, List<ResultColumn> columns, @Nullable Object... values) {
            List<ResultColumn> all = new ArrayList<>(TraceResult.identity());
            all.addAll(columns);
            List<@Nullable Object> row = new ArrayList<>();
            row.add(trace);
            row.addAll(Arrays.asList(labels.values()));
            row.addAll(Arrays.asList(values));
            tables.add(new ResultTable(table, all, List.<@Nullable Object[]>of(row.toArray())));
        }

        Made summary(long millis, long lockMillis) {
            return summary(Long.valueOf(millis * MS), lockMillis);
        }

        Made summaryOfDoubtfulLength(long lockMillis) {
            return summary(null, lockMillis);
        }

        private Made summary(@Nullable Long nanos, long lockMillis) {
            add(TaskQuery.TRACES, List.of(ResultColumn.number("bytes"), ResultColumn.text("unread")), 1L, null);
            add(
                    TaskQuery.SUMMARIES,
                    numbers("dur", "lock_wait_dur", "frame_count", "missed_frame_count"),
                    nanos,
                    lockMillis * MS,
                    100L,
                    1L);
            return this;
        }

        Made incident(long id, String verdict, long millis, String kind, @Nullable String what, @Nullable String in) {
            return incident(id, verdict, millis, kind, what, in, null);
        }

        Made incident(
                long id,
                String verdict,
                long millis,
                String kind,
                @Nullable String what,
                @Nullable String in,
                @Nullable Long cause) {
            List<ResultColumn> columns = new ArrayList<>(numbers("id", "dur", "is_main_thread", "cause"));
            for (String name : List.of("verdict", "kind", "what", "blocked_method", "blocking_method")) {
                columns.add(new ResultColumn(name, Rows.Type.TEXT));
            }
            add(TaskQuery.INCIDENTS, columns, id, millis * MS, 1L, cause, verdict, kind, what, in, null);
            return this;
        }

        Made cause(long rank, String process, String resource, String waiters, String owner) {
            List<ResultColumn> columns = new ArrayList<>(numbers("rank"));
            for (String name : List.of("kind", "process_name", "resource", "waiter_group", "owner")) {
                columns.add(new ResultColumn(name, Rows.Type.TEXT));
            }
            add(TaskQuery.CAUSES, columns, rank, "monitor", process, resource, waiters, owner);
            return this;
        }

        Made cost(long incident, long frame, long overlap) {
            add(
                    TaskQuery.FRAME_COSTS,
                    numbers("incident_id", "frame_id", "overlap_dur", "is_missed"),
                    incident,
                    frame,
                    overlap,
                    1L);
            return this;
        }

        Made start(long id, long millis) {
            add(TaskQuery.STARTUPS, numbers("id", "ts", "first_frame_ts"), id, 5 * MS, (5 + millis) * MS);
            return this;
        }

        private static List<ResultColumn> numbers(String... names) {
            return List.of(names).stream().map(ResultColumn::number).toList();
        }

        TraceResult outcome() {
            return new TraceResult(trace, 1, tables, null, false);
        }
    }

    private FleetDatabase fleet(String name, List<Made> made) throws IOException {
        Path out = folder.resolve(name);
        List<Made> all = new ArrayList<>(made);
        all.add(new Made("last", TraceLabels.NONE) // so that each table is there
                .summary(0, 0)
                .incident(1, "OTHER", 1, "binder", null, null)
                .cause(9, "none", "none", "none", "")
                .cost(1, 1, 1)
                .start(1, -1));
        try (FleetFolder fleet = FleetFolder.open(out, FleetTestRuns.doctor(), false);
                ParquetPartWriter writer = new ParquetPartWriter(fleet.path())) {
            fleet.add(all.stream().map(Made::outcome).toList(), writer);
        }
        return FleetDatabase.open(out);
    }

    private FleetReport report(Made... made) throws IOException {
        try (FleetDatabase store = fleet("fleet", List.of(made))) {
            return FleetReport.of(store);
        }
    }

    private static ReportTable.Row row(FleetReport report, String title, String name) {
        return report.tables().stream()
                .filter(table -> table.title().startsWith(title))
                .flatMap(table -> table.rows().stream())
                .filter(row -> row.cells().getFirst().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Made made(String trace) {
        return new Made(trace, TraceLabels.NONE);
    }

    @Test
    void aMissedFrameCountsOnceForWhatTookMostOfIt() throws Exception {
        FleetReport report = report(made("a")
                .summary(1, 1)
                .incident(1, "A", 5, "monitor", "monitor", null)
                .incident(2, "B", 5, "monitor", "monitor", null)
                .cost(1, 1, 3)
                .cost(2, 1, 4)
                .cost(2, 2, 7)
                .cost(1, 2, 7)
                .cost(1, 3, 1));

        assertThat(row(report, "Verdicts", "A").cells().get(1))
                .as("of two alike the first")
                .isEqualTo("2");
        assertThat(row(report, "Verdicts", "B").cells().get(1)).isEqualTo("1");
        assertThat(row(report, "Locks", "monitor").cells().get(1)).isEqualTo("3");
    }

    @Test
    void aRootCauseOfSeveralTracesIsOneRow() throws Exception {
        FleetReport report = report(
                made("a")
                        .summary(1, 1)
                        .cause(1, "shop", "app.Journal", "worker-#", "app.Journal.write")
                        .cause(2, "shop", "app.Journal", "timer", "app.Journal.write")
                        .incident(1, "A", 5, "monitor", "app.Journal", null, 1L)
                        .incident(2, "A", 7, "monitor", "app.Journal", null, 2L),
                made("b")
                        .summary(1, 1)
                        .cause(1, "shop", "app.Journal", "timer", "app.Journal.write")
                        .cause(2, "shop", "app.Journal", "worker-#", "app.Journal.write")
                        .incident(1, "B", 11, "monitor", "app.Journal", null, 2L)
                        .incident(2, "B", 13, "monitor", "app.Journal", null, null)
                        .cost(1, 1, 3));

        List<String> workers = row(report, "Root causes", "shop: monitor app.Journal, worker-# → app.Journal.write")
                .cells();
        assertThat(workers.subList(1, 5)).containsExactly("1", "16.0", "2", "2");
        assertThat(row(report, "Root causes", "shop: monitor app.Journal, timer → app.Journal.write")
                        .cells()
                        .subList(1, 5))
                .containsExactly("0", "7.0", "1", "1");
        assertThat(row(report, "Root causes", "(none: short waits, sleeps under a lock)")
                        .cells()
                        .get(2))
                .isEqualTo("14.0");
    }

    @Test
    void locksHaveNamesAlsoWhereNoMethodIsKnown() throws Exception {
        FleetReport report = report(made("a")
                .summary(1, 1)
                .incident(1, "A", 30, "runtime_lock", "Jit code cache", null)
                .incident(2, "A", 10, "monitor", "monitor", "void android.os.MessageQueue.next(int)"));

        assertThat(row(report, "Locks", "Jit code cache").cells()).contains("30.0");
        assertThat(row(report, "Locks by waiter method", "void android.os.MessageQueue.next")
                        .cells())
                .contains("10.0");
        assertThat(report.tables()).extracting(ReportTable::title).contains("Share of MessageQueue: 25.0 %");
    }

    @Test
    void percentilesAreTimesThatThereWereAndTheSameInAComparison() throws Exception {
        List<Made> traces = new ArrayList<>();
        for (long i = 1; i <= 20; i++) {
            traces.add(new Made("t" + i, new TraceLabels("oriole", null, null, null))
                    .summary(1_000 * i, 2 * i * i)
                    .incident(1, "A", i, "binder", null, null)
                    .start(1, 10 * i));
        }
        try (FleetDatabase store = fleet("fleet", traces)) {
            FleetReport report = FleetReport.of(store);

            assertThat(row(report, "Verdicts", "A").cells()).containsSequence("10.0", "19.0", "20.0", "20.0");
            assertThat(row(report, "Verdicts", "A").worst()).containsExactly("t20", "t19", "t18");
            assertThat(row(report, "Startups by device", "oriole").cells())
                    .containsExactly("oriole", "20", "100.0", "190.0", "200.0");
            assertThat(row(report, "By device", "oriole").cells())
                    .as("ms of each second, whatever the traces' lengths")
                    .containsSequence("20", "20.0", "38.0", "40.0");
            FleetComparison.Figure starts =
                    FleetComparison.of(store, store).figures().getLast();
            assertThat(String.format(Locale.ROOT, "%.1f", starts.before())).isEqualTo("190.0");
            assertThat(starts.tracesBefore()).isEqualTo(20);
        }
    }

    @Test
    void aTraceMayBeNamedAnythingAndOfThoseAlikeTheOrderIsAlwaysTheSame() throws Exception {
        List<Made> traces = new ArrayList<>();
        for (String name : List.of("a\nb", "c", "d\ne", "b")) {
            traces.add(made(name).summary(1, 1).incident(1, "A", 5, "binder", null, null));
        }

        assertThat(row(report(traces.toArray(Made[]::new)), "Verdicts", "A").worst())
                .containsExactly("d\ne", "c", "b");
    }

    @Test
    void aVersionIsThatOfAnApp() throws Exception {
        FleetReport report = report(
                new Made("a", new TraceLabels(null, null, "com.a", "7")).summary(1, 1),
                new Made("b", new TraceLabels(null, null, "com.b", "7")).summary(1, 1),
                new Made("c", new TraceLabels(null, null, null, "7")).summary(1, 1),
                new Made("d", TraceLabels.NONE).summary(1, 1));

        for (String name : List.of("com.a 7", "com.b 7", "7")) {
            assertThat(row(report, "By app version", name).cells().get(1)).isEqualTo("1");
        }
        assertThat(row(report, "By app version", "(unknown)").cells().get(1))
                .as("d, and the one that is in every fleet")
                .isEqualTo("2");
        assertThat(report.tables()).extracting(ReportTable::title).doesNotContain("By device");
    }

    @Test
    void aFleetThatDoesBetterIsSeenToWithItsInterval() throws Exception {
        try (FleetDatabase before = fleet("before", waiting(40, 1.0));
                FleetDatabase after = fleet("after", waiting(40, 0.5))) {
            FleetComparison.Figure waits =
                    FleetComparison.of(before, after).figures().getFirst();

            assertThat(waits.tracesBefore()).isEqualTo(40);
            assertThat(waits.isEvidence()).isTrue();
            assertThat(waits.verdict()).matches("-(49|50)\\.\\d % \\(-[5-7]\\d\\.\\d to -[2-4]\\d\\.\\d\\)");
            assertThat(FleetTextReport.of(FleetComparison.of(before, after))).contains("40 / 40", waits.verdict());
        }
    }

    private static List<Made> waiting(int traces, double share) {
        List<Made> made = new ArrayList<>();
        for (int i = 0; i < traces; i++) {
            made.add(made("t" + i).summary(1_000 + 100 * i, Math.round(share * (10 + 37 * i % 100))));
        }
        return made;
    }

    /** Rates exclude a trace of unknown duration. */
    @Test
    void aTraceOfDoubtfulLengthIsLeftOutOfRates() throws IOException {
        TraceLabels oriole = new TraceLabels("oriole", null, null, null);
        FleetReport report = report(
                new Made("a", oriole).summary(1_000, 10), new Made("b", oriole).summaryOfDoubtfulLength(400_000));

        assertThat(report.headline())
                .startsWith("3 traces, 1 s in total (1 of doubtful duration excluded), 0 partly read")
                .contains("waited 10.0 ms for locks (10.000 ms/s)");
        assertThat(row(report, "By device", "oriole").cells())
                .containsExactly("oriole", "1", "10.0", "10.0", "10.0", "100", "1.00");
        try (FleetDatabase with = FleetDatabase.open(folder.resolve("fleet"));
                FleetDatabase without = fleet("without", List.of(new Made("a", oriole).summary(1_000, 10)))) {
            FleetComparison.Figure waits =
                    FleetComparison.of(with, without).figures().getFirst();
            assertThat(waits.before()).isEqualTo(waits.after());
        }
    }
}
