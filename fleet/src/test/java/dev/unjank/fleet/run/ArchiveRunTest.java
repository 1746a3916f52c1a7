package dev.unjank.fleet.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fleet.input.TraceArchiveFormatsTest;
import dev.unjank.fleet.label.LabelFile;
import dev.unjank.fleet.task.TraceLimits;
import dev.unjank.fleet.task.TraceTask;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives among the traces of a run. */
class ArchiveRunTest {

    @TempDir
    private Path folder;

    @Test
    void tracesInArchivesAreTracesOfTheirOwn() throws Exception {
        Path zip = FleetTestRuns.zip(folder.resolve("many.zip"), 5);
        Path broken = Files.writeString(folder.resolve("broken.zip"), "no zip");
        Path out = folder.resolve("out");

        RunTotals tally = FleetTestRuns.run(FleetTestRuns.NAMES, out, false, zip, broken);

        assertThat(tally.failures()).isEqualTo(1);
        assertThat(FleetTestRuns.rows(out, "SELECT trace FROM {result} ORDER BY trace"))
                .hasSize(5)
                .startsWith(List.of(zip + "!/day/t1"));
        assertThat(out.resolve(".traces")).doesNotExist();
    }

    @Test
    void anArchiveThatWouldUnpackToMoreThanIsAllowedIsNotUnpacked() throws Exception {
        Path zip = folder.resolve("bomb.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            out.putNextEntry(new ZipEntry("bomb"));
            out.write(new byte[3_000_000]);
            out.putNextEntry(new ZipEntry("t"));
            out.write(FleetTestRuns.tiny(1));
        }
        Path out = folder.resolve("out");
        TraceTask task = new TraceTask(
                FleetTestRuns.NAMES.questions(), null, null, LabelFile.EMPTY, TraceLimits.DEFAULT.withBytes(1_000_000));

        assertThat(FleetTestRuns.run(task, out, false, zip))
                .extracting(RunTotals::traces, RunTotals::failures)
                .containsExactly(2L, 1L);
        assertThat(FleetTestRuns.rows(out, "SELECT file, reason, bytes FROM {failures}"))
                .containsExactly(List.of(zip + "!/bomb", "larger than 1,000,000 bytes", 3_000_000L));
    }

    @Test
    void anArchiveThatIsCutKeepsWhatCameBeforeAndIsNotRepeated() throws Exception {
        Path zip = folder.resolve("t.tgz");
        byte[] first = TraceArchiveFormatsTest.member("a", '0', FleetTestRuns.tiny(1));
        byte[] tar = Arrays.copyOf(first, first.length + 700);
        System.arraycopy(TraceArchiveFormatsTest.member("b", '0', FleetTestRuns.tiny(2)), 0, tar, first.length, 600);
        try (OutputStream file = new GZIPOutputStream(Files.newOutputStream(zip))) {
            file.write(tar, 0, first.length + 600);
        }
        Path out = folder.resolve("out");

        assertThat(FleetTestRuns.run(FleetTestRuns.NAMES, out, false, zip))
                .extracting(RunTotals::traces, RunTotals::failures)
                .containsExactly(2L, 1L);
        assertThat(FleetTestRuns.run(FleetTestRuns.NAMES, out, true, zip)).isEqualTo(FleetTestRuns.done(2));
        assertThat(FleetTestRuns.rows(out, "SELECT file, reason FROM {failures}"))
                .containsExactly(List.of(zip.toString(), "the archive ends within b"));
    }

    @Test
    void ofAZipOnlyTheDamagedTracesAreLost() throws Exception {
        Path zip = folder.resolve("t.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            for (int i = 1; i <= 3; i++) {
                out.putNextEntry(new ZipEntry("t" + i));
                out.write(FleetTestRuns.tiny(i));
            }
        }
        byte[] bytes = Files.readAllBytes(zip);
        bytes[30 + "t1".length()] = -1; // where the content begins: there is no such way to compress it
        Files.write(zip, bytes);
        Path out = folder.resolve("out");

        assertThat(FleetTestRuns.run(FleetTestRuns.NAMES, out, false, zip))
                .extracting(RunTotals::traces, RunTotals::failures)
                .containsExactly(3L, 1L);
        assertThat(FleetTestRuns.rows(out, "SELECT file, reason FROM {failures}"))
                .singleElement()
                .satisfies(row -> assertThat(row.getFirst()).isEqualTo(zip + "!/t1"));
    }

    @Test
    void anArchiveWithinAnotherSaysWhatToDo() throws Exception {
        Path zip = folder.resolve("t.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            out.putNextEntry(new ZipEntry("day.tgz"));
            out.write(1);
            out.putNextEntry(new ZipEntry("t"));
            out.write(FleetTestRuns.tiny(1));
        }
        Path out = folder.resolve("out");

        assertThat(FleetTestRuns.run(FleetTestRuns.NAMES, out, false, zip))
                .extracting(RunTotals::traces, RunTotals::failures)
                .containsExactly(2L, 1L);
        assertThat(FleetTestRuns.rows(out, "SELECT file, reason FROM {failures}"))
                .containsExactly(List.of(zip + "!/day.tgz", "nested archives are not supported; unpack " + zip));
    }

    /** That takes more than a millisecond on any machine. */
    @Test
    void anArchiveThatCannotBeUnpackedInTimeIsOneFailure() throws Exception {
        byte[] noise = new byte[20_000_000];
        new Random(1).nextBytes(noise);
        Path slow = folder.resolve("a.tgz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(slow))) {
            out.write(TraceArchiveFormatsTest.member(".passed-over", '0', noise));
            out.write(TraceArchiveFormatsTest.member("t", '0', FleetTestRuns.tiny(1)));
        }
        Path zip = folder.resolve("b.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            out.putNextEntry(new ZipEntry("slow"));
            out.write(new byte[100_000_000]);
        }
        Path out = folder.resolve("out");
        TraceTask task = new TraceTask(
                FleetTestRuns.NAMES.questions(),
                null,
                null,
                LabelFile.EMPTY,
                TraceLimits.DEFAULT.withTime(Duration.ofMillis(1)));

        assertThat(FleetTestRuns.run(task, out, false, slow, zip))
                .extracting(RunTotals::traces, RunTotals::failures)
                .containsExactly(2L, 2L);
        assertThat(FleetTestRuns.rows(out, "SELECT file, reason FROM {failures} ORDER BY file"))
                .containsExactly(
                        List.of(slow.toString(), "took longer than 1 ms to read"),
                        List.of(zip + "!/slow", "took longer than 1 ms to read"));
    }

    /** The JDK's reader calls itself for each of them. */
    @Test
    void anArchiveOfCountlessEmptyPiecesIsAFailureAndNotTheEndOfTheRun() throws Exception {
        ByteArrayOutputStream empty = new ByteArrayOutputStream();
        new GZIPOutputStream(empty).close();
        Path hostile = folder.resolve("hostile.tgz");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(hostile))) {
            for (int i = 0; i < 300_000; i++) {
                out.write(empty.toByteArray());
            }
        }
        Path out = folder.resolve("out");

        assertThat(FleetTestRuns.run(FleetTestRuns.NAMES, out, false, hostile, FleetTestRuns.many(folder, 1)))
                .extracting(RunTotals::traces, RunTotals::failures)
                .containsExactly(2L, 1L);
    }

    /** As its last bytes show. Two gigabytes are more than these tests may use, so the file is nearly all hole. */
    @Test
    void aZipWhoseDirectoryIsLargerThanMemoryIsAFailureAndNotTheEndOfTheRun() throws Exception {
        int directory = Integer.MAX_VALUE - 100;
        Path zip = folder.resolve("hostile.zip");
        try (RandomAccessFile file = new RandomAccessFile(zip.toFile(), "rw")) {
            file.seek(directory);
            file.write(ByteBuffer.allocate(22)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(0x06054b50)
                    .putInt(12, directory)
                    .array());
        }
        Path out = folder.resolve("out");

        assertThat(FleetTestRuns.run(FleetTestRuns.NAMES, out, false, zip, FleetTestRuns.many(folder, 1)))
                .extracting(RunTotals::traces, RunTotals::failures)
                .containsExactly(2L, 1L);
        assertThat(FleetTestRuns.rows(out, "SELECT file, reason FROM {failures}"))
                .containsExactly(List.of(zip.toString(), "out of memory: its directory is too large"));
    }

    @Test
    void whatCannotBeReadOfATarHasARow() throws Exception {
        Path tar = folder.resolve("t.tar");
        try (OutputStream out = Files.newOutputStream(tar)) {
            out.write(TraceArchiveFormatsTest.member("link", '1', new byte[0]));
            out.write(TraceArchiveFormatsTest.member("holes", 'S', FleetTestRuns.tiny(1)));
            out.write(TraceArchiveFormatsTest.member("t", '0', FleetTestRuns.tiny(1)));
        }
        Path out = folder.resolve("out");

        assertThat(FleetTestRuns.run(FleetTestRuns.NAMES, out, false, tar))
                .extracting(RunTotals::traces, RunTotals::failures)
                .containsExactly(3L, 2L);
        assertThat(FleetTestRuns.rows(out, "SELECT file FROM {failures} ORDER BY file"))
                .containsExactly(List.of(tar + "!/holes"), List.of(tar + "!/link"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"t.tar", "t.zip"})
    void filesOfOneNameAreAskedOnceAndThatIsSaid(String name) throws Exception {
        Path archive = folder.resolve(name);
        if (name.endsWith("r")) {
            Files.write(archive, TraceArchiveFormatsTest.member("t", '0', FleetTestRuns.tiny(1)));
            Files.write(
                    archive,
                    TraceArchiveFormatsTest.member("t", '0', FleetTestRuns.tiny(2)),
                    StandardOpenOption.APPEND);
            Files.write(
                    archive,
                    TraceArchiveFormatsTest.member("t", '0', FleetTestRuns.tiny(3)),
                    StandardOpenOption.APPEND);
        } else {
            try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(archive))) {
                for (String entry : new String[] {"t", "u", "v"}) {
                    out.putNextEntry(new ZipEntry(entry));
                    out.write(FleetTestRuns.tiny(1));
                }
            }
            String bytes = Files.readString(archive, StandardCharsets.ISO_8859_1);
            Files.writeString(
                    archive,
                    bytes.replaceAll("(?s)(PK\\x01\\x02.{42})[uv]", "$1t"), // in its directory
                    StandardCharsets.ISO_8859_1);
        }
        Path out = folder.resolve("out");

        assertThat(FleetTestRuns.run(FleetTestRuns.NAMES, out, false, archive, archive))
                .extracting(RunTotals::traces, RunTotals::failures)
                .containsExactly(2L, 1L);
        assertThat(FleetTestRuns.rows(out, "SELECT trace, name FROM {result}"))
                .containsExactly(List.of(archive + "!/t", "com.example.app1"));
        assertThat(FleetTestRuns.rows(out, "SELECT file, reason FROM {failures}"))
                .containsExactly(List.of(
                        archive + "!/t (again)",
                        "the archive has several files of this name; only the first is processed"));
        assertThat(FleetTestRuns.run(FleetTestRuns.NAMES, out, true, archive)).isEqualTo(FleetTestRuns.done(2));
    }

    @Test
    void aFileThatIsCalledAsWeWouldCallAnotherHasARowToo() throws Exception {
        Path before = folder.resolve("before.tar");
        Path after = folder.resolve("after.tar");
        for (String name : new String[] {"t (again)", "t", "t", "t"}) {
            append(before, name);
        }
        for (String name : new String[] {"t", "t", "t (again)"}) {
            append(after, name);
        }
        Path out = folder.resolve("out");

        FleetTestRuns.run(FleetTestRuns.NAMES, out, false, before, after);

        assertThat(FleetTestRuns.rows(out, "SELECT trace FROM {traces} ORDER BY trace"))
                .containsExactly(List.of(after + "!/t"), List.of(before + "!/t"), List.of(before + "!/t (again)"));
        assertThat(FleetTestRuns.rows(out, "SELECT file FROM {failures} ORDER BY file"))
                .containsExactly(
                        List.of(after + "!/t (again)"),
                        List.of(after + "!/t (again) (again)"),
                        List.of(before + "!/t (again) (again)"));
        assertThat(FleetTestRuns.run(FleetTestRuns.NAMES, out, true, before, after))
                .isEqualTo(FleetTestRuns.done(6));
    }

    private static void append(Path tar, String name) throws IOException {
        Files.write(
                tar,
                TraceArchiveFormatsTest.member(name, '0', FleetTestRuns.tiny(1)),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    @Test
    void aRunThatIsToStopLeavesNothingUnpacked() throws Exception {
        Path zip = FleetTestRuns.zip(folder.resolve("many.zip"), 200);
        Path out = folder.resolve("out");
        LocalRun.Watcher impatient = new LocalRun.Watcher() {
            private boolean isBegun;

            @Override
            public void done(RunTotals tally) {
                isBegun = tally.traces() > 0;
            }

            @Override
            public boolean isStopWanted() {
                return isBegun;
            }
        };

        assertThat(FleetTestRuns.run(FleetTestRuns.NAMES, out, false, impatient, zip)
                        .traces())
                .isLessThan(200);

        assertThat(out.resolve(".traces")).doesNotExist();
        assertThat(FleetTestRuns.run(FleetTestRuns.NAMES, out, true, zip))
                .extracting(tally -> tally.before() + tally.traces())
                .isEqualTo(200L);
    }
}
