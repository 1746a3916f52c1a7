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

/** {@code unjank fleet compare}: whether a change helped. */
@Command(
        name = "compare",
        header = "Say whether a second fleet does better than a first, and how sure that is.",
        description = {
            "%nCompares how long main threads waited for locks, which share of the frames was missed, and how long starts"
                    + " took to their first frame, each as a change in percent with its 95 %% interval by bootstrap over"
                    + " traces, and with the number of traces that have it. A change whose interval holds none, or that"
                    + " too few traces tell, is no evidence.%n"
        },
        footer = {"", "Examples:", "  unjank fleet compare release-6 release-7"})
final class FleetCompareCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Parameters(index = "0", paramLabel = "A", description = "What unjank fleet wrote of the traces before.")
    private @Nullable Path before;

    @Parameters(index = "1", paramLabel = "B", description = "What it wrote of the traces after.")
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
