package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.scene.RealTraceDiagnoses;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.trace.model.Trace;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the doctor says of recordings of real virtual machines. */
class RealRecordingDiagnosesTest {

    @Test
    void eightSecondsForAMonitorWhoseOwnerNobodyNamed() {
        Trace trace = RealTraceDiagnoses.trace("grafana_example.jfr.gz");
        Diagnosis diagnosis = Doctor.diagnose(trace, DoctorOptions.defaults());
        assertThat(diagnosis.incidents()).hasSize(1);
        Incident incident = diagnosis.incidents().getFirst();
        assertThat(incident.rootWait().durNs()).isEqualTo(8_003_284_464L);
        assertThat(incident.rootWait().thread().name()).isEqualTo("pool-2-thread-2");
        assertThat(incident.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(incident.owner().evidence()).isEqualTo(Evidence.UNKNOWN);
    }

    @Test
    void anIdesConvoysAreFoundByWhoGotTheMonitorWhen() {
        Trace trace = RealTraceDiagnoses.trace("grafana_goland-multichunk.jfr.gz");
        Diagnosis diagnosis = Doctor.diagnose(trace, DoctorOptions.defaults().withMinDuration(Duration.ofMillis(11)));
        assertThat(diagnosis.incidents())
                .filteredOn(incident -> incident.rootWait().kind() == WaitKind.MONITOR)
                .isNotEmpty()
                .allSatisfy(incident -> assertThat(incident.verdict()).isEqualTo(Verdict.LOCK_CONVOY))
                .first()
                .satisfies(incident -> assertThat(incident.rootWait().durNs()).isEqualTo(12_150_082));
    }

    @Test
    void itsEventThreadComesFirstAndTheOneOfTheWindowSystemWaitsForALockWhoseOwnerNoRecorderKnows() {
        Trace trace = RealTraceDiagnoses.trace("grafana_goland-multichunk.jfr.gz");
        List<Incident> incidents =
                Doctor.diagnose(trace, DoctorOptions.defaults()).incidents();
        assertThat(incidents.getFirst().rootWait().thread().name()).isEqualTo("AWT-EventQueue-0");
        Incident worst = incidents.stream()
                .filter(incident -> incident.rootWait().kind().isLock())
                .max(Comparator.comparingLong(incident -> incident.rootWait().durNs()))
                .orElseThrow();
        assertThat(worst.rootWait().thread().name()).isEqualTo("AWT-XAWT");
        assertThat(worst.rootWait().durNs()).isEqualTo(79_541_841);
        assertThat(worst.rootWait().kind()).isEqualTo(WaitKind.PARK);
        assertThat(worst.rootWait().location())
                .isEqualTo(new CodeLocation("sun.awt.SunToolkit.awtLock", "SunToolkit", 254));
        assertThat(worst.verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void sixteenFullCollectionsOfSixSecondsInAll() {
        Trace trace = RealTraceDiagnoses.trace("jmc_full_gc_g1.jfr");
        Diagnosis diagnosis = Doctor.diagnose(trace, DoctorOptions.defaults());
        List<Incident> full = diagnosis.incidents().stream()
                .filter(incident -> incident.rootWait().target().startsWith("G1Full"))
                .toList();
        assertThat(full).hasSize(16);
        assertThat(full.stream()
                                .mapToLong(incident -> incident.rootWait().durNs())
                                .sum()
                        / 1_000_000)
                .isEqualTo(6_707);
        assertThat(diagnosis.incidents())
                .allSatisfy(incident -> assertThat(incident.verdict()).isEqualTo(Verdict.GC_BLOCKED));
    }

    @Test
    void whoAskedForASafepointAndWhatACollectionDidInIt() {
        Trace trace = RealTraceDiagnoses.trace("jmc_jdk17_monitoredvm.jfr");
        List<Incident> incidents =
                Doctor.diagnose(trace, DoctorOptions.defaults()).incidents();
        assertThat(incidents)
                .extracting(incident ->
                        incident.verdict() + " " + incident.rootWait().target() + " by "
                                + incident.owner().thread().name())
                .containsExactly(
                        "SAFEPOINT_BLOCKED JFROldObject by JFR Recording Scheduler",
                        "GC_BLOCKED Pause Remark by the garbage collector",
                        "GC_BLOCKED G1New (G1 Evacuation Pause) by the garbage collector",
                        "GC_BLOCKED G1New (G1 Evacuation Pause) by the garbage collector");
        assertThat(incidents.get(1).longestDetail(OwnerState.GC_PAUSE)).isEqualTo("Report Object Count");
        assertThat(incidents).allSatisfy(incident -> SceneDiagnoses.assertTiled(incident.rootWait()));
    }

    @Test
    void shortWaitsWhoseOwnersAreNamed() {
        Trace trace = RealTraceDiagnoses.trace("jmc_jdk17_monitoredvm.jfr");
        Diagnosis diagnosis = Doctor.diagnose(trace, DoctorOptions.defaults().withMinDuration(Duration.ZERO));
        assertThat(diagnosis.incidents())
                .filteredOn(incident -> !incident.rootWait().isProcessPause())
                .hasSize(46)
                .allSatisfy(incident -> assertThat(incident.owner().evidence()).isEqualTo(Evidence.OWNER_NAMED));
        assertThat(diagnosis.incidents())
                .filteredOn(incident -> incident.rootWait().kind() == WaitKind.MONITOR)
                .first()
                .satisfies(
                        incident -> assertThat(incident.owner().thread().name()).isEqualTo("Thread-0"));
    }
}
