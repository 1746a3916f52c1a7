package dev.unjank.cli.command;

import dev.unjank.cli.terminal.InterruptionHandler;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.record.jvm.TargetJvm;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What all commands ask that look on while a process runs: at which, for how long, and at how much of the others. */
final class TargetProcessOptions {
    /** What the process may take to hand over what it has: a command ends within two seconds whatever the process does. */
    private static final Duration LAST_ANSWERS = Duration.ofMillis(700);

    /** How much longer the recorder may read what it has got. */
    private static final Duration READING = Duration.ofMillis(700);

    @Option(
            names = "--pid",
            required = true,
            paramLabel = "PID",
            converter = ProcessNumber.class,
            description = "The process to look at; jcmd lists those that run Java.")
    private int pid;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = AmountConverters.Time.class,
            description = "Stop after this time, such as 10s, 500ms or 2m (default: at Ctrl-C or the process's end).")
    private @Nullable Duration duration;

    @Option(names = "--system", description = "Record what wakes the threads of all other processes, too.")
    private boolean system;

    /** Its number. */
    int pid() {
        return pid;
    }

    /**
     * The process.
     *
     * @throws UserError if there is none of this number, or it is the command's own
     */
    ProcessHandle process() {
        if (pid == ProcessHandle.current().pid()) {
            throw new UserError("process " + pid + " is this recorder; name another one");
        }
        return ProcessHandle.of(pid)
                .orElseThrow(() -> new UserError("there is no process " + pid + "; jcmd lists Java processes"));
    }

    /** The process as it is recorded. When the user interrupts, waits for its answers are cut short, also while the recording starts. */
    TargetJvm recorded(InterruptionHandler interruption) {
        TargetJvm recorded = new TargetJvm(pid, LAST_ANSWERS, READING);
        interruption.onWanted(recorded::hurry);
        return recorded;
    }

    /** For how long to look, {@link Long#MAX_VALUE} for as long as there is something to see. */
    long nanos() {
        return duration == null ? Long.MAX_VALUE : duration.toNanos();
    }

    /** Whether all is recorded of other processes, too. */
    boolean system() {
        return system;
    }

    /** A process by its number, and nothing else. */
    static final class ProcessNumber implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            try {
                int number = Integer.parseInt(text);
                if (number > 0) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // as any other that is none
            }
            throw new TypeConversionException("must be the number of a process");
        }
    }
}
