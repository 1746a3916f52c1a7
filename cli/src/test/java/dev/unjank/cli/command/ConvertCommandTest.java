package dev.unjank.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.cli.CommandRun;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ConvertCommandTest {
    private static final String SYSTRACE = """
            # tracer: nop
                     app-100   (  100) [000] ...1   100.000000: tracing_mark_write: B|100|work
                     app-100   (  100) [000] ...1   100.005000: tracing_mark_write: E|100
            """;

    @TempDir
    private Path folder;

    @Test
    void aSystraceBecomesAPerfettoTrace() throws IOException {
        Path in = Files.writeString(folder.resolve("in.txt"), SYSTRACE);
        Path out = folder.resolve("out.pftrace");

        CommandRun run = CommandRun.of("convert", in.toString(), "-o", out.toString());

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("Wrote " + out).contains("1 slices");
        Trace trace = TraceReader.read(out);
        assertThat(trace.slices().size()).isEqualTo(1);
        assertThat(trace.slices().name(0)).isEqualTo("work");
        assertThat(trace.slices().dur(0)).isEqualTo(5_000_000);
    }

    @Test
    void anInputIsNotOverwritten() throws IOException {
        Path in = Files.writeString(folder.resolve("in.txt"), SYSTRACE);

        CommandRun run = CommandRun.of("convert", in.toString(), "-o", in.toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("is also an input");
        assertThat(Files.readString(in)).isEqualTo(SYSTRACE);
    }

    @Test
    void whatIsNoTraceIsReportedAndNothingWritten() throws IOException {
        Path in = Files.writeString(folder.resolve("in.txt"), "nothing of the kind");
        Path out = folder.resolve("out.pftrace");

        CommandRun run = CommandRun.of("convert", in.toString(), "-o", out.toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains(in.toString()).hasLineCount(1);
        assertThat(out).doesNotExist();
    }

    /** A recording of this program's own Flight Recorder, in which a thread slept. */
    private Path recording() throws IOException {
        Path file = folder.resolve("in.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ThreadSleep").withoutThreshold();
            recording.start();
            sleep();
            recording.stop();
            recording.dump(file);
        }
        return file;
    }

    private static void sleep() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Path packed(Path file) throws IOException {
        Path packed = folder.resolve("in.jfr.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            Files.copy(file, out);
        }
        return packed;
    }

    private static List<String> slices(Path file) throws IOException {
        Trace trace = TraceReader.read(file);
        return IntStream.range(0, trace.slices().size())
                .mapToObj(row -> trace.slices().name(row))
                .toList();
    }

    @Test
    void aRecordingOfFlightRecordersBecomesOneToo() throws IOException {
        Path in = recording();
        for (Path each : List.of(in, packed(in))) {
            Path out = folder.resolve("out.pftrace");

            CommandRun run = CommandRun.of("convert", each.toString(), "-o", out.toString());

            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.out()).contains("Wrote " + out);
            assertThat(slices(out)).as(each.toString()).contains("sleeping");
        }
    }

    /**
     * Perfetto's own table of waits parses their names and has each of them. The class of the monitor, which Android
     * does not record, is in an arg.
     */
    @Test
    void aWaitForAMonitorIsNamedToTheLetterAsAndroidNamesIt() throws Exception {
        Path in = folder.resolve("waits.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.JavaMonitorEnter").withoutThreshold().withStackTrace();
            recording.start();
            waitFor(new Account());
            recording.stop();
            recording.dump(in);
        }
        Path out = folder.resolve("out.pftrace");
        assertThat(CommandRun.of("convert", in.toString(), "-o", out.toString()).code())
                .isZero();

        String contention = "monitor contention with owner *(*) at void null()(null:-1) waiters=0 blocking from void"
                + " dev.unjank.cli.command.ConvertCommandTest*";
        CommandRun table = CommandRun.of(
                "query",
                out.toString(),
                "INCLUDE PERFETTO MODULE android.monitor_contention;"
                        + " SELECT (SELECT count(*) FROM slice WHERE name GLOB 'monitor contention*') - count(*) AS missing,"
                        + " sum(blocked_thread_name = 'convert waiter' AND blocked_method GLOB '*ConvertCommandTest*') AS waits"
                        + " FROM android_monitor_contention;"
                        + " SELECT args.string_value AS class, count(*) AS waits FROM slice JOIN args USING (arg_set_id)"
                        + " WHERE slice.name GLOB '" + contention
                        + "' AND args.key = 'debug.lock class' GROUP BY class",
                "--format",
                "csv");

        assertThat(table.out())
                .as(table.err())
                .contains("\n0,1\n")
                .contains("\n\"" + Account.class.getName() + "\",1\n");
    }

    private static final class Account {}

    /** Holds a monitor until another thread waits for it; that thread may wait for a monitor of the JDK before. */
    private static void waitFor(Account account) throws InterruptedException {
        Thread waiter = new Thread(() -> enter(account), "convert waiter");
        synchronized (account) {
            waiter.start();
            while (waiter.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
        }
        waiter.join();
    }

    private static void enter(Account account) {
        synchronized (account) {
            Thread.onSpinWait();
        }
    }

    @Test
    void whatIsDamagedIsConvertedAsFarAsItGoesWithAWarning() throws IOException {
        byte[] chunk = Files.readAllBytes(recording());
        Path in = folder.resolve("cut.jfr");
        try (OutputStream cut = Files.newOutputStream(in)) {
            cut.write(chunk);
            cut.write(chunk, 0, chunk.length / 2); // a second chunk, of which the end is missing
        }
        Path out = folder.resolve("out.pftrace");

        CommandRun run = CommandRun.of("convert", in.toString(), "-o", out.toString());

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).startsWith("warning: ");
        assertThat(slices(out)).contains("sleeping", "converted: begin");
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "needs a file system of a few kilobytes")
    void aFullDiskIsReportedAndLeavesNoHalf() throws Exception {
        StringBuilder text = new StringBuilder(SYSTRACE);
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            text.append("   app-100 (  100) [000] ...1   101.%06d: tracing_mark_write: B|100|work %x%n"
                    .formatted(2 * i, random.nextLong()));
            text.append("   app-100 (  100) [000] ...1   101.%06d: tracing_mark_write: E|100%n".formatted(2 * i + 1));
        }
        Path in = Files.writeString(folder.resolve("in.txt"), text);
        Path disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk.toString()) == 0,
                "a small disk cannot be made here");
        try {
            Path out = disk.resolve("out.pftrace");

            CommandRun run = CommandRun.of("convert", in.toString(), "-o", out.toString());

            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err())
                    .startsWith("unjank convert: cannot write " + out)
                    .hasLineCount(1);
            assertThat(out).doesNotExist();
        } finally {
            assertThat(run("umount", disk.toString())).isZero();
        }
    }

    private static int run(String... command) throws Exception {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
