package dev.unjank.workbench.bench.doctor;

import dev.unjank.workbench.lab.program.RequestServer;
import dev.unjank.workbench.lab.run.ExperimentProcess;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;

/**
 * A program that repeats one operation in a Java VM of its own, with the options of this one but without its cache of
 * classes, and times it.
 */
final class ProbeRunner {
    private static final String NANOS = "nanos";

    private ProbeRunner() {}

    /** One operation; returns how long it took, in ns. */
    @FunctionalInterface
    interface Operation {
        long nanos() throws Exception;
    }

    /** Times an operation for each request, in the probe's own VM. */
    static void serve(Operation operation) throws IOException {
        RequestServer.serve((_, _) -> Map.of(NANOS, (double) operation.nanos()));
    }

    /** How long each time took that a probe does its operation, in ns. */
    static long[] run(Class<?> probe, int times, String argument) throws IOException {
        List<String> options = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("-XX:") && !option.startsWith("-XX:AOT"))
                .toList();
        long[] took = new long[times];
        try (ExperimentProcess child = ExperimentProcess.start(options, probe, argument)) {
            for (int i = 0; i < times; i++) {
                took[i] = child.ask("again", i).count(NANOS);
            }
        }
        return took;
    }
}
