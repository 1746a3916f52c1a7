package dev.unjank.lab;

import dev.unjank.lab.gc.GcCritical;
import dev.unjank.lab.inversion.InversionByCores;
import dev.unjank.lab.launcher.LauncherJank;
import java.util.List;
import java.util.Optional;

/** All experiments. */
public final class Experiments {

    private static final List<Experiment> ALL = List.of(new LauncherJank(), new GcCritical(), new InversionByCores());

    private Experiments() {}

    /**
     * All of them.
     *
     * @return in the order of the list
     */
    public static List<Experiment> all() {
        return ALL;
    }

    /**
     * Finds one.
     *
     * @param name on the command line
     * @return the experiment of that name, if there is one
     */
    public static Optional<Experiment> named(String name) {
        return ALL.stream().filter(experiment -> experiment.name().equals(name)).findFirst();
    }
}
