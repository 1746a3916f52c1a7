package dev.unjank.workbench.lab;

import dev.unjank.workbench.lab.gc.GcCriticalExperiment;
import dev.unjank.workbench.lab.inversion.InversionByCoresExperiment;
import dev.unjank.workbench.lab.launcher.LauncherJankExperiment;
import dev.unjank.workbench.lab.run.Experiment;
import java.util.List;
import java.util.Optional;

/** All experiments. */
public final class Experiments {
    public static final List<Experiment> ALL = List.of(
            LauncherJankExperiment.EXPERIMENT, GcCriticalExperiment.EXPERIMENT, InversionByCoresExperiment.EXPERIMENT);

    private Experiments() {}

    public static Optional<Experiment> named(String name) {
        return ALL.stream().filter(experiment -> experiment.name().equals(name)).findFirst();
    }
}
