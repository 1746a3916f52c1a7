package dev.unjank.cli.command;

import dev.unjank.cli.terminal.InterruptionHandler;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.record.launch.RunningProcesses;
import dev.unjank.record.launch.StartedProgram;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** The process to record: a running one, or a program that is started for the recording and ends with it. */
final class RecordingTarget implements AutoCloseable {
    private final ProcessHandle process;
    private final @Nullable StartedProgram program;

    private RecordingTarget(ProcessHandle process, @Nullable StartedProgram program) {
        this.process = process;
        this.program = program;
    }

    /** A running process. */
    static RecordingTarget running(int pid) {
        if (pid == ProcessHandle.current().pid()) {
            throw new UserError("process " + pid + " is unjank itself; choose another process");
        }
        String refusal = RunningProcesses.refusal(pid);
        if (refusal != null) {
            throw new UserError(refusal);
        }
        return new RecordingTarget(
                ProcessHandle.of(pid)
                        .orElseThrow(() -> new UserError("no such process: " + pid + "; jcmd lists Java processes")),
                null);
    }

    /**
     * Starts a program, which waits before its first instruction, or before its main method, until {@link #release}.
     */
    static RecordingTarget start(List<String> command) throws IOException {
        StartedProgram started = StartedProgram.start(command);
        if (started == null) {
            throw new UserError(TerminalText.printable(command.getFirst()) + ": no such program");
        }
        return new RecordingTarget(started.handle(), started);
    }

    /**
     * The words of a command line behind {@code --}; empty without it. {@code words} are all words that are no options.
     */
    static List<String> command(CommandSpec spec, List<String> words) {
        List<String> all = spec.commandLine().getParseResult().originalArgs();
        int dashes = all.indexOf("--");
        if (dashes < 0) {
            return List.of();
        }
        int count = all.size() - dashes - 1;
        if (count == 0) {
            throw new UserError("no program is given after --");
        }
        return words.subList(words.size() - count, words.size());
    }

    int pid() {
        return Math.toIntExact(process.pid());
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Whether it is a started program. */
    boolean isStarted() {
        return program != null;
    }

    /**
     * Waits until recording can start; false if a started program has ended before, or the user has interrupted the
     * command.
     */
    boolean awaitReady(InterruptionHandler interruption) throws IOException {
        return program == null || program.awaitHeld(interruption::isWanted);
    }

    /** Returns false after an interrupt; otherwise fails, since no data source is on or the program has ended. */
    boolean hasNotBegun(InterruptionHandler interruption) {
        if (interruption.isWanted()) {
            return false;
        }
        throw new UserError(
                isAlive() ? "cannot record process " + pid() : "the program has ended before it could be recorded");
    }

    /** The recording has begun: lets a started program run. */
    void release() throws IOException {
        if (program != null) {
            program.release();
        }
    }

    /** The exit code of a started program that has ended by itself; otherwise {@code otherwise}. */
    int exitCode(int otherwise) {
        return program != null && !process.isAlive() ? program.exitCode() : otherwise;
    }

    /** Ends a started program. */
    @Override
    public void close() throws IOException {
        if (program != null) {
            program.close();
        }
    }
}
