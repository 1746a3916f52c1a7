package dev.unjank.cli.command;

import dev.unjank.cli.terminal.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The subcommands, each known by its name and one line until it is asked for: {@code unjank doctor} then never loads a class of
 * the demo or of a benchmark, and the command starts sooner.
 */
public enum Subcommand {
    DOCTOR("doctor", "Say who blocked a thread, for how long, and why the owner did not let go."),
    QUERY("query", "Ask a trace questions in PerfettoSQL."),
    FLEET("fleet", "Ask many traces at once, and make one report of them."),
    RECORD("record", "Watch a running process, and write what its threads do as a trace."),
    WATCH("watch", "Watch a running process, live: who waits for whom, and the verdict on each wait."),
    CONVERT("convert", "Write a Flight Recorder recording or a systrace as a Perfetto trace."),
    DEMO("demo", "Watch a lock stall a UI loop, and the same loop run on without it."),
    EXAMPLE("example", "Write a small trace to try the doctor on.");

    public final String command;
    public final String summary;

    Subcommand(String command, String summary) {
        this.command = command;
        this.summary = summary;
    }

    /** The subcommand of a name, null if there is none. */
    public static @Nullable Subcommand named(String name) {
        for (Subcommand subcommand : values()) {
            if (subcommand.command.equals(name)) {
                return subcommand;
            }
        }
        return null;
    }

    /** The command itself, ready to parse its arguments. */
    public CommandSpec load(Terminal terminal) {
        return withSummary(
                switch (this) {
                    case DOCTOR -> CommandSpec.forAnnotatedObject(new DoctorCommand(terminal));
                    case QUERY -> CommandSpec.forAnnotatedObject(new QueryCommand(terminal));
                    case FLEET ->
                        CommandSpec.forAnnotatedObject(new FleetCommand(terminal))
                                .addSubcommand("report", new CommandLine(new FleetReportCommand(terminal)))
                                .addSubcommand("query", new CommandLine(new FleetQueryCommand(terminal)))
                                .addSubcommand("compare", new CommandLine(new FleetCompareCommand(terminal)));
                    case RECORD -> CommandSpec.forAnnotatedObject(new RecordCommand(terminal));
                    case WATCH -> CommandSpec.forAnnotatedObject(new WatchCommand(terminal));
                    case CONVERT -> CommandSpec.forAnnotatedObject(new ConvertCommand(terminal));
                    case DEMO -> CommandSpec.forAnnotatedObject(new DemoCommand(terminal));
                    case EXAMPLE -> CommandSpec.forAnnotatedObject(new ExampleCommand(terminal));
                });
    }

    /** Enough of the command to be listed in {@code unjank --help} and to be suggested for a mistyped name. */
    public CommandSpec listing() {
        return withSummary(CommandSpec.create());
    }

    private CommandSpec withSummary(CommandSpec spec) {
        spec.name(command).usageMessage().header(summary);
        return spec;
    }
}
