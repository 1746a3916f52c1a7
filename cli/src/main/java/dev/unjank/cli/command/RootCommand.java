package dev.unjank.cli.command;

import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.InterruptionHandler;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The root of a command line with subcommands: parses the arguments, runs a subcommand and reports its failure. {@code
 * unjank} and the workbench each have one.
 *
 * <p>Exit codes: see {@link ExitCode}.
 */
@Command(
        addMethodSubcommands = false, // avoids a search for annotated methods
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        sortOptions = false,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success (possibly with warnings)",
            "1:internal failure (--debug shows the stack trace)",
            "2:unusable input, or wrong usage",
            "130:interrupted (Ctrl-C, SIGINT)"
        })
public abstract class RootCommand implements Runnable {

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Show the stack trace of an internal failure.")
    private boolean debug;

    @Spec
    private @Nullable CommandSpec spec;

    /** For subclasses. */
    protected RootCommand() {}

    /** Adds the subcommands; only the subcommand of the command line needs to be loaded. */
    protected abstract void addCommands(CommandLine root, Terminal terminal, List<String> args);

    /** Runs the command and ends the process with its exit code. */
    public static void main(RootCommand root, String... args) {
        Terminal terminal = Terminal.ofProcess();
        InterruptionHandler.ExitMessage exitMessage = new InterruptionHandler.ExitMessage(terminal);
        Runtime.getRuntime().addShutdownHook(exitMessage);
        int code = run(root, terminal, args);
        exitMessage.isOver();
        InterruptionHandler.letEnd();
        System.exit(code);
    }

    public static int run(RootCommand root, Terminal terminal, String... args) {
        int code;
        try {
            code = root.commandLine(terminal, List.of(args)).execute(SqlArguments.notOptions(args));
        } catch (Throwable t) { // picocli handles only exceptions, so an Error arrives here
            code = FailureHandler.internal(t, root.debug, terminal.err);
        }
        IOException lost = terminal.finish();
        if (lost != null) {
            terminal.err.println("unjank: cannot write to standard output: " + FailureHandler.oneLine(lost));
            return ExitCode.INTERNAL;
        }
        return code;
    }

    private CommandLine commandLine(Terminal terminal, List<String> args) {
        CommandLine root = new CommandLine(this);
        addCommands(root, terminal, args);
        FailureHandler failures = new FailureHandler(() -> debug);
        return root.registerConverter(Path.class, Path::of) // picocli's converter drops the reason for an invalid path
                .setOut(terminal.out)
                .setErr(terminal.err)
                .setColorScheme(Help.defaultColorScheme(terminal.colour() ? Help.Ansi.ON : Help.Ansi.OFF))
                .setExpandAtFiles(false) // the words of a program to start are passed as they are
                .setUsageHelpWidth(100)
                .setUsageHelpAutoWidth(false)
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
    }

    /** Without a subcommand, prints the help to standard error and fails. */
    @Override
    public final void run() {
        CommandLine commandLine = Objects.requireNonNull(spec).commandLine();
        commandLine.usage(commandLine.getErr());
        throw new UserError(FailureHandler.NO_COMMAND);
    }
}
