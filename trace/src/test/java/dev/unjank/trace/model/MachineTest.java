package dev.unjank.trace.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MachineTest {
    @ParameterizedTest
    @CsvSource({"4.19.191-gc4209e6f7f25, 4, 19", "3.10.73, 3, 10", "6.1, 6, 1", "10.0.19041, 10, 0", "5.15+, 5, 15"})
    void aReleaseBeginsWithTheVersion(String release, int major, int minor) {
        Machine.Kernel kernel = new Machine(Map.of("system_release", release), List.of()).kernel();
        assertThat(kernel).isNotNull();
        assertThat(kernel.major()).isEqualTo(major);
        assertThat(kernel.minor()).isEqualTo(minor);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "4", "4.", ".4", "v4.4", "4-4.1", "4444444.1", "4.4444444"})
    void otherStringsAreNoVersion(String release) {
        assertThat(Machine.Kernel.parse(release)).isNull();
    }

    @Test
    void noReleaseIsNoKernel() {
        assertThat(new Machine(Map.of(), List.of()).kernel()).isNull();
    }

    @Test
    void theMinorNumberCountsAmongEqualMajors() {
        Machine.Kernel kernel = new Machine.Kernel(4, 2);
        assertThat(kernel.isOlder(4, 2)).isFalse();
        assertThat(kernel.isOlder(4, 3)).isTrue();
        assertThat(kernel.isOlder(5, 0)).isTrue();
        assertThat(kernel.isOlder(3, 10)).isFalse();
    }
}
