package dev.unjank.workbench.bench.doctor;

import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Path;

/** Loads a trace repeatedly; a {@link ProbeRunner}. */
final class LoadProbe {
    private LoadProbe() {}

    /** How long each of some loads took, in ns. */
    static long[] run(Path trace, int loads) throws IOException {
        return ProbeRunner.run(
                LoadProbe.class, ProbeRunner.classPath(LoadProbe.class, TraceReader.class), loads, trace.toString());
    }

    /** Loads a trace. */
    public static void main(String[] args) throws IOException, UnusableTraceException {
        int loads = Integer.parseInt(args[0]);
        Path file = Path.of(args[1]);
        for (int i = 0; i < loads; i++) {
            long start = System.nanoTime();
            TraceReader.read(file);
            ProbeRunner.tell(System.nanoTime() - start);
        }
    }
}
