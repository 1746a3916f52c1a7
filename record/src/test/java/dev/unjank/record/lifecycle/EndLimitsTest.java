package dev.unjank.record.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The documented limit: a recording ends within two seconds. HostileEndTest runs the command, on machines that may be busy. */
class EndLimitsTest {
    @Test
    void allStepsOfTheEndTakeTwoSecondsTogether() {
        assertThat(EndLimits.longestEnd()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
    }
}
