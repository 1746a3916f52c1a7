package dev.unjank.bench.doctor;

import dev.unjank.trace.UnusableTraceException;
import dev.unjank.trace.example.LauncherExample;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.write.TraceRepeater;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How fast traces are read and diagnosed, and in how much memory. Each trace is measured as it is and, repeated by {@link
 * TraceRepeater} into a temporary file, at the sizes asked for:
 *
 * <ul>
 *   <li><i>load</i>: the median speed of several loads in one Java VM after some to warm up, and of the first load of a VM,
 *       without the launcher's cache of compiled classes;
 *   <li><i>doctor</i> and <i>query</i>: the command itself from its start to its end, each time in a process of its own, as
 *       somebody at a shell would wait for it; and the most memory that this process had resident, the mapped trace included.
 * </ul>
 *
 * The files are in the page cache.
 */
public final class DoctorBenchmark {
    private static final int WARM_UPS = 3;
    private static final int LOADS = 7;
    private static final int RUNS = 5;

    /** Runs of one that takes seconds. */
    private static final int LONG_RUNS = 3;

    private static final long LONG_BYTES = 500_000_000;
    private static final double MB = 1e6;

    private final Setup setup;
    private final PrintStream out;
    private final Progress progress;

    /**
     * What to measure with.
     *
     * @param command how the command is started, to be followed by its arguments
     * @param query what {@code query} is asked: its arguments behind the trace; empty if it is not to be measured
     * @param sizes how large to make traces, in bytes
     */
    public record Setup(List<String> command, List<String> query, List<Long> sizes) {}

    /** Told what takes long. */
    @FunctionalInterface
    public interface Progress {

        /**
         * Something begins that takes seconds; nothing is printed until it is over.
         *
         * @param what in a few words
         * @return to be closed when it is over
         */
        Step begin(String what);

        /** What has begun. */
        @FunctionalInterface
        interface Step extends AutoCloseable {
            @Override
            void close();
        }
    }

    private DoctorBenchmark(Setup setup, PrintStream out, Progress progress) {
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
     * @param setup with what
     * @param traces the traces; if there are none, the project's example
     * @param out where the results go
     * @param progress told on the calling thread what takes long
     * @throws UnusableTraceException if a file is no trace, or none that can be repeated
     * @throws IOException if a file cannot be read or written, or a process cannot be started
     */
    public static void run(Setup setup, List<Path> traces, PrintStream out, Progress progress) throws IOException {
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
        out.printf(
                "%-46s %7s %10s %10s %9s %8s %8s %8s %8s%n",
                "trace", "MB", "load MB/s", "cold MB/s", "doctor s", "MB", "per byte", "query s", "MB");
        for (Subject subject : subjects) {
            Path file = subject.file;
            if (file != null) {
                measure(subject.name, file, false);
            }
        }
        for (Subject subject : subjects) {
            for (long size : setup.sizes) {
                repeated(subject, size);
            }
        }
    }

    private void repeated(Subject subject, long size) throws IOException {
        Path large = Files.createTempFile("unjank-bench", ".pftrace");
        large.toFile().deleteOnExit(); // for a process that is interrupted
        try {
            try (Progress.Step _ = progress.begin("repeating " + subject.name);
                    OutputStream stream = new BufferedOutputStream(Files.newOutputStream(large), 1 << 16)) {
                TraceRepeater.repeat(subject.bytes(), size, stream);
            } catch (UnusableTraceException e) {
                throw new UnusableTraceException(subject.name + ": " + e.getMessage(), e);
            }
            measure(subject.name + ", repeated", large, true);
        } finally {
            Files.deleteIfExists(large);
        }
    }

    private void measure(String name, Path trace, boolean large) throws IOException {
        long size = Files.size(trace);
        int runs = size >= LONG_BYTES ? LONG_RUNS : RUNS;
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-46s %7.1f", name, size / MB));
        if (large) {
            try (Progress.Step _ = progress.begin("loading " + name)) {
                long[] loads = loads(trace);
                long[] warm = Arrays.copyOfRange(loads, WARM_UPS, loads.length);
                Arrays.sort(warm);
                line.append(String.format(
                        Locale.ROOT,
                        " %10.0f %10.0f",
                        size / MB / (warm[warm.length / 2] / 1e9),
                        size / MB / (loads[0] / 1e9)));
            }
        } else {
            line.append(String.format("%22s", ""));
        }
        Child doctor;
        try (Progress.Step _ = progress.begin("doctor on " + name)) {
            doctor = Child.median(command("doctor", trace, List.of()), runs);
        }
        line.append(String.format(
                Locale.ROOT,
                " %9.2f %8.0f %8.1f",
                doctor.seconds(),
                doctor.peakBytes() / MB,
                (double) doctor.peakBytes() / size));
        if (!setup.query.isEmpty()) {
            Child query;
            try (Progress.Step _ = progress.begin("query on " + name)) {
                query = Child.median(command("query", trace, setup.query), runs);
            }
            line.append(String.format(Locale.ROOT, " %8.2f %8.0f", query.seconds(), query.peakBytes() / MB));
        }
        out.println(line);
        out.flush();
    }

    private List<String> command(String subcommand, Path trace, List<String> more) {
        List<String> command = new ArrayList<>(setup.command);
        command.add(subcommand);
        command.add(trace.toString());
        command.addAll(more);
        return command;
    }

    /** The time of each load in a Java VM with the options of this one, in ns. */
    private static long[] loads(Path trace) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("-XX:") && !option.startsWith("-XX:AOT"))
                .forEach(command::add);
        command.add("-cp");
        command.add(Stream.of(LoadProbe.class, TraceReader.class)
                .map(DoctorBenchmark::whereFrom)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator)));
        command.add(LoadProbe.class.getName());
        command.add(trace.toString());
        command.add(String.valueOf(WARM_UPS + LOADS));
        Process process =
                new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        try (BufferedReader lines = process.inputReader()) {
            long[] loads = lines.lines()
                    .filter(line -> line.startsWith("load "))
                    .mapToLong(line -> Long.parseLong(line.split(" ", -1)[1]))
                    .toArray();
            if (process.waitFor() != 0 || loads.length != WARM_UPS + LOADS) {
                throw new IOException("loading ended with status " + process.exitValue());
            }
            return loads;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static String whereFrom(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("class files at an odd place", e);
        }
    }
}
