package dev.unjank.workbench.command;

import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.trace.text.TerminalText;
import dev.unjank.workbench.lab.Experiments;
import dev.unjank.workbench.lab.run.Experiment;
import dev.unjank.workbench.lab.run.ExperimentRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code unjank lab}: runs experiments. */
@Command(
        description = {
            "%nEach experiment runs a program with a known problem and one without it, each in its own process,"
                    + " records and diagnoses both, and prints the results next to published figures. Without a name"
                    + " it lists the experiments.%n",
            "Recording preemption needs root. Without it the table is still complete, but the doctor reports less.%n"
        },
        footer = {
            "",
            "Examples:",
            "  unjank lab                                 list the experiments and their durations",
            "  sudo unjank lab launcher-jank",
            "  sudo unjank lab launcher-jank --out jank   keep traces, HTML pages and JSON",
            "  unjank doctor jank/monitor.pftrace --thread ui"
        })
public final class LabCommand extends MeasuringCommand {
    @Parameters(paramLabel = "NAME", arity = "0..1", description = "The experiment (default: list them).")
    private @Nullable String name;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Keep each case's trace and the doctor's HTML page and JSON in DIR, replacing existing files.")
    private @Nullable Path out;

    @Option(names = "--quick", description = "Run for a few seconds only; results are less certain.")
    private boolean quick;

    @Option(
            names = "--real-time",
            description = "Use a real-time policy for the important thread (launcher-jank only; needs privileges). By"
                    + " default it has a lower nice value.")
    private boolean realTime;

    public LabCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int measure() throws IOException {
        if (name == null) {
            list();
            return ExitCode.OK;
        }
        if (out != null && Files.exists(out) && !Files.isDirectory(out)) {
            throw new UserError(out + ": not a directory");
        }
        Experiment experiment = Experiments.named(name).orElseThrow(this::unknown);
        ExperimentRun.Setup setup =
                new ExperimentRun.Setup(terminal.out, terminal.width(), out, quick, realTime, progress);
        try (ExperimentRun run = ExperimentRun.begin(setup)) {
            experiment.program().run(run);
        }
        return ExitCode.OK;
    }

    private void list() {
        Experiments.ALL.forEach(experiment -> terminal.out.printf(
                Locale.ROOT, "%-20s %4d s   %s%n", experiment.name(), experiment.seconds(), experiment.summary()));
    }

    private UserError unknown() {
        return new UserError(
                "unknown experiment '" + TerminalText.printable(String.valueOf(name)) + "' (expected one of: "
                        + Experiments.ALL.stream().map(Experiment::name).collect(Collectors.joining(", ")) + ")");
    }
}
