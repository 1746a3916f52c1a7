package dev.unjank.workbench.bench.fleet;

import dev.unjank.trace.tempfile.ProcessTempFiles;
import dev.unjank.workbench.bench.doctor.TimedProcess;
import dev.unjank.workbench.lab.run.ProgressListener;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Measures throughput and memory of {@code unjank fleet}. Each runner processes a quarter of a set of small traces and
 * then the whole set, each in a new process. The difference is the time for the traces without startup cost. The
 * baseline is the bare task on the same number of threads, without writing Parquet files. Then the report is generated,
 * and a set of full-size traces is queried with the published contention query. The files are in the page cache.
 */
public final class FleetBenchmark {
    private static final int WHOLE_TRACES = 480;
    private static final double SMALL_SHARE = 0.04;

    /** Typical sizes of real traces: full-size and cut. */
    private static final long WHOLE_BYTES = 3_000_000;

    private static final long SMALL_BYTES = 186_000;

    /** The query for full-size traces if the published one is not available: methods that main threads waited for. */
    private static final String CONTENTION = """
            INCLUDE PERFETTO MODULE android.monitor_contention;
            SELECT process_name, short_blocking_method, count(*) AS waits, sum(dur) / 1e6 AS ms
            FROM android_monitor_contention
            WHERE is_blocked_thread_main
            GROUP BY process_name, short_blocking_method;
            """;

    private static final double MB = 1e6;
    private static final double GB = 1e9;

    /** The timeout of each step; exceeded only if the step hangs. */
    private static final Duration MOST = Duration.ofMinutes(30);

    private final Setup setup;
    private final Path folder;
    private final PrintStream out;
    private final ProgressListener progress;
    private final int cores = Runtime.getRuntime().availableProcessors();

    /**
     * The benchmark's settings.
     *
     * @param command the command line of unjank, without arguments
     * @param query a file with the statements for full-size traces; null for the built-in query
     * @param traces the source traces; empty to repeat this project's example
     * @param keep an empty folder in which the traces, result rows and report are kept; null to delete them
     */
    public record Setup(
            List<String> command,
            @Nullable Path query,
            List<Path> traces,
            int count,
            boolean spark,
            @Nullable Path keep) {}

    /** A command under test. */
    private record Runner(String name, List<String> command, boolean writes) {}

    /** The result of one run on a subset. */
    record Asked(int traces, double seconds, double cpuSeconds, long peakBytes) {}

    private FleetBenchmark(Setup setup, Path folder, PrintStream out, ProgressListener progress) {
        this.setup = setup;
        this.folder = folder;
        this.out = out;
        this.progress = progress;
    }

    /**
     * Runs the benchmark and prints the results.
     *
     * @param progress gets a line for each long step, on the calling thread
     */
    public static void run(Setup setup, PrintStream out, ProgressListener progress) throws IOException {
        Path folder = setup.keep == null ? ProcessTempFiles.folder("bench") : within(setup.keep);
        Thread cleaner = new Thread(() -> ProcessTempFiles.delete(folder)); // in case the process is interrupted
        Runtime.getRuntime().addShutdownHook(cleaner);
        try {
            new FleetBenchmark(setup, folder, out, progress).run();
        } finally {
            ProcessTempFiles.delete(folder);
        }
    }

    private static Path within(Path keep) throws IOException {
        ProcessTempFiles.deleteLeftovers(keep, ".unjank-bench-", "");
        return Files.createDirectory(keep.resolve(ProcessTempFiles.name(".unjank-bench-", "")));
    }

    private void run() throws IOException {
        boolean isExample = setup.traces.isEmpty();
        TraceSet small = isExample ? TraceSet.ofExample(folder, SMALL_BYTES) : new TraceSet(setup.traces, SMALL_SHARE);
        TraceSet whole = isExample ? TraceSet.ofExample(folder, WHOLE_BYTES) : new TraceSet(setup.traces, 1);
        int count = setup.count;
        Path all = kept("traces");
        long need = small.bytes(count) + whole.bytes(WHOLE_TRACES);
        requireRoom(folder, need, Files.getFileStore(folder).getUsableSpace());
        long bytes;
        try (ProgressListener.Step _ = progress.begin("making " + count + " traces")) {
            bytes = small.write(all, count);
        }
        out.printf(Locale.ROOT, "machine  %d CPUs, Java %s%n", cores, System.getProperty("java.version"));
        out.printf(
                Locale.ROOT,
                "set      %,d traces of %.0f kB, generated from %s%n",
                count,
                bytes / 1e3 / count,
                isExample ? "this project's example, repeated" : setup.traces.size() + " real traces");
        out.printf(Locale.ROOT, "disk     %.1f GB in %s%n%n", need / GB, folder.getParent());
        out.println(FleetTable.HEAD);
        FleetTable table = new FleetTable(cores);
        small(all, table);
        whole(whole, table);
        out.println();
        table.lines().forEach(out::println);
        if (setup.keep != null) {
            out.println("\nThe traces are in " + all + ", the result rows and report.html in " + kept("rows") + ".");
        }
        out.flush();
    }

    /** Fails early if the disk has too little free space. */
    static void requireRoom(Path folder, long need, long room) throws IOException {
        if (room < need) {
            throw new IOException(String.format(
                    Locale.ROOT,
                    "%s: the traces need %.1f GB, but only %.1f GB are free; reduce --traces or choose another --out",
                    folder.getParent(),
                    need / GB,
                    room / GB));
        }
    }

    private Path kept(String name) {
        return (setup.keep == null ? folder : setup.keep).resolve(name);
    }

    /** Alternates between the runners, so that background load affects all of them equally. */
    private void small(Path all, FleetTable table) throws IOException {
        int count = setup.count;
        Path quarter = TraceSet.firstOf(all, count / 4, folder.resolve("quarter"));
        Path few = TraceSet.firstOf(all, count / 20, folder.resolve("twentieth"));
        Runner bare = new Runner("bare task", probe(), false);
        Runner pool = new Runner("pool", fleet(), true);
        Runner spark = spark();

        Asked bareQuarter = asked(bare, quarter, count / 4);
        Asked poolFew = asked(pool, few, count / 20);
        Asked poolQuarter = asked(pool, quarter, count / 4);
        Asked sparkQuarter = spark == null ? null : asked(spark, quarter, count / 4);
        Asked bareAll = asked(bare, all, count);
        Path rows = kept("rows");
        Asked poolAll = asked(pool, all, count, rows);
        Asked sparkAll = spark == null ? null : asked(spark, all, count);
        report(rows, count);

        table.overhead("pool / bare task, time ratio", 1.1, bareQuarter, bareAll, poolQuarter, poolAll);
        if (sparkQuarter != null && sparkAll != null) {
            table.overhead("Spark / bare task, time ratio", 1.5, bareQuarter, bareAll, sparkQuarter, sparkAll);
        } else {
            table.unmeasured("Spark / bare task, time ratio", "<= 1.5", "with --spark");
        }
        table.growth(poolFew, poolQuarter, poolAll);
        table.memory(poolQuarter, poolAll);
    }

    private void report(Path rows, int count) throws IOException {
        List<String> command = fleet();
        command.addAll(List.of("report", rows.toString()));
        try (ProgressListener.Step _ = progress.begin("the report")) {
            TimedProcess child = TimedProcess.run(command, MOST);
            out.println(FleetTable.line(
                    "report", new Asked(count, child.seconds(), child.cpuSeconds(), child.peakBytes()), cores));
        }
    }

    private void whole(TraceSet set, FleetTable table) throws IOException {
        Path all = folder.resolve("whole");
        long bytes;
        try (ProgressListener.Step _ = progress.begin("generating full-size traces")) {
            bytes = set.write(all, WHOLE_TRACES);
        }
        Path quarter = TraceSet.firstOf(all, WHOLE_TRACES / 4, folder.resolve("few"));
        Path query =
                setup.query == null ? Files.writeString(folder.resolve("contention.sql"), CONTENTION) : setup.query;
        List<String> command = fleet();
        command.addAll(List.of("-f", query.toString()));
        String name = String.format(Locale.ROOT, "pool, %.1f MB, query", bytes / MB / WHOLE_TRACES);
        Runner pool = new Runner(name, command, true);
        table.rate(
                asked(pool, quarter, WHOLE_TRACES / 4), asked(pool, all, WHOLE_TRACES), (double) bytes / WHOLE_TRACES);
    }

    private List<String> fleet() {
        List<String> command = new ArrayList<>(setup.command);
        command.add("fleet");
        return command;
    }

    private @Nullable Runner spark() {
        if (!setup.spark) {
            return null;
        }
        String master = "local[" + cores + "]";
        List<String> command = fleet();
        command.addAll(List.of("--master", master));
        return new Runner("Spark " + master, command, true);
    }

    /** The command line of the bare task, with the launcher's options for {@code unjank fleet}. */
    private static List<String> probe() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseParallelGC",
                "-XX:-UseAdaptiveSizePolicy",
                "-XX:TieredStopAtLevel=1",
                "-XX:Tier3BackEdgeThreshold=5000",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djfr.unsupported.vm=true",
                "-cp",
                System.getProperty("java.class.path"),
                BareTaskProbe.class.getName());
    }

    private Asked asked(Runner runner, Path traces, int count) throws IOException {
        Path rows = folder.resolve("asked");
        try {
            return asked(runner, traces, count, rows);
        } finally {
            ProcessTempFiles.delete(rows);
        }
    }

    private Asked asked(Runner runner, Path traces, int count, Path rows) throws IOException {
        List<String> command = new ArrayList<>(runner.command);
        command.add(traces.toString());
        if (runner.writes) {
            command.addAll(List.of("--out", rows.toString()));
        }
        try (ProgressListener.Step _ = progress.begin(runner.name + " on " + count + " traces")) {
            TimedProcess child = TimedProcess.run(command, MOST);
            Asked asked = new Asked(count, child.seconds(), child.cpuSeconds(), child.peakBytes());
            out.println(FleetTable.line(runner.name, asked, cores));
            out.flush();
            return asked;
        }
    }
}
