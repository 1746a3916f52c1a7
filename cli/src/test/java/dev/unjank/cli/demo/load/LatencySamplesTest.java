package dev.unjank.cli.demo.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatencySamplesTest {

    @Test
    void percentilesAreOfAllThatWasRecordedAndAdded() {
        LatencySamples odd = new LatencySamples(0);
        LatencySamples even = new LatencySamples(500);
        for (int i = 1_000; i > 0; i--) {
            (i % 2 == 0 ? even : odd).record(i);
        }
        odd.add(even);

        assertThat(odd.count()).isEqualTo(1_000);
        assertThat(odd.percentile(50)).isEqualTo(500);
        assertThat(odd.percentile(99.9)).isEqualTo(999);
        assertThat(odd.percentile(100)).isEqualTo(1_000);
        assertThat(odd.percentile(0)).isEqualTo(1);
    }

    @Test
    void withoutDurationsEachPercentileIsZero() {
        assertThat(new LatencySamples(10).percentile(50)).isZero();
    }
}
