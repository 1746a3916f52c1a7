package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.example.LauncherExample;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AdviceTest {

    @Test
    void theQueryOfAnIncidentNamesItsThreadAndTimes() {
        Incident incident = Doctor.diagnose(Scenes.read(LauncherExample.trace()), DoctorOptions.defaults())
                .incidents()
                .getFirst();
        Wait wait = incident.tree();
        assertThat(Advice.of(incident.verdict()).queryFor(incident))
                .contains("late.tid = 3384")
                .contains("ready.ts < " + wait.endNs())
                .contains("ready.ts + ready.dur > " + wait.startNs())
                .doesNotContain("{");
    }

    @Test
    void theQueryOfADiagnosisListsTheSame() {
        DoctorOptions options = DoctorOptions.defaults();
        assertThat(Advice.queryFor(options)).contains("WHERE is_main_thread = 1 AND dur >= 1000000\n");
        assertThat(Advice.queryFor(options.withThread("all").withMinDuration(Duration.ZERO)))
                .contains("WHERE dur >= 0\n");
        assertThat(Advice.queryFor(options.withThread("1234").withProcess("56")))
                .contains(
                        "WHERE tid = 1234 AND utid IN (SELECT utid FROM thread JOIN process USING (upid) WHERE pid = 56) AND");
    }

    @Test
    void aNameStaysAText() {
        assertThat(Advice.queryFor(
                        DoctorOptions.defaults().withThread("x' OR 'y").withProcess("it's")))
                .contains("thread_name = 'x'' OR ''y' AND process_name = 'it''s' AND");
    }
}
