package dev.unjank.record.observer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long MS = 1_000_000;

    private final Pace pace = new Pace(10 * MS, 1_000 * MS);

    private long restAfter(long... rounds) {
        for (long round : rounds) {
            pace.worked(round);
        }
        return pace.rest();
    }

    @Test
    void itLooksOftenAsLongAsThatCostsLittle() {
        assertThat(pace.rest()).isEqualTo(10 * MS);
        assertThat(restAfter(MS / 10, MS / 10)).isEqualTo(10 * MS);
    }

    @Test
    void looksThatCostMoreAreFewer() {
        assertThat(restAfter(3 * MS, 2 * MS)).isEqualTo(200 * MS);
        assertThat(restAfter(3 * MS)).isEqualTo(200 * MS);
        assertThat(restAfter(3 * MS)).isEqualTo(300 * MS);
    }

    @Test
    void oneThatCostMuchChangesNothing() {
        assertThat(restAfter(200 * MS)).isEqualTo(10 * MS);
        assertThat(restAfter(MS / 10)).isEqualTo(10 * MS);
    }

    @Test
    void itLooksAtSomeTimeHoweverMuchThatCosts() {
        assertThat(restAfter(90 * MS, 90 * MS)).isEqualTo(1_000 * MS);
    }
}
