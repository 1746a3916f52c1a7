package dev.unjank.doctor.find.runtime;

import static dev.unjank.doctor.scene.SyntheticJvmTrace.EVENTS;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.MS;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Severity;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LongHandlersTest {
    private final SyntheticJvmTrace stage = new SyntheticJvmTrace();

    @BeforeEach
    void nameEventThread() {
        stage.name(EVENTS, "AWT-EventQueue-0");
    }

    @AfterEach
    void close() {
        stage.close();
    }

    private List<Incident> incidents(DoctorOptions options) {
        List<Incident> found = stage.diagnose(options).incidents();
        found.forEach(incident -> SceneDiagnoses.assertTiled(incident.rootWait()));
        return found;
    }

    private List<Incident> incidents() {
        return incidents(DoctorOptions.defaults());
    }

    private void samples(int tid, int fromMs, int toMs, String method) {
        for (int at = fromMs; at <= toMs; at += 10) {
            stage.sampled(tid, at, method);
        }
    }

    @Test
    void aHandlerThatRuns() {
        samples(EVENTS, 20, 100, "app.Window.paint");
        Incident incident = incidents().getFirst();
        assertThat(incident.verdict()).isEqualTo(Verdict.LONG_HANDLER);
        assertThat(incident.severity()).isEqualTo(Severity.EVENT_LOOP);
        assertThat(incident.rootWait().target()).isEqualTo("app.Window.paint");
        assertThat(incident.rootWait().startNs()).isEqualTo(15 * MS);
        assertThat(incident.rootWait().durNs()).isEqualTo(90 * MS);
        assertThat(incident.judgement().evidence()).isEqualTo(Evidence.TIMING_INFERRED);
    }

    @Test
    void theOptionIsTheLimit() {
        samples(EVENTS, 20, 100, "app.Window.paint");
        assertThat(incidents(DoctorOptions.defaults().withMaxHandler(Duration.ofMillis(90))))
                .isEmpty();
        assertThat(incidents(DoctorOptions.defaults().withMaxHandler(Duration.ofMillis(89))))
                .hasSize(1);
    }

    @Test
    void handlersOfTwoMethods() {
        samples(EVENTS, 20, 50, "app.Window.paint");
        samples(EVENTS, 60, 90, "app.Window.move");
        assertThat(incidents()).isEmpty();
    }

    @Test
    void otherThreadsMayRunForLong() {
        samples(WORKER, 20, 100, "app.Job.run");
        assertThat(incidents()).isEmpty();
    }

    @Test
    void aWaitForTheNextEventEndsAHandler() {
        samples(EVENTS, 10, 40, "app.Window.paint");
        stage.stacked(
                EVENTS,
                48,
                52,
                "park",
                "parking on java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject",
                List.of("java.util.concurrent.locks.LockSupport.park", "java.awt.EventQueue.getNextEvent"));
        samples(EVENTS, 60, 90, "app.Window.paint");
        assertThat(incidents()).isEmpty();
    }

    @Test
    void aHandlerThatSleepsIsASleep() {
        stage.stacked(
                EVENTS,
                20,
                100,
                "sleep",
                "sleeping",
                List.of("java.lang.Thread.sleep", "app.Window.save", "java.awt.EventQueue.dispatchEvent"));
        samples(EVENTS, 110, 120, "app.Window.save");
        Incident only = incidents().getFirst();
        assertThat(incidents()).hasSize(1);
        assertThat(only.verdict()).isEqualTo(Verdict.SLEPT);
        assertThat(only.severity()).isEqualTo(Severity.EVENT_LOOP);
        assertThat(only.rootWait().location().method()).isEqualTo("app.Window.save");
    }

    @Test
    void aRecordedSpanIsExact() {
        stage.slice(EVENTS, 20, 120, "method", "app.Window.load");
        Incident incident = incidents().getFirst();
        assertThat(incident.verdict()).isEqualTo(Verdict.LONG_HANDLER);
        assertThat(incident.rootWait().durNs()).isEqualTo(100 * MS);
        assertThat(incident.judgement().evidence()).isEqualTo(Evidence.SCHEDULER);
    }
}
