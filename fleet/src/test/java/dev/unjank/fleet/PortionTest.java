package dev.unjank.fleet;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class PortionTest {

    private static final TraceTask NAMES = Traces.sql("SELECT name FROM process WHERE name GLOB 'com.example.*'");

    @TempDir
    private Path folder;

    private Path scratch;

    @BeforeEach
    void scratch() throws IOException {
        scratch = Files.createDirectory(folder.resolve("scratch")).toRealPath();
    }

    /** A file on another machine. */
    private record Elsewhere(String name, long bytes, Set<String> done, Extraction.Origin origin)
            implements Portion.Source {
        Elsewhere(String name, byte[] content) {
            this(name, content.length, Set.of(), () -> new ByteArrayInputStream(content));
        }

        @Override
        public boolean isFound() {
            return true;
        }

        @Override
        public @Nullable Path here() {
            return null;
        }

        @Override
        public InputStream open() throws IOException {
            return origin.open();
        }
    }

    private Tally run(TraceTask task, Elsewhere... sources) throws IOException {
        return Portion.run(task, List.of(sources).iterator(), scratch, "part=000000");
    }

    private static byte[] tar(int traces) throws IOException {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        for (int i = 1; i <= traces; i++) {
            tar.write(ArchiveTest.member("t" + i, '0', Traces.tiny(i)));
        }
        return tar.toByteArray();
    }

    @Test
    void filesAreFetchedAndNothingOfThemStays() throws Exception {
        Tally tally = run(
                NAMES,
                new Elsewhere("hdfs://a/t.pftrace", Traces.tiny(7)),
                new Elsewhere(
                        "hdfs://a/m.tar", 9, Set.of("hdfs://a/m.tar!/t1"), () -> new ByteArrayInputStream(tar(2))),
                new Elsewhere("hdfs://a/gone.pftrace", 9, Set.of(), () -> {
                    throw new IOException("no such block");
                }),
                new Elsewhere("hdfs://a/large.pftrace", 1L << 40, Set.of(), () -> {
                    throw new IllegalStateException("must not be fetched");
                }));

        assertThat(tally).extracting(Tally::traces, Tally::failures).containsExactly(4L, 2L);
        assertThat(Traces.rows(scratch, "SELECT trace, name FROM {result} ORDER BY ALL"))
                .containsExactly(
                        List.of("hdfs://a/m.tar!/t2", "com.example.app2"),
                        List.of("hdfs://a/t.pftrace", "com.example.app7"));
        assertThat(Traces.rows(scratch, "SELECT file, reason FROM {failures} ORDER BY ALL"))
                .containsExactly(
                        List.of("hdfs://a/gone.pftrace", "no such block"),
                        List.of("hdfs://a/large.pftrace", "larger than 1,073,741,824 bytes"));
        try (Stream<Path> left = Files.list(scratch.resolve("traces"))) {
            assertThat(left).isEmpty();
        }
    }

    /** All that it has said would not be in memory at once, however many traces there are in it. */
    @Test
    void whatALargeArchiveSaysIsWrittenInPieces() throws Exception {
        TraceTask task = Traces.sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)"
                + " SELECT a.i AS a, b.i AS b FROM n AS a, n AS b");

        Tally tally = run(task, new Elsewhere("hdfs://a/m.tar", tar(5)));

        assertThat(tally.traces()).isEqualTo(5);
        assertThat(Traces.rows(
                        scratch,
                        "SELECT count(*), count(DISTINCT (trace, a, b)), count(DISTINCT filename) FROM {result}"))
                .containsExactly(List.of(5 * 62_500L, 5 * 62_500L, 3L));
        assertThat(Traces.rows(scratch, "SELECT count(*) FROM {traces}")).containsExactly(List.of(5L));
    }

    @Test
    void nothingIsWrittenOfNothing() throws Exception {
        Iterator<Elsewhere> none = List.<Elsewhere>of().iterator();

        assertThat(Portion.run(NAMES, none, scratch, "part=000000")).isEqualTo(Tally.NOTHING);
        assertThat(scratch.resolve("part=000000")).doesNotExist();
    }
}
