package dev.unjank.workbench.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MedianIntervalTest {

    /** How many lie beyond either end, from tables of the binomial distribution. */
    @ParameterizedTest
    @CsvSource({"1, 0", "2, 0", "4, 0", "5, 0", "7, 0", "8, 1", "9, 1", "10, 1", "11, 2", "15, 3", "27, 8"})
    void theIntervalLeavesOutAsManyAsTheConfidenceAllows(int n, int outside) {
        MedianInterval spread =
                MedianInterval.of(IntStream.range(0, n).mapToDouble(i -> i).toArray());

        assertThat(spread.low()).isEqualTo(outside);
        assertThat(spread.high()).isEqualTo(n - 1 - outside);
        assertThat(spread.median()).isEqualTo((n - 1) / 2.0);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 9, 27})
    void theIntervalHoldsTheTrueMedianAtLeastNineTimesOfTen(int n) {
        SplittableRandom random = new SplittableRandom(1);
        int trials = 10_000;
        int held = 0;
        for (int trial = 0; trial < trials; trial++) {
            MedianInterval spread =
                    MedianInterval.of(random.doubles(n).map(Math::exp).toArray());
            held += spread.low() <= Math.exp(0.5) && Math.exp(0.5) <= spread.high() ? 1 : 0;
        }

        assertThat((double) held / trials).isGreaterThan(0.89);
    }

    @Test
    void whatCouldNotBeMeasuredIsLeftOut() {
        assertThat(MedianInterval.of(new double[] {Double.NaN, 3, 1})).isEqualTo(new MedianInterval(2, 1, 3));
        assertThat(MedianInterval.of(new double[0]).median()).isNaN();
    }
}
