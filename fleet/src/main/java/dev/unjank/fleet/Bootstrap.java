package dev.unjank.fleet;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/**
 * How sure a change between two sets of traces is: each set is drawn anew from itself, with repetition, many times (Efron's
 * bootstrap), and the middle 95 % of the changes that come out are the interval. What is drawn are traces, since what one trace holds
 * hangs together. The same input gives the same interval.
 */
final class Bootstrap {
    private static final long SEED = 0x756e6a616e6bL;
    private static final int MOST_DRAWS = 2_000;
    private static final int LEAST_DRAWS = 200;

    /** Millions of traces need fewer draws for the same effort, and their intervals are narrow anyway. */
    private static final long EFFORT = 400_000_000;

    private static final double TAIL = 0.025;

    private Bootstrap() {}

    /**
     * The change of a figure between two sets.
     *
     * @param sizeA how many traces are in the first
     * @param figureA its figure, if trace i is there {@code weights[i]} times; NaN if there is none
     */
    static Change change(int sizeA, ToDoubleFunction<int[]> figureA, int sizeB, ToDoubleFunction<int[]> figureB) {
        double value = figureB.applyAsDouble(once(sizeB)) / figureA.applyAsDouble(once(sizeA)) - 1;
        int draws = Math.clamp(EFFORT / Math.max(1, sizeA + sizeB), LEAST_DRAWS, MOST_DRAWS);
        SplittableRandom random = new SplittableRandom(SEED);
        double[] changes = new double[draws];
        for (int i = 0; i < draws; i++) {
            double a = figureA.applyAsDouble(drawn(sizeA, random));
            double b = figureB.applyAsDouble(drawn(sizeB, random));
            changes[i] = b / a - 1; // NaN sorts last: where some draws have no figure the interval is open above
        }
        Arrays.sort(changes);
        return new Change(value, quantile(changes, TAIL), quantile(changes, 1 - TAIL));
    }

    private static double quantile(double[] sorted, double share) {
        double at = share * (sorted.length - 1);
        int below = (int) at;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }

    private static int[] once(int size) {
        int[] weights = new int[size];
        Arrays.fill(weights, 1);
        return weights;
    }

    private static int[] drawn(int size, SplittableRandom random) {
        int[] weights = new int[size];
        for (int i = 0; i < size; i++) {
            weights[random.nextInt(size)]++;
        }
        return weights;
    }
}
