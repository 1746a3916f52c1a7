package dev.unjank.fleet.compare;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/**
 * The confidence interval of a change between two sets of traces, by Efron's bootstrap: each set is resampled many
 * times with replacement, and the interval contains the middle 95 % of the resulting changes. Whole traces are drawn,
 * since the values of one trace are correlated. The result is deterministic.
 *
 * <p>For few traces the middle 95 % is too narrow: one in six pairs of equal fleets of ten traces would show a change.
 * Their intervals are therefore wider: the expanded percentile interval of T. Hesterberg, What Teachers Should Know
 * About the Bootstrap (The American Statistician 69, 2015).
 */
final class BootstrapInterval {
    private static final long SEED = 0x756e6a616e6bL;
    private static final int MOST_DRAWS = 2_000;
    private static final int LEAST_DRAWS = 200;

    /**
     * The maximum of draws times traces. Millions of traces get fewer draws, because their intervals are narrow anyway.
     */
    private static final long EFFORT = 400_000_000;

    /** The normal distribution's quantile for 97.5 %. */
    private static final double Z = 1.959964;

    private BootstrapInterval() {}

    /**
     * A set of at least two traces with a figure.
     *
     * @param figure their figure if trace i occurs {@code weights[i]} times; NaN if there is none
     */
    record Sample(int size, ToDoubleFunction<int[]> figure) {
        /** The figure with each trace once; NaN if there is none. */
        double value() {
            int[] once = new int[size];
            Arrays.fill(once, 1);
            return figure.applyAsDouble(once);
        }

        private double drawn(SplittableRandom random) {
            int[] weights = new int[size];
            for (int i = 0; i < size; i++) {
                weights[random.nextInt(size)]++;
            }
            return figure.applyAsDouble(weights);
        }
    }

    /** The change of a figure from one set of traces to another. */
    static RelativeChange change(Sample a, Sample b) {
        int draws = Math.clamp(EFFORT / (a.size + b.size), LEAST_DRAWS, MOST_DRAWS);
        SplittableRandom random = new SplittableRandom(SEED);
        double[] lows = new double[draws];
        double[] highs = new double[draws];
        for (int i = 0; i < draws; i++) {
            double before = a.drawn(random);
            double change = b.drawn(random) / before - 1;
            boolean isAny = Double.isNaN(change); // from 0 to 0, which is not a change
            lows[i] = isAny ? -1 : change;
            highs[i] = isAny ? Double.POSITIVE_INFINITY : change;
        }
        Arrays.sort(lows);
        Arrays.sort(highs);
        int cut = (int) (tail(Math.min(a.size, b.size)) * draws);
        return new RelativeChange(b.value() / a.value() - 1, lows[cut], highs[draws - 1 - cut]);
    }

    /** The share of changes to cut off at each end for a 95 % interval with this number of traces. */
    static double tail(int size) {
        return normalTail(student(size - 1) * Math.sqrt(size / (size - 1.0)));
    }

    /**
     * Student's quantile for 97.5 %: Abramowitz and Stegun, 26.7.5; accurate to 0.001 for at least 4 degrees of
     * freedom.
     */
    private static double student(int freedom) {
        double z2 = Z * Z;
        double g1 = (z2 + 1) / 4;
        double g2 = ((5 * z2 + 16) * z2 + 3) / 96;
        double g3 = (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
        double g4 = ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
        double v = 1.0 / freedom;
        return Z * (1 + v * (g1 + v * (g2 + v * (g3 + v * g4))));
    }

    /** The share of the normal distribution beyond x: Abramowitz and Stegun, 26.2.17. */
    private static double normalTail(double x) {
        double t = 1 / (1 + 0.2316419 * x);
        double sum = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
        return sum * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
    }
}
