package dev.unjank.cli.command;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code unjank help COMMAND}: prints the same as {@code unjank COMMAND --help}, including nested commands. */
@Command(
        name = "help",
        helpCommand = true,
        header = "Show the help of a command.",
        footer = {"", "Examples:", "  unjank help doctor", "  unjank help fleet report"})
public final class HelpCommand implements Runnable {

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "The command, such as doctor or fleet report.")
    private List<String> path = List.of();

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        CommandLine command = Objects.requireNonNull(spec).commandLine().getParent();
        for (String name : path) {
            CommandLine next = command.getSubcommands().get(name);
            if (next == null) {
                throw new UnmatchedArgumentException(command, List.of(name));
            }
            command = next;
        }
        command.usage(command.getOut());
    }
}
