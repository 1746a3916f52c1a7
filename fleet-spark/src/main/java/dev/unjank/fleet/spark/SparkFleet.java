package dev.unjank.fleet.spark;

import dev.unjank.fleet.LabelBook;
import dev.unjank.fleet.Limits;
import dev.unjank.fleet.LocalRun;
import dev.unjank.fleet.Question;
import dev.unjank.fleet.TraceTask;
import dev.unjank.query.QueryException;
import dev.unjank.trace.UnusableTraceException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The program that is given to {@code spark-submit}. */
@Command(name = "unjank fleet", sortOptions = false, description = "unjank fleet on Apache Spark; see docs/fleet.md.")
public final class SparkFleet implements Callable<Integer> {
    private static final int UNUSABLE = 2;
    private static final double NANOS = 1e9;
    private static final double MB = 1e6;

    @Parameters(
            paramLabel = "PATH",
            arity = "1..*",
            description = "Traces, folders, patterns, archives, as Hadoop names them.")
    private List<String> paths = List.of();

    @Option(names = "--out", paramLabel = "DIR", required = true, description = "The folder for the rows.")
    private String out = "";

    @Option(names = "--min-ms", paramLabel = "X", defaultValue = "1", description = "Leave out shorter incidents.")
    private double minMillis;

    @Option(names = "--file", paramLabel = "FILE", description = "Ask PerfettoSQL from a file on the driver.")
    private @Nullable Path file;

    @Option(names = "--resume", description = "Go on with a run that was killed.")
    private boolean resume;

    @Option(names = "--app", paramLabel = "PACKAGE", description = "The app whose version each row is to have.")
    private @Nullable String app;

    @Option(names = "--labels", paramLabel = "FILE", description = "Labels of traces, from a file on the driver.")
    private @Nullable Path labels;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "The longest for one trace.")
    private double timeoutSeconds;

    @Option(names = "--max-mb", paramLabel = "N", description = "The largest that one trace may be.")
    private @Nullable Long maxMegabytes;

    @Option(
            names = "--traces-in-part",
            paramLabel = "N",
            defaultValue = "64",
            description = "How many traces a worker asks before it hands their rows over (default: ${DEFAULT-VALUE}).")
    private int tracesInPart;

    private SparkFleet() {}

    /**
     * Runs a fleet, and ends the process with its exit code.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        int code = new CommandLine(new SparkFleet())
                .setExecutionExceptionHandler((e, command, _) -> {
                    boolean mistake = e instanceof UnusableTraceException
                            || e instanceof FileNotFoundException
                            || e instanceof NoSuchFileException
                            || e instanceof QueryException;
                    command.getErr().println("unjank fleet: " + (mistake ? e.getMessage() : e));
                    return mistake ? UNUSABLE : 1;
                })
                .execute(args);
        System.exit(code);
    }

    @Override
    public Integer call() throws IOException, QueryException {
        TraceTask task = task();
        task.check();
        SparkConf conf =
                new SparkConf().setIfMissing("spark.master", "local[*]").setAppName("unjank fleet");
        long start = System.nanoTime();
        LocalRun.Tally tally;
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            tally = SparkRun.run(spark, task, paths, out, resume, Math.max(1, tracesInPart));
        }
        double seconds = (System.nanoTime() - start) / NANOS;
        if (tally.before() > 0) {
            System.out.printf(Locale.ROOT, "%,d files were done before.%n", tally.before());
        }
        System.out.printf(
                Locale.ROOT,
                "%,d traces asked, %,d failed: %,d rows in %.1f s (%.1f traces/s, %.1f MB/s).%n",
                tally.traces(),
                tally.failures(),
                tally.rows(),
                seconds,
                tally.traces() / seconds,
                tally.bytes() / seconds / MB);
        boolean allFailed = tally.traces() > 0 && tally.failures() == tally.traces() && tally.before() == 0;
        return allFailed ? UNUSABLE : 0;
    }

    private TraceTask task() throws IOException {
        Limits limits = Limits.DEFAULT.withTime(Duration.ofMillis(Math.round(timeoutSeconds * 1_000)));
        if (maxMegabytes != null) {
            limits = limits.withBytes(Math.round(maxMegabytes * MB));
        }
        List<Question> questions = file == null
                ? Question.ofTheDoctor(Duration.ofNanos(Math.round(minMillis * MB)))
                : Question.ofStatements(Files.readString(file));
        return new TraceTask(questions, app, labels == null ? LabelBook.EMPTY : LabelBook.read(labels), limits);
    }
}
