package dev.unjank.cli.command;

import dev.unjank.cli.file.AtomicFile;
import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.ProgressLine;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.fleet.folder.FleetDatabase;
import dev.unjank.fleet.report.FleetHtmlReport;
import dev.unjank.fleet.report.FleetReport;
import dev.unjank.fleet.report.FleetTextReport;
import dev.unjank.trace.text.TerminalText;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code unjank fleet report}: what a run's traces say together. */
@Command(
        name = "report",
        header = "Say what a fleet's traces have in common: what cost most, where, and which to open.",
        description = {
            "%nPrints the verdicts, locks and methods that cost most frames and time over all traces of a run of the doctor, and"
                    + " how that spreads over devices, builds and versions; and writes the same as a page, with the worst"
                    + " traces of each line. The run may still be going on.%n"
        },
        footer = {
            "",
            "Examples:",
            "  unjank fleet report week12                      and week12/report.html",
            "  unjank fleet report week12 --html /tmp/w12.html"
        })
final class FleetReportCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Parameters(paramLabel = "DIR", description = "What unjank fleet wrote.")
    private @Nullable Path folder;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Where the page goes (default: report.html in DIR). What is there is replaced.")
    private @Nullable Path html;

    FleetReportCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        Path run = folder == null ? Path.of("") : folder;
        Path page = html == null ? run.resolve("report.html") : html;
        refuseOwnFile(run, page);
        FleetReport report;
        try (FleetDatabase store = FleetDatabase.open(run);
                ProgressLine _ = ProgressLine.show(terminal, "reading " + TerminalText.printable(run.toString()))) {
            report = FleetReport.of(store);
        }
        AtomicFile.write(page, to -> {
            try (Writer out = new BufferedWriter(new OutputStreamWriter(to, StandardCharsets.UTF_8))) {
                FleetHtmlReport.write(report, Terminal.command(), out);
            }
        });
        terminal.out.print(FleetTextReport.of(report, Terminal.command(), terminal.width()));
        terminal.err.println("Wrote " + TerminalText.printable(page.toString()) + ". Open it in a browser.");
        return ExitCode.OK;
    }

    /** Refuses a page in the place of the run's own files: in its folder a page lies beside the parts, and is named as one. */
    private static void refuseOwnFile(Path run, Path page) throws IOException {
        Path parent = page.toAbsolutePath().getParent();
        if (parent == null || !Files.isDirectory(parent) || !Files.isDirectory(run)) {
            return; // is refused with its own words
        }
        Path place = parent.toRealPath().resolve(page.getFileName());
        Path real = run.toRealPath();
        boolean isPage = real.equals(place.getParent()) && place.toString().endsWith(".html");
        if (place.startsWith(real) && !isPage) {
            throw new UserError("cannot write " + page + ": the run's own files are there; name a .html file in " + run
                    + ", or one elsewhere");
        }
    }
}
