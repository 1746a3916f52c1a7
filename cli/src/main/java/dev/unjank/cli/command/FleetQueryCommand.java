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

/** {@code unjank fleet query}: queries the rows of a fleet. */
@Command(
        name = "query",
        header = "Query the rows of a fleet with SQL.",
        description = {
            "%nRuns a DuckDB SQL statement on a fleet's tables. All fleets have the tables traces, failures and"
                    + " skipped (files that are no traces). The doctor's results are in summaries, incidents, causes,"
                    + " blames, frame_costs and startups; the rows of 'unjank fleet -f FILE' are in the table"
                    + " result. Can be used while a run still adds rows. Statements are read-only and can access only"
                    + " the fleet's files.%n"
        },
        footer = {
            "",
            "Examples:",
            "  unjank fleet query week12 \"SELECT verdict, count(*), sum(dur) / 1e6 AS ms FROM incidents GROUP BY ALL"
                    + " ORDER BY ms DESC\"",
            "  unjank fleet query week12 \"FROM failures\" --format csv > failures.csv"
        })
final class FleetQueryCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Parameters(index = "0", paramLabel = "DIR", description = "The fleet's folder (--out).")
    private @Nullable Path folder;

    @Parameters(
            index = "1",
            paramLabel = "SQL",
            description = "One statement: SELECT, FROM, WITH, DESCRIBE, SHOW or SUMMARIZE.")
    private String sql = "";

    @Option(
            names = "--format",
            paramLabel = "table|csv|json",
            defaultValue = "table",
            converter = QueryCommand.FormatConverter.class,
            description = "Output format (default: ${DEFAULT-VALUE}).")
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
            case PARQUET -> throw new UserError("the rows are already Parquet files; use --format table, csv or json");
        };
        try (FleetDatabase store = FleetDatabase.open(folder == null ? Path.of("") : folder)) {
            store.query(sql, writer);
        } catch (QueryException e) {
            throw new UserError(String.valueOf(e.getMessage()));
        }
        return ExitCode.OK;
    }
}
