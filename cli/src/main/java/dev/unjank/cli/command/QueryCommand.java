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

/** {@code unjank query}: PerfettoSQL over a trace. */
@Command(
        addMethodSubcommands = false, // need not be looked for
        description = {
            "%nRuns PerfettoSQL statements over a trace: Perfetto's tables under Perfetto's names, and what the doctor finds "
                    + "as unjank_incident, unjank_blame, unjank_frame, unjank_frame_cost and unjank_start_up. Without "
                    + "statements it asks for them.%n"
        },
        exitCodeList = {
            "0:fine; also usable input with warnings",
            "1:the program failed (--debug shows where)",
            "2:input that cannot be used, a mistake in a statement or on the command line",
            "3:the statements were stopped at their time limit, or needed more memory than they may have",
            "130:interrupted (Ctrl-C, SIGINT)"
        },
        footer = {
            "",
            "Examples:",
            "  unjank query boot.pftrace                       a shell; .help says what it knows",
            "  unjank query boot.pftrace \"SELECT name, dur FROM slice ORDER BY dur DESC LIMIT 10\"",
            "  unjank query boot.pftrace -f contention.sql --format csv > contention.csv",
            "  unjank query system.pftrace app.jfr \"SELECT * FROM unjank_incident\"    two of one machine",
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
                "The trace; several files of one machine are read as one, and - reads standard input. Then statements, with a "
                        + "semicolon after each but the last: what is no file and has a space, a parenthesis or a semicolon "
                        + "in it."
            })
    private List<String> arguments = List.of();

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Take the statements from a file.")
    private @Nullable Path file;

    @Option(
            names = "--format",
            paramLabel = "table|csv|json|parquet",
            converter = FormatConverter.class,
            description =
                    "How results look (default: by the ending of -o FILE, such as .csv, else a table). Parquet takes one "
                            + "result, and needs -o.")
    private @Nullable Format format;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description =
                    "Write results to a file instead of standard output. After a mistake in a statement it has what those before "
                            + "it answered.")
    private @Nullable Path output;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            converter = Seconds.class,
            description = "Stop the statements after so long (default: never).")
    private @Nullable Duration timeout;

    @Option(
            names = "--allow-files",
            paramLabel = "DIR",
            description = {
                "Let statements read files in a directory (FROM read_csv('x.csv'), read_json, read_parquet) and write new ones "
                        + "(COPY (SELECT ...) TO 'y.parquet'), and the engine keep temporary files there where memory is short. "
                        + "Without it they can touch no file."
            })
    private @Nullable Path allowFiles;

    QueryCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** How results look. */
    enum Format {
        TABLE,
        CSV,
        JSON,
        PARQUET
    }

    /** As asked for, else as a file's name says. */
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
            throw new UserError("--format parquet writes one result to a file: it needs statements, and -o FILE");
        }
        if (output != null && text == null) {
            throw new UserError("-o FILE takes the results of statements on the command line or from -f FILE;"
                    + " for those from the standard input: > FILE, or -f /dev/stdin");
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

    /** A session, and the statements if there are any. */
    private record Started(QuerySession session, QuerySession.@Nullable Prepared statements) implements AutoCloseable {
        @Override
        public void close() {
            session.close();
        }
    }

    /** The engine starts, and reads the statements, while the trace is read: neither needs the other. */
    private Started start(List<Path> traces, @Nullable String text, @Nullable AtomicFile result)
            throws IOException, QueryException {
        Path writable = format() == Format.PARQUET && result != null ? result.path() : null;
        EngineOptions alone = new EngineOptions(0, 0, null, writable);
        if (allowFiles != null && !Files.isDirectory(allowFiles)) {
            throw new UserError("--allow-files " + allowFiles + ": there is no such directory");
        }
        EngineOptions options = allowFiles == null ? alone : alone.withFolder(allowFiles);
        CompletableFuture<Trace> trace = new CompletableFuture<>();
        CompletableFuture<Started> session = CompletableFuture.supplyAsync(() -> start(options, text, trace));
        try (TraceInputs inputs = TraceInputs.of(traces, System.in, MAX_STANDARD_INPUT);
                ProgressLine _ = ProgressLine.show(
                        terminal, "reading " + TerminalText.printable(QueryArguments.names(traces)))) {
            trace.complete(inputs.read());
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
                    terminal.out.flush(); // an answer is not lost if the next one is interrupted
                });
            }
        } finally {
            progress.close();
        }
    }

    /** The engine writes the file itself; it fails in no other way in what is a copy of rows that it has. */
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

    /** What stands before a mistake is answered; what was stopped is not. */
    private void write(QuerySession session, QuerySession.Prepared statements, AtomicFile result)
            throws IOException, QueryException {
        QueryException mistake = null;
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
            mistake = e;
        }
        result.done();
        if (mistake != null) {
            throw mistake;
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
