package dev.unjank.workbench.bench.comparison;

import dev.unjank.workbench.bench.comparison.BenchmarkQuestion.Row;
import java.util.Arrays;
import java.util.Comparator;

/**
 * The result of a target. The ratio is the median of the rounds' ratios. A round measures both sides shortly after each
 * other, so background load slows both and hardly affects their ratio.
 *
 * @param ratio the subject's figure divided by the reference, with its confidence interval
 * @param met whether the median ratio is within the limit; NOT_MEASURED if there is none
 * @param surely whether the whole confidence interval is on that side of the limit
 */
record TargetResult(MedianInterval ratio, Met met, boolean surely) {
    enum Met {
        YES("yes"),
        NO("no"),
        NOT_MEASURED("not measured");

        final String words;

        Met(String words) {
            this.words = words;
        }
    }

    static TargetResult of(BenchmarkTarget target, Row row, QuestionResults figures) {
        Candidate subject = target.subject() == null ? figures.first() : target.subject();
        double[] ours = figures.of(subject, row.circumstance(), row.value());
        double[] others = others(subject, target, row, figures);
        double[] ratios = new double[Math.min(ours.length, others.length)];
        Arrays.setAll(ratios, round -> ours[round] == 0 && others[round] == 0 ? 0 : ours[round] / others[round]);
        MedianInterval ratio = MedianInterval.of(ratios);
        if (Double.isNaN(ratio.median())) {
            return new TargetResult(ratio, Met.NOT_MEASURED, false);
        }
        boolean met = target.allows(ratio.median());
        boolean surely = met == target.allows(ratio.low()) && met == target.allows(ratio.high());
        return new TargetResult(ratio, met ? Met.YES : Met.NO, surely);
    }

    private static double[] others(Candidate subject, BenchmarkTarget target, Row row, QuestionResults figures) {
        String circumstance = target.circumstance() == null ? row.circumstance() : target.circumstance();
        if (target.peers().isEmpty()) {
            double[] own = figures.of(subject, circumstance, row.value());
            if (target.circumstance() == null) {
                Arrays.fill(own, target.constant());
            }
            return own;
        }
        // the peer with the best median, since the best of each round would be biased by luck
        Comparator<Candidate> byMedian =
                Comparator.comparingDouble(peer -> figures.median(peer, circumstance, row.value()));
        return target.peers().stream()
                .filter(peer -> !Double.isNaN(figures.median(peer, circumstance, row.value())))
                .min(target.bound() == BenchmarkTarget.Bound.AT_MOST ? byMedian : byMedian.reversed())
                .map(peer -> figures.of(peer, circumstance, row.value()))
                .orElse(new double[0]);
    }
}
