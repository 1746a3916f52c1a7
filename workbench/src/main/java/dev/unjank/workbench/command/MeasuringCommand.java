package dev.unjank.workbench.command;

import dev.unjank.cli.terminal.ProgressLine;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.workbench.lab.run.ProgressListener;
import java.io.IOException;
import java.util.concurrent.Callable;

/** A command that measures in processes of its own. */
abstract class MeasuringCommand implements Callable<Integer> {
    private static final long MOMENT_MILLIS = 200;

    final Terminal terminal;
    final ProgressListener progress;

    MeasuringCommand(Terminal terminal) {
        this.terminal = terminal;
        progress = what -> ProgressLine.show(terminal, what)::close;
    }

    /** Measures and prints; returns the exit code. */
    abstract int measure() throws IOException, InterruptedException;

    /**
     * ^C also ends the processes that measure, perhaps a moment before this process: that is no failure to report, and this
     * process ends while this waits.
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
