package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.report.WarningMessages;
import dev.unjank.doctor.scene.JsonReportSchema;
import dev.unjank.doctor.scene.RealTraceDiagnoses;
import dev.unjank.doctor.scene.SceneDiagnoses;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds of every wait in every real file, whatever its format. */
class AllRealTracesTest {

    static Stream<String> names() {
        return RealTraceDiagnoses.names();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("names")
    void everyWaitAddsUpToTheNanosecond(String name) {
        SceneDiagnoses.assertSound(RealTraceDiagnoses.everything(name));
        SceneDiagnoses.assertSound(Doctor.diagnose(RealTraceDiagnoses.trace(name), DoctorOptions.defaults()));
    }

    /** None of them has everything. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("names")
    void whatItLacksIsSaidAndTheReportFitsItsSchema(String name) {
        Diagnosis diagnosis =
                JsonReportSchema.checked(Doctor.diagnose(RealTraceDiagnoses.trace(name), DoctorOptions.defaults()));
        assertThat(WarningMessages.of(diagnosis.warnings())).isNotEmpty();
    }

    /** Else the tests above may have had nothing to look at. */
    @Test
    void theFolderIsLookedThrough() {
        RealTraceDiagnoses.trace(RealTraceDiagnoses.ANDROID_15);
        assertThat(RealTraceDiagnoses.names())
                .contains(RealTraceDiagnoses.ANDROID_15, "tracecompass_youtube_atrace.txt", "grafana_example.jfr.gz")
                .doesNotContain("INDEX.md");
    }
}
