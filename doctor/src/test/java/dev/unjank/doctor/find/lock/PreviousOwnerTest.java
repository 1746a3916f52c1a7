package dev.unjank.doctor.find.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.report.WaitMessages;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The owner that a virtual machine recorded is the owner, whatever else the trace has on that thread. */
class PreviousOwnerTest {

    @ParameterizedTest
    @CsvSource({
        "worker,     102, 102, OWNER_NAMED",
        "old name,   102, 102, OWNER_NAMED", // the thread was renamed since
        "worker(2),  102, 102, OWNER_NAMED", // the name in the slice is changed where it would end it
        "gone,       999, 999, OWNER_NAMED", // the trace has nothing else on it
        "<unknown>,  0,   -1,  UNKNOWN", // near miss: none recorded
    })
    void theRecordedTidIdentifiesTheOwner(String name, int tid, int owner, Evidence evidence) {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.waits(SyntheticJvmTrace.MAIN, 10, 40, name, tid);
            Incident incident = stage.diagnose().incidents().getFirst();
            assertThat(incident.owner().thread().tid()).isEqualTo(owner);
            assertThat(incident.owner().evidence()).isEqualTo(evidence);
            assertThat(WaitMessages.ownerActivity(incident).equals("The owner is not recorded."))
                    .isEqualTo(evidence == Evidence.UNKNOWN);
        }
    }
}
