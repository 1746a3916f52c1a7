package dev.unjank.workbench.lab.run;

import java.io.IOException;

/** Something that is shown by doing it: a program with a fault and one without, recorded and diagnosed. */
public interface Experiment {

    /**
     * What it is called on the command line.
     *
     * @return one word
     */
    String name();

    /**
     * What it shows.
     *
     * @return one line for the list
     */
    String summary();

    /**
     * How long it takes, about.
     *
     * @return in seconds
     */
    int seconds();

    /**
     * Does it, and prints the table.
     *
     * @param run where results go
     * @throws IOException if a program of the experiment fails, or something cannot be written
     */
    void run(ExperimentRun run) throws IOException;
}
