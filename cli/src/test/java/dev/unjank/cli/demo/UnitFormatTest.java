package dev.unjank.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitFormatTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0 ns",
        "999, 999 ns",
        "1000, 1.00 µs",
        "9994, 9.99 µs",
        "9996, 10.0 µs",
        "99960, 100 µs",
        "999499, 999 µs",
        "999501, 1.00 ms",
        "16666667, 16.7 ms",
        "999999999, 1.00 s",
        "1930000000, 1.93 s",
        "61000000000, 61.0 s"
    })
    void durationsHaveThreeDigitsAndTheFittingUnit(long nanos, String text) {
        assertThat(UnitFormat.duration(nanos)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 %",
        "0.0001, < 0.1 %",
        "0.002, 0.2 %",
        "0.0996, 10 %",
        "0.5, 50 %",
        "0.987, 99 %",
        "0.9951, 99.5 %",
        "0.9999, > 99.9 %",
        "1, 100 %"
    })
    void aPartIsNeverRoundedToAllOrNothing(double share, String text) {
        assertThat(UnitFormat.percent(share)).isEqualTo(text);
    }
}
