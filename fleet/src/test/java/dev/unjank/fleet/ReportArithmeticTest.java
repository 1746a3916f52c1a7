package dev.unjank.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.query.Rows;
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
        private final Labels labels;
        private final List<Table> tables = new ArrayList<>();

        Made(String trace, Labels labels) {
            this.trace = trace;
            this.labels = labels;
        }

        private void add(String table, List<Column> columns, @Nullable Object... values) {
            List<Column> all = new ArrayList<>(Outcome.identity());
            all.addAll(columns);
            List<@Nullable Object> row = new ArrayList<>();
            row.add(trace);
            row.addAll(Arrays.asList(labels.values()));
            row.addAll(Arrays.asList(values));
            tables.add(new Table(table, all, List.<@Nullable Object[]>of(row.toArray())));
        }

        Made summary(long millis, long lockMillis) {
            return summary(Long.valueOf(millis * MS), lockMillis);
        }

        Made summaryOfDoubtfulLength(long lockMillis) {
            return summary(null, lockMillis);
        }

        private Made summary(@Nullable Long nanos, long lockMillis) {
            add(Question.TRACES, List.of(Column.number("bytes"), Column.text("unread")), 1L, null);
            add(
                    Question.SUMMARIES,
                    numbers("dur", "lock_wait_dur", "frame_count", "missed_frame_count"),
                    nanos,
                    lockMillis * MS,
                    100L,
                    1L);
            return this;
        }

        Made incident(long id, String verdict, long millis, String kind, @Nullable String what, @Nullable String in) {
            List<Column> columns = new ArrayList<>(numbers("id", "dur", "is_main_thread"));
            for (String name : List.of("verdict", "kind", "what", "blocked_method", "blocking_method")) {
                columns.add(new Column(name, Rows.Type.TEXT));
            }
            add(Question.INCIDENTS, columns, id, millis * MS, 1L, verdict, kind, what, in, null);
            return this;
        }

        Made cost(long incident, long frame, long overlap) {
            add(
                    Question.FRAME_COSTS,
                    numbers("incident_id", "frame_id", "overlap_dur", "is_missed"),
                    incident,
                    frame,
                    overlap,
                    1L);
            return this;
        }

        Made start(long id, long millis) {
            add(Question.START_UPS, numbers("id", "ts", "first_frame_ts"), id, 5 * MS, (5 + millis) * MS);
            return this;
        }

        private static List<Column> numbers(String... names) {
            return List.of(names).stream().map(Column::number).toList();
        }

        Outcome outcome() {
            return new Outcome(trace, 1, tables, null, false);
        }
    }

    private FleetStore fleet(String name, List<Made> made) throws IOException {
        Path out = folder.resolve(name);
        List<Made> all = new ArrayList<>(made);
        all.add(new Made("last", Labels.NONE) // so that each table is there
                .summary(0, 0)
                .incident(1, "OTHER", 1, "binder", null, null)
                .cost(1, 1, 1)
                .start(1, -1));
        try (FleetFolder fleet = FleetFolder.open(out, Traces.doctor(), false);
                PartWriter writer = new PartWriter(fleet.path())) {
            fleet.add(all.stream().map(Made::outcome).toList(), writer);
        }
        return FleetStore.open(out);
    }

    private FleetReport report(Made... made) throws IOException {
        try (FleetStore store = fleet("fleet", List.of(made))) {
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
        return new Made(trace, Labels.NONE);
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
    void locksHaveNamesAlsoWhereNoMethodIsKnown() throws Exception {
        FleetReport report = report(made("a")
                .summary(1, 1)
                .incident(1, "A", 30, "runtime_lock", "Jit code cache", null)
                .incident(2, "A", 10, "monitor", "monitor", "void android.os.MessageQueue.next(int)"));

        assertThat(row(report, "Locks", "Jit code cache").cells()).contains("30.0");
        assertThat(row(report, "Locks, by where threads waited", "void android.os.MessageQueue.next")
                        .cells())
                .contains("10.0");
        assertThat(report.tables()).extracting(ReportTable::title).contains("The message queue's share: 25.0 %");
    }

    @Test
    void percentilesAreTimesThatThereWereAndTheSameInAComparison() throws Exception {
        List<Made> traces = new ArrayList<>();
        for (long i = 1; i <= 20; i++) {
            traces.add(new Made("t" + i, new Labels("oriole", null, null, null))
                    .summary(1_000 * i, 2 * i * i)
                    .incident(1, "A", i, "binder", null, null)
                    .start(1, 10 * i));
        }
        try (FleetStore store = fleet("fleet", traces)) {
            FleetReport report = FleetReport.of(store);

            assertThat(row(report, "Verdicts", "A").cells()).containsSequence("10.0", "19.0", "20.0", "20.0");
            assertThat(row(report, "Verdicts", "A").worst()).containsExactly("t20", "t19", "t18");
            assertThat(row(report, "Starts by device", "oriole").cells())
                    .containsExactly("oriole", "20", "100.0", "190.0", "200.0");
            assertThat(row(report, "By device", "oriole").cells())
                    .as("ms of each second, whatever the traces' lengths")
                    .containsSequence("20", "20.0", "38.0", "40.0");
            Comparison.Figure starts = Comparison.of(store, store).figures().getLast();
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
                new Made("a", new Labels(null, null, "com.a", "7")).summary(1, 1),
                new Made("b", new Labels(null, null, "com.b", "7")).summary(1, 1),
                new Made("c", new Labels(null, null, null, "7")).summary(1, 1),
                new Made("d", Labels.NONE).summary(1, 1));

        for (String name : List.of("com.a 7", "com.b 7", "7")) {
            assertThat(row(report, "By app version", name).cells().get(1)).isEqualTo("1");
        }
        assertThat(row(report, "By app version", "(not known)").cells().get(1))
                .as("d, and the one that is in every fleet")
                .isEqualTo("2");
        assertThat(report.tables()).extracting(ReportTable::title).doesNotContain("By device");
    }

    @Test
    void aFleetThatDoesBetterIsSeenToWithItsInterval() throws Exception {
        try (FleetStore before = fleet("before", waiting(40, 1.0));
                FleetStore after = fleet("after", waiting(40, 0.5))) {
            Comparison.Figure waits = Comparison.of(before, after).figures().getFirst();

            assertThat(waits.tracesBefore()).isEqualTo(40);
            assertThat(waits.isEvidence()).isTrue();
            assertThat(waits.verdict()).matches("-(49|50)\\.\\d % \\(-[5-7]\\d\\.\\d to -[2-4]\\d\\.\\d\\)");
            assertThat(ReportText.of(Comparison.of(before, after))).contains("40 / 40", waits.verdict());
        }
    }

    private static List<Made> waiting(int traces, double share) {
        List<Made> made = new ArrayList<>();
        for (int i = 0; i < traces; i++) {
            made.add(made("t" + i).summary(1_000 + 100 * i, Math.round(share * (10 + 37 * i % 100))));
        }
        return made;
    }

    /** Neither its length, which is not known, nor what it waited counts for what is told by the second. */
    @Test
    void aTraceOfDoubtfulLengthIsLeftOutOfWhatIsToldByTheSecond() throws IOException {
        Labels oriole = new Labels("oriole", null, null, null);
        FleetReport report = report(
                new Made("a", oriole).summary(1_000, 10), new Made("b", oriole).summaryOfDoubtfulLength(400_000));

        assertThat(report.headline())
                .startsWith("3 traces, 1 s in all without the 1 of doubtful length, 0 read in part")
                .contains("waited for locks for 10.0 ms (10.000 ms/s)");
        assertThat(row(report, "By device", "oriole").cells())
                .containsExactly("oriole", "1", "10.0", "10.0", "10.0", "100", "1.00");
        try (FleetStore with = FleetStore.open(folder.resolve("fleet"));
                FleetStore without = fleet("without", List.of(new Made("a", oriole).summary(1_000, 10)))) {
            Comparison.Figure waits = Comparison.of(with, without).figures().getFirst();
            assertThat(waits.before()).isEqualTo(waits.after());
        }
    }
}
