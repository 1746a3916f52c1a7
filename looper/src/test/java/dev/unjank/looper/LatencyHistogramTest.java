package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.util.Durations;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Buckets, percentiles and differences, against a sorted array. */
class LatencyHistogramTest {
    @Test
    void bucketsFollowEachOtherWithoutGapAndAreNarrow() {
        long from = 0;
        for (int i = 0; i < LatencyHistogram.BUCKETS; i++) {
            long to = LatencyHistogram.longestIn(i);
            assertThat(LatencyHistogram.bucketOf(from)).isEqualTo(i);
            assertThat(LatencyHistogram.bucketOf(to)).isEqualTo(i);
            assertThat(to - from).isLessThanOrEqualTo(from / 32);
            from = to + 1;
        }
        assertThat(from).as("one past the longest of all").isEqualTo(Long.MIN_VALUE);
        assertThat(LatencyHistogram.bucketOf(-1)).isZero();
    }

    @Test
    void percentilesAreAtMostOnePartIn32TooHigh() {
        Random random = new Random(7);
        long[] values = random.longs(10_000).map(v -> v >>> 2 >>> (v & 60)).toArray();
        LatencyRecorder recorder = new LatencyRecorder();
        Arrays.stream(values).forEach(recorder::add);
        Arrays.sort(values);
        LatencyHistogram histogram = recorder.snapshot();
        for (double percent : new double[] {0, 1, 50, 90, 99, 99.9, 100}) {
            long exact = values[Math.max(0, (int) Math.ceil(percent / 100 * values.length) - 1)];
            assertThat(histogram.percentile(percent)).isBetween(exact, exact + exact / 32);
        }
        assertThat(histogram.count()).isEqualTo(values.length);
        assertThat(histogram.max()).isEqualTo(values[values.length - 1]);
    }

    @Test
    void theDifferenceHasWhatWasAddedInBetween() {
        LatencyRecorder recorder = new LatencyRecorder();
        recorder.add(1_000_000);
        LatencyHistogram before = recorder.snapshot();
        recorder.add(10);
        recorder.add(2_000);
        LatencyHistogram added = recorder.snapshot().since(before);
        assertThat(added.count()).isEqualTo(2);
        assertThat(added.percentile(50)).isEqualTo(10);
        assertThat(added.max()).isBetween(2_000L, 2_064L);
        assertThat(before.count()).as("a snapshot does not change").isEqualTo(1);
    }

    @Test
    void anEmptyOneIsAllZero() {
        LatencyHistogram empty = new LatencyRecorder().snapshot();
        assertThat(empty.count()).isZero();
        assertThat(empty.max()).isZero();
        assertThat(empty.percentile(99)).isZero();
        assertThat(empty.since(empty).max()).isZero();
    }

    @Test
    void aPercentageOutOfRangeIsRefused() {
        LatencyHistogram empty = new LatencyRecorder().snapshot();
        for (double percent : new double[] {-1, 100.5, Double.NaN}) {
            assertThatThrownBy(() -> empty.percentile(percent)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void lengthsAreWrittenWithAUnitThatFits() {
        assertThat(Durations.text(0)).isEqualTo("0 ns");
        assertThat(Durations.text(1_500)).isEqualTo("1.50 us");
        assertThat(Durations.text(12_340_000)).isEqualTo("12.3 ms");
        assertThat(Durations.text(7_000_000_000L)).isEqualTo("7 s");
    }
}
