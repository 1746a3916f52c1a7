package dev.unjank.workbench.bench.comparison;

import dev.unjank.workbench.bench.comparison.BenchmarkQuestion.Rounds;
import dev.unjank.workbench.bench.comparison.BenchmarkQuestion.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Measures implementations in interleaved rounds: each round measures each implementation once under each condition,
 * while the other JVMs are idle. So background load affects all equally. The order changes from round to round.
 */
final class InterleavedRounds {
    private final ComparisonBenchmark contest;
    private final BenchmarkQuestion<?> question;
    private final Rounds rounds;

    InterleavedRounds(ComparisonBenchmark contest, BenchmarkQuestion<?> question, boolean quick) {
        this.contest = contest;
        this.question = question;
        this.rounds = question.rounds(quick);
    }

    QuestionResults run() throws IOException, InterruptedException {
        QuestionResults figures = new QuestionResults(question.peers().getFirst());
        for (int set = 0; set < rounds.sets(); set++) {
            List<BenchmarkVm> vms = new ArrayList<>();
            try {
                for (Candidate peer : question.peers()) {
                    if (peer.obstacle() == null) {
                        vms.add(new BenchmarkVm(contest, question, peer));
                    }
                }
                runSet(vms, figures);
            } finally {
                vms.forEach(BenchmarkVm::close);
            }
        }
        return figures;
    }

    private void runSet(List<BenchmarkVm> vms, QuestionResults figures) throws IOException, InterruptedException {
        List<String> circumstances =
                question.rows().stream().map(Row::circumstance).distinct().toList();
        List<BenchmarkVm> order = new ArrayList<>(vms);
        for (int round = -rounds.warmUps(); round < rounds.measured(); round++) {
            for (String circumstance : circumstances) {
                for (BenchmarkVm vm : order) {
                    double[] values = vm.measure(circumstance);
                    if (round >= 0) {
                        figures.add(vm.peer(), circumstance, values);
                    }
                }
            }
            Collections.rotate(order, 1);
        }
    }
}
