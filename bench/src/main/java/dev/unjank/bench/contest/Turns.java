package dev.unjank.bench.contest;

import dev.unjank.bench.contest.Question.Rounds;
import dev.unjank.bench.contest.Question.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Puts a question to its contestants in turns: in each round every one is measured once in every circumstance, and all Java VMs but
 * one rest. So the ups and downs of a shared machine hit all alike. Who begins changes from round to round.
 */
final class Turns {

    private final Contest contest;
    private final Question<?> question;
    private final Rounds rounds;

    Turns(Contest contest, Question<?> question, boolean quick) {
        this.contest = contest;
        this.question = question;
        this.rounds = question.rounds(quick);
    }

    /** Measures. */
    Figures run() throws IOException, InterruptedException {
        Figures figures = new Figures(question.peers().getFirst());
        for (int set = 0; set < rounds.sets(); set++) {
            List<Vm> vms = new ArrayList<>();
            try {
                for (Contestant peer : question.peers()) {
                    if (peer.obstacle() == null) {
                        vms.add(new Vm(contest, question, peer));
                    }
                }
                runSet(vms, figures);
            } finally {
                vms.forEach(Vm::close);
            }
        }
        return figures;
    }

    private void runSet(List<Vm> vms, Figures figures) throws IOException, InterruptedException {
        List<String> circumstances =
                question.rows().stream().map(Row::circumstance).distinct().toList();
        List<Vm> order = new ArrayList<>(vms);
        for (int round = -rounds.warmUps(); round < rounds.measured(); round++) {
            for (String circumstance : circumstances) {
                for (Vm vm : order) {
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
