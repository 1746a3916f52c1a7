package dev.unjank.workbench.bench.comparison;

import dev.unjank.workbench.bench.comparison.BenchmarkQuestion.Row;
import dev.unjank.workbench.bench.comparison.TargetResult.Met;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** One run of a {@link ComparisonBenchmark}: measures, prints a table per benchmark, and reports regressions. */
final class ComparisonRun {
    /** The load average per CPU above which the measurement is disturbed. */
    private static final double BUSY = 0.25;

    private static final int NAME_WIDTH = 8;

    private final ComparisonBenchmark contest;
    private final boolean quick;
    private final PrintWriter out;
    private final PrintWriter progress;
    private final TargetSummary ledger;

    ComparisonRun(ComparisonBenchmark contest, boolean quick, PrintWriter out, PrintWriter progress) {
        this.contest = contest;
        this.quick = quick;
        this.out = out;
        this.progress = progress;
        ledger = new TargetSummary(MetTargetsFile.known(contest.name()));
    }

    ComparisonBenchmark.Result run(List<BenchmarkQuestion<?>> questions) throws IOException, InterruptedException {
        describe(questions);
        int number = 0;
        for (BenchmarkQuestion<?> question : questions) {
            progress.printf("%d of %d: %s ...%n", ++number, questions.size(), question.title());
            Map<String, TargetResult> judgements = judgements(question, measure(question, ""));
            Set<String> missed = ledger.missed(judgements);
            if (!missed.isEmpty()) {
                progress.println("possible regression; measuring again ...");
                ledger.lose(missed, ledger.missed(judgements(question, measure(question, " (measured again)"))));
            }
            ledger.count(judgements);
            int targets = question.rows().stream()
                    .mapToInt(row -> row.targets().size())
                    .sum();
            ledger.skip(targets - judgements.size());
        }
        conclude();
        return new ComparisonBenchmark.Result(contest, ledger.lost(), ledger.toRecord());
    }

    private void describe(List<BenchmarkQuestion<?>> questions) {
        int processors = Runtime.getRuntime().availableProcessors();
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        out.printf(
                Locale.ROOT,
                "machine: %d CPUs, %s %s, JDK %s, %s, load average %.2f at the start%n",
                processors,
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                Runtime.version(),
                BenchmarkVm.MEMORY,
                load);
        if (load > BUSY * processors) {
            out.println("WARNING: other programs keep this machine busy; times are inflated, ratios less certain");
        }
        out.printf("figures: medians%s; smaller is better unless the target is >=%n", quick ? " of a quick run" : "");
        out.println("ratio:   figure divided by the figure that the target names; median (90 % confidence interval)");
        List<? extends Candidate> contestants = questions.stream()
                .flatMap(question -> question.peers().stream())
                .distinct()
                .toList();
        int width = contestants.stream()
                .mapToInt(contestant -> contestant.label().length() + 1)
                .reduce(NAME_WIDTH, Math::max);
        contestants.forEach(contestant -> {
            String obstacle = contestant.obstacle();
            out.printf(
                    "%-" + width + "s %s%s%n",
                    contestant.label() + ":",
                    contestant.description(),
                    obstacle == null ? "" : "; NOT MEASURED: " + obstacle);
        });
        out.flush();
    }

    private QuestionResults measure(BenchmarkQuestion<?> question, String remark)
            throws IOException, InterruptedException {
        QuestionResults figures = new InterleavedRounds(contest, question, quick).run();
        out.println();
        List<String> lines = ComparisonTable.lines(question, figures);
        out.println("[" + question.name() + "] " + lines.getFirst() + remark);
        lines.stream().skip(1).forEach(out::println);
        out.flush();
        return figures;
    }

    /** The results of the targets that can be measured on this machine. */
    static Map<String, TargetResult> judgements(BenchmarkQuestion<?> question, QuestionResults figures) {
        Map<String, TargetResult> judgements = new TreeMap<>();
        for (Row row : question.rows()) {
            for (BenchmarkTarget target : row.targets()) {
                if (target.obstacle(figures.first()) == null) {
                    judgements.put(
                            ComparisonBenchmark.name(question, row, target), TargetResult.of(target, row, figures));
                }
            }
        }
        return judgements;
    }

    private void conclude() {
        out.println();
        out.printf(
                "targets: %d met, %d not met, %d not measured; %d regressions%n",
                ledger.count(Met.YES),
                ledger.count(Met.NO),
                ledger.count(Met.NOT_MEASURED),
                ledger.lost().size());
        ledger.lost().stream().sorted().forEach(target -> out.println("REGRESSION: " + target));
        out.flush();
    }
}
