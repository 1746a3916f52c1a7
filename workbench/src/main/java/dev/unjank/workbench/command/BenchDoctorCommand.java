package dev.unjank.workbench.command;

import dev.unjank.cli.Unjank;
import dev.unjank.cli.command.IntRangeConverter;
import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.workbench.bench.doctor.DoctorBenchmark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code unjank bench doctor}: speed and memory of reading, diagnosing and querying traces. */
@Command(
        name = "doctor",
        header = "Measure speed and memory of reading, diagnosing and querying traces.",
        description = {
            "%nMeasures each trace unchanged, and repeated up to the size given by --mb in a temporary file. Each run"
                    + " is a separate process, measured from start to end. Then prints the targets and whether they"
                    + " are met.%n"
        },
        footer = {
            "",
            "Examples:",
            "  unjank bench doctor",
            "  unjank bench doctor --quick",
            "  unjank bench doctor boot.pftrace --mb 500"
        })
public final class BenchDoctorCommand extends MeasuringCommand {
    private static final long BYTES_PER_MB = 1_000_000;
    private static final int MAX_MB = 4_000;
    private static final int LARGE_MB = 200;
    private static final int HUGE_MB = 1_000;

    /** Selects all contention slices and the thread states during them. */
    private static final String REAL_QUERY = "messagequeue_contention_during_startup.sql";

    private static final List<String> PLAIN_QUERY =
            List.of("SELECT state, count(*), sum(dur) FROM thread_state GROUP BY state");

    @Parameters(
            paramLabel = "TRACE",
            arity = "0..*",
            description =
                    "The traces to measure (default: those in $UNJANK_TRACES or ../shared/traces, else the project's"
                            + " example).")
    private List<Path> traces = List.of();

    @Option(
            names = "--mb",
            paramLabel = "N",
            converter = Megabytes.class,
            description =
                    "Size of the repeated trace in MB, 1 to " + MAX_MB + "; may be repeated (default: 200 and 1000).")
    private List<Integer> megabytes = List.of();

    @Option(names = "--quick", description = "Fewer runs, and only 200 MB unless --mb is given.")
    private boolean quick;

    public BenchDoctorCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int measure() throws IOException {
        DoctorBenchmark.Setup setup = new DoctorBenchmark.Setup(
                command(),
                query(),
                sizes().stream().map(size -> size * BYTES_PER_MB).toList(),
                quick,
                DoctorBenchmark.Setup.JOIN_DIGITS);
        DoctorBenchmark.run(setup, traces.isEmpty() ? realTraces() : traces, terminal.outAsStream(), progress);
        return ExitCode.OK;
    }

    private List<Integer> sizes() {
        if (!megabytes.isEmpty()) {
            return megabytes;
        }
        return quick ? List.of(LARGE_MB) : List.of(LARGE_MB, HUGE_MB);
    }

    /** The launcher of this checkout, otherwise a JVM with the current class path. */
    static List<String> command() {
        String root = System.getProperty("unjank.root");
        if (root != null && Files.isExecutable(Path.of(root, "unjank"))) {
            return List.of(Path.of(root, "unjank").toString());
        }
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Unjank.class.getName());
    }

    private static Path folder() {
        String folder = System.getenv("UNJANK_TRACES");
        return folder != null
                ? Path.of(folder)
                : Path.of(System.getProperty("unjank.root", "."), "..", "shared", "traces");
    }

    /** The real traces in the trace folder, in Perfetto's format; may be empty. */
    static List<Path> realTraces() throws IOException {
        Path folder = folder().normalize();
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().matches(".*[.](perfetto-|pf)trace"))
                    .filter(Files::isReadable)
                    .sorted()
                    .toList();
        }
    }

    private static List<String> query() {
        Path file = queryFile(REAL_QUERY);
        return file != null ? List.of("-f", file.toString()) : PLAIN_QUERY;
    }

    /** A published query next to the trace folder; null if missing. */
    static @Nullable Path queryFile(String name) {
        Path file = folder().resolve("../queries").resolve(name).normalize();
        return Files.isReadable(file) ? file : null;
    }

    private static final class Megabytes extends IntRangeConverter {
        Megabytes() {
            super(MAX_MB);
        }
    }
}
