package dev.unjank.workbench.bench.doctor;

import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Path;

/** Loads a trace repeatedly; a {@link ProbeRunner}. */
final class LoadProbe {
    private LoadProbe() {}

    /** Runs several loads in one JVM; returns the duration of each in ns. */
    static long[] run(Path trace, int loads) throws IOException {
        return ProbeRunner.run(LoadProbe.class, loads, trace.toString());
    }

    public static void main(String[] args) throws IOException {
        Path file = Path.of(args[0]);
        ProbeRunner.serve(() -> {
            long start = System.nanoTime();
            TraceReader.read(file);
            return System.nanoTime() - start;
        });
    }
}
