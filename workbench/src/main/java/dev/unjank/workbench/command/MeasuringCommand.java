package dev.unjank.workbench.command;

import dev.unjank.cli.terminal.ProgressLine;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.workbench.lab.run.ProgressListener;
import java.io.IOException;
import java.util.concurrent.Callable;

/** A command that runs its measurements in child processes. */
abstract class MeasuringCommand implements Callable<Integer> {
    private static final long MOMENT_MILLIS = 200;

    final Terminal terminal;
    final ProgressListener progress;

    MeasuringCommand(Terminal terminal) {
        this.terminal = terminal;
        progress = what -> ProgressLine.show(terminal, what)::close;
    }

    /** Runs the measurements and prints the results; returns the exit code. */
    abstract int measure() throws IOException, InterruptedException;

    /**
     * Runs the measurements. Ctrl-C also kills the child processes, possibly before this process; this method then
     * waits until the process ends, without reporting that as a failure.
     */
    @Override
    public final Integer call() throws IOException, InterruptedException {
        try {
            return measure();
        } catch (IOException e) {
            Thread.sleep(MOMENT_MILLIS);
            throw e;
        }
    }
}
