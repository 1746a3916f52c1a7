package dev.unjank.cli;

import dev.unjank.query.Engine;
import dev.unjank.query.EngineOptions;
import dev.unjank.query.QueryException;
import dev.unjank.query.QuerySession;
import dev.unjank.query.ResultWriter;
import dev.unjank.trace.Trace;
import dev.unjank.trace.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
        description = {
            "%nRuns PerfettoSQL statements over a trace: Perfetto's tables under Perfetto's names, and what the doctor finds "
                    + "as unjank_incident, unjank_blame, unjank_frame_cost and unjank_start_up. Without statements it asks "
                    + "for them.%n"
        },
        exitCodeList = {
            "0:fine; also usable input with warnings",
            "1:the program failed (--debug shows where)",
            "2:input that cannot be used, a mistake in a statement or on the command line",
            "3:the statements were stopped at their time limit, or needed more memory than they may have"
        },
        footer = {
            "",
            "Examples:",
            "  unjank query boot.pftrace                       a shell; .help says what it knows",
            "  unjank query boot.pftrace \"SELECT name, dur FROM slice ORDER BY dur DESC LIMIT 10\"",
            "  unjank query boot.pftrace -f contention.sql --format csv > contention.csv",
            "  unjank query boot.pftrace --format parquet -o sched.parquet \"SELECT * FROM sched\""
        })
final class QueryCommand implements Callable<Integer> {

    /** The exit code if the statements were stopped. */
    static final int STOPPED = 3;

    private static final long MAX_STANDARD_INPUT = 2L << 30;
    private static final long MAX_SECONDS = 1_000_000;

    private final Terminal terminal;

    @Parameters(index = "0", paramLabel = "TRACE", description = "The trace; - reads standard input.")
    private Path trace = Path.of("");

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "SQL",
            description = "Statements, with a semicolon after each but the last.")
    private @Nullable String sql;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Take the statements from a file.")
    private @Nullable Path file;

    @Option(
            names = "--format",
            paramLabel = "table|csv|json|parquet",
            defaultValue = "table",
            converter = FormatConverter.class,
            description = "How results look (default: ${DEFAULT-VALUE}). Parquet takes one result, and needs -o.")
    private Format format = Format.TABLE;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write results to a file instead of standard output.")
    private @Nullable Path output;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            converter = Seconds.class,
            description = "Stop the statements after so long (default: never).")
    private @Nullable Duration timeout;

    @Option(names = "--allow-files", description = "Let the engine write temporary files where memory is short.")
    private boolean allowFiles;

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

    @Override
    public Integer call() throws IOException {
        TraceInput.refuseToOverwrite(output, file == null ? List.of(trace) : List.of(trace, file));
        String text = statements();
        if (format == Format.PARQUET && (output == null || text == null)) {
            throw new UserError("--format parquet writes one result to a file: it needs statements, and -o FILE");
        }
        try (QuerySession session = open()) {
            session.setTimeout(timeout);
            if (text == null) {
                return shell(session);
            }
            run(session, text);
            return Unjank.FINE;
        } catch (QueryException e) {
            return fail(e);
        }
    }

    private @Nullable String statements() throws IOException {
        if (sql != null && file != null) {
            throw new UserError("give statements or -f FILE, not both");
        }
        return file == null ? sql : Files.readString(file);
    }

    /** The engine starts while the trace is read: neither needs the other. */
    private QuerySession open() throws IOException, QueryException {
        Path writable = format == Format.PARQUET ? output : null;
        EngineOptions options = new EngineOptions(0, 0, allowFiles, writable);
        CompletableFuture<Engine> engine = CompletableFuture.supplyAsync(() -> {
            try {
                return QuerySession.engine(options);
            } catch (QueryException e) {
                throw new CompletionException(e);
            }
        });
        Trace read;
        try (TraceInput input = TraceInput.of(trace, System.in, MAX_STANDARD_INPUT);
                Progress _ = Progress.show(terminal, "reading " + Failures.printable(trace.toString()))) {
            read = read(input);
        } catch (IOException | RuntimeException e) {
            CompletableFuture<Void> _ = engine.thenAccept(Engine::close);
            throw e;
        }
        read.warnings().forEach(warning -> terminal.err.println("warning: " + Failures.printable(warning)));
        try {
            return QuerySession.open(engine.join(), read);
        } catch (CompletionException e) {
            if (e.getCause() instanceof QueryException failure) {
                throw failure;
            }
            throw e;
        }
    }

    private static Trace read(TraceInput input) throws IOException {
        try {
            return TraceReader.read(input.file());
        } catch (UnusableTraceException e) {
            throw input.inTheUsersTerms(e);
        }
    }

    private void run(QuerySession session, String text) throws IOException, QueryException {
        Progress progress = Progress.show(terminal, "querying");
        try {
            if (format == Format.PARQUET && output != null) {
                session.export(text, output);
            } else if (output != null) {
                try (PrintWriter out =
                        new PrintWriter(new BufferedWriter(Files.newBufferedWriter(output, StandardCharsets.UTF_8)))) {
                    session.run(text, writer(out, 0));
                    if (out.checkError()) {
                        throw new IOException(output + ": cannot be written");
                    }
                }
            } else {
                ResultWriter writer = writer(terminal.out, terminal.isTerminal() ? terminal.width() : 0);
                session.run(text, rows -> {
                    progress.close();
                    writer.write(rows);
                });
            }
        } finally {
            progress.close();
        }
    }

    private ResultWriter writer(PrintWriter out, int width) {
        return switch (format) {
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
        terminal.err.println("unjank query: " + Failures.printable(String.valueOf(e.getMessage())));
        return switch (e.kind()) {
            case STATEMENT, FORBIDDEN -> Unjank.UNUSABLE;
            case INTERRUPTED, MEMORY -> STOPPED;
            case FAILURE -> Unjank.INTERNAL;
        };
    }

    private static final class FormatConverter implements ITypeConverter<Format> {
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
            return duration(value);
        }
    }

    /** A time limit as people write it. */
    static Duration duration(String seconds) {
        if (!seconds.matches("[0-9]{1,9}([.][0-9]{1,3})?")) {
            throw new TypeConversionException("must be a number of seconds");
        }
        double value = Double.parseDouble(seconds);
        if (value <= 0 || value > MAX_SECONDS) {
            throw new TypeConversionException("must be more than 0 and at most " + MAX_SECONDS);
        }
        return Duration.ofMillis(Math.max(1, Math.round(value * 1_000)));
    }
}
