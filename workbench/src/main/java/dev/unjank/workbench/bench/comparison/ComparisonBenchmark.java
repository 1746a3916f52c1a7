package dev.unjank.workbench.bench.comparison;

import dev.unjank.workbench.lab.program.RequestServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A set of benchmarks that compare implementations in interleaved rounds, with targets for some of the figures.
 *
 * <p>A target is <i>met</i> if the median ratio is within its limit. It is <i>lost</i> (a regression) if it was met
 * before and two independent measurements with fresh JVMs both miss it by more than their confidence interval ({@link
 * MedianInterval}), or fail. A single unlucky run or JIT compilation is not enough.
 *
 * @param name the word after {@code bench} on the command line, and the package of its list of met targets
 * @param main the main class of the JVMs, which passes its arguments to {@link #serve}
 */
public record ComparisonBenchmark(String name, Class<?> main, List<BenchmarkQuestion<?>> questions) {
    public List<String> names() {
        return questions.stream().map(BenchmarkQuestion::name).toList();
    }

    BenchmarkQuestion<?> question(String wanted) {
        return questions.stream()
                .filter(question -> question.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(wanted));
    }

    public Result run(boolean quick, Collection<String> only, PrintWriter out, PrintWriter progress)
            throws IOException, InterruptedException {
        List<BenchmarkQuestion<?>> wanted = questions.stream()
                .filter(question -> only.contains(question.name()))
                .toList();
        return new ComparisonRun(this, quick, out, progress).run(wanted);
    }

    /**
     * The results of the targets.
     *
     * @param toRecord the targets to record as met: those met with a margin, and recorded ones that were not measured
     */
    public record Result(ComparisonBenchmark contest, Set<String> lost, Set<String> toRecord) {
        /** Writes the met targets into the sources of a checkout. */
        public Path record(Path root) throws IOException {
            return MetTargetsFile.record(root, contest.name, toRecord);
        }
    }

    /** The name of a target in the list of met targets. */
    static String name(BenchmarkQuestion<?> question, BenchmarkQuestion.Row row, BenchmarkTarget target) {
        return question.name() + ": " + row.label() + " " + target;
    }

    /**
     * Runs in the JVM of one implementation: measures once per request, under the requested condition, and replies with
     * the figures by index.
     *
     * @param args the names of the benchmark and of the implementation
     */
    public void serve(String[] args) throws Exception {
        try {
            BenchmarkQuestion.Subject subject = open(question(args[0]), args[1]);
            RequestServer.serve((circumstance, _) -> {
                double[] figures = subject.measure(circumstance);
                return IntStream.range(0, figures.length)
                        .boxed()
                        .collect(Collectors.toMap(String::valueOf, i -> figures[i]));
            });
        } finally {
            Runtime.getRuntime().halt(0); // even if the implementation has left threads
        }
    }

    /** Opens a benchmark for the implementation with the given name. */
    static <P extends Candidate> BenchmarkQuestion.Subject open(BenchmarkQuestion<P> question, String contestant)
            throws Exception {
        for (P peer : question.peers()) {
            if (peer.name().equals(contestant)) {
                return question.open(peer);
            }
        }
        throw new IllegalArgumentException(contestant);
    }
}
