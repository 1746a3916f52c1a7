package dev.unjank.workbench.bench.comparison;

import java.util.Arrays;

/**
 * The median of some measurements, and the interval between two of them that holds the true median with at least 90 %
 * probability, whatever the distribution: the number of measurements below the true median is binomial. With fewer than five
 * measurements it is all of them.
 */
public record MedianInterval(double median, double low, double high) {
    private static final double CONFIDENCE = 0.90;

    /** Of the measurements that are numbers; all NaN if there are none. */
    public static MedianInterval of(double[] measured) {
        double[] sorted =
                Arrays.stream(measured).filter(v -> !Double.isNaN(v)).sorted().toArray();
        int n = sorted.length;
        if (n == 0) {
            return new MedianInterval(Double.NaN, Double.NaN, Double.NaN);
        }
        int outside = outside(n);
        return new MedianInterval((sorted[(n - 1) / 2] + sorted[n / 2]) / 2, sorted[outside], sorted[n - 1 - outside]);
    }

    /** How many measurements may lie beyond either end: as many as leave the confidence. */
    private static int outside(int n) {
        double exactly = Math.pow(0.5, n); // the probability that exactly k lie below the true median
        double atMost = exactly;
        int outside = 0;
        for (int k = 1; k < n / 2; k++) {
            exactly = exactly * (n - k + 1) / k;
            atMost += exactly;
            if (1 - 2 * atMost < CONFIDENCE) {
                break;
            }
            outside = k;
        }
        return outside;
    }
}
