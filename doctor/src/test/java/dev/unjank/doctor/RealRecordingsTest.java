package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.Trace;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the doctor says of recordings of real virtual machines. */
class RealRecordingsTest {

    @Test
    void eightSecondsForAMonitorWhoseOwnerNobodyNamed() {
        Trace trace = RealTraces.trace("grafana_example.jfr.gz");
        Diagnosis diagnosis = Doctor.diagnose(trace, DoctorOptions.defaults());
        assertThat(diagnosis.incidents()).hasSize(1);
        Incident incident = diagnosis.incidents().getFirst();
        assertThat(incident.tree().durNs()).isEqualTo(8_003_284_464L);
        assertThat(incident.tree().thread().name()).isEqualTo("pool-2-thread-2");
        assertThat(incident.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(incident.owner().evidence()).isEqualTo(Evidence.UNKNOWN);
    }

    @Test
    void anIdesConvoysAreFoundByWhoGotTheMonitorWhen() {
        Trace trace = RealTraces.trace("grafana_goland-multichunk.jfr.gz");
        Diagnosis diagnosis = Doctor.diagnose(trace, DoctorOptions.defaults().withMinDuration(Duration.ofMillis(11)));
        assertThat(diagnosis.incidents())
                .isNotEmpty()
                .allSatisfy(incident -> assertThat(incident.verdict()).isEqualTo(Verdict.LOCK_CONVOY));
        assertThat(diagnosis.incidents().getFirst().tree().durNs()).isEqualTo(12_150_082);
    }

    @Test
    void shortWaitsWhoseOwnersAreNamed() {
        Trace trace = RealTraces.trace("jmc_jdk17_monitoredvm.jfr");
        Diagnosis diagnosis = Doctor.diagnose(trace, DoctorOptions.defaults().withMinDuration(Duration.ZERO));
        assertThat(diagnosis.incidents())
                .hasSize(46)
                .allSatisfy(incident -> assertThat(incident.owner().evidence()).isEqualTo(Evidence.OWNER_NAMED));
        assertThat(diagnosis.incidents().getFirst().owner().thread().name()).isEqualTo("Thread-0");
    }
}
