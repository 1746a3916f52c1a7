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

/** {@code unjank bench fleet}: how fast many traces are asked, and in how much memory. */
@Command(
        name = "fleet",
        header = "Measure how fast many traces are analysed, and in how much memory.",
        description = {
            "%nMakes a set of small traces, each a stretch of a real one (or this project's example, repeated) moved in time, with its"
                    + " apps renamed, and always the same; asks all of them what the doctor finds, by the bare task and by the"
                    + " pool of unjank fleet, each in a process of its own; and whole traces with the published query for"
                    + " contention, or one like it. The targets follow, and whether they are met. Nothing of it opens a connection;"
                    + " only --spark fetches Spark, once.%n"
        },
        footer = {
            "",
            "Examples:",
            "  unjank bench fleet --spark                      10,000 traces (2.2 GB), and Spark beside the pool",
            "  unjank bench fleet --quick --out fleet-bench    1,000 traces; keeps them, their rows and the report"
        })
public final class BenchFleetCommand extends MeasuringCommand {
    private static final int MANY = 10_000;
    private static final int FEW = 1_000;
    private static final int MOST = 1_000_000;
    private static final int LEAST = 8;

    /** Asks for all contention slices, and the frames beside them. */
    private static final String REAL_QUERY = "messagequeue_contention_with_jank.sql";

    @Option(names = "--quick", description = "1,000 traces instead of 10,000.")
    private boolean quick;

    @Option(
            names = "--traces",
            paramLabel = "N",
            converter = Count.class,
            description = "How many traces, 8 to 1000000.")
    private @Nullable Integer count;

    @Option(names = "--spark", description = "Measure Spark on this machine, too, which is fetched if it is not there.")
    private boolean spark;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Keep the traces, their rows and the report there: a new folder, or an empty one.")
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
                throw new UserError(folder + ": is not empty; name another folder");
            }
        }
    }

    /** Those with an app's start, of Android 7, 13 and 15: the others have no locks. */
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
