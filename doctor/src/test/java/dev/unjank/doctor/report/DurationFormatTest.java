package dev.unjank.doctor.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DurationFormatTest {
    @Test
    void aTimeByItselfHasTheUnitThatSuitsIt() {
        assertThat(DurationFormat.time(999_999_499)).isEqualTo("999.999 ms");
        assertThat(DurationFormat.time(999_999_500)).isEqualTo("1.000 s");
        assertThat(DurationFormat.roundTime(1_500_000)).isEqualTo("1.5 ms");
        assertThat(DurationFormat.roundTime(20_000_000_000L)).isEqualTo("20 s");
    }

    /** What stands below one another can be compared by eye. */
    @Test
    void aColumnHasOneUnit() {
        DurationFormat.Column mixed = DurationFormat.Column.of(LongStream.of(1_204_000_000, 18_000_000));
        assertThat(mixed.time(1_204_000_000)).isEqualTo("1204.000 ms");
        assertThat(mixed.time(18_000_000)).isEqualTo("18.000 ms");
        DurationFormat.Column seconds = DurationFormat.Column.of(LongStream.of(1_204_000_000, 0, 2_000_000_000));
        assertThat(seconds.time(1_204_000_000)).isEqualTo("1.204 s");
        assertThat(seconds.time(0)).isEqualTo("0.000 s");
    }
}
