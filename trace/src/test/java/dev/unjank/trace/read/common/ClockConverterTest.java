package dev.unjank.trace.read.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ClockConverterTest {
    private static final int MONOTONIC = 3;

    private final ClockConverter clocks = new ClockConverter();

    @Test
    void theTracesOwnClockNeedsNoSnapshot() {
        assertThat(clocks.toTrace(clocks.clock(ClockConverter.BOOTTIME, 5), 77)).isEqualTo(77);
        assertThat(clocks.toTrace(clocks.clock(MONOTONIC, 0), 77)).isEqualTo(ClockConverter.UNKNOWN);
    }

    @Test
    void theLastSnapshotBeforeATimeCounts() {
        snapshot(1000, 100);
        snapshot(2000, 200);
        snapshot(9000, 300);
        ClockConverter.Clock monotonic = clocks.clock(MONOTONIC, 0);
        assertThat(clocks.toTrace(monotonic, 50)).isEqualTo(950);
        assertThat(clocks.toTrace(monotonic, 100)).isEqualTo(1000);
        assertThat(clocks.toTrace(monotonic, 199)).isEqualTo(1099);
        assertThat(clocks.toTrace(monotonic, 250)).isEqualTo(2050);
        assertThat(clocks.toTrace(monotonic, 300)).isEqualTo(9000);
        assertThat(clocks.toTrace(monotonic, 120)).isEqualTo(1020);

        ClockConverter.Converter converter = clocks.converter(monotonic);
        assertThat(converter.toTrace(250)).isEqualTo(2050);
        assertThat(converter.toTrace(50)).isEqualTo(950);
    }

    @Test
    void aClockIsConvertedThroughAnother() {
        snapshot(1000, 100);
        ClockConverter.Clock own = clocks.clock(64, 9);
        clocks.reading(own, 5, 1000, false);
        clocks.reading(clocks.clock(MONOTONIC, 0), 500, 1, false);
        clocks.endSnapshot();
        // 6 units of 1,000 ns are 1,000 ns after the snapshot, when the monotonic clock shows 1,500.
        assertThat(clocks.toTrace(own, 6)).isEqualTo(2400);
        assertThat(clocks.toTrace(clocks.clock(64, 8), 6))
                .as("another sequence's")
                .isEqualTo(ClockConverter.UNKNOWN);
    }

    @Test
    void anIncrementalClockMovesWithEachPacket() {
        ClockConverter.Clock own = clocks.clock(64, 9);
        clocks.reading(own, 1000, 1, true);
        clocks.reading(clocks.clock(ClockConverter.BOOTTIME, 0), 7000, 1, false);
        clocks.endSnapshot();
        assertThat(clocks.toTrace(own, 0)).isEqualTo(7000);
        assertThat(clocks.toTrace(own, 10)).isEqualTo(7010);
        assertThat(clocks.toTrace(own, 10)).isEqualTo(7020);
        assertThat(clocks.converter(own).toTrace(10)).isEqualTo(ClockConverter.UNKNOWN);
    }

    @Test
    void readingsThatGoBackInTimeAreOfNoUse() {
        snapshot(1000, 100);
        snapshot(5000, 90);
        assertThat(clocks.toTrace(clocks.clock(MONOTONIC, 0), 95)).isEqualTo(995);
    }

    @Test
    @Timeout(20) // minutes, if each clock were compared with each
    void clocksWithoutNumberTakeNoTimeWithoutEnd() {
        long known = 0;
        for (int sequence = 0; sequence < 200_000; sequence++) {
            ClockConverter.Clock own = clocks.clock(64, sequence);
            clocks.reading(own, 10, 1, false);
            clocks.reading(clocks.clock(65, sequence), 10, 1, false);
            clocks.endSnapshot();
            known += clocks.toTrace(own, 10) == ClockConverter.UNKNOWN ? 0 : 1;
            clocks.reading(clocks.clock(ClockConverter.BOOTTIME, 0), sequence, 1, false);
            clocks.reading(own, 11, 1, false);
            clocks.endSnapshot();
            known += clocks.toTrace(own, 11) == ClockConverter.UNKNOWN ? 0 : 1;
        }
        assertThat(known).isBetween(1_000L, 20_000L);
    }

    @Test
    void theTraceMayHaveAnotherClock() {
        clocks.traceClock(MONOTONIC);
        clocks.traceClock(ClockConverter.BOOTTIME);
        snapshot(1000, 100);
        assertThat(clocks.toTrace(clocks.clock(MONOTONIC, 0), 50)).isEqualTo(50);
        assertThat(clocks.toTrace(clocks.clock(ClockConverter.BOOTTIME, 0), 1001))
                .isEqualTo(101);
    }

    private void snapshot(long boottime, long monotonic) {
        clocks.reading(clocks.clock(ClockConverter.BOOTTIME, 0), boottime, 1, false);
        clocks.reading(clocks.clock(MONOTONIC, 0), monotonic, 1, false);
        clocks.endSnapshot();
    }
}
