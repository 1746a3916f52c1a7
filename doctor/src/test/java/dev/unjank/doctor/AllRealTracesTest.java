package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds of every wait in every real file, whatever its format. */
class AllRealTracesTest {

    static Stream<String> names() {
        return RealTraces.names();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("names")
    void everyWaitAddsUpToTheNanosecond(String name) {
        Scenes.assertSound(RealTraces.everything(name));
        Scenes.assertSound(Doctor.diagnose(RealTraces.trace(name), DoctorOptions.defaults()));
    }

    /** None of them has everything. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("names")
    void whatItLacksIsSaidAndTheReportFitsItsSchema(String name) {
        Diagnosis diagnosis = ReportSchema.checked(Doctor.diagnose(RealTraces.trace(name), DoctorOptions.defaults()));
        assertThat(diagnosis.warnings()).isNotEmpty();
    }

    /** Else the tests above may have had nothing to look at. */
    @Test
    void theFolderIsLookedThrough() {
        RealTraces.trace(RealTraces.ANDROID_15);
        assertThat(RealTraces.names())
                .contains(RealTraces.ANDROID_15, "tracecompass_youtube_atrace.txt", "grafana_example.jfr.gz")
                .doesNotContain("INDEX.md");
    }
}
