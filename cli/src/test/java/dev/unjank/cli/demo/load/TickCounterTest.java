package dev.unjank.cli.demo.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.cli.demo.load.TickCounter.Ticks;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TickCounterTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long SLOT = SECOND / 60;

    private final TickCounter ledger = new TickCounter(2);

    @Test
    void sixtySlotsFillASecondWithoutDrift() {
        assertThat(ledger.slots()).isEqualTo(120);
        assertThat(TickCounter.due(0)).isZero();
        assertThat(TickCounter.due(60)).isEqualTo(SECOND);
        assertThat(TickCounter.due(120)).isEqualTo(2 * SECOND);
    }

    @Test
    void aLoopInTimeMissesNothing() {
        for (int slot = 0; slot < ledger.slots(); slot++) {
            assertThat(ledger.awaited()).isEqualTo(slot);
            ledger.tickOver(TickCounter.due(slot) + 1_000_000);
        }

        assertThat(ledger.upTo(SECOND)).isEqualTo(new Ticks(60, 60, 0, 1_000_000));
        assertThat(ledger.upTo(3 * SECOND)).isEqualTo(new Ticks(120, 120, 0, 1_000_000));
    }

    @Test
    void aLoopThatNeverRunsMissesEverythingAndStallsUntilNow() {
        assertThat(ledger.upTo(SECOND)).isEqualTo(new Ticks(60, 0, 60, SECOND));
        assertThat(ledger.upTo(2 * SECOND)).isEqualTo(new Ticks(120, 0, 120, 2 * SECOND));
    }

    @Test
    void aTickWhoseDeadlineIsAheadIsNotMissedYet() {
        assertThat(ledger.upTo(SLOT / 2)).isEqualTo(new Ticks(0, 0, 0, 0));
        assertThat(ledger.upTo(TickCounter.due(1))).isEqualTo(new Ticks(1, 0, 1, TickCounter.due(1)));
    }

    @Test
    void aLateTickRunsOnceAndSkipsWhatItSleptThrough() {
        assertThat(ledger.tickOver(0)).isEqualTo(1);
        long late = TickCounter.due(4) + 5;

        assertThat(ledger.tickOver(late)).isEqualTo(5);

        // slot 1 ran too late, 2 and 3 never ran, 4 is the one that the late tick fell into
        assertThat(ledger.upTo(TickCounter.due(5))).isEqualTo(new Ticks(5, 2, 4, late - TickCounter.due(1)));
    }

    /** Otherwise each later tick is a slot ahead, and the longest stall of the whole run is that of the first, 1 ns. */
    @Test
    void aTickBeforeItsSlotIsDueIsRepeated() {
        assertThat(ledger.tickOver(-400_000)).isZero();
        assertThat(ledger.tickOver(100_000)).isEqualTo(1);
        assertThat(ledger.tickOver(TickCounter.due(1) - 1)).isEqualTo(1);
        assertThat(ledger.tickOver(TickCounter.due(1))).isEqualTo(2);

        assertThat(ledger.upTo(TickCounter.due(2))).isEqualTo(new Ticks(2, 2, 0, 100_000));
    }

    @Test
    void aTickOverExactlyAtItsDeadlineIsInTime() {
        ledger.tickOver(TickCounter.due(1));

        assertThat(ledger.upTo(TickCounter.due(1)).missed()).isZero();
    }

    @Test
    void aTickOneNanosecondOverItsDeadlineIsNot() {
        ledger.tickOver(TickCounter.due(1) + 1);

        assertThat(ledger.upTo(TickCounter.due(2)).missed()).isEqualTo(2);
    }

    @Test
    void aTickThatEndsAfterTheReadingIsAStallUntilTheReading() {
        ledger.tickOver(SECOND + 5);

        assertThat(ledger.upTo(SECOND)).isEqualTo(new Ticks(60, 0, 60, SECOND));
    }

    @Test
    void aStallThatBeginsAmidItIsOpenAtTheReadingToo() {
        ledger.tickOver(1_000_000);
        ledger.tickOver(2 * SECOND);

        assertThat(ledger.upTo(SECOND)).isEqualTo(new Ticks(60, 1, 59, SECOND - TickCounter.due(1)));
    }

    @Test
    void ticksAfterTheLastSlotAreNotAskedFor() {
        assertThat(ledger.tickOver(10 * SECOND)).isEqualTo(ledger.slots());
        assertThat(ledger.upTo(10 * SECOND)).isEqualTo(new Ticks(120, 1, 120, 10 * SECOND));
    }

    @Test
    void oneSecondIsTheDifferenceOfTwoReadings() {
        Ticks first = new Ticks(60, 50, 12, 30_000_000);
        Ticks second = new Ticks(120, 60, 70, 900_000_000);

        assertThat(second.since(first)).isEqualTo(new Ticks(60, 10, 58, 900_000_000));
        assertThat(second.missedShare()).isEqualTo(70 / 120.0);
        assertThat(new Ticks(0, 0, 0, 0).missedShare()).isZero();
    }
}
