package dev.unjank.fleet.spark;

import dev.unjank.fleet.label.LabelFile;
import dev.unjank.fleet.run.RunTotals;
import dev.unjank.fleet.task.TraceLimits;
import dev.unjank.fleet.task.TraceTask;
import dev.unjank.query.result.QueryException;
import dev.unjank.trace.model.UnusableTraceException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The main class for {@code spark-submit}, started by {@code unjank fleet --master}. */
@Command(
        name = "unjank fleet",
        sortOptions = false,
        description = "unjank fleet on Apache Spark; see docs/guide/fleet.md.")
public final class SparkFleet implements Callable<Integer> {
    private static final int UNUSABLE = 2;
    private static final double NANOS = 1e9;
    private static final double MB = 1e6;
    private static final double NANOS_PER_MS = 1e6;

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "Traces, folders, archives or Hadoop patterns.")
    private List<String> paths = List.of();

    @Option(names = "--out", paramLabel = "DIR", required = true, description = "Write the rows to this folder.")
    private String out = "";

    @Option(
            names = "--min-ms",
            paramLabel = "X",
            defaultValue = "1",
            description = "Only keep incidents of at least X ms.")
    private double minMillis;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "Run the PerfettoSQL statements in FILE on each trace. FILE is on the driver's machine.")
    private @Nullable Path file;

    @Option(names = "--resume", description = "Continue a run that was killed.")
    private boolean resume;

    @Option(names = "--app", paramLabel = "PACKAGE", description = "Label the rows with the version of this app.")
    private @Nullable String app;

    @Option(
            names = "--labels",
            paramLabel = "FILE",
            description = "Read labels for the rows from FILE on the driver's machine.")
    private @Nullable Path labels;

    @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "60", description = "Time limit per trace.")
    private double timeoutSeconds;

    @Option(names = "--max-mb", paramLabel = "N", description = "Size limit per trace.")
    private @Nullable Long maxMegabytes;

    @Option(
            names = "--traces-in-part",
            paramLabel = "N",
            defaultValue = "64",
            description = "Traces per partition (default: ${DEFAULT-VALUE}).")
    private int tracesInPart;

    @Spec
    private @Nullable CommandSpec spec;

    private SparkFleet() {}

    /** Runs a fleet, and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(command().execute(args));
    }

    static CommandLine command() {
        return new CommandLine(new SparkFleet()).setExecutionExceptionHandler((e, command, _) -> {
            command.getErr()
                    .println("unjank fleet: " + message(e).lines().findFirst().orElse(""));
            return e instanceof IOException ? UNUSABLE : 1;
        });
    }

    private static String message(Exception e) {
        if (e instanceof NoSuchFileException) {
            return e.getMessage() + ": no such file";
        }
        return e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
    }

    @Override
    public Integer call() throws IOException {
        TraceTask task = task();
        SparkConf conf =
                new SparkConf().setIfMissing("spark.master", "local[*]").setAppName("unjank fleet");
        long start = System.nanoTime();
        RunTotals tally;
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            tally = SparkRun.run(spark, task, paths, out, resume, Math.max(1, tracesInPart));
        }
        if (tally.isEmpty()) {
            throw new UnusableTraceException("no traces found");
        }
        CommandLine command = Objects.requireNonNull(spec).commandLine();
        PrintWriter output = command.getOut();
        tally.lines((System.nanoTime() - start) / NANOS).forEach(output::println);
        if (labels != null) {
            String line = tally.labelLine(labels.toString());
            if (tally.labelled() == 0) {
                command.getErr().println("unjank fleet: " + line);
            } else {
                output.println(line);
            }
        }
        output.println(RunTotals.folderLine(out));
        return tally.isInVain() ? UNUSABLE : 0;
    }

    private TraceTask task() throws IOException {
        TraceLimits limits = TraceLimits.DEFAULT.withTime(Duration.ofMillis(Math.round(timeoutSeconds * 1_000)));
        if (maxMegabytes != null) {
            limits = limits.withBytes(Math.round(maxMegabytes * MB));
        }
        LabelFile known = labels == null ? LabelFile.EMPTY : LabelFile.read(labels);
        if (file == null) {
            return TraceTask.ofTheDoctor(Duration.ofNanos(Math.round(minMillis * NANOS_PER_MS)), app, known, limits);
        }
        TraceTask task = TraceTask.ofStatements(Files.readString(file), app, known, limits);
        try {
            task.check();
        } catch (QueryException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
        return task;
    }
}
