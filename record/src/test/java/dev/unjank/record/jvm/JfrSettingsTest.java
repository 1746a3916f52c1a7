package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sampler that a recording uses is the one that the status names. */
class JfrSettingsTest {
    private static String configuration(int samplesPerSecond, int feature) {
        return new String(
                JfrSettings.configuration(Duration.ofMillis(1), samplesPerSecond, feature), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({"17, jdk.ExecutionSample, jdk.CPUTimeSample", "25, jdk.CPUTimeSample, jdk.ExecutionSample"})
    void theSamplerDependsOnTheVersion(int feature, String used, String other) {
        assertThat(configuration(100, feature)).contains(used).doesNotContain(other);
        assertThat(JfrSettings.samples(100, feature))
                .isEqualTo(", 100 stack samples of a running thread per second (" + used + ")");
    }

    /** Without a stack the doctor cannot distinguish a wait in the middle of work from an idle one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdk.JavaMonitorEnter",
                "jdk.JavaMonitorWait",
                "jdk.ThreadPark",
                "jdk.ThreadSleep",
                "jdk.VirtualThreadPinned",
                "jdk.SocketRead",
                "jdk.SocketWrite",
                "jdk.FileRead",
                "jdk.FileWrite",
                "jdk.FileForce"
            })
    void waitsHaveStacks(String event) {
        assertThat(configuration(0, 25))
                .containsPattern(
                        "<event name=\"" + event
                                + "\">\\s*<setting name=\"enabled\">true</setting>\\s*<setting name=\"stackTrace\">true</setting>");
    }

    @Test
    void withoutTheOptionNothingIsSampled() {
        assertThat(configuration(0, 25)).doesNotContain("Sample");
        assertThat(JfrSettings.samples(0, 25)).isEmpty();
    }
}
