package dev.unjank.doctor.report;

import static dev.unjank.doctor.scene.SyntheticJvmTrace.OTHER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a virtual machine's own recorder costs has a setting that turns it off: no code and no garbage is the reason.
 */
class RecorderPausesTest {
    private static final String GARBAGE = "Allocate less";
    private static final String COUNT = "Record without jdk.ObjectCount and jdk.ObjectCountAfterGC";
    private static final String OLD_OBJECTS = "Record without path-to-gc-roots=true";
    private static final String STATISTICS = "Record without the periodic events that need a safepoint";

    private final SyntheticJvmTrace stage = new SyntheticJvmTrace();

    @AfterEach
    void close() {
        stage.close();
    }

    private Incident assertAdvice(Verdict verdict, String advice) {
        Diagnosis diagnosis = stage.diagnose();
        assertThat(diagnosis.incidents()).hasSize(1);
        Incident incident = diagnosis.incidents().getFirst();
        assertThat(incident.verdict()).isEqualTo(verdict);
        assertThat(Advice.of(incident, Platform.JVM).getFirst()).startsWith(advice);
        assertThat(Advice.of(verdict, diagnosis).getFirst()).startsWith(advice);
        return incident;
    }

    @Test
    void aPauseThatMostlyCountedObjects() {
        stage.stop(10, 60, "gc", "GC pause: Pause Remark", "Class Unloading", 11, 15, "Report Object Count", 15, 58);
        Incident incident = assertAdvice(Verdict.GC_BLOCKED, COUNT);
        assertThat(VerdictMessages.of(incident))
                .endsWith("Most of this pause was the recorder counting all objects of the heap.");
        assertThat(ComponentMessages.of(incident, Platform.JVM))
                .isEqualTo("the recording's settings: the recorder itself caused the pause");
    }

    @Test
    void aPauseThatCountedObjectsForASmallPartOfIt() {
        stage.stop(10, 60, "gc", "GC pause: Pause Remark", "Class Unloading", 11, 45, "Report Object Count", 45, 58);
        Incident incident = assertAdvice(Verdict.GC_BLOCKED, GARBAGE);
        assertThat(VerdictMessages.of(incident)).doesNotContain("recorder");
    }

    @Test
    void aCollectionThatTheRecorderAskedFor() {
        stage.name(OTHER, "JFR Periodic Tasks")
                .stop(10, 62, "safepoint", "safepoint: GC_HeapInspection by JFR Periodic Tasks (103)")
                .stop(11, 61, "gc", "GC pause: G1Full (Heap Inspection Initiated GC)");
        Incident incident = assertAdvice(Verdict.GC_BLOCKED, COUNT);
        assertThat(VerdictMessages.of(incident)).contains("recorder").doesNotContain("last resort");
    }

    /** {@code jmap -histo} asks for the same. */
    @Test
    void aCollectionThatAToolAskedFor() {
        stage.name(OTHER, "Attach Listener")
                .stop(10, 62, "safepoint", "safepoint: GC_HeapInspection by Attach Listener (103)")
                .stop(11, 61, "gc", "GC pause: G1Full (Heap Inspection Initiated GC)");
        Incident incident = assertAdvice(Verdict.GC_BLOCKED, GARBAGE);
        assertThat(VerdictMessages.of(incident))
                .endsWith("An external tool requested this collection.")
                .doesNotContain("last resort");
    }

    @Test
    void pathsToOldObjects() {
        stage.name(OTHER, "JFR Recording Scheduler")
                .stop(10, 60, "safepoint", "safepoint: JFROldObject by JFR Recording Scheduler (103)");
        assertAdvice(Verdict.SAFEPOINT_BLOCKED, OLD_OBJECTS);
    }

    @Test
    void whatElseTheRecorderAsksFor() {
        stage.name(OTHER, "JFR Periodic Tasks")
                .stop(10, 60, "safepoint", "safepoint: ClassLoaderStatsOperation by JFR Periodic Tasks (103)");
        Incident incident = assertAdvice(Verdict.SAFEPOINT_BLOCKED, STATISTICS);
        assertThat(VerdictMessages.of(incident)).endsWith("The recorder itself requested the pause.");
    }

    /** That threads took long to stop is nothing that a setting of the recording would change. */
    @Test
    void untilAllThreadsHadStopped() {
        stage.name(OTHER, "JFR Periodic Tasks")
                .stop(
                        10,
                        60,
                        "safepoint",
                        "safepoint: ClassLoaderStatsOperation by JFR Periodic Tasks (103)",
                        "reaching the safepoint",
                        10,
                        55);
        assertAdvice(Verdict.SAFEPOINT_BLOCKED, "A thread was slow to stop");
    }

    /** Of several pauses that advice comes first which is about what took most of the time. */
    @Test
    void whatTookMostTimeComesFirst() {
        stage.stop(10, 30, "gc", "GC pause: G1New (G1 Evacuation Pause)")
                .stop(40, 100, "gc", "GC pause: Pause Remark", "Report Object Count", 41, 99);
        assertThat(Advice.of(Verdict.GC_BLOCKED, stage.diagnose()))
                .satisfiesExactly(
                        step -> assertThat(step).startsWith(COUNT),
                        step -> assertThat(step).startsWith(GARBAGE),
                        step -> assertThat(step).startsWith("Enlarge the heap"));
    }
}
