package dev.unjank.fleet.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.GarbageCollectionNotificationInfo;
import dev.unjank.fleet.task.ResultTable;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class LocalRunTest {

    @TempDir
    private Path folder;

    @Test
    void eachTraceHasItsRowsAndABrokenOneItsReason() throws Exception {
        Path traces = FleetTestRuns.many(folder, 30);
        Files.writeString(traces.resolve("broken.pftrace"), "no trace");
        Path out = folder.resolve("out");

        RunTotals tally = FleetTestRuns.run(FleetTestRuns.NAMES, out, false, traces);

        assertThat(tally.traces()).isEqualTo(31);
        assertThat(tally.failures()).isEqualTo(1);
        assertThat(FleetTestRuns.rows(out, "SELECT trace, name FROM {result} ORDER BY length(name), name"))
                .hasSize(30)
                .startsWith(List.of(traces + "/t1.pftrace", "com.example.app1"));
        assertThat(FleetTestRuns.rows(out, "SELECT file, bytes FROM {failures} WHERE length(reason) > 0"))
                .containsExactly(List.of(traces + "/broken.pftrace", 8L));
        assertThat(FleetTestRuns.rows(
                        out, "SELECT count(*), count(DISTINCT trace), count(DISTINCT part) FROM {traces}"))
                .containsExactly(List.of(30L, 30L, 1L));
    }

    @Test
    void whatIsPlainlyNoTraceIsSkippedOnceAndWhatMayHaveBeenOneFails() throws Exception {
        Path traces = FleetTestRuns.many(folder, 2);
        Files.writeString(traces.resolve("Main.java"), "final class Main {}\n");
        Files.write(traces.resolve("tool"), new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0});
        Files.write(traces.resolve("cut"), Arrays.copyOf(FleetTestRuns.tiny(1), 3));
        Files.write(traces.resolve("garbage"), new byte[] {1, 2, 3, 4});
        Files.createFile(traces.resolve("empty"));
        Files.createFile(traces.resolve("empty.pftrace"));
        Files.writeString(traces.resolve("went-wrong.pftrace"), "404 not found");
        Path out = folder.resolve("out");

        RunTotals tally = FleetTestRuns.run(FleetTestRuns.NAMES, out, false, traces);

        assertThat(tally.skipped()).isEqualTo(2);
        assertThat(tally.traces()).isEqualTo(7);
        assertThat(FleetTestRuns.rows(out, "SELECT file, bytes FROM {skipped} ORDER BY bytes"))
                .containsExactly(List.of(traces + "/tool", 8L), List.of(traces + "/Main.java", 20L));
        assertThat(FleetTestRuns.rows(out, "SELECT file FROM {failures} ORDER BY file"))
                .extracting(row ->
                        traces.relativize(Path.of(row.getFirst().toString())).toString())
                .containsExactly("cut", "empty", "empty.pftrace", "garbage", "went-wrong.pftrace");
        assertThat(FleetTestRuns.run(FleetTestRuns.NAMES, out, true, traces)).isEqualTo(FleetTestRuns.done(7));
        assertThat(FleetTestRuns.run(FleetTestRuns.NAMES, folder.resolve("named"), false, traces.resolve("Main.java"))
                        .failures())
                .isEqualTo(1);
    }

    /** A pipe would be waited for, were it opened. */
    @Test
    void whatHasATracesNameAndIsNoFileIsAFailure() throws Exception {
        Path traces = FleetTestRuns.many(folder, 1);
        Files.createSymbolicLink(traces.resolve("gone.pftrace"), Path.of("nowhere"));
        Files.createSymbolicLink(traces.resolve("gone"), Path.of("nowhere"));
        Process mkfifo =
                new ProcessBuilder("mkfifo", traces + "/pipe.pftrace", traces + "/pipe.zip", traces + "/pipe").start();
        assumeTrue(mkfifo.waitFor() == 0, "there is no mkfifo here");
        Path out = folder.resolve("out");

        RunTotals tally = FleetTestRuns.run(FleetTestRuns.NAMES, out, false, traces);

        assertThat(tally)
                .extracting(RunTotals::traces, RunTotals::failures, RunTotals::skipped)
                .containsExactly(5L, 4L, 1L);
        String pipe = "is a pipe, a socket or a device, not a file";
        assertThat(FleetTestRuns.rows(out, "SELECT file, reason FROM {failures} ORDER BY file"))
                .containsExactly(
                        List.of(traces + "/gone", "is a broken link"),
                        List.of(traces + "/gone.pftrace", "is a broken link"),
                        List.of(traces + "/pipe.pftrace", pipe),
                        List.of(traces + "/pipe.zip", pipe));
        assertThat(FleetTestRuns.rows(out, "SELECT file FROM {skipped}")).containsExactly(List.of(traces + "/pipe"));
    }

    @Test
    void theDoctorsRowsAreThoseOfTheTaskAlone() throws Exception {
        Path trace = FleetTestRuns.example(folder, "traces/a.pftrace");
        Path out = folder.resolve("out");

        FleetTestRuns.run(FleetTestRuns.doctor(), out, false, trace.getParent());

        for (ResultTable table :
                FleetTestRuns.doctor().run(FleetTestRuns.file(trace)).tables()) {
            List<List<Object>> expected = new ArrayList<>();
            table.rows().forEach(row -> expected.add(Arrays.asList(row)));
            assertThat(FleetTestRuns.rows(out, "SELECT * EXCLUDE (part) FROM {" + table.name() + "}"))
                    .as(table.name())
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void aFolderMayBeNamedAnythingThatIsNoPattern() throws Exception {
        Path traces = FleetTestRuns.many(folder, 2);
        Path out = folder.resolve("it's {a,b} 100%");

        FleetTestRuns.run(FleetTestRuns.NAMES, out, false, traces);

        assertThat(FleetTestRuns.run(FleetTestRuns.NAMES, out, true, traces).before())
                .isEqualTo(2);
        assertThat(FleetTestRuns.rows(out, "SELECT count(*) FROM {result}")).containsExactly(List.of(2L));
    }

    @Test
    void theSameFileNamedTwiceCountsOnce() throws Exception {
        Path traces = FleetTestRuns.many(folder, 2);

        assertThat(FleetTestRuns.run(
                                FleetTestRuns.NAMES, folder.resolve("out"), false, traces, traces.resolve("t1.pftrace"))
                        .traces())
                .isEqualTo(2);
    }

    /** As where a machine with another code for letters has named them. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void ofFilesWhoseNamesCannotBeToldApartOneIsAskedAndThatIsSaid() throws Exception {
        Path traces = Files.createDirectory(folder.resolve("traces"));
        for (String code : new String[] {"%E4", "%F6", "%FC"}) {
            Files.write(Path.of(URI.create(traces.toUri() + code + ".pftrace")), FleetTestRuns.tiny(1));
        }
        Path again = Path.of(URI.create(traces.toUri() + "%E4.pftrace"));
        Path out = folder.resolve("out");
        String name = traces + "/\ufffd.pftrace";

        assertThat(FleetTestRuns.run(FleetTestRuns.NAMES, out, false, traces))
                .extracting(RunTotals::traces, RunTotals::failures)
                .containsExactly(2L, 1L);
        assertThat(FleetTestRuns.rows(out, "SELECT trace, bytes FROM {traces}"))
                .containsExactly(List.of(name, Files.size(again)));
        assertThat(FleetTestRuns.rows(out, "SELECT file, reason, bytes FROM {failures}"))
                .containsExactly(List.of(
                        name + " (again)",
                        "its name is not valid UTF-8 and looks like the name of another file; rename it",
                        Files.size(again)));
        assertThat(FleetTestRuns.run(FleetTestRuns.NAMES, out, true, traces, traces))
                .isEqualTo(FleetTestRuns.done(2));
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
            FleetTestRuns.run(FleetTestRuns.NAMES, folder.resolve("out"), false, FleetTestRuns.many(folder, 1));

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
}
