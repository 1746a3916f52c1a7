package dev.unjank.bench.fleet;

import dev.unjank.bench.doctor.Child;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How fast a fleet is asked, and in how much memory. A set of small traces is asked by each runner in a process of its own, once a
 * quarter of it and once all: what lies between the two is the time of the traces, without what starting costs. Beside them stands
 * the bare task, on as many threads, without files of rows. And a set of whole traces is asked with the query that is published for
 * contention. The files are in the page cache.
 */
public final class FleetBenchmark {
    private static final int WHOLE_TRACES = 120;
    private static final double SMALL_SHARE = 0.04;
    private static final double MB = 1e6;

    /** Nothing here takes longer unless it is stuck. */
    private static final Duration MOST = Duration.ofMinutes(30);

    private final Setup setup;
    private final PrintStream out;
    private final Progress progress;
    private final int cores = Runtime.getRuntime().availableProcessors();

    /**
     * What to measure with.
     *
     * @param command how the command is started, to be followed by its arguments
     * @param query a file with the statements for whole traces; null for no such part
     * @param traces what the set is made of
     * @param count how many traces the set has
     * @param spark whether Spark takes part, on as many threads
     */
    public record Setup(List<String> command, @Nullable Path query, List<Path> traces, int count, boolean spark) {}

    /** Told what takes long. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Something begins that takes seconds; nothing is printed until it is over.
         *
         * @param what in a few words
         * @return to be closed when it is over
         */
        AutoCloseableStep begin(String what);

        /** What has begun. */
        @FunctionalInterface
        interface AutoCloseableStep extends AutoCloseable {
            @Override
            void close();
        }
    }

    /** A part of a set, asked. */
    record Asked(int traces, double seconds, long peakBytes) {}

    private FleetBenchmark(Setup setup, PrintStream out, Progress progress) {
        this.setup = setup;
        this.out = out;
        this.progress = progress;
    }

    /**
     * Measures and prints.
     *
     * @param setup with what
     * @param out where the results go
     * @param progress told on the calling thread what takes long
     * @throws IOException if a file cannot be read or written, or a process cannot be started
     */
    public static void run(Setup setup, PrintStream out, Progress progress) throws IOException {
        Path folder = Files.createTempDirectory("unjank-bench");
        Thread cleaner = new Thread(() -> delete(folder)); // for a process that is interrupted
        Runtime.getRuntime().addShutdownHook(cleaner);
        try {
            new FleetBenchmark(setup, out, progress).run(folder);
        } finally {
            delete(folder);
        }
    }

    private void run(Path folder) throws IOException {
        TraceSet set = new TraceSet(setup.traces);
        int quarter = setup.count / 4;
        Path small = folder.resolve("small");
        Path part = folder.resolve("part");
        Path half = folder.resolve("half");
        long bytes;
        try (Progress.AutoCloseableStep _ = progress.begin("making traces")) {
            bytes = set.write(small, setup.count, SMALL_SHARE);
            set.write(part, quarter, SMALL_SHARE);
            set.write(half, quarter * 2, SMALL_SHARE);
        }
        out.printf(Locale.ROOT, "machine  %d CPUs, Java %s%n", cores, System.getProperty("java.version"));
        out.printf(
                Locale.ROOT,
                "set      %,d traces of %.0f kB, made of %d%n%n",
                setup.count,
                bytes / 1e3 / setup.count,
                setup.traces.size());
        out.println(FleetTable.HEAD);

        List<String> bare = probe();
        Asked bareQuarter = asked("bare task", bare, part, quarter, folder);
        Asked bareAll = asked("bare task", bare, small, setup.count, folder);
        Asked poolQuarter = asked("pool", command(), part, quarter, folder);
        Asked poolHalf = asked("pool", command(), half, quarter * 2, folder);
        delete(half);
        Asked poolAll = asked("pool", command(), small, setup.count, folder);
        Asked sparkQuarter = null;
        Asked sparkAll = null;
        if (setup.spark) {
            String master = "local[" + cores + "]";
            List<String> spark = new ArrayList<>(command());
            spark.addAll(List.of("--master", master));
            sparkQuarter = asked("Spark " + master, spark, part, quarter, folder);
            sparkAll = asked("Spark " + master, spark, small, setup.count, folder);
        }
        delete(small);
        delete(part);
        Asked whole = null;
        Asked wholeQuarter = null;
        if (setup.query != null) {
            Path wholes = folder.resolve("whole");
            Path fewWholes = folder.resolve("few");
            long size;
            try (Progress.AutoCloseableStep _ = progress.begin("making whole traces")) {
                size = set.write(wholes, WHOLE_TRACES, 1);
                set.write(fewWholes, WHOLE_TRACES / 4, 1);
            }
            List<String> query = new ArrayList<>(command());
            query.addAll(List.of("-f", setup.query.toString()));
            String name = String.format(Locale.ROOT, "pool, %.1f MB, query", size / MB / WHOLE_TRACES);
            wholeQuarter = asked(name, query, fewWholes, WHOLE_TRACES / 4, folder);
            whole = asked(name, query, wholes, WHOLE_TRACES, folder);
        }
        out.println();
        FleetTable table = new FleetTable(cores);
        table.overhead("pool, time by the bare task's", 1.1, bareQuarter, bareAll, poolQuarter, poolAll);
        if (sparkQuarter != null && sparkAll != null) {
            table.overhead("Spark, time by the bare task's", 1.5, bareQuarter, bareAll, sparkQuarter, sparkAll);
        }
        table.growth(poolQuarter, poolHalf, poolAll);
        table.memory(poolQuarter, poolAll);
        if (whole != null && wholeQuarter != null) {
            table.rate(wholeQuarter, whole);
        }
        table.lines().forEach(out::println);
        out.flush();
    }

    private List<String> command() {
        List<String> command = new ArrayList<>(setup.command);
        command.add("fleet");
        return command;
    }

    private static List<String> probe() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseParallelGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                BareProbe.class.getName());
    }

    private Asked asked(String name, List<String> start, Path traces, int count, Path folder) throws IOException {
        List<String> command = new ArrayList<>(start);
        command.add(traces.toString());
        Path rows = folder.resolve("rows");
        if (!command.contains(BareProbe.class.getName())) {
            command.addAll(List.of("--out", rows.toString()));
        }
        try (Progress.AutoCloseableStep _ = progress.begin(name + " on " + count + " traces")) {
            Child child = Child.run(command, MOST);
            Asked asked = new Asked(count, child.seconds(), child.peakBytes());
            out.println(FleetTable.line(name, asked, cores));
            out.flush();
            return asked;
        } finally {
            delete(rows);
        }
    }

    private static void delete(Path folder) {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            } catch (IOException _) {
                // what the system clears up by itself, some day
            }
        }
    }
}
