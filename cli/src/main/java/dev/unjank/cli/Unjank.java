package dev.unjank.cli;

import dev.unjank.cli.command.HelpCommand;
import dev.unjank.cli.command.RootCommand;
import dev.unjank.cli.command.Subcommand;
import dev.unjank.cli.terminal.Terminal;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** Main class of the command {@code unjank}. */
@Command(
        addMethodSubcommands = false,
        name = "unjank",
        scope = ScopeType.INHERIT,
        header = "Find out what blocks threads: locks, priority inversion, binder calls, GC, CPU contention, I/O.",
        footer = {
            "",
            "Examples:",
            "  unjank demo                        see how a lock stalls a UI loop",
            "  unjank example && unjank doctor launcher-inversion.pftrace",
            "  unjank doctor --help               options of one command"
        })
public final class Unjank extends RootCommand {

    private Unjank() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] args) {
        RootCommand.main(new Unjank(), args);
    }

    /** Runs the command in this process. */
    public static int run(Terminal terminal, String... args) {
        return RootCommand.run(new Unjank(), terminal, args);
    }

    /** Adds only the subcommand that the first argument names, for a faster start; all subcommands if it names none. */
    @Override
    protected void addCommands(CommandLine root, Terminal terminal, List<String> args) {
        Subcommand first = args.isEmpty() ? null : Subcommand.named(args.getFirst());
        if (first != null) {
            root.addSubcommand(first.command, first.load(terminal));
            return;
        }
        for (Subcommand subcommand : Subcommand.values()) {
            boolean named = args.contains(subcommand.command);
            root.addSubcommand(subcommand.command, named ? subcommand.load(terminal) : subcommand.listing());
        }
        root.addSubcommand(new HelpCommand());
    }
}
