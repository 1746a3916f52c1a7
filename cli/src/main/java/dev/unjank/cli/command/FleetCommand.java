package dev.unjank.cli.command;

import dev.unjank.cli.shell.StatementTimeout;
import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.InterruptionHandler;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.fleet.folder.FleetFolder;
import dev.unjank.fleet.input.Inputs;
import dev.unjank.fleet.label.LabelFile;
import dev.unjank.fleet.run.LocalRun;
import dev.unjank.fleet.run.RunTotals;
import dev.unjank.fleet.task.TraceLimits;
import dev.unjank.fleet.task.TraceTask;
import dev.unjank.query.result.QueryException;
import dev.unjank.trace.text.TerminalText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code unjank fleet}: the doctor, or statements, over many traces. */
@Command(
        description = {
            "%nAsks each of many traces the same: what the doctor finds in it, or PerfettoSQL. The rows of all of them are"
                    + " written to a folder as Parquet, each with the trace that it is of, its device, build and app. A trace"
                    + " that is broken, or takes too long, is a row among the failures.%n"
        },
        exitCodeList = {
            "0:fine; also if some of the traces failed",
            "1:the program failed (--debug shows where)",
            "2:input that cannot be used, a mistake in a statement or on the command line, or every trace failed",
            "130:interrupted (Ctrl-C, SIGINT); what was done is kept"
        },
        footer = {
            "",
            "Examples:",
            "  unjank fleet traces/ --out week12",
            "  unjank fleet traces/ --out week12 --resume      go on after a kill",
            "  unjank fleet 'traces/**.pftrace' more.zip --app com.example --labels builds.csv --out v7",
            "  unjank fleet traces/ -f contention.sql --out contention",
            "  unjank fleet hdfs:///traces --master yarn --out hdfs:///week12",
            "  find /data -name '*.pftrace' -size -100M | unjank fleet - --out all"
        })
final class FleetCommand implements Callable<Integer> {

    private static final String LIST = "-";
    private static final int MAX_THREADS = 1_024;
    private static final long BYTES_PER_MB = 1_000_000;
    private static final double NANOS_PER_MS = 1e6;
    private static final double MILLIS_PER_SECOND = 1e3;

    private final Terminal terminal;

    @Parameters(
            paramLabel = "PATH",
            arity = "0..*",
            description =
                    "Traces, folders of them, archives (.zip, .tar, .tar.gz, .tgz), patterns in quotes; - reads names from"
                            + " standard input, one to a line.")
    private List<String> paths = List.of();

    @Option(names = "--out", paramLabel = "DIR", description = "The folder for the rows: a new one, or an empty one.")
    private @Nullable String out;

    @Option(names = "--doctor", description = "Ask what unjank doctor tells, which is what is asked without -f.")
    private boolean doctor;

    @Option(
            names = "--min-ms",
            paramLabel = "X",
            defaultValue = "1",
            converter = DoctorCommand.Milliseconds.class,
            description = "Leave out incidents shorter than X milliseconds (default: ${DEFAULT-VALUE}).")
    private Duration minDuration = Duration.ofMillis(1);

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Ask PerfettoSQL from a file instead: the rows of its results.")
    private @Nullable Path file;

    @Option(
            names = "--resume",
            description = "Go on with a run that was killed: what DIR has already is not done again.")
    private boolean resume;

    @Option(
            names = "--app",
            paramLabel = "PACKAGE",
            description = "The app whose version each row is to have, as the trace tells it.")
    private @Nullable String app;

    @Option(
            names = "--labels",
            paramLabel = "FILE",
            description =
                    "CSV or JSON that says for each trace (file) its device, os_build, app and app_version; goes before what"
                            + " the trace says.")
    private @Nullable Path labels;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            converter = Seconds.class,
            description = "The longest that one trace may take (default: ${DEFAULT-VALUE}).")
    private Duration timeout = TraceLimits.DEFAULT.time();

    @Option(
            names = "--max-mb",
            paramLabel = "N",
            converter = Megabytes.class,
            description = "The largest that one trace may be (default: 1073 MB).")
    private @Nullable Integer maxMegabytes;

    @Option(
            names = "--threads",
            paramLabel = "N",
            converter = Threads.class,
            description = "How many traces to ask at once (default: one per processor).")
    private @Nullable Integer threads;

    @Option(
            names = "--master",
            paramLabel = "URL",
            description =
                    "Ask on Apache Spark instead: local[*], k8s://URL, spark://HOST:PORT, yarn; PATH and DIR may then be on any"
                            + " file system that Hadoop reaches.")
    private @Nullable String master;

    FleetCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        if (paths.isEmpty()) {
            throw new UserError("name traces, folders or archives; or a command: report, query, compare");
        }
        if (out == null) {
            throw new UserError("name a folder for the rows: --out DIR");
        }
        if (doctor && file != null) {
            throw new UserError("give --doctor or -f FILE, not both");
        }
        if (master != null) {
            SparkMaster where = SparkMaster.of(master);
            List<String> arguments = sparkArguments(out);
            TraceTask _ = task(); // a mistake in it is told before Spark is fetched and started
            return SparkProcess.prepared(where, terminal).run(arguments);
        }
        Inputs inputs = inputs();
        TraceTask task = task();
        long start = System.nanoTime();
        RunTotals tally;
        Path written;
        InterruptionHandler interruption = InterruptionHandler.listen();
        try (interruption;
                FleetFolder folder = FleetFolder.open(Path.of(out), task, resume)) {
            written = folder.path();
            try (FleetProgressLine progress = FleetProgressLine.show(terminal, inputs, interruption)) {
                tally = LocalRun.run(task, inputs, threads(), folder, progress);
            }
        }
        boolean isInterrupted = interruption.isWanted();
        if (tally.isEmpty()) {
            throw new UserError(isInterrupted ? "interrupted before the first trace was asked" : "no traces found");
        }
        if (isInterrupted) {
            terminal.err.println("Interrupted: what was done is kept, and --resume goes on.");
        }
        return tell(tally, written, (System.nanoTime() - start) / 1e9);
    }

    private List<String> sparkArguments(String folder) {
        if (paths.contains(LIST) || threads != null) {
            throw new UserError("--master goes neither with a list on standard input nor with --threads");
        }
        List<String> arguments = new ArrayList<>(paths);
        arguments.addAll(List.of("--out", folder));
        arguments.addAll(List.of("--min-ms", Double.toString(minDuration.toNanos() / NANOS_PER_MS)));
        arguments.addAll(List.of("--timeout", Double.toString(timeout.toMillis() / MILLIS_PER_SECOND)));
        if (file != null) {
            arguments.addAll(List.of("--file", file.toAbsolutePath().toString()));
        }
        if (labels != null) {
            arguments.addAll(List.of("--labels", labels.toAbsolutePath().toString()));
        }
        if (app != null) {
            arguments.addAll(List.of("--app", app));
        }
        if (maxMegabytes != null) {
            arguments.addAll(List.of("--max-mb", maxMegabytes.toString()));
        }
        if (resume) {
            arguments.add("--resume");
        }
        return arguments;
    }

    private Inputs inputs() throws IOException {
        List<String> named = paths.stream().filter(path -> !path.equals(LIST)).toList();
        BufferedReader list = named.size() == paths.size()
                ? null
                : new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Inputs inputs = new Inputs(named, list);
        try {
            inputs.check();
        } catch (NoSuchFileException e) {
            throw new UserError(e.getMessage() + ": there is no such file or folder, and no file fits it");
        }
        return inputs;
    }

    private TraceTask task() throws IOException {
        TraceLimits limits = TraceLimits.DEFAULT.withTime(timeout);
        if (maxMegabytes != null) {
            limits = limits.withBytes(maxMegabytes * BYTES_PER_MB);
        }
        LabelFile known = labels == null ? LabelFile.EMPTY : LabelFile.read(labels);
        if (file == null) {
            return TraceTask.ofTheDoctor(minDuration, app, known, limits);
        }
        TraceTask task = TraceTask.ofStatements(SqlArguments.of(file), app, known, limits);
        try {
            task.check();
        } catch (QueryException e) {
            throw new UserError(file + ": " + e.getMessage());
        }
        return task;
    }

    private int threads() {
        return threads == null ? Runtime.getRuntime().availableProcessors() : threads;
    }

    private int tell(RunTotals tally, Path folder, double seconds) {
        tally.lines(seconds).forEach(terminal.out::println);
        if (labels != null) {
            String line = tally.labelLine(TerminalText.printable(labels.toString()));
            if (tally.labelled() == 0) {
                terminal.err.println("unjank fleet: " + line);
            } else {
                terminal.out.println(line);
            }
        }
        terminal.out.println(RunTotals.folderLine(TerminalText.printable(folder.toString())));
        return tally.isInVain() ? ExitCode.UNUSABLE : ExitCode.OK;
    }

    private static int number(String value, int most) {
        if (value.matches("[0-9]{1,9}")) {
            int number = Integer.parseInt(value);
            if (number >= 1 && number <= most) {
                return number;
            }
        }
        throw new TypeConversionException("must be 1 to " + most);
    }

    private static final class Threads implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            return number(value, MAX_THREADS);
        }
    }

    private static final class Megabytes implements ITypeConverter<Integer> {
        private static final int MOST = 100_000;

        @Override
        public Integer convert(String value) {
            return number(value, MOST);
        }
    }

    private static final class Seconds implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String value) {
            return StatementTimeout.parse(value);
        }
    }
}
