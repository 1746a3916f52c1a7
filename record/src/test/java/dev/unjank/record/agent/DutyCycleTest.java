package dev.unjank.record.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DutyCycleTest {
    private static final long MS = 1_000_000;

    private final DutyCycle pace = new DutyCycle(10 * MS, 1_000 * MS);

    private long now;

    /** The rest after rounds that each take so much and come so long after the one before. */
    private long restAfter(long each, int rounds, long apart) {
        for (int i = 0; i < rounds; i++) {
            pace.worked(now, each);
            now += apart;
        }
        return pace.rest();
    }

    @Test
    void itLooksOftenAsLongAsThatCostsLittle() {
        assertThat(pace.rest()).isEqualTo(10 * MS);
        assertThat(restAfter(MS / 10, 10_000, 10 * MS)).isEqualTo(10 * MS);
    }

    @Test
    void whatIsSavedIsSpentFirst() {
        assertThat(restAfter(3 * MS, 11, 0)).isEqualTo(10 * MS); // the first costs nothing
        assertThat(restAfter(3 * MS, 1, 0)).isEqualTo(300 * MS);
    }

    @Test
    void noMoreIsSavedThanThirtyMilliseconds() {
        restAfter(3 * MS, 1, 3_600_000 * MS);

        assertThat(restAfter(3 * MS, 10, 0)).isEqualTo(10 * MS);
        assertThat(restAfter(3 * MS, 1, 0)).isEqualTo(300 * MS);
    }

    @Test
    void whoRestsAsLongAsIsSaidTakesAHundredth() {
        restAfter(2 * MS, 17, 0);

        for (int i = 0; i < 100; i++) {
            assertThat(pace.rest()).isEqualTo(200 * MS);
            now += pace.rest();
            pace.worked(now, 2 * MS);
        }
    }

    @Test
    void oneThatCostMuchChangesNothing() {
        restAfter(MS, 31, 0);
        assertThat(pace.rest()).isEqualTo(10 * MS);

        pace.worked(now, 200 * MS);

        assertThat(pace.rest()).isEqualTo(100 * MS);
    }

    @Test
    void itLooksAtSomeTimeHoweverMuchThatCosts() {
        assertThat(restAfter(90 * MS, 3, 0)).isEqualTo(1_000 * MS);
    }
}
