package dev.unjank.doctor.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.trace.model.SchedState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A wait of unknown cause: what comes first beside it, and what to do about it. */
class UnknownCausesTest {
    private static final int COLLECTOR = 1001;

    /** Pauses come before one unknown wait if they took a quarter of the recording. */
    @ParameterizedTest
    @CsvSource({
        "3, GC_BLOCKED, Longest wait with a known cause: blocked by the garbage collector",
        "2, UNKNOWN,    Longest wait: unknown", // a fifth of the recording
    })
    void theSumOfPauses(int pauses, Verdict verdict, String start) {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.parks(SyntheticJvmTrace.MAIN, 10, 50, "ReentrantLock$NonfairSync", 0);
            for (int i = 0; i < pauses; i++) {
                stage.stop(60 + 30 * i, 80 + 30 * i, "gc", "GC pause: G1New (G1 Evacuation Pause)");
            }
            Diagnosis diagnosis = stage.diagnose();
            assertThat(diagnosis.mainFinding().incident())
                    .extracting(Incident::verdict)
                    .isEqualTo(verdict);
            assertThat(JudgementMessages.of(diagnosis)).startsWith(start);
        }
    }

    @ParameterizedTest
    @CsvSource({"false, No wait recorded", "true, No long wait found"})
    void aRecordingWithoutWaits(boolean shortWait, String start) {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.sampled(SyntheticJvmTrace.WORKER, 20, "app.Main.run");
            if (shortWait) {
                stage.waits(SyntheticJvmTrace.MAIN, 10, 10.5, "worker", SyntheticJvmTrace.WORKER);
            }
            assertThat(JudgementMessages.of(stage.diagnose())).startsWith(start);
        }
    }

    /** The collector waits for threads of the program, not for itself; an interrupt wakes it. */
    @Test
    void theCollectorWaits() {
        Incident incident = new SyntheticTrace()
                .process(SyntheticTrace.APP, "com.example.app")
                .thread(COLLECTOR, SyntheticTrace.APP, "HeapTaskDaemon", 124)
                .runs(COLLECTOR, 1, 5.1, SchedState.SLEEPING)
                .runs(COLLECTOR, 15, 20, SchedState.SLEEPING)
                .slice(COLLECTOR, "FlipThreadRoots", 5, 15.1)
                .slice(COLLECTOR, "Background concurrent copying GC", 4, 16)
                .diagnose(SceneDiagnoses.EVERYTHING)
                .incidents()
                .getFirst();
        assertThat(WaitMessages.what(incident.rootWait()))
                .isEqualTo("threads of the program to stop (FlipThreadRoots)");
        assertThat(incident.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(Advice.of(incident, Platform.ANDROID).getFirst()).startsWith("Inspect the code of this wait.");
    }

    /** Near miss: without scheduler events, to record them is the advice. */
    @Test
    void withoutSchedulerEvents() {
        Incident incident = new SyntheticTrace()
                .process(SyntheticTrace.APP, "com.example.app")
                .slice(SyntheticTrace.APP, "WaitForGcToComplete", 5, 15)
                .diagnose(SceneDiagnoses.EVERYTHING)
                .incidents()
                .getFirst();
        assertThat(WaitMessages.what(incident.rootWait())).isEqualTo("the garbage collector (WaitForGcToComplete)");
        assertThat(Advice.of(incident, Platform.ANDROID).getFirst()).startsWith("Record again");
    }
}
