package dev.unjank.fleet.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.unjank.fleet.compare.BootstrapInterval.Sample;
import dev.unjank.fleet.report.FleetReportTest;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** The arithmetic of a comparison; {@link FleetReportTest} has it over files. */
class FleetComparisonTest {

    private static double[] noisy(int size, double mean, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return random.doubles(size, 0, 2 * mean).toArray();
    }

    private static ToDoubleFunction<int[]> mean(double[] values) {
        return weights -> {
            double sum = 0;
            long all = 0;
            for (int i = 0; i < weights.length; i++) {
                sum += weights[i] * values[i];
                all += weights[i];
            }
            return sum / all;
        };
    }

    private static RelativeChange change(double[] a, double[] b) {
        return BootstrapInterval.change(new Sample(a.length, mean(a)), new Sample(b.length, mean(b)));
    }

    @Test
    void aChangeThatIsThereIsFoundWithItsInterval() {
        RelativeChange change = change(noisy(400, 10, 1), noisy(400, 6, 2));

        assertThat(change.value()).isCloseTo(-0.4, within(0.06));
        assertThat(change.low()).isLessThan(change.value());
        assertThat(change.high()).isGreaterThan(change.value()).isLessThan(-0.25);
        assertThat(change.isEvidence()).isTrue();
    }

    @Test
    void theSameTwiceIsNoEvidence() {
        double[] values = noisy(100, 10, 3);

        assertThat(change(values, values).isEvidence()).isFalse();
        assertThat(change(values, values)).isEqualTo(change(values, values));
    }

    /** Of intervals of 95 % some five in a hundred miss the truth; 14 or more would be one chance in a thousand. */
    @Test
    void anIntervalMissesTheTruthAboutAsOftenAsItSays() {
        int missed = 0;
        for (int i = 0; i < 100; i++) {
            RelativeChange change = change(noisy(60, 10, 1_000 + i), noisy(60, 10, 5_000 + i));
            missed += change.isEvidence() ? 1 : 0;
        }

        assertThat(missed).isBetween(1, 13);
    }

    /** Without regard to how few there are, 15 in a hundred would be changes. */
    @Test
    void fewTracesOfFleetsThatAreAlikeAreNoChangeEither() {
        for (int size : new int[] {5, 8, 12}) {
            int missed = 0;
            for (int i = 0; i < 300; i++) {
                SplittableRandom random = new SplittableRandom(1_000 * size + i);
                double[] a = random.doubles(size).map(x -> Math.exp(3 * x)).toArray();
                double[] b = random.doubles(size).map(x -> Math.exp(3 * x)).toArray();
                missed += change(a, b).isEvidence() ? 1 : 0;
            }
            assertThat(missed).as("%d traces", size).isBetween(1, 24);
        }
    }

    @Test
    void theFewerTracesTheLessIsCutOff() {
        assertThat(BootstrapInterval.tail(5)).isCloseTo(0.00096, within(0.00001));
        assertThat(BootstrapInterval.tail(1_000_000)).isCloseTo(0.025, within(0.00001));
    }

    /** A draw may have nothing of it on either side: that rules no change out. */
    @Test
    void whatOnlyOneTraceHasIsNoEvidence() {
        double[] once = {0, 0, 0, 0, 9, 0, 0, 0, 0, 0};

        RelativeChange change = change(once, new double[10]);

        assertThat(change.value()).isEqualTo(-1);
        assertThat(change.low()).isEqualTo(-1);
        assertThat(change.high()).isInfinite();
        assertThat(new FleetComparison.Figure("missed", "%", 0.9, 0, 10, 10, change).verdict())
                .isEqualTo("no evidence: -100.0 % (-100.0 to +\u221e)");
    }

    @Test
    void aWideningSampleNarrowsTheInterval() {
        RelativeChange few = change(noisy(20, 10, 7), noisy(20, 10, 8));
        RelativeChange many = change(noisy(2_000, 10, 7), noisy(2_000, 10, 8));

        assertThat(many.high() - many.low()).isLessThan((few.high() - few.low()) / 4);
        assertThat(Arrays.asList(few.value(), many.value()))
                .allSatisfy(value -> assertThat(value).isFinite());
    }
}
