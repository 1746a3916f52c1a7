package dev.unjank.workbench.lab.run;

import java.io.IOException;

/**
 * An experiment: a program with a fault and one without, recorded and diagnosed.
 *
 * @param name what it is called on the command line
 * @param seconds how long it takes, about
 */
public record Experiment(String name, String summary, int seconds, Program program) {
    /** Does the experiment, and prints the table. */
    @FunctionalInterface
    public interface Program {
        void run(ExperimentRun run) throws IOException;
    }
}
