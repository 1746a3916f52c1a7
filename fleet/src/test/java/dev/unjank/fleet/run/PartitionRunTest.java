package dev.unjank.fleet.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unjank.fleet.input.ReadTimeLimit;
import dev.unjank.fleet.input.TraceArchiveFormatsTest;
import dev.unjank.fleet.input.TraceExtraction;
import dev.unjank.fleet.task.TraceTask;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionRunTest {

    private static final TraceTask NAMES =
            FleetTestRuns.sql("SELECT name FROM process WHERE name GLOB 'com.example.*'");

    @TempDir
    private Path folder;

    private Path scratch;

    @BeforeEach
    void scratch() throws IOException {
        scratch = Files.createDirectory(folder.resolve("scratch")).toRealPath();
    }

    /** A file on another machine, or where it would be here. */
    private record Elsewhere(
            String name,
            long bytes,
            Set<String> done,
            TraceExtraction.Origin origin,
            @Nullable Path here) implements PartitionRun.Source {
        Elsewhere(String name, byte[] content) {
            this(name, content.length, Set.of(), () -> new ByteArrayInputStream(content));
        }

        Elsewhere(String name, long bytes, Set<String> done, TraceExtraction.Origin origin) {
            this(name, bytes, done, origin, null);
        }

        @Override
        public boolean isFound() {
            return true;
        }

        @Override
        public boolean isFolder() {
            return false;
        }

        @Override
        public InputStream open() throws IOException {
            return origin.open();
        }
    }

    private RunTotals run(TraceTask task, Elsewhere... sources) throws IOException {
        return PartitionRun.run(task, List.of(sources).iterator(), scratch, "part=000000", true)
                .tally();
    }

    private static byte[] tar(int traces) throws IOException {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        for (int i = 1; i <= traces; i++) {
            tar.write(TraceArchiveFormatsTest.member("t" + i, '0', FleetTestRuns.tiny(i)));
        }
        return tar.toByteArray();
    }

    @Test
    void filesAreFetchedAndNothingOfThemStays() throws Exception {
        RunTotals tally = run(
                NAMES,
                new Elsewhere("hdfs://a/t.pftrace", FleetTestRuns.tiny(7)),
                new Elsewhere(
                        "hdfs://a/m.tar", 9, Set.of("hdfs://a/m.tar!/t1"), () -> new ByteArrayInputStream(tar(2))),
                new Elsewhere("hdfs://a/gone.pftrace", 9, Set.of(), () -> {
                    throw new IOException("no such block");
                }),
                new Elsewhere("hdfs://a/large.pftrace", 1L << 40, Set.of(), () -> {
                    throw new IllegalStateException("must not be fetched");
                }));

        assertThat(tally).extracting(RunTotals::traces, RunTotals::failures).containsExactly(4L, 2L);
        assertThat(FleetTestRuns.rows(scratch, "SELECT trace, name FROM {result} ORDER BY ALL"))
                .containsExactly(
                        List.of("hdfs://a/m.tar!/t2", "com.example.app2"),
                        List.of("hdfs://a/t.pftrace", "com.example.app7"));
        assertThat(FleetTestRuns.rows(scratch, "SELECT file, reason FROM {failures} ORDER BY ALL"))
                .containsExactly(
                        List.of("hdfs://a/gone.pftrace", "no such block"),
                        List.of("hdfs://a/large.pftrace", "larger than 1,000,000,000 bytes"));
        try (Stream<Path> left = Files.list(scratch.resolve("traces"))) {
            assertThat(left).isEmpty();
        }
    }

    /** Broken content is a failure at once; what the file system lacks it may have another time. */
    @Test
    void onlyAFileThatCannotBeHadIsTriedAgain() throws Exception {
        Elsewhere broken = new Elsewhere("hdfs://a/broken", new byte[] {1, 2, 3});
        Elsewhere slow = new Elsewhere("hdfs://a/slow", 9, Set.of(), () -> {
            throw new ReadTimeLimit.OverException("took longer than 1 s to read");
        });
        Elsewhere gone = new Elsewhere("hdfs://a/gone", 9, Set.of(), () -> {
            throw new IllegalStateException();
        });

        RunTotals tally = PartitionRun.run(NAMES, List.of(broken, slow).iterator(), scratch, "part=000000", false)
                .tally();
        assertThat(tally).extracting(RunTotals::traces, RunTotals::failures).containsExactly(2L, 2L);

        Files.delete(scratch.resolve("traces"));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(
                        () -> PartitionRun.run(NAMES, List.of(gone, broken).iterator(), scratch, "part=000001", false))
                .withMessage("hdfs://a/gone: java.lang.IllegalStateException");
    }

    /** As where a worker's machine lacks what is mounted on others. */
    @Test
    void aFileThatIsNotOnThisMachineIsTriedAgainToo() throws Exception {
        Path missing = folder.resolve("missing");
        Elsewhere here = new Elsewhere("t", 0, Set.of(), InputStream::nullInputStream, missing);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> PartitionRun.run(NAMES, List.of(here).iterator(), scratch, "part=000000", false))
                .withMessage(missing + ": cannot be read on this machine");

        Files.delete(scratch.resolve("traces"));
        RunTotals tally = PartitionRun.run(NAMES, List.of(here).iterator(), scratch, "part=000001", true)
                .tally();
        assertThat(tally.failures()).isEqualTo(1);
        assertThat(FleetTestRuns.rows(scratch, "SELECT reason FROM {failures}"))
                .containsExactly(List.of("no such file"));
    }

    @Test
    void whereTooManyDoNotEndNoneIsBegunWith() throws Exception {
        AdmissionGate company = new AdmissionGate();
        while (!company.isStuck()) {
            company.giveUp();
        }
        Iterator<Elsewhere> endless = Stream.generate(() -> new Elsewhere("hdfs://a/t", FleetTestRuns.tiny(1)))
                .iterator();

        PartitionRun.Result result = PartitionRun.run(NAMES, endless, scratch, "part=000000", true, company);

        assertThat(result).isEqualTo(new PartitionRun.Result(RunTotals.NOTHING, true));
    }

    /** All that it has said would not be in memory at once, however many traces there are in it. */
    @Test
    void whatALargeArchiveSaysIsWrittenInPieces() throws Exception {
        TraceTask task =
                FleetTestRuns.sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)"
                        + " SELECT a.i AS a, b.i AS b FROM n AS a, n AS b");

        RunTotals tally = run(task, new Elsewhere("hdfs://a/m.tar", tar(5)));

        assertThat(tally.traces()).isEqualTo(5);
        assertThat(FleetTestRuns.rows(
                        scratch,
                        "SELECT count(*), count(DISTINCT (trace, a, b)), count(DISTINCT filename) FROM {result}"))
                .containsExactly(List.of(5 * 62_500L, 5 * 62_500L, 3L));
        assertThat(FleetTestRuns.rows(scratch, "SELECT count(*) FROM {traces}")).containsExactly(List.of(5L));
    }

    @Test
    void nothingIsWrittenOfNothing() throws Exception {
        Iterator<Elsewhere> none = List.<Elsewhere>of().iterator();

        assertThat(PartitionRun.run(NAMES, none, scratch, "part=000000", true))
                .isEqualTo(new PartitionRun.Result(RunTotals.NOTHING, false));
        assertThat(scratch.resolve("part=000000")).doesNotExist();
    }
}
