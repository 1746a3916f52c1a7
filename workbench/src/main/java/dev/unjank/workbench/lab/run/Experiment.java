package dev.unjank.workbench.lab.run;

import java.io.IOException;

/**
 * An experiment: records and diagnoses a program with a known problem and one without it.
 *
 * @param name the name on the command line
 * @param seconds the approximate duration
 */
public record Experiment(String name, String summary, int seconds, Program program) {
    /** Runs the experiment and prints its table of results. */
    @FunctionalInterface
    public interface Program {
        void run(ExperimentRun run) throws IOException;
    }
}
