package dev.unjank.workbench.lab.program;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DurationSamplesTest {

    @Test
    void aPercentileIsTheSmallestThatSoManyDoNotExceed() {
        DurationSamples delays = new DurationSamples();
        for (int i = 2_000; i > 0; i--) {
            delays.add(i);
        }

        assertThat(delays.figures())
                .containsEntry("count", 2_000.0)
                .containsEntry("p50", 1_000.0)
                .containsEntry("p90", 1_800.0)
                .containsEntry("p99", 1_980.0)
                .containsEntry("longest", 2_000.0);
        assertThat(delays.between(10, 20)).isEqualTo(10);
    }

    @Test
    void withoutAnyAllIsZero() {
        assertThat(new DurationSamples().figures()).containsEntry("count", 0.0).containsEntry("p90", 0.0);
    }
}
