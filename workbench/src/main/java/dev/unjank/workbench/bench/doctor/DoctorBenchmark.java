package dev.unjank.workbench.bench.doctor;

import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.TraceRepeater;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.tempfile.ProcessTempFiles;
import dev.unjank.workbench.lab.run.ProgressListener;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Measures the speed and memory of reading and diagnosing traces. Each trace is measured unchanged and, repeated by
 * {@link TraceRepeater} into a temporary file, at the given sizes:
 *
 * <ul>
 *   <li><i>load</i>: the median speed of several loads in one JVM after warm-up, and of the first load of a JVM,
 *       without the launcher's AOT cache;
 *   <li><i>doctor</i> and <i>query</i>: the wall-clock time of the command in a new process, and its peak resident
 *       memory, including the mapped trace.
 * </ul>
 *
 * It also measures a span join in SQL. {@link DoctorTargets} compares the figures with the targets. The files are in
 * the page cache.
 */
public final class DoctorBenchmark {
    private static final long LONG_BYTES = 500_000_000;

    private final Setup setup;
    private final PrintStream out;
    private final ProgressListener progress;

    /**
     * The benchmark's settings.
     *
     * @param command the command line of unjank, without arguments
     * @param query the arguments of {@code query} after the trace; empty to skip queries
     * @param sizes the sizes of repeated traces in bytes
     * @param joinDigits the number of spans to join, as a power of ten; 0 to skip the join
     */
    public record Setup(List<String> command, List<String> query, List<Long> sizes, boolean quick, int joinDigits) {
        /** The number of spans in the join target, as a power of ten. */
        public static final int JOIN_DIGITS = 6;

        /** The number of loads: warm-up loads, then timed ones. */
        private Times loads(long size) {
            return quick ? new Times(2, 3) : size >= LONG_BYTES ? new Times(1, 4) : new Times(3, 7);
        }

        private int runs(long size) {
            return quick || size >= LONG_BYTES ? 3 : 5;
        }
    }

    private record Times(int warmUps, int counted) {
        /** The median without the warm-up loads. */
        double median(long[] all) {
            long[] sorted = Arrays.copyOfRange(all, warmUps, all.length);
            Arrays.sort(sorted);
            return sorted[sorted.length / 2];
        }

        int all() {
            return warmUps + counted;
        }
    }

    private DoctorBenchmark(Setup setup, PrintStream out, ProgressListener progress) {
        this.setup = setup;
        this.out = out;
        this.progress = progress;
    }

    /** A measured trace; the example if the file is null. */
    private record Subject(String name, @Nullable Path file) {
        static Subject of(Path file) throws IOException {
            TraceReader.read(file); // reports a damaged file more clearly than the repeater
            return new Subject(String.valueOf(file.getFileName()), file);
        }

        byte[] bytes() throws IOException {
            return file == null ? LauncherExample.trace() : Files.readAllBytes(file);
        }
    }

    /**
     * Runs the benchmark and prints the results.
     *
     * @param traces the traces; empty for the project's example
     * @param progress gets a line for each long step, on the calling thread
     * @throws UnusableTraceException if a file is not a trace or cannot be repeated
     */
    public static void run(Setup setup, List<Path> traces, PrintStream out, ProgressListener progress)
            throws IOException {
        List<Subject> subjects = new ArrayList<>();
        for (Path trace : traces) {
            subjects.add(Subject.of(trace));
        }
        if (subjects.isEmpty()) {
            subjects.add(new Subject("the launcher example", null));
        }
        new DoctorBenchmark(setup, out, progress).run(subjects);
    }

    private void run(List<Subject> subjects) throws IOException {
        out.printf(
                Locale.ROOT,
                "machine  %d CPUs, Java %s%n",
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.version"));
        out.printf("query    %s%n%n", setup.query.isEmpty() ? "none" : String.join(" ", setup.query));
        out.println(TraceMeasurement.HEAD);
        List<TraceMeasurement> measured = new ArrayList<>();
        for (Subject subject : subjects) {
            if (subject.file != null) {
                measured.add(measure(subject.name, subject.file, 0));
            }
        }
        for (Subject subject : subjects) {
            for (long size : setup.sizes) {
                measured.add(repeated(subject, size));
            }
        }
        out.println();
        OptionalDouble join = join();
        DoctorTargets.lines(measured, join).forEach(out::println);
        out.flush();
    }

    private TraceMeasurement repeated(Subject subject, long size) throws IOException {
        Path folder = ProcessTempFiles.folder("bench");
        Path large = folder.resolve("large.pftrace");
        try {
            try (ProgressListener.Step _ = progress.begin("repeating " + subject.name);
                    OutputStream stream = new BufferedOutputStream(Files.newOutputStream(large), 1 << 16)) {
                TraceRepeater.repeat(subject.bytes(), size, stream);
            } catch (UnusableTraceException e) {
                throw new UnusableTraceException(subject.name + ": " + e.getMessage(), e);
            }
            return measure(subject.name, large, size);
        } finally {
            ProcessTempFiles.delete(folder);
        }
    }

    private TraceMeasurement measure(String name, Path trace, long repeatedTo) throws IOException {
        long size = Files.size(trace);
        String what = repeatedTo > 0 ? name + ", repeated" : name;
        TraceMeasurement.Load load = repeatedTo > 0 ? load(what, trace, size) : null;
        TimedProcess doctor = command("doctor", what, trace, List.of());
        TimedProcess query = setup.query.isEmpty() ? null : command("query", what, trace, setup.query);
        TraceMeasurement measured = new TraceMeasurement(name, size, repeatedTo, load, doctor, query);
        out.println(measured.line());
        out.flush();
        return measured;
    }

    private TraceMeasurement.Load load(String what, Path trace, long size) throws IOException {
        Times times = setup.loads(size);
        try (ProgressListener.Step _ = progress.begin("loading " + what)) {
            long[] loads = LoadProbe.run(trace, times.all());
            return new TraceMeasurement.Load(size / times.median(loads) * 1e9, size / (double) loads[0] * 1e9);
        }
    }

    private TimedProcess command(String subcommand, String what, Path trace, List<String> more) throws IOException {
        List<String> command = new ArrayList<>(setup.command);
        command.add(subcommand);
        command.add(trace.toString());
        command.addAll(more);
        try (ProgressListener.Step _ = progress.begin(subcommand + " on " + what)) {
            return TimedProcess.median(command, setup.runs(Files.size(trace)));
        }
    }

    /** Measures and prints the time of a join. */
    private OptionalDouble join() throws IOException {
        if (setup.joinDigits == 0) {
            return OptionalDouble.empty();
        }
        Times times = setup.loads(0);
        try (ProgressListener.Step _ = progress.begin("joining spans")) {
            long[] joins = SpanJoinProbe.run(setup.joinDigits, times.all());
            double median = times.median(joins) / 1e9;
            double many = Math.pow(10, setup.joinDigits);
            out.printf(
                    Locale.ROOT,
                    "span join of %,.0f by %,.0f spans in SQL: %.3f s, the first %.3f s%n%n",
                    many,
                    many / 10,
                    median,
                    joins[0] / 1e9);
            return OptionalDouble.of(median);
        }
    }
}
