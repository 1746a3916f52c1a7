package dev.unjank.cli.command;

import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.ProgressLine;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.fleet.compare.FleetComparison;
import dev.unjank.fleet.folder.FleetDatabase;
import dev.unjank.fleet.report.FleetTextReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code unjank fleet compare}: compares two fleets, before and after a change. */
@Command(
        name = "compare",
        header = "Compare two fleets, with confidence intervals.",
        description = {
            "%nCompares the lock wait time of main threads, the share of missed frames, and the time from app startup"
                    + " to first frame. Each line shows the change in percent, its 95 %% confidence interval"
                    + " (bootstrap over traces) and the number of traces. If the interval contains 0 %%, or there are"
                    + " too few traces, the line reads 'no evidence'.%n"
        },
        footer = {"", "Examples:", "  unjank fleet compare release-6 release-7"})
final class FleetCompareCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Parameters(index = "0", paramLabel = "A", description = "Folder of the first fleet (before).")
    private @Nullable Path before;

    @Parameters(index = "1", paramLabel = "B", description = "Folder of the second fleet (after).")
    private @Nullable Path after;

    FleetCompareCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        FleetComparison comparison;
        try (FleetDatabase a = FleetDatabase.open(before == null ? Path.of("") : before);
                FleetDatabase b = FleetDatabase.open(after == null ? Path.of("") : after);
                ProgressLine _ = ProgressLine.show(terminal, "comparing")) {
            comparison = FleetComparison.of(a, b);
        }
        terminal.out.print(FleetTextReport.of(comparison));
        return ExitCode.OK;
    }
}
