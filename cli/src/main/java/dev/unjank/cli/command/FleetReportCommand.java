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

/** {@code unjank fleet report}: reports on all traces of a fleet. */
@Command(
        name = "report",
        header = "Report which verdicts, locks and methods cost a fleet most.",
        description = {
            "%nPrints the verdicts, locks and methods with the most missed frames and wait time, and their"
                    + " distribution over devices, builds and versions. Also writes an HTML page with the worst traces"
                    + " for each of them. Can be used while a run still adds rows.%n"
        },
        footer = {
            "",
            "Examples:",
            "  unjank fleet report week12                      also writes week12/report.html",
            "  unjank fleet report week12 --html /tmp/w12.html"
        })
final class FleetReportCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Parameters(paramLabel = "DIR", description = "The fleet's folder (--out).")
    private @Nullable Path folder;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Write the page to FILE, replacing it (default: DIR/report.html).")
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

    /** Refuses to overwrite the fleet's own files: directly in its folder only .html files are allowed. */
    private static void refuseOwnFile(Path run, Path page) throws IOException {
        Path parent = page.toAbsolutePath().getParent();
        if (parent == null || !Files.isDirectory(parent) || !Files.isDirectory(run)) {
            return; // reported when it is opened
        }
        Path place = parent.toRealPath().resolve(page.getFileName());
        Path real = run.toRealPath();
        boolean isPage = real.equals(place.getParent()) && place.toString().endsWith(".html");
        if (place.startsWith(real) && !isPage) {
            throw new UserError("cannot write " + page
                    + ": it would overwrite the fleet's files; choose a .html file in " + run + ", or one elsewhere");
        }
    }
}
