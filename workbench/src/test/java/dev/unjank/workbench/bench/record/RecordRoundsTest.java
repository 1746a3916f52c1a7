package dev.unjank.workbench.bench.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.unjank.workbench.lab.run.Measurements;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordRoundsTest {

    @Test
    void conditionsAreComparedWithinARoundOnly() {
        RecordRounds rounds = new RecordRounds();
        for (double speed : new double[] {100, 1, 10}) { // the machine's, which changes from round to round
            rounds.begin();
            rounds.add(RecordingMode.WITHOUT, new Measurements(Map.of("operations", speed)));
            rounds.add(RecordingMode.INSIDE, new Measurements(Map.of("operations", speed * 0.97)));
        }

        assertThat(rounds.morePercent(RecordingMode.INSIDE, figures -> figures.get("operations"))
                        .median())
                .isEqualTo(-3, within(1e-9));
        assertThat(rounds.laterPercent(figures -> figures.get("operations")).low())
                .isEqualTo(-99, within(1e-9));
        assertThat(rounds.laterPercent(figures -> figures.get("operations")).high())
                .isEqualTo(900, within(1e-9));
        assertThat(rounds.has(RecordingMode.INSIDE)).isTrue();
        assertThat(rounds.has(RecordingMode.ALL)).isFalse();
    }
}
