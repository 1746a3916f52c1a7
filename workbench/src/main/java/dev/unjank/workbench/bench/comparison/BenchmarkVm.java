package dev.unjank.workbench.bench.comparison;

import dev.unjank.workbench.lab.run.ExperimentProcess;
import dev.unjank.workbench.lab.run.Measurements;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A JVM that measures one implementation, so that the classes of one do not affect the JIT compilation of another. It
 * is idle between requests.
 */
final class BenchmarkVm implements AutoCloseable {
    /** A description of the heap settings. */
    static final String MEMORY = "G1, 512 MiB heap";

    /**
     * Agrona and Netty access JDK internals. A fixed heap that is touched at start keeps heap growth and first-use page
     * faults out of the measurement, where they would count against implementations that allocate. G1 is the JVM's
     * default on all but the smallest machines.
     */
    private static final List<String> OPTIONS = List.of(
            "-XX:+UseG1GC",
            "-Xms512m",
            "-Xmx512m",
            "-XX:+AlwaysPreTouch",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");

    private final BenchmarkQuestion<?> question;
    private final Candidate peer;
    private final ExperimentProcess process;

    BenchmarkVm(ComparisonBenchmark contest, BenchmarkQuestion<?> question, Candidate peer) throws IOException {
        this.question = question;
        this.peer = peer;
        List<String> options = new ArrayList<>(OPTIONS);
        options.addAll(peer.options());
        options.add("-Dunjank.root=" + System.getProperty("unjank.root", "."));
        process = ExperimentProcess.start(options, contest.main(), question.name(), peer.name());
    }

    Candidate peer() {
        return peer;
    }

    /** Requests one measurement and waits for the figures. */
    double[] measure(String circumstance) throws IOException {
        try {
            Measurements figures = process.ask(circumstance, 0);
            return IntStream.range(0, figures.values().size())
                    .mapToDouble(i -> figures.get(String.valueOf(i)))
                    .toArray();
        } catch (IOException e) {
            throw new IOException(
                    question.name() + " of " + peer.label() + ": " + e.getMessage() + ". Run it again with --only "
                            + question.name(),
                    e);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
