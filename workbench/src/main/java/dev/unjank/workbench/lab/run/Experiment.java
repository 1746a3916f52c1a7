package dev.unjank.workbench.lab.run;

import java.io.IOException;

/** An experiment: a program with a fault and one without, recorded and diagnosed. */
public interface Experiment {
    /** What it is called on the command line. */
    String name();

    /** What it shows. */
    String summary();

    /**
     * How long it takes, about.
     *
     * @return in seconds
     */
    int seconds();

    /** Does it, and prints the table. */
    void run(ExperimentRun run) throws IOException;
}
