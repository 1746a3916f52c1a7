package dev.unjank.bench.queue;

import dev.unjank.bench.queue.Judgement.Met;
import dev.unjank.bench.queue.Question.Row;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Measures the queue against its peers, prints a table for each question, and says whether a target is lost.
 *
 * <p>A target is <i>met</i> if the median ratio is within its limit. It is <i>lost</i> if it is known to have been met, and now two
 * independent measurements with fresh Java VMs both miss it by more than their spread ({@link Spread}), or come to no figure: one
 * unlucky run, or one unlucky compilation, is not enough.
 */
public final class QueueBenchmarks {

    /** A load average of this many threads per processor disturbs what is measured. */
    private static final double BUSY = 0.25;

    private final boolean quick;
    private final PrintWriter out;
    private final PrintWriter progress;

    private final TargetLedger ledger = new TargetLedger(MetTargets.known());

    private QueueBenchmarks(boolean quick, PrintWriter out, PrintWriter progress) {
        this.quick = quick;
        this.out = out;
        this.progress = progress;
    }

    /**
     * The questions.
     *
     * @return their names, in the order in which they are put
     */
    public static List<String> names() {
        return Questions.ALL.stream().map(Question::name).toList();
    }

    /**
     * Runs some of the questions, or all.
     *
     * @param quick one set of Java VMs and few rounds for each
     * @param only the names of those to run
     * @param out the tables, and what came of the targets
     * @param progress a line for each question that begins
     * @return what came of the targets
     * @throws IOException if a Java VM fails
     * @throws InterruptedException if the calling thread is interrupted
     */
    public static Result run(boolean quick, Collection<String> only, PrintWriter out, PrintWriter progress)
            throws IOException, InterruptedException {
        List<Question> questions = Questions.ALL.stream()
                .filter(question -> only.contains(question.name()))
                .toList();
        return new QueueBenchmarks(quick, out, progress).run(questions);
    }

    /**
     * What came of the targets.
     *
     * @param lost those that were met before and now are not
     * @param toRecord those to be remembered as met: of what was measured those met with a margin, and what was not measured
     */
    public record Result(Set<String> lost, Set<String> toRecord) {

        /**
         * Writes what is met into the sources of a checkout.
         *
         * @param root the checkout
         * @return the file
         * @throws IOException if it cannot be written
         */
        public Path record(Path root) throws IOException {
            return MetTargets.record(root, toRecord);
        }
    }

    private Result run(List<Question> questions) throws IOException, InterruptedException {
        describe(questions);
        int number = 0;
        for (Question question : questions) {
            progress.printf("%d of %d: %s ...%n", ++number, questions.size(), question.title());
            Map<String, Judgement> judgements = judgements(question, measure(question, ""));
            Set<String> missed = ledger.missed(judgements);
            if (!missed.isEmpty()) {
                progress.println("a target that was met seems lost; measuring again ...");
                ledger.lose(missed, ledger.missed(judgements(question, measure(question, " (measured again)"))));
            }
            ledger.count(judgements);
        }
        conclude();
        return new Result(ledger.lost(), ledger.toRecord());
    }

    private void describe(List<Question> questions) {
        int processors = Runtime.getRuntime().availableProcessors();
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        out.printf(
                Locale.ROOT,
                "machine: %d CPUs, %s %s, JDK %s, %s, load average %.2f at the start%n",
                processors,
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                Runtime.version(),
                Vm.MEMORY,
                load);
        if (load > BUSY * processors) {
            out.println(
                    "WARNING: other programs keep this machine busy; figures are too large, and ratios less certain");
        }
        out.printf("figures: medians%s; smaller is better, unless a target says >=%n", quick ? " of a quick run" : "");
        out.println(
                "ratio:   of unjank to what the target names, the median of the rounds' ratios (and where the true median is"
                        + " with 90 % probability)");
        questions.stream()
                .flatMap(question -> question.peers().stream())
                .distinct()
                .sorted()
                .forEach(peer -> out.printf("%-8s %s%n", peer.label() + ":", peer.description()));
        out.flush();
    }

    private Figures measure(Question question, String remark) throws IOException, InterruptedException {
        Figures figures = new Turns(question, quick).run();
        out.println();
        List<String> lines = Table.lines(question, figures);
        out.println("[" + question.name() + "] " + lines.getFirst() + remark);
        lines.stream().skip(1).forEach(out::println);
        out.flush();
        return figures;
    }

    private static Map<String, Judgement> judgements(Question question, Figures figures) {
        Map<String, Judgement> judgements = new TreeMap<>();
        for (Row row : question.rows()) {
            for (Target target : row.targets()) {
                judgements.put(name(question, row, target), Judgement.of(target, row, figures));
            }
        }
        return judgements;
    }

    /** How a target is known from run to run. */
    static String name(Question question, Row row, Target target) {
        return question.name() + ": " + row.label() + " " + target;
    }

    private void conclude() {
        out.println();
        out.printf(
                "targets: %d met, %d not met, %d not measured; %d of those met before lost%n",
                ledger.count(Met.YES),
                ledger.count(Met.NO),
                ledger.count(Met.NOT_MEASURED),
                ledger.lost().size());
        ledger.lost().stream().sorted().forEach(target -> out.println("LOST:    " + target));
        out.flush();
    }
}
