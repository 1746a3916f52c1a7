package dev.unjank.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.management.GarbageCollectionNotificationInfo;
import dev.unjank.trace.UnusableTraceException;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class LocalRunTest {

    private static final TraceTask NAMES = Traces.sql("SELECT name FROM process WHERE name GLOB 'com.example.*'");

    @TempDir
    private Path folder;

    private Tally run(TraceTask task, Path out, boolean resume, Path... inputs) throws IOException {
        try (FleetFolder fleet = FleetFolder.open(out, task, resume)) {
            return LocalRun.run(
                    task, new Inputs(Stream.of(inputs).map(Path::toString).toList(), null), 2, fleet, _ -> {});
        }
    }

    private static Tally done(int before) {
        return new Tally(0, 0, 0, 0, 0, before, 0);
    }

    private Path traces(int count) throws IOException {
        Path traces = Files.createDirectories(folder.resolve("traces"));
        for (int i = 1; i <= count; i++) {
            Files.write(traces.resolve("t" + i + ".pftrace"), Traces.tiny(i));
        }
        return traces;
    }

    @Test
    void eachTraceHasItsRowsAndABrokenOneItsReason() throws Exception {
        Path traces = traces(30);
        Files.writeString(traces.resolve("broken.pftrace"), "no trace");
        Path out = folder.resolve("out");

        Tally tally = run(NAMES, out, false, traces);

        assertThat(tally.traces()).isEqualTo(31);
        assertThat(tally.failures()).isEqualTo(1);
        assertThat(Traces.rows(out, "SELECT trace, name FROM {result} ORDER BY length(name), name"))
                .hasSize(30)
                .startsWith(List.of(traces + "/t1.pftrace", "com.example.app1"));
        assertThat(Traces.rows(out, "SELECT file, bytes FROM {failures} WHERE length(reason) > 0"))
                .containsExactly(List.of(traces + "/broken.pftrace", 8L));
        assertThat(Traces.rows(out, "SELECT count(*), count(DISTINCT trace), count(DISTINCT part) FROM {traces}"))
                .containsExactly(List.of(30L, 30L, 1L));
    }

    @Test
    void whatIsPlainlyNoTraceIsSkippedOnceAndWhatMayHaveBeenOneFails() throws Exception {
        Path traces = traces(2);
        Files.writeString(traces.resolve("Main.java"), "final class Main {}\n");
        Files.write(traces.resolve("tool"), new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0});
        Files.write(traces.resolve("cut"), Arrays.copyOf(Traces.tiny(1), 3));
        Files.write(traces.resolve("garbage"), new byte[] {1, 2, 3, 4});
        Files.createFile(traces.resolve("empty"));
        Files.createFile(traces.resolve("empty.pftrace"));
        Files.writeString(traces.resolve("went-wrong.pftrace"), "404 not found");
        Path out = folder.resolve("out");

        Tally tally = run(NAMES, out, false, traces);

        assertThat(tally.skipped()).isEqualTo(2);
        assertThat(tally.traces()).isEqualTo(7);
        assertThat(Traces.rows(out, "SELECT file, bytes FROM {skipped} ORDER BY bytes"))
                .containsExactly(List.of(traces + "/tool", 8L), List.of(traces + "/Main.java", 20L));
        assertThat(Traces.rows(out, "SELECT file FROM {failures} ORDER BY file"))
                .extracting(row ->
                        traces.relativize(Path.of(row.getFirst().toString())).toString())
                .containsExactly("cut", "empty", "empty.pftrace", "garbage", "went-wrong.pftrace");
        assertThat(run(NAMES, out, true, traces)).isEqualTo(done(7));
        assertThat(run(NAMES, folder.resolve("named"), false, traces.resolve("Main.java"))
                        .failures())
                .isEqualTo(1);
    }

    @Test
    void theDoctorsRowsAreThoseOfTheTaskAlone() throws Exception {
        Path trace = Traces.example(folder, "traces/a.pftrace");
        Path out = folder.resolve("out");

        run(Traces.doctor(), out, false, trace.getParent());

        for (Table table : Traces.doctor().run(Traces.file(trace)).tables()) {
            List<List<Object>> expected = new ArrayList<>();
            table.rows().forEach(row -> expected.add(Arrays.asList(row)));
            assertThat(Traces.rows(out, "SELECT * EXCLUDE (part) FROM {" + table.name() + "}"))
                    .as(table.name())
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void aFolderMayBeNamedAnythingThatIsNoPattern() throws Exception {
        Path traces = traces(2);
        Path out = folder.resolve("it's {a,b} 100%");

        run(NAMES, out, false, traces);

        assertThat(run(NAMES, out, true, traces).before()).isEqualTo(2);
        assertThat(Traces.rows(out, "SELECT count(*) FROM {result}")).containsExactly(List.of(2L));
    }

    @Test
    void theSameFileNamedTwiceCountsOnce() throws Exception {
        Path traces = traces(2);

        assertThat(run(NAMES, folder.resolve("out"), false, traces, traces.resolve("t1.pftrace"))
                        .traces())
                .isEqualTo(2);
    }

    @Test
    void tracesInArchivesAreTracesOfTheirOwn() throws Exception {
        Path zip = folder.resolve("many.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            for (int i = 1; i <= 5; i++) {
                out.putNextEntry(new ZipEntry("day/t" + i));
                out.write(Traces.tiny(i));
            }
        }
        Path broken = Files.writeString(folder.resolve("broken.zip"), "no zip");
        Path out = folder.resolve("out");

        Tally tally = run(NAMES, out, false, zip, broken);

        assertThat(tally.failures()).isEqualTo(1);
        assertThat(Traces.rows(out, "SELECT trace FROM {result} ORDER BY trace"))
                .hasSize(5)
                .startsWith(List.of(zip + "!/day/t1"));
        assertThat(out.resolve(".traces")).doesNotExist();
    }

    @Test
    void goingOnDoesOnlyWhatIsNewAndForgetsWhatWasHalfWritten() throws Exception {
        Path traces = traces(5);
        Files.writeString(traces.resolve("broken.pftrace"), "no trace");
        Path out = folder.resolve("out");
        run(NAMES, out, false, traces);
        Files.write(traces.resolve("t6.pftrace"), Traces.tiny(6));
        Files.createDirectories(out.resolve(".part-000001/x"));
        Files.writeString(out.resolve(".part-000001/result.parquet"), "PAR1, cut");

        Tally tally = run(NAMES, out, true, traces);

        assertThat(tally).extracting(Tally::traces, Tally::before).containsExactly(1L, 6L);
        assertThat(Traces.rows(out, "SELECT count(*), count(DISTINCT trace) FROM {result}"))
                .containsExactly(List.of(6L, 6L));
        assertThat(out.resolve("part=000001")).isDirectory();
        assertThat(out.resolve(".part-000001")).doesNotExist();
    }

    @Test
    void aFolderIsGuardedAgainstMistakes() throws Exception {
        Path traces = traces(1);
        Path out = folder.resolve("out");
        run(NAMES, out, false, traces);

        refused(out, NAMES, false, "holds a run already");
        refused(out, Traces.sql("SELECT 1"), true, "asked something else");
        LabelBook labels = new LabelBook(Map.of("a", new Labels("oriole", null, null, null)));
        TraceTask labelled = new TraceTask(NAMES.questions(), null, null, labels, NAMES.limits());
        refused(out, labelled, true, "asked something else");
        refused(traces.resolve("t1.pftrace"), NAMES, false, "is no folder");
        refused(folder.resolve("a[1]"), NAMES, false, "take for a pattern");
        refused(traces, NAMES, false, "neither empty nor a run's");
        try (FleetFolder _ = FleetFolder.open(out, NAMES, true)) {
            refused(out, NAMES, true, "another run is writing");
        }
    }

    @Test
    void aRunThatIsToStopKeepsWhatItHas() throws Exception {
        Path traces = traces(40);
        Path out = folder.resolve("out");
        LocalRun.Watcher watcher = new LocalRun.Watcher() {
            private long done;

            @Override
            public void done(Tally tally) {
                done = tally.traces();
            }

            @Override
            public boolean isStopWanted() {
                return done >= 3;
            }
        };
        Tally first;
        try (FleetFolder fleet = FleetFolder.open(out, NAMES, false)) {
            first = LocalRun.run(NAMES, new Inputs(List.of(traces.toString()), null), 2, fleet, watcher);
        }

        assertThat(first.traces()).isEqualTo(3);
        assertThat(run(NAMES, out, true, traces))
                .extracting(Tally::before, Tally::traces)
                .containsExactly(3L, 37L);
        assertThat(Traces.rows(out, "SELECT count(*), count(DISTINCT trace) FROM {result}"))
                .containsExactly(List.of(40L, 40L));
    }

    @Test
    void aRunThatFoundNothingLeavesTheFolderToTheNext() throws Exception {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Path out = folder.resolve("out");

        assertThat(run(NAMES, out, false, empty)).isEqualTo(Tally.NOTHING);
        assertThat(run(Traces.sql("SELECT 1 AS one"), out, false, traces(1)).traces())
                .isEqualTo(1);
    }

    @Test
    void anArchiveThatWouldUnpackToMoreThanIsAllowedIsNotUnpacked() throws Exception {
        Path zip = folder.resolve("bomb.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            out.putNextEntry(new ZipEntry("bomb"));
            out.write(new byte[3_000_000]);
            out.putNextEntry(new ZipEntry("t"));
            out.write(Traces.tiny(1));
        }
        Path out = folder.resolve("out");
        TraceTask task =
                new TraceTask(NAMES.questions(), null, null, LabelBook.EMPTY, Limits.DEFAULT.withBytes(1_000_000));

        assertThat(run(task, out, false, zip))
                .extracting(Tally::traces, Tally::failures)
                .containsExactly(2L, 1L);
        assertThat(Traces.rows(out, "SELECT file, reason, bytes FROM {failures}"))
                .containsExactly(List.of(zip + "!/bomb", "larger than 1,000,000 bytes", 3_000_000L));
    }

    @Test
    void anArchiveThatIsCutKeepsWhatCameBeforeAndIsNotRepeated() throws Exception {
        Path zip = folder.resolve("t.tgz");
        byte[] first = ArchiveTest.member("a", '0', Traces.tiny(1));
        byte[] tar = Arrays.copyOf(first, first.length + 700);
        System.arraycopy(ArchiveTest.member("b", '0', Traces.tiny(2)), 0, tar, first.length, 600);
        try (OutputStream file = new GZIPOutputStream(Files.newOutputStream(zip))) {
            file.write(tar, 0, first.length + 600);
        }
        Path out = folder.resolve("out");

        assertThat(run(NAMES, out, false, zip))
                .extracting(Tally::traces, Tally::failures)
                .containsExactly(2L, 1L);
        assertThat(run(NAMES, out, true, zip)).isEqualTo(done(2));
        assertThat(Traces.rows(out, "SELECT file, reason FROM {failures}"))
                .containsExactly(List.of(zip.toString(), "the archive ends within b"));
    }

    @Test
    void ofAZipOnlyTheDamagedTracesAreLost() throws Exception {
        Path zip = folder.resolve("t.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            for (int i = 1; i <= 3; i++) {
                out.putNextEntry(new ZipEntry("t" + i));
                out.write(Traces.tiny(i));
            }
        }
        byte[] bytes = Files.readAllBytes(zip);
        bytes[30 + "t1".length()] = -1; // where the content begins: there is no such way to compress it
        Files.write(zip, bytes);
        Path out = folder.resolve("out");

        assertThat(run(NAMES, out, false, zip))
                .extracting(Tally::traces, Tally::failures)
                .containsExactly(3L, 1L);
        assertThat(Traces.rows(out, "SELECT file, reason FROM {failures}"))
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
            out.write(Traces.tiny(1));
        }
        Path out = folder.resolve("out");

        assertThat(run(NAMES, out, false, zip))
                .extracting(Tally::traces, Tally::failures)
                .containsExactly(2L, 1L);
        assertThat(Traces.rows(out, "SELECT file, reason FROM {failures}"))
                .containsExactly(List.of(
                        zip + "!/day.tgz", "is an archive within another, which is not looked into: unpack " + zip));
    }

    /** That takes more than a millisecond on any machine. */
    @Test
    void anArchiveThatCannotBeUnpackedInTimeIsOneFailure() throws Exception {
        byte[] noise = new byte[20_000_000];
        new Random(1).nextBytes(noise);
        Path slow = folder.resolve("a.tgz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(slow))) {
            out.write(ArchiveTest.member(".passed-over", '0', noise));
            out.write(ArchiveTest.member("t", '0', Traces.tiny(1)));
        }
        Path zip = folder.resolve("b.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            out.putNextEntry(new ZipEntry("slow"));
            out.write(new byte[100_000_000]);
        }
        Path out = folder.resolve("out");
        TraceTask task = new TraceTask(
                NAMES.questions(), null, null, LabelBook.EMPTY, Limits.DEFAULT.withTime(Duration.ofMillis(1)));

        assertThat(run(task, out, false, slow, zip))
                .extracting(Tally::traces, Tally::failures)
                .containsExactly(2L, 2L);
        assertThat(Traces.rows(out, "SELECT file, reason FROM {failures} ORDER BY file"))
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

        assertThat(run(NAMES, out, false, hostile, traces(1)))
                .extracting(Tally::traces, Tally::failures)
                .containsExactly(2L, 1L);
    }

    /** Otherwise what has been written would stay in memory, and grow with the number of traces. */
    @Test
    void whatHasBeenWrittenIsCollected() throws Exception {
        BlockingQueue<String> causes = new LinkedBlockingQueue<>();
        NotificationListener listener = (notification, _) ->
                causes.add(GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())
                        .getGcCause());
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector).addNotificationListener(listener, null, null);
        }
        try {
            run(NAMES, folder.resolve("out"), false, traces(1));

            String cause = causes.poll(30, TimeUnit.SECONDS);
            while (cause != null && !cause.equals("System.gc()")) {
                cause = causes.poll(30, TimeUnit.SECONDS);
            }
            assertThat(cause).as("collected on purpose").isNotNull();
        } finally {
            for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
                ((NotificationEmitter) collector).removeNotificationListener(listener);
            }
        }
    }

    private static void refused(Path out, TraceTask task, boolean resume, String why) {
        assertThatExceptionOfType(UnusableTraceException.class)
                .isThrownBy(() -> FleetFolder.open(out, task, resume).close())
                .withMessageContaining(why);
    }

    @Test
    void aKilledRunGoesOnWithoutRepeatingAnything() throws Exception {
        Path traces = traces(120);
        Path out = folder.resolve("out");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SlowRun.class.getName(),
                        traces.toString(),
                        out.toString())
                .inheritIO()
                .start();
        try {
            while (!Files.exists(out.resolve("part=000001")) && process.isAlive()) {
                Thread.sleep(5);
            }
            assertThat(process.isAlive())
                    .as("still running after its second part")
                    .isTrue();
        } finally {
            process.destroyForcibly();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
        long before = (long)
                Traces.rows(out, "SELECT count(*) FROM {traces}").getFirst().getFirst();

        Tally tally = run(NAMES, out, true, traces);

        assertThat(tally.before()).isEqualTo(before).isBetween(1L, 119L);
        assertThat(tally.traces()).isEqualTo(120 - before);
        assertThat(Traces.rows(out, "SELECT count(*), count(DISTINCT trace) FROM {result}"))
                .containsExactly(List.of(120L, 120L));
    }

    /** A run that writes a part for every few traces, in a process of its own. */
    static final class SlowRun {
        private SlowRun() {}

        public static void main(String[] args) throws IOException {
            try (FleetFolder fleet = FleetFolder.open(Path.of(args[1]), NAMES, false);
                    PartWriter writer = new PartWriter(fleet.path())) {
                List<Outcome> batch = new ArrayList<>();
                new Inputs(List.of(args[0]), null).forEach((file, _) -> {
                    batch.add(NAMES.run(Traces.file(file)));
                    if (batch.size() == 10) {
                        fleet.add(batch, writer);
                        batch.clear();
                    }
                });
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }
}
