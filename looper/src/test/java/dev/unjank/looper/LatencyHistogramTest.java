package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.util.Durations;
import dev.unjank.looper.util.LatencyBuckets;
import dev.unjank.looper.util.LatencyRecorder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Buckets, percentiles and differences, against a sorted array. */
class LatencyHistogramTest {
    @Test
    void bucketsFollowEachOtherWithoutGapAndAreNarrow() {
        long from = 0;
        for (int i = 0; i < LatencyBuckets.COUNT; i++) {
            long to = LatencyBuckets.longestIn(i);
            assertThat(LatencyBuckets.of(from)).isEqualTo(i);
            assertThat(LatencyBuckets.of(to)).isEqualTo(i);
            assertThat(to - from).isLessThanOrEqualTo(from / 32);
            from = to + 1;
        }
        assertThat(from).as("one past the longest of all").isEqualTo(Long.MIN_VALUE);
        assertThat(LatencyBuckets.of(-1)).isZero();
    }

    @Test
    void percentilesAreAtMostOnePartIn32TooHigh() {
        Random random = new Random(7);
        long[] values = random.longs(10_000).map(v -> v >>> 2 >>> (v & 60)).toArray();
        LatencyRecorder recorder = new LatencyRecorder();
        Arrays.stream(values).forEach(recorder::add);
        Arrays.sort(values);
        LatencyHistogram histogram = LatencyHistogram.of(recorder);
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
        LatencyHistogram before = LatencyHistogram.of(recorder);
        recorder.add(10);
        recorder.add(2_000);
        LatencyHistogram added = LatencyHistogram.of(recorder).since(before);
        assertThat(added.count()).isEqualTo(2);
        assertThat(added.percentile(50)).isEqualTo(10);
        assertThat(added.max()).isBetween(2_000L, 2_064L);
        assertThat(before.count()).as("a snapshot does not change").isEqualTo(1);
    }

    @Test
    void anEmptyOneIsAllZero() {
        LatencyHistogram empty = LatencyHistogram.of(new LatencyRecorder());
        assertThat(empty.count()).isZero();
        assertThat(empty.max()).isZero();
        assertThat(empty.percentile(99)).isZero();
        assertThat(empty.since(empty).max()).isZero();
    }

    @Test
    void aPercentageOutOfRangeIsRefused() {
        LatencyHistogram empty = LatencyHistogram.of(new LatencyRecorder());
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
