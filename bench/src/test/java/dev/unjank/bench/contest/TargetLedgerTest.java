package dev.unjank.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.bench.contest.Judgement.Met;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TargetLedgerTest {

    private final TargetLedger ledger = new TargetLedger(Set.of("a", "b", "c", "d"));

    private static Judgement judgement(Met met, boolean surely) {
        return new Judgement(new Spread(1, 1, 1), met, surely);
    }

    private static final Judgement YES = judgement(Met.YES, true);
    private static final Judgement JUST = judgement(Met.YES, false);
    private static final Judgement HARDLY_NOT = judgement(Met.NO, false);
    private static final Judgement NO = judgement(Met.NO, true);
    private static final Judgement NOT_MEASURED = judgement(Met.NOT_MEASURED, false);

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
    void whatIsRecordedWasSurelyMetOrNotMeasured() {
        ledger.count(Map.of("a", YES, "b", JUST, "c", NOT_MEASURED, "new", YES, "newer", JUST));
        assertThat(ledger.toRecord()).containsExactly("a", "c", "d", "new");
        assertThat(ledger.count(Met.YES)).isEqualTo(4);
        assertThat(ledger.count(Met.NOT_MEASURED)).isEqualTo(1);
        assertThat(ledger.count(Met.NO)).isZero();
    }
}
