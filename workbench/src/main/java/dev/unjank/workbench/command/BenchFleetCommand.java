package dev.unjank.workbench.command;

import dev.unjank.cli.command.SparkMaster;
import dev.unjank.cli.command.SparkProcess;
import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.workbench.bench.fleet.FleetBenchmark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code unjank bench fleet}: throughput and memory of diagnosing many traces. */
@Command(
        name = "fleet",
        header = "Measure throughput and memory of diagnosing many traces.",
        description = {
            "%nGenerates a fixed set of small traces from segments of real ones (or of this project's example,"
                    + " repeated), shifted in time and with renamed apps. Diagnoses them with the bare task and with"
                    + " unjank fleet's thread pool, each in its own process. Then runs the published contention query,"
                    + " or a similar one, on full-size traces, and prints the targets and whether they are met. Does"
                    + " not use the network; only --spark downloads Spark, once.%n"
        },
        footer = {
            "",
            "Examples:",
            "  unjank bench fleet --spark                      10,000 traces (2.2 GB), thread pool and Spark",
            "  unjank bench fleet --quick --out fleet-bench    1,000 traces; keeps traces, result rows and report"
        })
public final class BenchFleetCommand extends MeasuringCommand {
    private static final int MANY = 10_000;
    private static final int FEW = 1_000;
    private static final int MOST = 1_000_000;
    private static final int LEAST = 8;

    /** Selects all contention slices and the frames during them. */
    private static final String REAL_QUERY = "messagequeue_contention_with_jank.sql";

    @Option(names = "--quick", description = "1,000 traces instead of 10,000.")
    private boolean quick;

    @Option(
            names = "--traces",
            paramLabel = "N",
            converter = Count.class,
            description = "Number of traces, 8 to 1000000.")
    private @Nullable Integer count;

    @Option(names = "--spark", description = "Also measure Spark on this machine; downloads Spark if needed.")
    private boolean spark;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Keep the traces, result rows and report in DIR, which must be new or empty.")
    private @Nullable Path folder;

    public BenchFleetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int measure() throws IOException {
        List<Path> traces = BenchDoctorCommand.realTraces().stream()
                .filter(BenchFleetCommand::hasContention)
                .toList();
        if (spark) {
            SparkProcess _ = SparkProcess.prepared(SparkMaster.of("local[*]"), terminal);
        }
        if (folder != null) {
            requireEmpty(folder);
        }
        FleetBenchmark.run(
                new FleetBenchmark.Setup(
                        BenchDoctorCommand.command(),
                        BenchDoctorCommand.queryFile(REAL_QUERY),
                        traces,
                        count != null ? count : quick ? FEW : MANY,
                        spark,
                        folder),
                terminal.outAsStream(),
                progress);
        return ExitCode.OK;
    }

    private static void requireEmpty(Path folder) throws IOException {
        Files.createDirectories(folder);
        try (Stream<Path> entries = Files.list(folder)) {
            if (entries.findAny().isPresent()) {
                throw new UserError(folder + ": is not empty; choose another folder");
            }
        }
    }

    /** Whether a trace is a startup trace (Android 7, 13, 15); the others do not contain lock contention. */
    private static boolean hasContention(Path trace) {
        return trace.toString().contains("_startup_");
    }

    private static final class Count implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            if (value.matches("[0-9]{1,7}")) {
                int number = Integer.parseInt(value);
                if (number >= LEAST && number <= MOST) {
                    return number;
                }
            }
            throw new TypeConversionException("must be " + LEAST + " to " + MOST);
        }
    }
}
