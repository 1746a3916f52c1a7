package dev.unjank.doctor.find.message;

import static dev.unjank.doctor.scene.SyntheticTrace.APP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.QueueBacklog;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.WaitMessages;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.trace.model.SchedState;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages that wait for their looper, the app's main thread. */
class QueueWaitsTest {
    private static final int FLOODER = 1001;
    private static final int OTHER = 1002;

    private final SyntheticTrace stage = new SyntheticTrace();

    @BeforeEach
    void threads() {
        stage.process(APP, "com.example.app")
                .thread(FLOODER, APP, "flooder", 120)
                .thread(OTHER, APP, "other", 120)
                .runs(APP, 1, 60, SchedState.SLEEPING);
    }

    private void flood(int messages, double eachMs) {
        for (int i = 0; i < messages; i++) {
            stage.message(
                    i % 4 == 3 ? OTHER : FLOODER,
                    2 + i * 0.01,
                    0,
                    APP,
                    "H: #1",
                    2.2 + i * eachMs,
                    2.2 + (i + 1) * eachMs);
        }
    }

    @Test
    void theFloodingSenderIsNamed() {
        flood(12, 1);
        List<Incident> incidents = stage.incidents();
        assertThat(incidents).hasSize(1);
        Incident incident = incidents.getFirst();
        SceneDiagnoses.assertTiled(incident.rootWait());
        assertThat(incident.verdict()).isEqualTo(Verdict.QUEUE_BACKLOG);
        assertThat(incident.judgement().responsibleThread().tid()).isEqualTo(FLOODER);
        assertThat(incident.judgement().evidence()).isEqualTo(Evidence.OWNER_NAMED);
        assertThat(incident.rootWait().thread().tid()).isEqualTo(APP);
        QueueBacklog backlog = incident.backlog();
        assertThat(backlog.messages()).isEqualTo(11);
        assertThat(backlog.ranNs()).isEqualTo(SyntheticTrace.ns(11));
        assertThat(backlog.messagesFromSender()).isEqualTo(9);
        assertThat(WaitMessages.ownerActivity(incident))
                .contains("first ran 11 messages")
                .contains("; flooder ");
    }

    /** Three messages are the normal use of a queue; twelve of 0.05 ms end before any message waits long. */
    @ParameterizedTest
    @CsvSource({"4, 1, 1", "3, 1, 0", "12, 0.05, 0"})
    void howMany(int messages, double eachMs, int found) {
        flood(messages, eachMs);
        assertThat(stage.incidents()).hasSize(found);
    }

    /** All wait for one: that message is slow, the queue is not full. */
    @Test
    void oneSlowMessageIsNoBacklog() {
        stage.message(FLOODER, 2, 0, APP, "slow", 3, 15);
        for (int i = 0; i < 8; i++) {
            stage.message(FLOODER, 4, 0, APP, "quick", 15 + i * 0.1, 15.1 + i * 0.1);
        }
        assertThat(stage.incidents()).isEmpty();
    }

    /** A message that is meant to wait does not wait for others. */
    @Test
    void delaysAreNoWaits() {
        for (int i = 0; i < 8; i++) {
            stage.message(FLOODER, 2, 3L + i * 2L, APP, "timer", 5.0 + i * 2.0, 6.9 + i * 2.0);
        }
        assertThat(stage.incidents()).isEmpty();
    }
}
