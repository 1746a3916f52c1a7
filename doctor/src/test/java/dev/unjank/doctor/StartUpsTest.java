package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts of apps, of real traces against what trace processor says of them, and built. */
class StartUpsTest {

    /** It does not know the types of starts on Android 7; ours are seen from what the app's main thread did. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                RealTraces.ANDROID_15,
                RealTraces.ANDROID_13,
                RealTraces.ANDROID_7,
                RealTraces.ANDROID_12_NO_ATRACE,
                RealTraces.ANDROID_11_SCHED_ONLY
            })
    void startsOfRealTraces(String name) throws IOException {
        List<List<String>> rows = RealTraces.expected(name, "startups");
        List<StartUp> starts = Doctor.diagnose(RealTraces.trace(name), DoctorOptions.defaults())
                .startUps();
        assertThat(starts).hasSameSizeAs(rows);
        for (int i = 0; i < rows.size(); i++) {
            StartUp start = starts.get(i);
            String type = rows.get(i).get(5);
            assertThat(List.of(
                            Integer.toString(start.id()),
                            Long.toString(start.startNs()),
                            Long.toString(start.startNs() + start.durNs()),
                            Long.toString(start.durNs()),
                            start.packageName()))
                    .isEqualTo(rows.get(i).subList(0, 5));
            assertThat(start.type()).isEqualTo(type.equals("[NULL]") ? "cold" : type);
            assertSharesAddUp(start);
        }
    }

    private static void assertSharesAddUp(StartUp start) {
        assertThat(start.shares().stream().mapToLong(StartUp.Share::durNs).sum())
                .isEqualTo(start.untilDrawnNs());
    }

    /** The app of the Android 15 trace starts cold: its process is not there at once, and its first frame is the long one. */
    @Test
    void aColdStart() {
        StartUp start = Doctor.diagnose(RealTraces.trace(RealTraces.ANDROID_15), DoctorOptions.defaults())
                .startUps()
                .getFirst();
        assertThat(start.shares()).extracting(StartUp.Share::cause).contains(StartUp.Cause.NOT_YET_BORN);
        assertThat(start.shares().getFirst().cause()).isEqualTo(StartUp.Cause.RUNNING);
        assertThat(start.untilNs()).isLessThan(start.startNs() + start.durNs());
    }
}
