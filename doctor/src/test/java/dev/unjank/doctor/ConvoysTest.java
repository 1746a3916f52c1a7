package dev.unjank.doctor;

import static dev.unjank.doctor.Stage.APP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.SchedState;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Threads that follow one another on one lock. */
class ConvoysTest {
    private static final String NAME = "monitor contention with owner first (1001) at void a.B.c()(B.java:1) waiters=";

    /**
     * The first owner holds the lock until {@code firstMs}; then so many threads that waited have it for {@code eachMs}, and
     * the main thread gets it last.
     */
    @ParameterizedTest
    @CsvSource({
        "1, 3, 3, LOCK_CONVOY",
        "1, 2, 3, LONG_HOLD", // two before it are a queue as any
        "20, 3, 1, LONG_HOLD", // the first one was slow, the others were not
    })
    void threadsInARow(double firstMs, int followers, double eachMs, Verdict verdict) {
        Stage stage = new Stage().process(APP, "com.example.app").thread(1001, APP, "first", 110);
        double end = 5 + firstMs + followers * eachMs;
        stage.runs(1001, 1, end + 5, SchedState.SLEEPING);
        for (int i = 0; i < followers; i++) {
            int tid = 1002 + i;
            double gets = 5 + firstMs + i * eachMs;
            stage.thread(tid, APP, "follower " + i, 110)
                    .runs(tid, 1, 4.5, SchedState.SLEEPING)
                    .wakes(1001, gets - 0.1, tid)
                    .runs(tid, gets - 0.05, gets + eachMs, SchedState.SLEEPING)
                    .slice(tid, NAME + i, 4.4, gets);
        }
        stage.runs(APP, 1, 5.1, SchedState.SLEEPING)
                .wakes(1001, end - 0.1, APP)
                .runs(APP, end - 0.05, end + 3, SchedState.SLEEPING)
                .slice(APP, NAME + followers, 5, end);
        Incident incident = stage.incidents().getFirst();
        assertThat(incident.verdict()).isEqualTo(verdict);
        assertThat(incident.convoy() != null).isEqualTo(verdict == Verdict.LOCK_CONVOY);
        if (incident.convoy() != null) {
            assertThat(incident.convoy().threads()).isEqualTo(3);
        }
        Scenes.assertTiled(incident.tree());
    }
}
