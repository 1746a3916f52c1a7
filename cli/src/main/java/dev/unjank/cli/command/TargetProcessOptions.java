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
    /** The time that the process has for its last answers: a command ends within two seconds even if the process hangs. */
    private static final Duration LAST_ANSWERS = Duration.ofMillis(700);

    /** The time that the recorder then has to read them. */
    private static final Duration READING = Duration.ofMillis(700);

    @Option(
            names = "--pid",
            required = true,
            paramLabel = "PID",
            converter = ProcessNumber.class,
            description = "The process id; jcmd lists Java processes.")
    private int pid;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = AmountConverters.Time.class,
            description =
                    "Stop after this time, such as 10s, 500ms or 2m (default: at Ctrl-C or when the process ends).")
    private @Nullable Duration duration;

    @Option(names = "--system", description = "Also record the wake-ups of all other processes.")
    private boolean system;

    /** The process id. */
    int pid() {
        return pid;
    }

    /** The process. Fails if there is no such process, or it is this one. */
    ProcessHandle process() {
        if (pid == ProcessHandle.current().pid()) {
            throw new UserError("process " + pid + " is unjank itself; give another process id");
        }
        return ProcessHandle.of(pid)
                .orElseThrow(() -> new UserError("there is no process " + pid + "; jcmd lists Java processes"));
    }

    /** The process as a recording target. An interruption shortens the waits for its answers, also while the recording starts. */
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

    /** A process id. */
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
