package dev.unjank.record.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SectionMatcherTest {
    private final List<String> found = new ArrayList<>();
    private final SectionMatcher pairs =
            new SectionMatcher((tid, from, to) -> found.add(tid + " " + from + " " + to), 10);

    @Test
    void aSectionIsReportedAtItsEnd() {
        pairs.step(1, 100, true);
        pairs.settle(200);
        assertThat(found).isEmpty();
        pairs.step(1, 250, false);
        pairs.settle(300);
        assertThat(found).containsExactly("1 100 250");
    }

    @Test
    void whatLiesWithinAnotherIsPartOfIt() {
        pairs.step(1, 100, true);
        pairs.step(1, 110, true);
        pairs.step(1, 120, false);
        pairs.step(1, 140, false);
        pairs.settle(Long.MAX_VALUE);
        assertThat(found).containsExactly("1 100 140");
    }

    @Test
    void theExitOfAMigratedThreadMayBeReadBeforeItsEntry() {
        pairs.step(1, 150, false); // from the CPU that is read first
        pairs.step(2, 90, true);
        pairs.step(1, 100, true);
        pairs.step(2, 130, false);
        pairs.settle(Long.MAX_VALUE);
        assertThat(found).containsExactlyInAnyOrder("1 100 150", "2 90 130");
    }

    @Test
    void whatOlderEventsMayComeBeforeIsNotLookedAtYet() {
        pairs.step(1, 150, false);
        pairs.settle(140);
        pairs.step(1, 100, true);
        pairs.settle(160);
        assertThat(found).containsExactly("1 100 150");
    }

    @Test
    void shortSectionsArePassedOver() {
        pairs.step(1, 100, true);
        pairs.step(1, 109, false);
        pairs.settle(Long.MAX_VALUE);
        assertThat(found).isEmpty();
    }

    @Test
    void whoLeavesWithoutHavingEnteredWasInsideBefore() {
        pairs.step(1, 100, false);
        pairs.step(2, 105, true);
        pairs.step(2, 120, false);
        pairs.step(2, 130, false); // the outer one
        pairs.settle(Long.MAX_VALUE);
        assertThat(found)
                .containsExactly(
                        "1 " + SectionMatcher.BEFORE + " 100", "2 105 120", "2 " + SectionMatcher.BEFORE + " 130");
        assertThat(pairs.open()).isEmpty();
    }

    @Test
    void afterALossNoThreadIsInside() {
        pairs.step(1, 100, true);
        pairs.settle(110);
        pairs.forget();
        pairs.step(1, 150, false);
        pairs.settle(Long.MAX_VALUE);
        assertThat(found).isEmpty();
        assertThat(pairs.open()).isEmpty();
    }

    @Test
    void whoIsStillInsideIsKnown() {
        pairs.step(1, 100, true);
        pairs.step(1, 120, true);
        pairs.step(2, 110, true);
        pairs.step(2, 130, false);
        pairs.settle(Long.MAX_VALUE);
        assertThat(pairs.open()).isEqualTo(Map.of(1, 100L));
    }
}
