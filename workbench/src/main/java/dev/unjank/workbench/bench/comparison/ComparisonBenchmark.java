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
 * A benchmark that is a table: questions, put to contestants that take turns, with targets for some of the figures.
 *
 * <p>A target is <i>met</i> if the median ratio is within its limit. It is <i>lost</i> if it is known to have been met, and now two
 * independent measurements with fresh Java VMs both miss it by more than their spread ({@link MedianInterval}), or come to no figure: one
 * unlucky run, or one unlucky compilation, is not enough.
 *
 * @param name the word after {@code bench} on the command line, and the package of its list of targets met
 * @param main the class that the Java VMs run: its main method hands its arguments on to {@link #serve}
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
     * What came of the targets.
     *
     * @param toRecord those to be remembered as met: of what was measured those met with a margin, and what was not measured
     */
    public record Result(ComparisonBenchmark contest, Set<String> lost, Set<String> toRecord) {
        /** Writes what is met into the sources of a checkout. */
        public Path record(Path root) throws IOException {
            return MetTargetsFile.record(root, contest.name, toRecord);
        }
    }

    /** How a target is known from run to run. */
    static String name(BenchmarkQuestion<?> question, BenchmarkQuestion.Row row, BenchmarkTarget target) {
        return question.name() + ": " + row.label() + " " + target;
    }

    /**
     * What runs in a Java VM of one contestant: for each request with a circumstance it measures once and answers with the
     * figures, by their numbers.
     *
     * @param args the name of the question, the name of the contestant
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
            Runtime.getRuntime().halt(0); // whatever threads a contestant has left
        }
    }

    /** Opens a question for the contestant of a name. */
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
