package dev.unjank.workbench.bench.doctor;

import dev.unjank.workbench.lab.program.RequestServer;
import dev.unjank.workbench.lab.run.ExperimentProcess;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;

/**
 * Times an operation repeatedly in a separate JVM, with this JVM's options but without its AOT cache.
 */
final class ProbeRunner {
    private static final String NANOS = "nanos";

    private ProbeRunner() {}

    /** One operation; returns its duration in ns. */
    @FunctionalInterface
    interface Operation {
        long nanos() throws Exception;
    }

    /** Times the operation once per request, in the probe's JVM. */
    static void serve(Operation operation) throws IOException {
        RequestServer.serve((_, _) -> Map.of(NANOS, (double) operation.nanos()));
    }

    /** Starts a probe and runs its operation repeatedly; returns the duration of each run in ns. */
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
