package dev.unjank.cli.command;

import dev.unjank.cli.terminal.InterruptionHandler;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.record.jvm.TargetJvm;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of the commands that record a running process. */
final class TargetProcessOptions {
    /** The timeout for the last replies of the process; a command ends within two seconds even if the process hangs. */
    private static final Duration LAST_ANSWERS = Duration.ofMillis(700);

    /** The timeout for reading these replies afterwards. */
    private static final Duration READING = Duration.ofMillis(700);

    @Option(
            names = "--pid",
            required = true,
            paramLabel = "PID",
            converter = ProcessNumber.class,
            description = "The process to record; jcmd lists Java processes.")
    private int pid;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = AmountConverters.Time.class,
            description =
                    "Stop after this time, such as 10s, 500ms or 2m (default: on Ctrl-C or when the process ends).")
    private @Nullable Duration duration;

    @Option(names = "--system", description = "Also record wake-ups in all other processes.")
    private boolean system;

    /** The process id. */
    int pid() {
        return pid;
    }

    /** The handle of the process. Fails if the process does not exist or is this one. */
    ProcessHandle process() {
        if (pid == ProcessHandle.current().pid()) {
            throw new UserError("process " + pid + " is unjank itself; choose another process");
        }
        return ProcessHandle.of(pid)
                .orElseThrow(() -> new UserError("no such process: " + pid + "; jcmd lists Java processes"));
    }

    /** The process as a recording target. An interrupt shortens the timeouts for its replies, even while the recording starts. */
    TargetJvm recorded(InterruptionHandler interruption) {
        TargetJvm recorded = new TargetJvm(pid, LAST_ANSWERS, READING);
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

    /** Converter of process ids. */
    static final class ProcessNumber implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            try {
                int number = Integer.parseInt(text);
                if (number > 0) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // reported below
            }
            throw new TypeConversionException("must be a process id");
        }
    }
}
