package dev.unjank.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The entrance of the command {@code unjank}.
 *
 * <p>Exit codes: {@value #FINE}, also for usable input with warnings; {@value #INTERNAL} for a failure of the program itself;
 * {@value #UNUSABLE} for input that cannot be used and for bad usage.
 */
@Command(
        addMethodSubcommands = false, // need not be looked for
        name = "unjank",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = Unjank.Version.class,
        sortOptions = false,
        header = "Message loops without locks, and a doctor that names who blocked your frame.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:fine; also usable input with warnings",
            "1:the program failed (--debug shows where)",
            "2:input that cannot be used, or a mistake on the command line",
            "130:interrupted (Ctrl-C, SIGINT)"
        },
        footer = {
            "",
            "Examples:",
            "  unjank demo                        see a lock stall a UI loop, live",
            "  unjank example && unjank doctor launcher-inversion.pftrace",
            "  unjank doctor --help               options of one command"
        })
public final class Unjank implements Runnable {

    static final int FINE = 0;
    static final int INTERNAL = 1;
    static final int UNUSABLE = 2;

    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "Show the stack trace if the program itself fails.")
    private boolean debug;

    @Spec
    private @Nullable CommandSpec spec;

    private Unjank() {}

    /**
     * Runs the command and ends the process with its exit code.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        Terminal terminal = Terminal.ofProcess();
        Interruption.LastWord lastWord = new Interruption.LastWord(terminal);
        Runtime.getRuntime().addShutdownHook(lastWord);
        int code = run(terminal, args);
        lastWord.isOver();
        Interruption.letEnd();
        System.exit(code);
    }

    /** Runs the command and returns its exit code; everything it prints goes to {@code terminal}. */
    static int run(Terminal terminal, String... args) {
        Unjank unjank = new Unjank();
        int code;
        try {
            code = commandLine(unjank, terminal, List.of(args)).execute(SqlText.notOptions(args));
        } catch (Throwable t) { // an Error: picocli hands over exceptions only
            code = Failures.internal(t, unjank.debug, terminal.err);
        }
        IOException lost = terminal.finish();
        if (lost != null) {
            terminal.err.println("unjank: cannot write to standard output: " + Failures.oneLine(lost));
            return INTERNAL;
        }
        return code;
    }

    /** A command line that begins with a subcommand can be about no other: the others are left out, and it starts sooner. */
    private static CommandLine commandLine(Unjank unjank, Terminal terminal, List<String> args) {
        CommandLine root = new CommandLine(unjank);
        Subcommand first = args.isEmpty() ? null : Subcommand.named(args.getFirst());
        if (first != null) {
            root.addSubcommand(first.command, first.load(terminal));
        } else {
            for (Subcommand subcommand : Subcommand.values()) {
                boolean wanted = args.contains(subcommand.command);
                root.addSubcommand(subcommand.command, wanted ? subcommand.load(terminal) : subcommand.listing());
            }
            root.addSubcommand(new HelpCommand());
        }
        Failures failures = new Failures(() -> unjank.debug);
        return root.registerConverter(Path.class, Path::of) // its failure is told by Failures; picocli's own hides it
                .setOut(terminal.out)
                .setErr(terminal.err)
                .setColorScheme(Help.defaultColorScheme(terminal.colour() ? Help.Ansi.ON : Help.Ansi.OFF))
                .setUsageHelpWidth(100)
                .setUsageHelpAutoWidth(false)
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
    }

    /** Without a command: the help, as the answer to a mistake. */
    @Override
    public void run() {
        CommandLine commandLine = Objects.requireNonNull(spec).commandLine();
        commandLine.usage(commandLine.getErr());
        throw new UserError(Failures.NO_COMMAND);
    }

    /** Says which build this is, on what it runs. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Unjank.class.getPackage().getImplementationVersion();
            return new String[] {
                "unjank %s (JDK %s, %s %s)"
                        .formatted(
                                version == null ? "development build" : version,
                                Runtime.version(),
                                System.getProperty("os.name"),
                                System.getProperty("os.arch"))
            };
        }
    }
}
