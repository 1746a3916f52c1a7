package dev.unjank.lab.overhead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.unjank.lab.Figures;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundsTest {

    @Test
    void conditionsAreComparedWithinARoundOnly() {
        Rounds rounds = new Rounds();
        for (double speed : new double[] {100, 1, 10}) { // the machine's, which changes from round to round
            rounds.begin();
            rounds.add(Condition.WITHOUT, new Figures(Map.of("operations", speed)));
            rounds.add(Condition.INSIDE, new Figures(Map.of("operations", speed * 0.97)));
        }

        assertThat(rounds.morePercent(Condition.INSIDE, figures -> figures.get("operations"))
                        .median())
                .isEqualTo(-3, within(1e-9));
        assertThat(rounds.laterPercent(figures -> figures.get("operations")).low())
                .isEqualTo(-99, within(1e-9));
        assertThat(rounds.laterPercent(figures -> figures.get("operations")).high())
                .isEqualTo(900, within(1e-9));
        assertThat(rounds.has(Condition.INSIDE)).isTrue();
        assertThat(rounds.has(Condition.ALL)).isFalse();
    }
}
