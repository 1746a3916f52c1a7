package dev.unjank.cli.command;

import dev.unjank.cli.terminal.InterruptionHandler;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.record.jvm.TargetJvm;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the commands that record a running process. */
final class TargetProcessOptions {
    @Option(
            names = {"--process", "--pid"},
            paramLabel = "PID|NAME",
            description =
                    "The process to record: its id, its main class (with or without the package) or its name. Without"
                            + " it, the command lists the running JVMs and asks.")
    private @Nullable String wanted;

    @Option(
            names = {"--for", "--duration"},
            paramLabel = "TIME",
            converter = AmountConverters.Time.class,
            description =
                    "Stop after this time, such as 10s, 500ms or 2m (default: on Ctrl-C or when the process ends).")
    private @Nullable Duration duration;

    @Option(names = "--system", description = "Also record the wake-ups of threads of other processes, with the waker.")
    private boolean system;

    /** Whether a process is given. */
    boolean isGiven() {
        return wanted != null;
    }

    /** The running process that the user has given or chooses now. */
    RecordingTarget target(Terminal terminal) throws IOException {
        return RecordingTarget.running(new TargetChooser(terminal).choose(wanted));
    }

    /**
     * The process as a recording target. An interrupt shortens the timeouts for its replies, even while the recording
     * starts.
     */
    static TargetJvm recorded(int pid, InterruptionHandler interruption) {
        TargetJvm recorded = TargetJvm.endingSoon(pid);
        interruption.onWanted(recorded::hurry);
        return recorded;
    }

    /** The duration in ns; {@link Long#MAX_VALUE} without a limit. */
    long nanos() {
        return duration == null ? Long.MAX_VALUE : duration.toNanos();
    }

    /** Whether wake-ups of other processes are recorded. */
    boolean system() {
        return system;
    }
}
