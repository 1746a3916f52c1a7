package dev.unjank.record.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenBucketTest {
    private final TokenBucket budget = new TokenBucket(10, 1000);

    @Test
    void aFullBucketGivesAllAtOnce() {
        assertThat(taken(0, 20)).isEqualTo(10);
    }

    @Test
    void whatIsTakenComesBackWithTime() {
        taken(0, 20);

        assertThat(taken(99, 20)).isZero();
        assertThat(taken(250, 20)).isEqualTo(2);
        assertThat(taken(300, 20)).isEqualTo(1);
    }

    @Test
    void noMoreIsSavedThanTheBucketHolds() {
        taken(0, 20);

        assertThat(taken(1_000_000, 50)).isEqualTo(10);
    }

    @Test
    void aClockMayBeginAnywhere() {
        assertThat(taken(Long.MIN_VALUE + 5, 20)).isEqualTo(10);
        assertThat(taken(Long.MIN_VALUE + 105, 20)).isEqualTo(1);
    }

    private int taken(long now, int wanted) {
        int taken = 0;
        for (int i = 0; i < wanted; i++) {
            taken += budget.take(now) ? 1 : 0;
        }
        return taken;
    }
}
