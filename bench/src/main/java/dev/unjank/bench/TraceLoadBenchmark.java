package dev.unjank.bench;

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
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How fast a large trace loads and how much memory it takes. The large trace is a small one repeated ({@link TraceRepeater}), in
 * a temporary file. All loads happen in Java VMs of their own, so this one's flags and heap do not matter:
 *
 * <ul>
 *   <li>Speed: the median of several loads after some to warm up, and the first load of a cold VM. The file is in the page
 *       cache.
 *   <li>Memory of the loaded trace: the live heap that it adds, after a full collection.
 *   <li>Memory that loading needs: the smallest heap ({@code -Xmx}, found by bisection) in which a load works, plus the peak of
 *       direct buffers and arenas as native memory tracking has it. The heap found includes the VM's own few MB; the mapped
 *       file is not counted.
 * </ul>
 */
public final class TraceLoadBenchmark {
    /** The collector that the launcher chooses: reading a trace makes long arrays and little garbage. */
    private static final String COLLECTOR = "-XX:+UseParallelGC";

    /** The trace that a real device recorded, where a checkout has it beside it. */
    private static final String REAL_TRACE = "a15_mokeygo32_startup_cold.perfetto-trace";

    private static final int WARM_UPS = 3;
    private static final int RUNS = 7;
    private static final double MB = 1e6;
    /** The heaps tried, in bytes per byte of the trace: up to this, in steps of 1/8. */
    private static final int MOST_HEAP_EIGHTHS = 12 * 8;

    /** How much memory reading takes at most, for each byte of a real trace; see {@link TraceReader}. */
    private static final int PROMISED_BYTES_PER_BYTE = 8;

    /** A Java VM that takes longer is stuck collecting garbage. */
    private static final int MOST_SECONDS = 120;

    private static final long VM_HEAP_BYTES = 16_000_000;

    private final Path trace;
    private final long size;
    private final PrintStream out;

    private final Progress progress;

    private TraceLoadBenchmark(Path trace, PrintStream out, Progress progress) throws IOException {
        this.trace = trace;
        this.size = Files.size(trace);
        this.out = out;
        this.progress = progress;
    }

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

    /**
     * Runs the benchmark and prints its results.
     *
     * @param source the trace to repeat; null for a real one beside the checkout, or else the project's example
     * @param targetBytes how large the repeated trace should be
     * @param out where the results go
     * @param progress told on the calling thread what takes long
     * @throws UnusableTraceException if the source is no trace, or none that can be repeated
     * @throws IOException if a file cannot be read or written, or a Java VM cannot be started
     */
    public static void run(@Nullable Path source, long targetBytes, PrintStream out, Progress progress)
            throws IOException {
        Path real = source == null ? realTrace() : source;
        if (source != null) {
            TraceReader.read(source); // says what is wrong with it better than its repetition could
        }
        byte[] bytes = real == null ? LauncherExample.trace() : Files.readAllBytes(real);
        String name = real == null ? "the launcher example" : String.valueOf(real.getFileName());
        Path large = Files.createTempFile("unjank-bench", ".pftrace");
        large.toFile().deleteOnExit(); // for a process that is interrupted
        try {
            try (Progress.Step _ = progress.begin("making a large trace");
                    OutputStream stream = new BufferedOutputStream(Files.newOutputStream(large), 1 << 16)) {
                TraceRepeater.repeat(bytes, targetBytes, stream);
            } catch (UnusableTraceException e) {
                throw new UnusableTraceException(name + ": " + e.getMessage(), e);
            }
            new TraceLoadBenchmark(large, out, progress).run(name, bytes.length);
        } finally {
            Files.deleteIfExists(large);
        }
    }

    private void run(String sourceName, long sourceSize) throws IOException {
        Runtime runtime = Runtime.getRuntime();
        out.printf(
                Locale.ROOT,
                "machine   %d CPUs, Java %s%n",
                runtime.availableProcessors(),
                System.getProperty("java.version"));
        out.printf(Locale.ROOT, "trace     %.1f MB: %s (%.3f MB) repeated%n", size / MB, sourceName, sourceSize / MB);

        long[] loads;
        try (Progress.Step _ = progress.begin("measuring the speed")) {
            // as much heap as reading may need by its promise, all of it from the start: growing it is not what is
            // measured
            String heap = (Math.max(VM_HEAP_BYTES, size * PROMISED_BYTES_PER_BYTE) >> 10) + "k";
            loads = loads(probe(Redirect.INHERIT, List.of("-Xms" + heap, "-Xmx" + heap), WARM_UPS + RUNS));
        }
        long[] warm = Arrays.copyOfRange(loads, WARM_UPS, loads.length);
        Arrays.sort(warm);
        out.printf(
                Locale.ROOT,
                "speed     %.0f MB/s (median of %d loads after %d; %.0f to %.0f)%n",
                speed(warm[warm.length / 2]),
                RUNS,
                WARM_UPS,
                speed(warm[warm.length - 1]),
                speed(warm[0]));
        out.printf(Locale.ROOT, "cold      %.0f MB/s (first load of a Java VM)%n", speed(loads[0]));

        List<String> memory;
        try (Progress.Step _ = progress.begin("measuring the memory")) {
            memory = probe(Redirect.INHERIT, List.of("-XX:NativeMemoryTracking=summary"), 0, TraceLoadProbe.MEMORY);
        }
        double nativePerByte = (double) value(memory, "native") / size;
        out.printf(
                Locale.ROOT,
                "retained  %.2f bytes of heap per byte of the trace%n",
                (double) value(memory, "heap") / size);
        int eighths;
        try (Progress.Step _ = progress.begin("looking for the smallest heap")) {
            eighths = smallestHeap();
        }
        if (eighths > MOST_HEAP_EIGHTHS) {
            out.printf(
                    Locale.ROOT, "needed    more than %d bytes of heap per byte of the trace%n", MOST_HEAP_EIGHTHS / 8);
        } else {
            out.printf(
                    Locale.ROOT,
                    "needed    %.2f bytes per byte of the trace: %.3f heap (smallest -Xmx that loads it), %.2f native%n",
                    eighths / 8.0 + nativePerByte,
                    eighths / 8.0,
                    nativePerByte);
        }
    }

    /** By bisection, in eighths of a byte per byte of the trace; one more than the most if that is too little. */
    private int smallestHeap() {
        int fails = 0;
        int works = MOST_HEAP_EIGHTHS + 1;
        while (works - fails > 1) {
            int middle = (fails + works) >>> 1;
            long heap = Math.max(VM_HEAP_BYTES, size * middle / 8);
            boolean loaded;
            try {
                probe(Redirect.DISCARD, List.of("-Xmx" + (heap >> 10) + "k", "-XX:+ExitOnOutOfMemoryError"), 1);
                loaded = true;
            } catch (IOException e) {
                loaded = false;
            }
            if (loaded) {
                works = middle;
            } else {
                fails = middle;
            }
        }
        return works;
    }

    private double speed(long ns) {
        return size / MB / (ns / 1e9);
    }

    private List<String> probe(Redirect errors, List<String> flags, int loads, String... more) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(COLLECTOR);
        command.addAll(flags);
        command.add("-cp");
        command.add(Stream.of(TraceLoadProbe.class, TraceReader.class)
                .map(TraceLoadBenchmark::whereFrom)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator)));
        command.add(TraceLoadProbe.class.getName());
        command.add(trace.toString());
        command.add(String.valueOf(loads));
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command).redirectError(errors).start();
        try (BufferedReader reader = process.inputReader()) {
            if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("no result after " + MOST_SECONDS + " s");
            }
            if (process.exitValue() != 0) {
                throw new IOException("a load ended with status " + process.exitValue());
            }
            return reader.readAllLines();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static long[] loads(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith("load "))
                .mapToLong(line -> Long.parseLong(line.split(" ", -1)[1]))
                .toArray();
    }

    private static long value(List<String> lines, String name) throws IOException {
        for (String line : lines) {
            if (line.startsWith(name + " ")) {
                return Long.parseLong(line.substring(name.length() + 1));
            }
        }
        throw new IOException("no " + name + " in the output of a load");
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

    private static @Nullable Path realTrace() {
        String traces = System.getenv("UNJANK_TRACES");
        Path folder = traces == null
                ? Path.of(System.getProperty("unjank.root", "."), "..", "shared", "traces")
                : Path.of(traces);
        Path file = folder.resolve(REAL_TRACE).normalize();
        return Files.isReadable(file) ? file : null;
    }
}
