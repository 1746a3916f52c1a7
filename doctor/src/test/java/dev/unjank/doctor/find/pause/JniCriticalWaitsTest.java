package dev.unjank.doctor.find.pause;

import static dev.unjank.doctor.scene.SyntheticJvmTrace.MAIN;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.MS;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.OTHER;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.trace.model.SchedState;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What Java 17 does where main needs a collection that worker's critical section keeps from beginning, and what is
 * nearly the same. Main sleeps from millisecond 10 to 106; worker is in its section until 100, has garbage collected
 * until 105, and wakes main.
 */
class JniCriticalWaitsTest {
    private static final String COLLECTION = "GC pause: G1New (GCLocker Initiated GC)";

    private final SyntheticJvmTrace stage = new SyntheticJvmTrace();

    @AfterEach
    void close() {
        stage.close();
    }

    private void section() {
        stage.slice(WORKER, 5, 100, "jni", "JNI critical section");
    }

    /** Worker runs up to a moment, sleeps while garbage is collected, and runs again from a moment on. */
    private void workerRuns(double until, double again) {
        stage.runs(1, WORKER, "worker", 2, until, SchedState.SLEEPING)
                .runs(1, WORKER, "worker", again, 120, SchedState.SLEEPING);
    }

    private void mainSleepsUntil(int waker, double ms) {
        stage.runs(0, MAIN, "main", 1, 10, SchedState.SLEEPING)
                .wakes(1, waker, ms, MAIN)
                .runs(0, MAIN, "main", ms + 0.5, 150, SchedState.SLEEPING);
    }

    private List<Incident> ofMain() {
        Diagnosis diagnosis = stage.diagnose(DoctorOptions.defaults().withThread("main"));
        SceneDiagnoses.assertSound(diagnosis);
        return diagnosis.incidents().stream()
                .filter(incident -> "main".equals(incident.rootWait().thread().name()))
                .toList();
    }

    private Incident only() {
        List<Incident> incidents = ofMain();
        assertThat(incidents).hasSize(1);
        return incidents.getFirst();
    }

    @Test
    void aSleepUntilTheEndOfASectionIsAWaitForIt() {
        section();
        workerRuns(100.3, 105.2);
        mainSleepsUntil(WORKER, 106);
        stage.stop(100.5, 105, "gc", COLLECTION);
        Incident incident = only();

        assertThat(incident.verdict()).isEqualTo(Verdict.GC_BLOCKED_BY_CRITICAL);
        assertThat(incident.responsibleThread())
                .isNotNull()
                .extracting(ThreadRef::name)
                .isEqualTo("worker");
        assertThat(incident.judgement().evidence()).isEqualTo(Evidence.WAKER_INFERRED);
        assertThat(incident.judgement().decisiveNs()).isEqualTo(90 * MS);
        assertThat(incident.rootWait().kind()).isEqualTo(WaitKind.GC);
        assertThat(incident.rootWait().target()).isEqualTo("G1New (GCLocker Initiated GC)");
        assertThat(incident.rootWait().durNs()).isEqualTo(96 * MS);
    }

    /** The clock of Java 17's recordings has an error of up to a millisecond. */
    @Test
    void aClockThatIsAMillisecondOffDoesNotMatter() {
        section();
        workerRuns(99.4, 104.3);
        mainSleepsUntil(WORKER, 104.4);
        stage.stop(100.5, 105, "gc", COLLECTION);

        assertThat(only().verdict()).isEqualTo(Verdict.GC_BLOCKED_BY_CRITICAL);
    }

    /** Parallel runs a full collection with another cause, but the thread that left the section requests it. */
    @Test
    void theRecordedCauseMayBeAnother() {
        section();
        workerRuns(100.3, 105.2);
        mainSleepsUntil(WORKER, 106);
        stage.stop(100.4, 105.1, "safepoint", "safepoint: ParallelGCSystemGC by worker (" + WORKER + ")");
        stage.stop(100.5, 105, "gc", "GC pause: ParallelOld (Ergonomics)");

        assertThat(only().verdict()).isEqualTo(Verdict.GC_BLOCKED_BY_CRITICAL);
    }

    @Test
    void aRunnableThreadInItsSectionIsPreempted() {
        section();
        stage.runs(1, WORKER, "worker", 2, 20, SchedState.RUNNABLE)
                .runs(1, OTHER, "other", 20, 90, SchedState.SLEEPING)
                .runs(1, WORKER, "worker", 90, 100.3, SchedState.SLEEPING)
                .runs(1, WORKER, "worker", 105.2, 120, SchedState.SLEEPING);
        mainSleepsUntil(WORKER, 106);
        stage.stop(100.5, 105, "gc", COLLECTION);

        assertThat(only().verdict()).isEqualTo(Verdict.RUNNABLE_OWNER);
    }

    @Test
    void aSleepThatAnotherThreadEndsIsAnotherWait() {
        section();
        workerRuns(100.3, 105.2);
        mainSleepsUntil(OTHER, 106);
        stage.stop(100.5, 105, "gc", COLLECTION);

        assertThat(ofMain()).isEmpty();
    }

    @Test
    void aSleepWithoutACollectionIsAnotherWait() {
        section();
        workerRuns(100.3, 105.2);
        mainSleepsUntil(WORKER, 106);

        assertThat(ofMain()).isEmpty();
    }

    @Test
    void aCollectionForAnotherReasonIsNotTheSections() {
        section();
        workerRuns(100.3, 105.2);
        mainSleepsUntil(WORKER, 106);
        stage.stop(100.5, 105, "gc", "GC pause: G1New (G1 Evacuation Pause)");

        assertThat(ofMain()).isEmpty();
    }

    @Test
    void aCollectionThatTheProgramRequestedIsNotTheSections() {
        section();
        workerRuns(100.3, 105.2);
        mainSleepsUntil(WORKER, 106);
        stage.stop(100.4, 105.1, "safepoint", "safepoint: G1CollectFull by worker (" + WORKER + ")");
        stage.stop(100.5, 105, "gc", "GC pause: G1Full (System.gc())");

        assertThat(ofMain()).isEmpty();
    }

    @Test
    void aSleepAfterTheSectionIsAnotherWait() {
        stage.slice(WORKER, 2, 9, "jni", "JNI critical section");
        workerRuns(9.3, 14);
        mainSleepsUntil(WORKER, 15);
        stage.stop(9.5, 13.5, "gc", COLLECTION);

        assertThat(ofMain()).isEmpty();
    }

    /** The waker ran for 10 ms before it woke main: main waited for that work. */
    @Test
    void aWakeUpLongAfterTheCollectionHasAnotherReason() {
        section();
        workerRuns(100.3, 105.2);
        mainSleepsUntil(WORKER, 115);
        stage.stop(100.5, 105, "gc", COLLECTION);

        assertThat(ofMain()).isEmpty();
    }

    /** The thread left the section long before the collection, which another section delayed. */
    @Test
    void aSectionLeftLongBeforeTheCollectionIsAnother() {
        stage.slice(WORKER, 5, 60, "jni", "JNI critical section");
        workerRuns(100.3, 105.2);
        mainSleepsUntil(WORKER, 106);
        stage.stop(100.5, 105, "gc", COLLECTION);

        assertThat(ofMain()).isEmpty();
    }

    @Test
    void aParkedThreadDidNotWaitForTheCollection() {
        section();
        workerRuns(100.3, 105.2);
        mainSleepsUntil(WORKER, 106);
        stage.stop(100.5, 105, "gc", COLLECTION)
                .slice(MAIN, 9.9, 106.6, "park", "parking on java.util.concurrent.SynchronousQueue$TransferStack");

        assertThat(ofMain()).isEmpty();
    }
}
