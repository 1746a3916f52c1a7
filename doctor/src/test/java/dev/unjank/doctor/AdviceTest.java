package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.example.LauncherExample;
import org.junit.jupiter.api.Test;

class AdviceTest {

    @Test
    void theQueryOfAnIncidentNamesItsThreadAndTimes() {
        Incident incident = Doctor.diagnose(Scenes.read(LauncherExample.trace()), DoctorOptions.defaults())
                .incidents()
                .getFirst();
        Wait wait = incident.tree();
        assertThat(Advice.of(incident.verdict(), Platform.ANDROID).queryFor(incident))
                .contains("late.tid = 3384")
                .contains("ready.ts < " + wait.endNs())
                .contains("ready.ts + ready.dur > " + wait.startNs())
                .doesNotContain("{");
    }
}
