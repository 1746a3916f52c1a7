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
 * How fast traces are read and diagnosed, and in how much memory. Each trace is measured as it is and, repeated by {@link
 * TraceRepeater} into a temporary file, at the sizes asked for:
 *
 * <ul>
 *   <li><i>load</i>: the median speed of several loads in one Java VM after some to warm up, and of the first load of a VM,
 *       without the launcher's cache of compiled classes;
 *   <li><i>doctor</i> and <i>query</i>: the command itself from its start to its end, each time in a process of its own: the
 *       time that a user at a shell waits; and its peak resident memory, the mapped trace included.
 * </ul>
 *
 * Besides, a join of spans in SQL. At the end {@link DoctorTargets} says what is asked of the figures. The files are in the page cache.
 */
public final class DoctorBenchmark {
    private static final long LONG_BYTES = 500_000_000;

    private final Setup setup;
    private final PrintStream out;
    private final ProgressListener progress;

    /**
     * What to measure with.
     *
     * @param command how the command is started, to be followed by its arguments
     * @param query what {@code query} is asked: its arguments behind the trace; empty if it is not to be measured
     * @param sizes how large to make traces, in bytes
     * @param joinDigits how many spans to join, as a power of ten; 0 for no join
     */
    public record Setup(List<String> command, List<String> query, List<Long> sizes, boolean quick, int joinDigits) {
        /** How many spans the target for joins is about, as a power of ten. */
        public static final int JOIN_DIGITS = 6;

        /** How often something is done, first without and then with looking at the clock. */
        private Times loads(long size) {
            return quick ? new Times(2, 3) : size >= LONG_BYTES ? new Times(1, 4) : new Times(3, 7);
        }

        private int runs(long size) {
            return quick || size >= LONG_BYTES ? 3 : 5;
        }
    }

    private record Times(int warmUps, int counted) {
        /** The median of those that count. */
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

    /** A trace to measure with. */
    private record Subject(String name, @Nullable Path file) {
        static Subject of(Path file) throws IOException {
            TraceReader.read(file); // says what is wrong with it better than its repetition could
            return new Subject(String.valueOf(file.getFileName()), file);
        }

        byte[] bytes() throws IOException {
            return file == null ? LauncherExample.trace() : Files.readAllBytes(file);
        }
    }

    /**
     * Measures and prints.
     *
     * @param traces the traces; if there are none, the project's example
     * @param progress gets a line for each long step, on the calling thread
     * @throws UnusableTraceException if a file is no trace, or none that can be repeated
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

    /** The time of a join; and prints it. */
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
