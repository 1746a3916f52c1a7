package dev.unjank.doctor.report;

import static dev.unjank.doctor.scene.SyntheticTrace.APP;
import static dev.unjank.doctor.scene.SyntheticTrace.SERVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.judge.BlockerKind;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.trace.model.SchedState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdviceTest {

    /** The main thread calls a server, which sleeps: alone, or because it waits for a lock whose owner does. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoseReplyIsLateIsToldOfNoLock(boolean lock) {
        SyntheticTrace stage = new SyntheticTrace()
                .process(APP, "com.example.app")
                .process(SERVER, "server")
                .thread(2003, SERVER, "binder:2000_3", 120)
                .thread(2004, SERVER, "holder", 120)
                .runs(APP, 1, 5.001, SchedState.SLEEPING)
                .wakes(2003, 14.99, APP)
                .runs(APP, 15, 20, SchedState.SLEEPING)
                .call(APP, 5, 15, 2003, 5.1, 14.98)
                .runs(2003, 5.05, 5.2, SchedState.SLEEPING)
                .runs(2003, 14.9, 16, SchedState.SLEEPING)
                .runs(2004, 5.05, 5.2, SchedState.SLEEPING)
                .runs(2004, 14.8, 16, SchedState.SLEEPING);
        if (lock) {
            stage.slice(2003, "monitor contention with owner holder (2004) waiters=0", 5.15, 14.9);
        }
        Diagnosis diagnosis = stage.diagnose(DoctorOptions.defaults());
        Incident incident = diagnosis.incidents().getFirst();
        assertThat(incident.rootWait().kind()).isEqualTo(WaitKind.BINDER);
        assertThat(incident.verdict()).isEqualTo(Verdict.SLEEPING_OWNER);
        assertThat(WaitMessages.evidence(incident))
                .isEqualTo(
                        lock
                                ? "the runtime recorded the owner"
                                : "the kernel recorded the thread that served the call");
        String first = lock ? "Release the lock" : "Make the call from a thread that is not latency-critical";
        assertThat(Advice.of(incident, Platform.ANDROID).getFirst()).startsWith(first);
        assertThat(Advice.of(Verdict.SLEEPING_OWNER, diagnosis))
                .containsExactlyElementsOf(Advice.of(incident, Platform.ANDROID));
        assertThat(TextReport.of(diagnosis, TextReport.Style.plain())).contains("Next step      " + first);
    }

    /** More samples would not show which thread delayed the JVM's collector; they might for the owner of a lock. */
    @Test
    void whoKeptACollectorWaitingIsAskedForByWhatKnowsIt() {
        assertThat(Advice.of(Verdict.UNKNOWN, BlockerKind.COLLECTION, Platform.JVM)
                        .getFirst())
                .contains("record --critical");
        assertThat(Advice.of(Verdict.UNKNOWN, BlockerKind.LOCK, Platform.JVM).getFirst())
                .contains("settings=profile");
    }

    /** The first step fits the cause of the collection, in a pause and in a wait for a thread that it stopped. */
    @ParameterizedTest
    @CsvSource({
        "G1Full (System.gc()),                   Do not call System.gc(). If a library calls it",
        "SerialOld (System.gc()),                Do not call System.gc(). With -XX:+DisableExplicitGC",
        "ParallelOld (System.gc()),              Do not call System.gc(). With -XX:+DisableExplicitGC",
        "Shenandoah (System.gc()),               Do not call System.gc(). With -XX:+DisableExplicitGC",
        "collection (System.gc()),               Do not call System.gc(). With -XX:+DisableExplicitGC",
        "G1Full (Metadata GC Threshold),         Set -XX:MetaspaceSize",
        "G1New (G1 Evacuation Pause),            Allocate less",
        "G1Full (Heap Inspection Initiated GC),  Allocate less",
    })
    void adviceFitsTheCauseOfACollection(String collection, String first) {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.waits(SyntheticJvmTrace.MAIN, 10, 110, "worker", SyntheticJvmTrace.WORKER)
                    .stop(12, 108, "", "GC pause: " + collection);
            List<Incident> incidents = stage.diagnose().incidents();
            assertThat(incidents).hasSize(2).allSatisfy(incident -> {
                assertThat(incident.verdict()).isEqualTo(Verdict.GC_BLOCKED);
                assertThat(Advice.of(incident, Platform.JVM).getFirst()).startsWith(first);
            });
        }
    }

    /** Where most of a pause is the time until all threads have stopped, its operation is no matter. */
    @ParameterizedTest
    @CsvSource({
        "90, A thread was slow to stop",
        "40, Find out what requests the operation", // near miss
    })
    void adviceFitsTheTimeToTheSafepoint(int reachedMs, String first) {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.stop(10, 100, "", "safepoint: HeapDumper", "reaching the safepoint", 10, reachedMs);
            Incident incident = stage.diagnose().incidents().getFirst();
            assertThat(incident.verdict()).isEqualTo(Verdict.SAFEPOINT_BLOCKED);
            assertThat(Advice.of(incident, Platform.JVM).getFirst()).startsWith(first);
        }
    }

    /** The same before a collection, and for a thread that waits for a lock whose owner is stopped. */
    @Test
    void adviceFitsTheTimeToTheSafepointOfACollection() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.waits(SyntheticJvmTrace.MAIN, 9, 101, "worker", SyntheticJvmTrace.WORKER)
                    .stop(10, 100, "", "safepoint: ZMarkEnd", "reaching the safepoint", 10, 90)
                    .stop(91, 99, "", "GC pause: Pause Mark End");
            List<Incident> incidents = stage.diagnose().incidents();
            assertThat(incidents).hasSize(2).allSatisfy(incident -> {
                assertThat(incident.verdict()).isEqualTo(Verdict.SAFEPOINT_BLOCKED);
                assertThat(Advice.of(incident, Platform.JVM).getFirst()).startsWith("A thread was slow to stop");
            });
        }
    }

    /** The server waits for a lock for a moment, and sleeps for all the rest without one. */
    @Test
    void adviceIsAboutWhatTookTheTime() {
        Incident incident = new SyntheticTrace()
                .process(APP, "com.example.app")
                .process(SERVER, "server")
                .thread(2003, SERVER, "binder:2000_3", 120)
                .thread(2004, SERVER, "holder", 120)
                .runs(APP, 1, 5.001, SchedState.SLEEPING)
                .runs(2003, 5.05, 5.2, SchedState.SLEEPING)
                .call(APP, 5, 15, 2003, 5.1, 14.98)
                .slice(2003, "monitor contention with owner holder (2004) waiters=0", 5.15, 5.9)
                .runs(2004, 5.05, 5.88, SchedState.SLEEPING)
                .wakes(2004, 5.87, 2003)
                .runs(2003, 5.89, 6, SchedState.SLEEPING)
                .runs(2003, 14.9, 16, SchedState.SLEEPING)
                .wakes(2003, 14.99, APP)
                .runs(APP, 15, 20, SchedState.SLEEPING)
                .incidents()
                .getFirst();
        assertThat(incident.chain()).hasSize(2);
        assertThat(incident.verdict()).isEqualTo(Verdict.SLEEPING_OWNER);
        assertThat(Advice.of(incident, Platform.ANDROID).getFirst())
                .startsWith("Make the call from a thread that is not latency-critical");
    }
}
