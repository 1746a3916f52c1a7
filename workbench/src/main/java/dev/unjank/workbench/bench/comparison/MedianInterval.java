package dev.unjank.workbench.bench.comparison;

import java.util.Arrays;

/**
 * The median of some measurements and its distribution-free confidence interval of at least 90 %, whose ends are two of
 * the measurements: the number of measurements below the true median is binomial. With fewer than five measurements the
 * interval spans all of them.
 */
public record MedianInterval(double median, double low, double high) {
    private static final double CONFIDENCE = 0.90;

    /** Computes the median, ignoring NaN; all NaN if there are no measurements. */
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

    /** The number of measurements outside either end of the interval. */
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
