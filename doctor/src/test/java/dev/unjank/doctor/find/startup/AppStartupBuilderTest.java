package dev.unjank.doctor.find.startup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.AppStartup;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.scene.RealTraceDiagnoses;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** App startups of real traces, compared with trace processor's, and of synthetic ones. */
class AppStartupBuilderTest {

    /** It does not know the types of startups on Android 7; ours come from the slices of the app's main thread. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                RealTraceDiagnoses.ANDROID_15,
                RealTraceDiagnoses.ANDROID_13,
                RealTraceDiagnoses.ANDROID_7,
                RealTraceDiagnoses.ANDROID_12_NO_ATRACE,
                RealTraceDiagnoses.ANDROID_11_SCHED_ONLY
            })
    void startupsOfRealTraces(String name) throws IOException {
        List<List<String>> rows = RealTraceDiagnoses.expected(name, "startups");
        List<AppStartup> starts = Doctor.diagnose(RealTraceDiagnoses.trace(name), DoctorOptions.defaults())
                .startups();
        assertThat(starts).hasSameSizeAs(rows);
        for (int i = 0; i < rows.size(); i++) {
            AppStartup start = starts.get(i);
            String type = rows.get(i).get(5);
            assertThat(List.of(
                            Long.toString(start.id()),
                            Long.toString(start.startNs()),
                            Long.toString(start.startNs() + start.durNs()),
                            Long.toString(start.durNs()),
                            start.packageName()))
                    .isEqualTo(rows.get(i).subList(0, 5));
            assertThat(start.type()).isEqualTo(type.equals("[NULL]") ? "cold" : type);
            assertSharesAddUp(start);
        }
    }

    private static void assertSharesAddUp(AppStartup start) {
        assertThat(start.shares().stream().mapToLong(AppStartup.Share::durNs).sum())
                .isEqualTo(start.timeToInitialDisplayNs());
    }

    /** The app of the Android 15 trace starts cold: its process starts later, and its first frame is the long one. */
    @Test
    void aColdStart() {
        AppStartup start = Doctor.diagnose(
                        RealTraceDiagnoses.trace(RealTraceDiagnoses.ANDROID_15), DoctorOptions.defaults())
                .startups()
                .getFirst();
        assertThat(start.shares()).extracting(AppStartup.Share::cause).contains(AppStartup.Cause.NOT_YET_BORN);
        assertThat(start.shares().getFirst().cause()).isEqualTo(AppStartup.Cause.RUNNING);
        assertThat(start.firstFrameNs()).isLessThan(start.startNs() + start.durNs());
    }
}
