package dev.unjank.workbench.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.workbench.bench.comparison.TargetResult.Met;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TargetSummaryTest {

    private final TargetSummary ledger = new TargetSummary(Set.of("a", "b", "c", "d"));

    private static TargetResult judgement(Met met, boolean surely) {
        return new TargetResult(new MedianInterval(1, 1, 1), met, surely);
    }

    private static final TargetResult YES = judgement(Met.YES, true);
    private static final TargetResult JUST = judgement(Met.YES, false);
    private static final TargetResult HARDLY_NOT = judgement(Met.NO, false);
    private static final TargetResult NO = judgement(Met.NO, true);
    private static final TargetResult NOT_MEASURED = judgement(Met.NOT_MEASURED, false);

    @Test
    void whatWasMetIsMissedIfItSurelyIsNotOrCannotBeMeasured() {
        assertThat(ledger.missed(Map.of("a", YES, "b", HARDLY_NOT, "c", NO, "d", NOT_MEASURED, "new", NO)))
                .containsExactly("c", "d");
        assertThat(ledger.missed(Map.of("a", JUST))).isEmpty();
    }

    @Test
    void onlyWhatIsMissedTwiceIsLost() {
        ledger.lose(Set.of("a", "b"), Set.of("b", "c"));
        assertThat(ledger.lost()).containsExactly("b");
    }

    @Test
    void whatCannotBeMeasuredHereIsCountedAndStaysRecorded() {
        ledger.skip(2);
        assertThat(ledger.count(Met.NOT_MEASURED)).isEqualTo(2);
        assertThat(ledger.lost()).isEmpty();
        assertThat(ledger.toRecord()).containsExactly("a", "b", "c", "d");
    }

    @Test
    void whatIsRecordedWasSurelyMetOrNotMeasured() {
        ledger.count(Map.of("a", YES, "b", JUST, "c", NOT_MEASURED, "new", YES, "newer", JUST));
        assertThat(ledger.toRecord()).containsExactly("a", "c", "d", "new");
        assertThat(ledger.count(Met.YES)).isEqualTo(4);
        assertThat(ledger.count(Met.NOT_MEASURED)).isEqualTo(1);
        assertThat(ledger.count(Met.NO)).isZero();
    }
}
