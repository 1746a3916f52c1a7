package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.WarningMessages;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.scene.LauncherExample;
import org.junit.jupiter.api.Test;

/** The project's example trace, which re-enacts an incident of a real device. */
class LauncherCaseTest {
    private final Diagnosis diagnosis =
            Doctor.diagnose(SceneDiagnoses.read(LauncherExample.trace()), DoctorOptions.defaults());

    @Test
    void theInversion() {
        Incident incident = diagnosis.incidents().getFirst();
        assertThat(incident.rootWait().durNs()).isEqualTo(9_148_000);
        ThreadRef main = incident.rootWait().thread();
        assertThat(main.process()).isEqualTo("com.android.launcher3");
        assertThat(main.main()).isTrue();
        assertThat(main.tid()).isEqualTo(3363);
        assertThat(main.priority()).isEqualTo(110);
        assertThat(incident.rootWait().location())
                .isEqualTo(new CodeLocation("android.os.MessageQueue.next", "MessageQueue.java", 348));

        Owner owner = incident.owner();
        assertThat(owner.thread().name()).isEqualTo("binder:3363_2");
        assertThat(owner.thread().tid()).isEqualTo(3384);
        assertThat(owner.thread().priority()).isEqualTo(120);
        assertThat(owner.location())
                .isEqualTo(new CodeLocation("android.os.MessageQueue.enqueueMessage", "MessageQueue.java", 594));
        assertThat(owner.evidence()).isEqualTo(Evidence.OWNER_NAMED);

        assertThat(incident.ownerStates())
                .containsExactly(
                        new Incident.StateDuration(OwnerState.RUNNABLE, 5_512_000),
                        new Incident.StateDuration(OwnerState.SLEEPING, 3_523_000),
                        new Incident.StateDuration(OwnerState.RUNNING, 113_000));
        SceneDiagnoses.assertUnboundedInversion(incident, 5_512_000);
        assertThat(incident.preemptingThreads())
                .extracting(preempting ->
                        preempting.thread().name() + " " + preempting.thread().priority() + " " + preempting.ranNs())
                .containsExactly(
                        "android.anim 116 2300000", "android.display 117 1612000", "tworkPolicy.uid 118 1600000");
        SceneDiagnoses.assertTiled(incident.rootWait());
    }

    @Test
    void theFileReadUnderTheLock() {
        Incident incident = diagnosis.incidents().get(1);
        assertThat(incident.rootWait().durNs()).isEqualTo(3_500_000);
        assertThat(incident.verdict()).isEqualTo(Verdict.SLEEPING_OWNER);
        assertThat(incident.ownerStates().getFirst())
                .isEqualTo(new Incident.StateDuration(OwnerState.IO_WAIT, 3_050_000));
        assertThat(incident.rootWait().ownerIntervals().getFirst().segments())
                .anyMatch(part -> "folio_wait_bit_common".equals(part.detail()));
    }

    @Test
    void nothingElse() {
        assertThat(diagnosis.incidents()).hasSize(2);
        assertThat(WarningMessages.of(diagnosis.warnings())).isEmpty();
    }
}
