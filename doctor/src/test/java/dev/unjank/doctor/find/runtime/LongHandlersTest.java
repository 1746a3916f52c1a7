package dev.unjank.doctor.find.runtime;

import static dev.unjank.doctor.scene.SyntheticJvmTrace.EVENTS;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.MS;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.judge.RootCauseFinder;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Severity;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** A looper on an event thread records its messages. */
    @Test
    void aLoopersMessageIsASpan() {
        stage.message(EVENTS, 20, 120, "app.Window: #1").message(EVENTS, 130, 180, "app.Window: #2");
        List<Incident> handlers = incidents().stream()
                .filter(incident -> incident.verdict() == Verdict.LONG_HANDLER)
                .toList();
        assertThat(handlers).hasSize(1); // 50 ms is the limit
        assertThat(handlers.getFirst().rootWait().target()).isEqualTo("app.Window: #1");
        assertThat(handlers.getFirst().rootWait().durNs()).isEqualTo(100 * MS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "AWT-EventQueue-1",
                "JavaFX Application Thread",
                "nioEventLoopGroup-2-1",
                "vert.x-eventloop-thread-0",
                "reactor-http-epoll-1"
            })
    void eventThreadsAreKnownByTheirNames(String name) {
        stage.name(WORKER, name).slice(WORKER, 20, 120, "method", "app.Window.load");
        assertThat(incidents().getFirst().verdict()).isEqualTo(Verdict.LONG_HANDLER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"awt-worker-1", "vert.x-worker-thread-0", "my-nioEventLoopGroup"})
    void otherNamesAreNone(String name) {
        stage.name(WORKER, name).slice(WORKER, 20, 120, "method", "app.Window.load");
        assertThat(incidents()).isEmpty();
    }

    /** The JVM's class for a lambda is not the program's code. */
    @Test
    void theHandlerBehindALambda() {
        for (int at = 20; at <= 100; at += 10) {
            stage.sampledStack(
                    EVENTS,
                    at,
                    "app.Window.zip",
                    "app.Window.save",
                    "app.Window$$Lambda.0x000000005c040440.run",
                    "java.awt.event.InvocationEvent.dispatch");
        }
        assertThat(incidents().getFirst().rootWait().target()).isEqualTo("app.Window.save");
    }

    @Test
    void aRecordedSpanIsExact() {
        stage.slice(EVENTS, 20, 120, "method", "app.Window.load");
        Incident incident = incidents().getFirst();
        assertThat(incident.verdict()).isEqualTo(Verdict.LONG_HANDLER);
        assertThat(incident.rootWait().durNs()).isEqualTo(100 * MS);
        assertThat(incident.judgement().evidence()).isEqualTo(Evidence.WAITER_EVENTS);
    }

    private void stacks(int fromMs, int toMs, String... stack) {
        for (int at = fromMs; at <= toMs; at += 10) {
            stage.sampledStack(EVENTS, at, stack);
        }
    }

    private List<RootCause> causes() {
        return RootCauseFinder.of(stage.diagnose(DoctorOptions.defaults())).causes();
    }

    /** The method to change is the slow one, whichever listener calls it. */
    @Test
    void twoListenersThatCallOneSlowMethodAreOneCause() {
        stacks(20, 80, "java.util.HashMap.get", "app.Model.search", "app.FindListener.actionPerformed");
        stacks(100, 160, "java.util.HashMap.get", "app.Model.search", "app.ReplaceListener.actionPerformed");
        List<RootCause> causes = causes();
        assertThat(causes).hasSize(1);
        assertThat(causes.getFirst().incidents()).hasSize(2);
        assertThat(causes.getFirst().waiterSite().method()).isEqualTo("app.Model.search");
        assertThat(incidents().getFirst().rootWait().target()).endsWith("Listener.actionPerformed");
    }

    @Test
    void oneListenerThatCallsTwoSlowMethodsIsTwoCauses() {
        stage.stacked(EVENTS, 70, 75, "park", "parking on a", List.of("java.awt.EventQueue.getNextEvent"));
        stacks(10, 60, "app.Model.search", "app.Listener.actionPerformed");
        stacks(90, 150, "app.Model.save", "app.Listener.actionPerformed");
        assertThat(causes())
                .extracting(cause -> cause.waiterSite().method())
                .containsExactly("app.Model.save", "app.Model.search");
    }

    /** Near miss: no method below the listener has half of the samples. */
    @Test
    void aHandlerWithoutAHotMethodIsTheOneToChange() {
        stacks(20, 50, "app.Model.search", "app.Listener.actionPerformed");
        stacks(60, 90, "app.Model.save", "app.Listener.actionPerformed");
        stacks(100, 130, "app.Model.sort", "app.Listener.actionPerformed");
        assertThat(causes())
                .extracting(cause -> cause.waiterSite().method())
                .containsExactly("app.Listener.actionPerformed");
    }
}
