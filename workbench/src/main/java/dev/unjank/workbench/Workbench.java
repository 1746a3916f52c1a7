package dev.unjank.workbench;

import dev.unjank.cli.Unjank;
import dev.unjank.cli.command.HelpCommand;
import dev.unjank.cli.command.RootCommand;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.workbench.command.BenchCommand;
import dev.unjank.workbench.command.BenchDoctorCommand;
import dev.unjank.workbench.command.BenchFleetCommand;
import dev.unjank.workbench.command.BenchLocksCommand;
import dev.unjank.workbench.command.BenchQueueCommand;
import dev.unjank.workbench.command.BenchRecordCommand;
import dev.unjank.workbench.command.LabCommand;
import dev.unjank.workbench.command.VerifyCommand;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ScopeType;

/**
 * Main class of the workbench: {@code unjank bench}, {@code lab} and {@code verify} in a checkout. The launcher chooses
 * between this class and {@link Unjank} by the name of the subcommand.
 */
@Command(
        addMethodSubcommands = false,
        name = "unjank",
        scope = ScopeType.INHERIT,
        header = "Benchmarks, experiments and a soak test, for developers of this project.",
        footer = {
            "",
            "Examples:",
            "  unjank bench queue --quick",
            "  sudo unjank lab launcher-jank",
            "  unjank verify --minutes 30"
        })
public final class Workbench extends RootCommand {
    Workbench() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] args) {
        RootCommand.main(new Workbench(), args);
    }

    @Override
    protected void addCommands(CommandLine root, Terminal terminal, List<String> args) {
        add(
                root,
                "bench",
                "Compare queues and locks with other implementations; measure the doctor's speed and the recording"
                        + " overhead.",
                CommandSpec.forAnnotatedObject(new BenchCommand())
                        .addSubcommand("queue", new BenchQueueCommand(terminal).commandLine())
                        .addSubcommand("locks", new BenchLocksCommand(terminal).commandLine())
                        .addSubcommand("doctor", new CommandLine(new BenchDoctorCommand(terminal)))
                        .addSubcommand("fleet", new CommandLine(new BenchFleetCommand(terminal)))
                        .addSubcommand("record", new CommandLine(new BenchRecordCommand(terminal))));
        add(
                root,
                "lab",
                "Run an experiment: record and diagnose a known problem and its fix, and compare with published"
                        + " results.",
                CommandSpec.forAnnotatedObject(new LabCommand(terminal)));
        add(
                root,
                "verify",
                "Run a soak test of the message loop: random operations on many threads, with checks.",
                CommandSpec.forAnnotatedObject(new VerifyCommand(terminal)));
        root.addSubcommand(new HelpCommand());
    }

    private static void add(CommandLine root, String name, String summary, CommandSpec command) {
        command.name(name).usageMessage().header(summary);
        root.addSubcommand(name, command);
    }
}
