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

/** {@code unjank lab}: experiments. */
@Command(
        description = {
            "%nEach experiment is a program with a fault and one without. It runs in a process of its own, is recorded, the"
                    + " doctor looks at the recording, and a table shows both beside what is published about them."
                    + " Without a name the experiments are listed.%n",
            "Preemption is recorded only as root; otherwise the table is complete and the doctor reports less.%n"
        },
        footer = {
            "",
            "Examples:",
            "  unjank lab                                 lists the experiments, and how long each takes",
            "  sudo unjank lab launcher-jank",
            "  sudo unjank lab launcher-jank --out jank   keeps traces, pages for a browser and JSON",
            "  unjank doctor jank/monitor.pftrace --thread ui"
        })
public final class LabCommand extends MeasuringCommand {
    @Parameters(paramLabel = "NAME", arity = "0..1", description = "The experiment (default: list them).")
    private @Nullable String name;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Keep each case's trace, the doctor's page for a browser and JSON in DIR, replacing what of"
                    + " these is there.")
    private @Nullable Path out;

    @Option(names = "--quick", description = "Run for seconds only; the results are less certain.")
    private boolean quick;

    @Option(
            names = "--real-time",
            description = "Give the important thread a real-time policy where the experiment leaves the choice"
                    + " (launcher-jank) and this user may; otherwise it has a better nice value.")
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
        return new UserError("there is no experiment '" + TerminalText.printable(String.valueOf(name)) + "'; there are "
                + Experiments.ALL.stream().map(Experiment::name).collect(Collectors.joining(", ")));
    }
}
