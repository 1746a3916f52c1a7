package dev.unjank.doctor.find.pause;

import static dev.unjank.doctor.scene.SyntheticJvmTrace.MAIN;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.MS;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.OTHER;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.report.ComponentMessages;
import dev.unjank.doctor.report.PauseMessages;
import dev.unjank.doctor.report.ThreadLabels;
import dev.unjank.doctor.report.VerdictMessages;
import dev.unjank.doctor.report.WaitMessages;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.trace.model.SchedState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A pause of a virtual machine is one incident of all threads; and near misses. */
class PauseWaitsTest {
    private static final String YOUNG = "GC pause: G1New (G1 Evacuation Pause)";

    private final SyntheticJvmTrace stage = new SyntheticJvmTrace();

    @AfterEach
    void close() {
        stage.close();
    }

    private Incident only() {
        List<Incident> incidents = stage.diagnose().incidents();
        assertThat(incidents).hasSize(1);
        Incident incident = incidents.getFirst();
        assertThat(incident.rootWait().isProcessPause()).isTrue();
        SceneDiagnoses.assertTiled(incident.rootWait());
        return incident;
    }

    private static List<String> leaves(Incident incident) {
        List<String> leaves = new ArrayList<>();
        incident.rootWait()
                .forEachLeaf(leaf -> leaves.add(
                        leaf.state() + " " + leaf.durNs() / MS + (leaf.detail() == null ? "" : " " + leaf.detail())));
        return leaves;
    }

    @Test
    void aGcPauseIsOneIncidentOfAllThreads() {
        stage.stop(10, 60, "gc", YOUNG);
        Incident incident = only();
        assertThat(incident.verdict()).isEqualTo(Verdict.GC_BLOCKED);
        assertThat(incident.rootWait().kind()).isEqualTo(WaitKind.GC);
        assertThat(incident.rootWait().durNs()).isEqualTo(50 * MS);
        assertThat(incident.judgement().decisiveNs()).isEqualTo(50 * MS);
        assertThat(incident.judgement().evidence()).isEqualTo(Evidence.OWNER_NAMED);
        assertThat(incident.owner().thread().name()).isEqualTo("the garbage collector");
        assertThat(ThreadLabels.nameAndProcess(incident.rootWait().thread())).isEqualTo("all threads of app.Main");
        assertThat(leaves(incident)).containsExactly("GC_PAUSE 50 G1New (G1 Evacuation Pause)");
        assertThat(ComponentMessages.of(incident, Platform.JVM))
                .isEqualTo("the allocating code (use an allocation profile)");
    }

    @Test
    void aSafepointAroundAGcPauseIsTheSamePauseWithThePhasesAsLeaves() {
        stage.stop(10, 70, "safepoint", "safepoint: G1CollectFull by worker (102)", "reaching the safepoint", 10, 15)
                .stop(
                        16,
                        66,
                        "gc",
                        "GC pause: G1Full (System.gc())",
                        "Phase 1: Mark live objects",
                        20,
                        40,
                        "Phase 4: Compact heap",
                        40,
                        50);
        Incident incident = only();
        assertThat(leaves(incident))
                .containsExactly(
                        "REACHING_SAFEPOINT 5",
                        "SAFEPOINT 1 G1CollectFull",
                        "GC_PAUSE 4 G1Full (System.gc())",
                        "GC_PAUSE 20 Phase 1: Mark live objects",
                        "GC_PAUSE 10 Phase 4: Compact heap",
                        "GC_PAUSE 16 G1Full (System.gc())",
                        "SAFEPOINT 4 G1CollectFull");
        assertThat(incident.verdict()).isEqualTo(Verdict.GC_BLOCKED);
        assertThat(incident.rootWait().target()).isEqualTo("G1Full (System.gc())");
        assertThat(WaitMessages.ownerActivity(incident))
                .isEqualTo("All threads paused: 5.000 ms time to safepoint, 50.000 ms GC and"
                        + " 5.000 ms other time at the safepoint. Longest phases: Phase 1: Mark live"
                        + " objects 20.000 ms and Phase 4: Compact heap 10.000 ms.");
        assertThat(VerdictMessages.of(incident)).endsWith("The program requested this collection with System.gc().");
    }

    @Test
    void theCallerOfSystemGcIsTheOwnerWithTheLocation() {
        stage.stop(10, 60, "gc", "GC pause: G1Full (System.gc())")
                .slice(OTHER, 8, 61, "gc", "System.gc() from void app.Cache.trim()(Cache:12)");
        Incident incident = only();
        assertThat(incident.owner().thread().name()).isEqualTo("other");
        assertThat(incident.owner().location()).isEqualTo(new CodeLocation("app.Cache.trim", "Cache", 12));
        assertThat(ComponentMessages.of(incident, Platform.JVM))
                .endsWith("other in app.Cache.trim, which requested the operation");
    }

    /** A recorder requested it; the thread is no code of the program. */
    @Test
    void theOwnerOfARecordersSafepointIsItsThread() {
        stage.name(OTHER, "JFR Recording Scheduler")
                .stop(10, 60, "safepoint", "safepoint: JFROldObject by JFR Recording Scheduler (103)");
        assertThat(ComponentMessages.of(only(), Platform.JVM))
                .isEqualTo("JFR Recording Scheduler, a JVM thread that belongs to a profiler or an attached"
                        + " tool; check its settings");
    }

    @Test
    void aThreadThatSleepsInACriticalCallOwnsTheWaitOfOthers() {
        stage.stop(
                        10,
                        70,
                        "safepoint",
                        "safepoint: G1CollectForAllocation by worker (102)",
                        "reaching the safepoint",
                        10,
                        65)
                .slice(OTHER, 2, 64, "jni", "critical native call from app.Scanner.read");
        Incident incident = only();
        assertThat(incident.verdict()).isEqualTo(Verdict.SAFEPOINT_BLOCKED);
        assertThat(incident.responsibleThread()).extracting(ThreadRef::name).isEqualTo("other");
        assertThat(incident.owner().location())
                .isEqualTo(new CodeLocation("app.Scanner.read", null, CodeLocation.NO_LINE));
        assertThat(ComponentMessages.of(incident, Platform.JVM))
                .endsWith("other in app.Scanner.read, which reached the safepoint last");
    }

    /** The wait started a little before the pause that it waits for, unlike the call. */
    @Test
    void itAlsoOwnsTheWaitOfAThreadThatNeedsMemory() {
        String stop = "safepoint: SerialCollectForAllocation by main (100)";
        stage.slice(MAIN, 10, 70, "gc", "GC: Wait For Start Alloc")
                .stop(14, 71, "safepoint", stop, "reaching the safepoint", 14, 70)
                .slice(OTHER, 2, 69, "jni", "critical native call from app.Scanner.read");
        Incident incident = waitOfMain();
        assertThat(incident.verdict()).isEqualTo(Verdict.SAFEPOINT_BLOCKED);
        assertThat(incident.responsibleThread()).extracting(ThreadRef::name).isEqualTo("other");
        assertThat(incident.owner().location())
                .isEqualTo(new CodeLocation("app.Scanner.read", null, CodeLocation.NO_LINE));
    }

    /** With scheduler events of its sleep, whichever of the two waits is longer. */
    @ParameterizedTest
    @ValueSource(doubles = {69, 72})
    void alsoWhileTheCallerSleeps(double end) {
        String stop = "safepoint: SerialCollectForAllocation by main (100)";
        stage.slice(MAIN, 10, end, "gc", "GC: Wait For Start Alloc")
                .stop(10.5, 71, "safepoint", stop, "reaching the safepoint", 10.5, 70)
                .slice(OTHER, 2, 70, "jni", "critical native call from app.Scanner.read")
                .runs(1, OTHER, "other", 1, 3, SchedState.SLEEPING)
                .runs(1, OTHER, "other", 70, 90, SchedState.SLEEPING);
        assertThat(stage.diagnose().incidents()).hasSize(2).allSatisfy(incident -> {
            assertThat(incident.verdict()).isEqualTo(Verdict.SAFEPOINT_BLOCKED);
            assertThat(incident.responsibleThread())
                    .isNotNull()
                    .extracting(ThreadRef::name)
                    .isEqualTo("other");
        });
        Incident wait = waitOfMain();
        assertThat(wait.rootWait().kind()).isEqualTo(WaitKind.GC);
        assertThat(leaves(wait))
                .first()
                .asString()
                .startsWith("CRITICAL_CALL ")
                .endsWith(" critical native call from app.Scanner.read");
        assertThat(WaitMessages.ownerActivity(wait)).contains("other was in a critical native call for ");
        assertThat(VerdictMessages.of(wait)).contains("one was in a native call that does not check for");
        SceneDiagnoses.assertTiled(wait.rootWait());
    }

    @Test
    void notIfTheCallEndedBeforeMostOfIt() {
        String stop = "safepoint: SerialCollectForAllocation by main (100)";
        stage.slice(MAIN, 10, 70, "gc", "GC: Wait For Start Alloc")
                .stop(14, 71, "safepoint", stop, "reaching the safepoint", 14, 70)
                .slice(OTHER, 2, 30, "jni", "critical native call from app.Scanner.read");
        assertThat(waitOfMain().owner().thread().name()).isNull();
    }

    private Incident waitOfMain() {
        return stage.diagnose().incidents().stream()
                .filter(incident -> !incident.rootWait().isProcessPause())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anAllocatingThreadIsNotTheOwnerOfTheCollection() {
        stage.stop(10, 61, "safepoint", "safepoint: G1CollectForAllocation by worker (102)")
                .stop(10, 60, "gc", YOUNG);
        assertThat(only().owner().thread().name()).isEqualTo("the garbage collector");
    }

    @Test
    void theOwnerOfAnotherSafepointIsTheThreadThatRequestedIt() {
        stage.stop(10, 40, "safepoint", "safepoint: HeapDumper by worker (102)", "reaching the safepoint", 10, 12);
        Incident incident = only();
        assertThat(incident.verdict()).isEqualTo(Verdict.SAFEPOINT_BLOCKED);
        assertThat(incident.rootWait().kind()).isEqualTo(WaitKind.SAFEPOINT);
        assertThat(incident.rootWait().target()).isEqualTo("HeapDumper");
        assertThat(incident.judgement().responsibleThread().name()).isEqualTo("worker");
        assertThat(leaves(incident)).containsExactly("REACHING_SAFEPOINT 2", "SAFEPOINT 28 HeapDumper");
        assertThat(VerdictMessages.of(incident)).contains("was the VM operation itself. The JVM wrote a heap dump.");
    }

    @Test
    void aLongTimeToSafepointIsNotTheOperations() {
        stage.stop(10, 40, "safepoint", "safepoint: Cleanup", "reaching the safepoint", 10, 39);
        Incident incident = only();
        assertThat(incident.verdict()).isEqualTo(Verdict.SAFEPOINT_BLOCKED);
        assertThat(incident.owner().thread().name()).isEqualTo("the virtual machine");
        assertThat(VerdictMessages.of(incident)).contains("Most of the safepoint pause was time to safepoint");
    }

    @Test
    void aCollectionShorterThanItsTimeToSafepointIsASafepointProblem() {
        stage.stop(10, 40, "safepoint", "safepoint: G1CollectForAllocation", "reaching the safepoint", 10, 32)
                .stop(32, 40, "gc", YOUNG);
        Incident incident = only();
        assertThat(incident.rootWait().kind()).isEqualTo(WaitKind.GC);
        assertThat(incident.verdict()).isEqualTo(Verdict.SAFEPOINT_BLOCKED);
    }

    @Test
    void aThreadOfAnyNameMayRequestIt() {
        stage.name(WORKER, "pool by night (7)")
                .stop(10, 40, "safepoint", "safepoint: ThreadDump by pool by night (7) (102)");
        assertThat(only().owner().thread().name()).isEqualTo("pool by night (7)");
    }

    @ParameterizedTest
    @CsvSource({"safepoint: ThreadDump by gone (999),gone", "safepoint: ThreadDump by odd,the virtual machine"})
    void theRequestingThreadNeedNotBeInTheRecording(String slice, String owner) {
        stage.stop(10, 40, "safepoint", slice);
        Incident incident = only();
        assertThat(incident.owner().thread().name()).isEqualTo(owner);
        assertThat(incident.owner().thread().isInTrace()).isFalse();
        assertThat(incident.rootWait().target()).isEqualTo("ThreadDump");
    }

    @Test
    void concurrentCollectionsAndShortPausesAreNoIncidents() {
        stage.stop(10, 60, "gc", "GC: G1Old (G1 Humongous Allocation)")
                .stop(70, 70.999, "gc", YOUNG)
                .stop(80, 80.5, "safepoint", "safepoint: Cleanup")
                .slice(MAIN, 90, 120, "method", "GC pause: a method of this name");
        assertThat(stage.diagnose(DoctorOptions.defaults().withMinDuration(Duration.ZERO))
                        .incidents())
                .isEmpty();
    }

    @Test
    void twoPausesAreTwoIncidents() {
        stage.stop(10, 20, "gc", YOUNG).stop(20.001, 31, "gc", YOUNG);
        assertThat(stage.diagnose().incidents()).hasSize(2);
    }

    @Test
    void aPauseDelaysASelectedThreadOnlyIfItHadWork() {
        stage.stop(10, 60, "gc", YOUNG)
                .stop(100, 150, "gc", YOUNG)
                .slice(MAIN, 5, 70, "park", "parking on app.Queue")
                .slice(MAIN, 110, 160, "io", "socket read db:5432")
                .waits(WORKER, 5, 70, "other", OTHER);
        var trace = stage.trace();
        List<Incident> ofMain = Doctor.diagnose(trace, DoctorOptions.defaults().withThread("101"))
                .incidents();
        assertThat(ofMain).extracting(incident -> incident.rootWait().startNs()).containsExactly(100 * MS);
        List<Incident> ofWorker = Doctor.diagnose(
                        trace, DoctorOptions.defaults().withThread("worker"))
                .incidents();
        assertThat(ofWorker)
                .extracting(incident -> incident.rootWait().isProcessPause())
                .as("the first pause is part of the wait for the monitor")
                .containsExactly(false, true);
        assertThat(ofWorker.getFirst().verdict()).isEqualTo(Verdict.GC_BLOCKED);
        assertThat(Doctor.diagnose(trace, DoctorOptions.defaults().withProcess("another"))
                        .incidents())
                .isEmpty();
    }

    @Test
    void theReportSaysHowMuchOfTheRecordingItWas() {
        stage.stop(0, 50, "gc", YOUNG).stop(100, 110, "gc", YOUNG).slice(SyntheticJvmTrace.OTHER, 199, 200, "", "last");
        String text = TextReport.of(stage.diagnose(), TextReport.Style.plain());
        assertThat(text)
                .contains("all threads of app.Main, in a GC pause for 50.000 ms: G1New")
                .contains("All threads paused for 30.0 % of the recording.")
                .contains("the JVM recorded the pause");
        assertThat(TextReport.of(stage.diagnose(), new TextReport.Style(100, false, true, 1, false)))
                .contains("2   10.000 ms  GC_BLOCKED          all threads: G1New (G1 Evacuation Pause)");
    }

    @Test
    void aPauseCostsARunningMessage() {
        stage.message(MAIN, 0, 80, "app.Ui: #1").stop(10, 60, "gc", YOUNG);
        Diagnosis diagnosis = stage.diagnose();
        assertThat(diagnosis.costs()).hasSize(1);
        assertThat(diagnosis.costs().getFirst().overlapNs()).isEqualTo(50 * MS);
    }

    @Test
    void aSmallShareIsNotZero() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.stop(10, 12, "gc", YOUNG).slice(SyntheticJvmTrace.OTHER, 9000, 9001, "", "later");
            assertThat(PauseMessages.share(stage.diagnose()))
                    .isEqualTo("All threads paused for <0.1 % of the recording.");
        }
    }
}
