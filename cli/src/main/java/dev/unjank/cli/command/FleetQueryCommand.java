package dev.unjank.cli.command;

import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.fleet.folder.FleetDatabase;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.ResultWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code unjank fleet query}: any question to the rows of a run. */
@Command(
        name = "query",
        header = "Ask the rows of a fleet in SQL.",
        description = {
            "%nRuns a statement over what a run has written so far: traces, failures, skipped, and the doctor's summaries, incidents,"
                    + " blames, frame_costs and start_ups, or the result of other statements. It is DuckDB's SQL. Statements"
                    + " can read no file except the run's, and write none.%n"
        },
        footer = {
            "",
            "Examples:",
            "  unjank fleet query week12 \"SELECT verdict, count(*), sum(dur) / 1e6 AS ms FROM incidents GROUP BY ALL ORDER BY ms DESC\"",
            "  unjank fleet query week12 \"FROM failures\" --format csv > failures.csv"
        })
final class FleetQueryCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Parameters(index = "0", paramLabel = "DIR", description = "What unjank fleet wrote.")
    private @Nullable Path folder;

    @Parameters(
            index = "1",
            paramLabel = "SQL",
            description = "A statement that reads: SELECT, FROM, WITH, DESCRIBE, SHOW, SUMMARIZE.")
    private String sql = "";

    @Option(
            names = "--format",
            paramLabel = "table|csv|json",
            defaultValue = "table",
            converter = QueryCommand.FormatConverter.class,
            description = "How rows look (default: ${DEFAULT-VALUE}).")
    private QueryCommand.Format format = QueryCommand.Format.TABLE;

    FleetQueryCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        ResultWriter writer = switch (format) {
            case TABLE -> ResultWriter.table(terminal.out, terminal.isTerminal() ? terminal.width() : 0);
            case CSV -> ResultWriter.csv(terminal.out);
            case JSON -> ResultWriter.json(terminal.out);
            case PARQUET -> throw new UserError("the rows are Parquet files already; --format is table, csv or json");
        };
        try (FleetDatabase store = FleetDatabase.open(folder == null ? Path.of("") : folder)) {
            store.query(sql, writer);
        } catch (QueryException e) {
            throw new UserError(String.valueOf(e.getMessage()));
        }
        return ExitCode.OK;
    }
}
