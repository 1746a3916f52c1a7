package dev.unjank.cli.command;

import dev.unjank.cli.file.AtomicFile;
import dev.unjank.cli.file.TraceInput;
import dev.unjank.cli.file.TraceInputs;
import dev.unjank.cli.shell.QueryShell;
import dev.unjank.cli.shell.StatementSource;
import dev.unjank.cli.shell.StatementTimeout;
import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.FailureTrackingStream;
import dev.unjank.cli.terminal.ProgressLine;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.query.EngineOptions;
import dev.unjank.query.QuerySession;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.ResultWriter;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.text.TerminalText;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code unjank query}: runs PerfettoSQL on a trace. */
@Command(
        addMethodSubcommands = false, // avoids a search for annotated methods
        description = {
            "%nRuns PerfettoSQL statements on a trace. The tables are Perfetto's plus the doctor's: unjank_incident,"
                    + " unjank_cause, unjank_blame, unjank_frame, unjank_frame_cost, unjank_startup. Without"
                    + " statements it starts an interactive shell.%n"
        },
        exitCodeList = {
            "0:success (possibly with warnings)",
            "1:internal failure (--debug shows the stack trace)",
            "2:unusable input, wrong usage, or an error in a statement",
            "3:the statements exceeded the time limit (--timeout), or one exceeded half of the machine's memory",
            "130:interrupted (Ctrl-C, SIGINT)"
        },
        footer = {
            "",
            "Examples:",
            "  unjank query boot.pftrace                       interactive shell; .help lists its commands",
            "  unjank query boot.pftrace \"SELECT name, dur FROM slice ORDER BY dur DESC LIMIT 10\"",
            "  unjank query boot.pftrace -f contention.sql --format csv > contention.csv",
            "  unjank query system.pftrace app.jfr \"SELECT * FROM unjank_incident\"    two files from one machine",
            "  unjank query boot.pftrace -o sched.parquet \"SELECT * FROM sched\""
        })
final class QueryCommand implements Callable<Integer> {

    private static final long MAX_STANDARD_INPUT = 2L << 30;

    private final Terminal terminal;

    @Parameters(
            arity = "1..*",
            paramLabel = "TRACE... [SQL]",
            hideParamSyntax = true,
            description = {
                "The trace; - for standard input. Several files from one machine are merged. The last argument is"
                        + " taken as SQL if it contains a space, parenthesis or semicolon and no such file exists."
                        + " Separate statements with semicolons."
            })
    private List<String> arguments = List.of();

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Read the statements from FILE.")
    private @Nullable Path file;

    @Option(
            names = "--format",
            paramLabel = "table|csv|json|parquet",
            converter = FormatConverter.class,
            description =
                    "Output format (default: from the extension of -o FILE, else table). parquet needs -o and exactly"
                            + " one result.")
    private @Nullable Format format;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description =
                    "Write results to FILE instead of standard output. If a statement fails, FILE contains the results"
                            + " of the earlier statements.")
    private @Nullable Path output;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            converter = Seconds.class,
            description = "Time limit for all statements together, in seconds (default: no limit).")
    private @Nullable Duration timeout;

    @Option(
            names = "--allow-files",
            paramLabel = "DIR",
            description = {
                "Allow statements to read (read_csv, read_json, read_parquet) and create (COPY ... TO) files in DIR."
                        + " The engine also writes temporary files to DIR when memory is short (default: no file"
                        + " access)."
            })
    private @Nullable Path allowFiles;

    QueryCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The output formats. */
    enum Format {
        TABLE,
        CSV,
        JSON,
        PARQUET
    }

    /** The format of {@code --format}, otherwise that of the output file's extension, otherwise a table. */
    private Format format() {
        if (format != null) {
            return format;
        }
        String name = output == null ? "" : output.toString().toLowerCase(Locale.ROOT);
        return Arrays.stream(Format.values())
                .filter(its -> name.endsWith("." + its.name().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElse(Format.TABLE);
    }

    @Override
    public Integer call() throws IOException {
        QueryArguments given = QueryArguments.of(arguments, file != null);
        List<Path> inputs = new ArrayList<>(given.traces());
        if (file != null) {
            inputs.add(file);
        }
        TraceInput.refuseToOverwrite(output, inputs);
        String text = file == null ? given.sql() : SqlArguments.of(file);
        if (format() == Format.PARQUET && (output == null || text == null)) {
            throw new UserError("--format parquet needs statements and -o FILE");
        }
        if (output != null && text == null) {
            throw new UserError("-o needs statements on the command line or -f FILE; to save results of statements from"
                    + " standard input, use > FILE or -f /dev/stdin");
        }
        try (AtomicFile result = output == null ? null : AtomicFile.at(output);
                Started started = start(given.traces(), text, result)) {
            started.session.setTimeout(timeout);
            if (started.statements == null) {
                return shell(started.session);
            }
            run(started.session, started.statements, result);
            return ExitCode.OK;
        } catch (QueryException e) {
            return fail(e);
        }
    }

    /** A started session with its prepared statements; null without statements. */
    private record Started(QuerySession session, QuerySession.@Nullable Prepared statements) implements AutoCloseable {
        @Override
        public void close() {
            session.close();
        }
    }

    /** Starts the engine and parses the statements on another thread while this one reads the trace. */
    private Started start(List<Path> traces, @Nullable String text, @Nullable AtomicFile result)
            throws IOException, QueryException {
        Path writable = format() == Format.PARQUET && result != null ? result.path() : null;
        EngineOptions alone = new EngineOptions(0, 0, null, writable);
        if (allowFiles != null && !Files.isDirectory(allowFiles)) {
            throw new UserError("--allow-files " + allowFiles + ": no such directory");
        }
        EngineOptions options = allowFiles == null ? alone : alone.withFolder(allowFiles);
        CompletableFuture<Trace> trace = new CompletableFuture<>();
        CompletableFuture<Started> session = CompletableFuture.supplyAsync(() -> start(options, text, trace));
        try (TraceInputs inputs = TraceInputs.of(traces, System.in, MAX_STANDARD_INPUT);
                ProgressLine _ = ProgressLine.show(
                        terminal, "reading " + TerminalText.printable(QueryArguments.names(traces)))) {
            trace.complete(inputs.readOrEmpty());
        } catch (IOException | RuntimeException e) {
            CompletableFuture<Void> _ = session.thenAccept(Started::close);
            throw e;
        }
        trace.join().warnings().forEach(warning -> terminal.err.println("warning: " + TerminalText.printable(warning)));
        try {
            return session.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof QueryException failure) {
                throw failure;
            }
            throw e;
        }
    }

    private Started start(EngineOptions options, @Nullable String text, CompletableFuture<Trace> trace) {
        try {
            QuerySession session = QuerySession.open(QuerySession.engine(options), trace::join);
            try {
                return new Started(session, text == null ? null : session.prepare(text));
            } catch (QueryException e) {
                session.close();
                throw e;
            }
        } catch (QueryException e) {
            throw new CompletionException(e);
        }
    }

    private void run(QuerySession session, QuerySession.Prepared statements, @Nullable AtomicFile result)
            throws IOException, QueryException {
        ProgressLine progress = ProgressLine.show(terminal, "querying");
        try {
            if (format() == Format.PARQUET && result != null) {
                export(session, statements, result);
            } else if (result != null) {
                write(session, statements, result);
            } else {
                ResultWriter writer = writer(terminal.out, terminal.isTerminal() ? terminal.width() : 0);
                session.run(statements, rows -> {
                    progress.close();
                    writer.write(rows);
                    terminal.out.flush(); // keeps this result if the next statement is interrupted
                });
            }
        } finally {
            progress.close();
        }
    }

    /**
     * Exports the results through the engine. The rows already exist, so a failure here is a write error and is
     * reported as one.
     */
    private static void export(QuerySession session, QuerySession.Prepared statements, AtomicFile result)
            throws IOException, QueryException {
        try {
            session.export(statements, result.path());
        } catch (QueryException e) {
            if (e.kind() != QueryException.Kind.FAILURE) {
                throw e;
            }
            throw result.cannotWrite(new IOException(e.getMessage(), e));
        }
        result.done();
    }

    /**
     * Writes the results. After an error in a statement the earlier results are kept; after a timeout they are
     * discarded.
     */
    private void write(QuerySession session, QuerySession.Prepared statements, AtomicFile result)
            throws IOException, QueryException {
        QueryException error = null;
        try (FailureTrackingStream file =
                        new FailureTrackingStream(new BufferedOutputStream(result.stream(), 1 << 16));
                PrintWriter out = new PrintWriter(file, false, StandardCharsets.UTF_8)) {
            session.run(statements, writer(out, 0));
            out.flush();
            if (file.failure() != null) {
                throw result.cannotWrite(file.failure());
            }
        } catch (QueryException e) {
            if (e.kind() != QueryException.Kind.STATEMENT) {
                throw e;
            }
            error = e;
        }
        result.done();
        if (error != null) {
            throw error;
        }
    }

    private ResultWriter writer(PrintWriter out, int width) {
        return switch (format()) {
            case CSV -> ResultWriter.csv(out);
            case JSON -> ResultWriter.json(out);
            default -> ResultWriter.table(out, width);
        };
    }

    private int shell(QuerySession session) throws IOException {
        try (StatementSource source = StatementSource.of(terminal, session)) {
            return new QueryShell(
                            session,
                            source,
                            writer(terminal.out, terminal.isTerminal() ? terminal.width() : 0),
                            terminal)
                    .run();
        }
    }

    private int fail(QueryException e) {
        terminal.out.flush();
        terminal.err.println("unjank query: " + TerminalText.printable(String.valueOf(e.getMessage())));
        return QueryShell.exitCode(e);
    }

    static final class FormatConverter implements ITypeConverter<Format> {
        @Override
        public Format convert(String value) {
            for (Format format : Format.values()) {
                if (format.name().equalsIgnoreCase(value)) {
                    return format;
                }
            }
            throw new TypeConversionException("must be table, csv, json or parquet");
        }
    }

    private static final class Seconds implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String value) {
            return StatementTimeout.parse(value);
        }
    }
}
