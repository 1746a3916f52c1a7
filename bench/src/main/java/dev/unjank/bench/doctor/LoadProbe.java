package dev.unjank.bench.doctor;

import dev.unjank.trace.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Loads a trace a number of times in a Java VM of its own and prints a line {@code load NANOSECONDS BYTES} for each load. {@link
 * DoctorBenchmark} starts it.
 */
final class LoadProbe {
    private LoadProbe() {}

    /**
     * Loads a trace.
     *
     * @param args the file, and how often to load it
     */
    public static void main(String[] args) throws IOException, UnusableTraceException {
        Path file = Path.of(args[0]);
        int loads = Integer.parseInt(args[1]);
        for (int i = 0; i < loads; i++) {
            long start = System.nanoTime();
            long bytes = TraceReader.read(file).sizeBytes();
            System.out.println("load " + (System.nanoTime() - start) + " " + bytes);
        }
    }
}
