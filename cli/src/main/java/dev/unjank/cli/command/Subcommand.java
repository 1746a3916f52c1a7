package dev.unjank.cli.command;

import dev.unjank.cli.terminal.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The subcommands. Each is only a name and a summary until {@link #load}: {@code unjank doctor} does not load the
 * demo's classes, so it starts faster.
 */
public enum Subcommand {
    EXPLAIN("explain", "Record a process for a while and report why it is slow."),
    DOCTOR("doctor", "Diagnose a trace: blocked threads, durations and root causes."),
    QUERY("query", "Query a trace with PerfettoSQL."),
    FLEET("fleet", "Diagnose or query many traces and report on them."),
    RECORD("record", "Record a running process to a trace."),
    WATCH("watch", "Show the lock waits of a running process live, with a verdict on each."),
    CONVERT("convert", "Convert a Flight Recorder recording or a systrace to a Perfetto trace."),
    DEMO("demo", "Show how a lock stalls a UI loop, compared with a lock-free queue."),
    EXAMPLE("example", "Write a small example trace.");

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

    /** The complete command with its options. */
    public CommandSpec load(Terminal terminal) {
        return withSummary(
                switch (this) {
                    case EXPLAIN -> CommandSpec.forAnnotatedObject(new ExplainCommand(terminal));
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

    /** The command's name and summary, for the list in {@code unjank --help} and for suggestions. */
    public CommandSpec listing() {
        return withSummary(CommandSpec.create());
    }

    private CommandSpec withSummary(CommandSpec spec) {
        spec.name(command).usageMessage().header(summary);
        return spec;
    }
}
