package dev.unjank.doctor;

import static dev.unjank.doctor.scene.SyntheticJvmTrace.MAIN;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.MS;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.OTHER;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.report.VerdictMessages;
import dev.unjank.doctor.report.WaitMessages;
import dev.unjank.doctor.report.WarningMessages;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Reports on waits in a Java virtual machine without scheduler events: they use the owner's slices, samples of its
 * stack and the machine's pauses. Main waits for worker's monitor from millisecond 10 to 110 throughout.
 */
class JvmCasesTest {
    private final SyntheticJvmTrace stage = new SyntheticJvmTrace();

    @AfterEach
    void close() {
        stage.close();
    }

    private Incident diagnose() {
        stage.waits(MAIN, 10, 110, "worker", WORKER);
        Incident incident = stage.diagnose(DoctorOptions.defaults().withThread("main"))
                .incidents()
                .getFirst();
        assertThat(incident.rootWait().thread().name()).isEqualTo("main");
        SceneDiagnoses.assertTiled(incident.rootWait());
        return incident;
    }

    private static List<Segment> leaves(Wait wait) {
        return wait.ownerIntervals().stream()
                .flatMap(ownerInterval -> ownerInterval.segments().stream())
                .flatMap(part -> part.nextWait() == null ? Stream.of(part) : leaves(part.nextWait()).stream())
                .toList();
    }

    private static List<String> texts(Incident incident) {
        return leaves(incident.rootWait()).stream()
                .map(part ->
                        part.state() + " " + part.durNs() / MS + (part.detail() == null ? "" : " " + part.detail()))
                .toList();
    }

    @Test
    void withoutAnyWordOfTheOwnerItIsUnknownAndNotGuessed() {
        Incident incident = diagnose();
        assertThat(texts(incident)).containsExactly("UNKNOWN 100");
        assertThat(incident.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(incident.owner().thread().name()).isEqualTo("worker");
        assertThat(incident.owner().evidence()).isEqualTo(Evidence.OWNER_NAMED);
    }

    @Test
    void anOwnerThatWasSampledRunningHeldItTooLong() {
        for (int at = 20; at <= 100; at += 20) {
            stage.sampled(WORKER, at, at < 70 ? "app.Store.read" : "app.Store.parse");
        }
        Incident incident = diagnose();
        assertThat(texts(incident))
                .containsExactly(
                        "RUNNING 20 app.Store.read",
                        "RUNNING 20 app.Store.read",
                        "RUNNING 20 app.Store.read",
                        "RUNNING 20 app.Store.parse",
                        "RUNNING 20 app.Store.parse");
        assertThat(incident.verdict()).isEqualTo(Verdict.LONG_HOLD);
    }

    @Test
    void aFewSamplesFarApartAreNoProofThatItRanAllTheTime() {
        stage.sampled(OTHER, 0, "app.Busy.spin");
        stage.sampled(OTHER, 10, "app.Busy.spin");
        stage.sampled(WORKER, 40, "app.Store.read");
        stage.sampled(WORKER, 90, "app.Store.read");
        Incident incident = diagnose();
        assertThat(texts(incident))
                .containsExactly(
                        "UNKNOWN 25",
                        "RUNNING 10 app.Store.read",
                        "UNKNOWN 40",
                        "RUNNING 10 app.Store.read",
                        "UNKNOWN 15");
        assertThat(incident.verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void anOwnerThatSleptOrDidInputAndOutputIsSaidTo() {
        stage.slice(WORKER, 0, 60, "sleep", "sleeping");
        stage.slice(WORKER, 60, 110, "io", "socket read db:5432");
        Incident incident = diagnose();
        assertThat(texts(incident)).containsExactly("SLEEPING 50 sleeping", "IO_WAIT 50 socket read db:5432");
        assertThat(incident.verdict()).isEqualTo(Verdict.SLEEPING_OWNER);
    }

    @Test
    void aPauseStopsTheOwnerWhateverItDid() {
        stage.stop(20, 100, "gc", "GC pause: G1Full (System.gc())");
        stage.stop(19, 105, "safepoint", "safepoint: G1CollectFull by worker (102)");
        stage.slice(WORKER, 90, 110, "park", "parking on app.Lock");
        Incident incident = diagnose();
        assertThat(texts(incident))
                .containsExactly(
                        "UNKNOWN 9",
                        "SAFEPOINT 1 G1CollectFull",
                        "GC_PAUSE 80 G1Full (System.gc())",
                        "SAFEPOINT 5 G1CollectFull",
                        "SLEEPING 5 parking on app.Lock");
        assertThat(incident.verdict()).isEqualTo(Verdict.GC_BLOCKED);
    }

    @Test
    void anOwnerThatWaitedForAnotherMonitorPassesTheBlameOn() {
        stage.waits(WORKER, 5, 100, "other", OTHER);
        stage.slice(OTHER, 0, 120, "wait", "waiting on app.Queue");
        Incident incident = diagnose();
        assertThat(texts(incident)).containsExactly("SLEEPING 90 waiting on app.Queue", "UNKNOWN 10");
        assertThat(incident.chain()).hasSize(2);
        assertThat(incident.verdict()).isEqualTo(Verdict.SLEEPING_OWNER);
    }

    @Test
    void anOwnerThatWasStoppedForASafepointIsNotSaidToSleep() {
        stage.stop(10, 100, "safepoint", "safepoint: HeapDumper", "reaching the safepoint", 10, 30);
        Incident incident = diagnose();
        assertThat(texts(incident)).containsExactly("REACHING_SAFEPOINT 20", "SAFEPOINT 70 HeapDumper", "UNKNOWN 10");
        assertThat(incident.verdict()).isEqualTo(Verdict.SAFEPOINT_BLOCKED);
        assertThat(VerdictMessages.of(incident)).contains("the JVM stopped all threads");
    }

    @Test
    void theClassOfTheMonitorIsSaidWhereTheThreadIsBlockedAndInTheAnswer() {
        stage.waits(WORKER, 5, 100, "other", OTHER).waits(MAIN, 10, 110, "worker", WORKER);
        Diagnosis diagnosis = stage.diagnose(DoctorOptions.defaults().withThread("main"));
        String text = TextReport.of(diagnosis, TextReport.Style.plain());
        assertThat(text)
                .contains("main in app.Main, blocked for 100.000 ms on a monitor of app.Store\n")
                .contains("in app.Ui.draw  line 7\n                 waiting for a monitor of app.Store\n")
                .contains("the thread above waited 90.000 ms for a monitor of app.Store in app.Ui.draw");
    }

    /** A lock of the library does not show where its owner is; a recorder that looked does. */
    @Test
    void theStackOfALibraryLocksOwnerSaysWhereItWas() {
        stage.parksBehind(MAIN, 10, 40, 0, WORKER, """
                void java.lang.Thread.sleep(long)(Thread.java:509)
                void jdk.internal.misc.Blocker.begin()(Blocker.java:3)
                void app.Store.load(java.lang.String)(Store.java:31)
                void app.Main.run()(Main.java:7)""");
        Incident incident = stage.diagnose().incidents().getFirst();
        assertThat(incident.owner().location()).isEqualTo(new CodeLocation("app.Store.load", "Store.java", 31));
        assertThat(TextReport.of(stage.diagnose(), TextReport.Style.plain()))
                .contains("in app.Store.load  Store.java:31\n");
    }

    @Test
    void aLibraryLockThatGoesFromHandToHandHasEachForItsOwner() {
        stage.parksBehind(
                MAIN,
                10,
                100,
                0,
                WORKER,
                "void app.A.a()(A.java:1)",
                30,
                OTHER,
                "void app.B.b()(B.java:2)",
                60,
                OTHER,
                "");
        Incident incident = stage.diagnose().incidents().getFirst();
        assertThat(incident.rootWait().ownerIntervals())
                .extracting(ownerInterval -> ownerInterval.owner().thread().tid() + " " + ownerInterval.durNs() / MS)
                .containsExactly(WORKER + " 20", OTHER + " 70");
        assertThat(incident.owner().thread().tid()).isEqualTo(OTHER);
        assertThat(incident.owner().location()).isEqualTo(new CodeLocation("app.B.b", "B.java", 2));
        assertThat(incident.rootWait().durNs()).isEqualTo(90 * MS);
    }

    private Incident parked(String owner) {
        stage.slice(
                MAIN,
                10,
                110,
                "park",
                "parking on java.util.concurrent.locks.ReentrantLock$FairSync (owner tid: " + owner
                        + ") blocking from void app.Ui.draw()(Ui:7)");
        return stage.diagnose(DoctorOptions.defaults().withThread("main"))
                .incidents()
                .getFirst();
    }

    @Test
    void ofAParkWhoseOwnerNobodyKnowsThatIsSaid() {
        Incident incident = parked("0");
        assertThat(incident.rootWait().kind()).isEqualTo(WaitKind.PARK);
        assertThat(incident.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(incident.judgement().evidence()).isEqualTo(Evidence.UNKNOWN);
        assertThat(incident.rootWait().location()).isEqualTo(new CodeLocation("app.Ui.draw", "Ui", 7));
        assertThat(WaitMessages.what(incident.rootWait()))
                .isEqualTo("a lock of class java.util.concurrent.locks.ReentrantLock");
        assertThat(WaitMessages.ownerActivity(incident)).isEqualTo("The owner is not recorded.");
        assertThat(VerdictMessages.of(incident))
                .endsWith("Flight Recorder does not record the owners of java.util.concurrent locks.");
        for (int full : new int[] {0, 1}) {
            TextReport.Style style = new TextReport.Style(100, false, true, full, false);
            assertThat(TextReport.of(stage.diagnose(), style)).doesNotContain("unknown thread", " by ");
        }
    }

    @Test
    void whoeverItWasDidNotGoOnWhileAllThreadsStoodStill() {
        stage.stop(20, 100, "gc", "GC pause: G1Full (System.gc())");
        Incident incident = parked("0");
        assertThat(texts(incident)).containsExactly("UNKNOWN 10", "GC_PAUSE 80 G1Full (System.gc())", "UNKNOWN 10");
        assertThat(incident.verdict()).isEqualTo(Verdict.GC_BLOCKED);
    }

    @Test
    void anOwnerThatAParkNamesIsFollowed() {
        stage.slice(WORKER, 0, 120, "io", "socket read db:5432");
        Incident incident = parked("102");
        assertThat(texts(incident)).containsExactly("IO_WAIT 100 socket read db:5432");
        assertThat(incident.owner().thread().name()).isEqualTo("worker");
        assertThat(incident.owner().evidence()).isEqualTo(Evidence.OWNER_NAMED);
        assertThat(incident.verdict()).isEqualTo(Verdict.SLEEPING_OWNER);
    }

    @Test
    void whoeverParksForWorkHasNoIncident() {
        stage.slice(MAIN, 10, 110, "park", "parking on java.util.concurrent.SynchronousQueue$TransferStack")
                .slice(WORKER, 10, 110, "wait", "waiting on app.Queue")
                .slice(OTHER, 10, 110, "sleep", "sleeping");
        assertThat(stage.diagnose().incidents()).isEmpty();
    }

    @Test
    void whoIsInACriticalSectionKeepsACollectionFromBeginning() {
        stage.slice(OTHER, 5, 20, "jni", "JNI critical section")
                .slice(WORKER, 8, 100, "jni", "JNI critical section")
                .slice(MAIN, 10, 102, "gc", "GC: Wait For Start Alloc")
                .stop(102, 110, "gc", "GC pause: SerialOld (Allocation Failure)");
        Incident incident = stage.diagnose().incidents().getFirst();

        assertThat(incident.verdict()).isEqualTo(Verdict.GC_BLOCKED_BY_CRITICAL);
        assertThat(incident.responsibleThread())
                .isNotNull()
                .extracting(ThreadRef::name)
                .isEqualTo("worker");
        assertThat(texts(incident)).containsExactly("JNI_CRITICAL 90 JNI critical section", "UNKNOWN 2");
        SceneDiagnoses.assertTiled(incident.rootWait());
    }

    @Test
    void ofACollectionThatIsLateForAnotherReasonNobodyIsBlamed() {
        stage.slice(WORKER, 2, 9, "jni", "JNI critical section")
                .slice(MAIN, 5, 9.5, "jni", "JNI critical section")
                .slice(MAIN, 10, 102, "gc", "GC: Wait For Start Alloc");

        assertThat(stage.diagnose().incidents().getFirst().verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void aTraceThatIsLongerThanItsRingSaysSo() {
        stage.waits(MAIN, 10, 4_500, "worker", WORKER).ring(5_000, 2_000);

        assertThat(WarningMessages.of(stage.diagnose(DoctorOptions.defaults()).warnings()))
                .contains(
                        "the ring buffer kept the last 2.000 s; before that, the trace has some waits but no data on other"
                                + " threads");
    }

    @Test
    void aTraceThatIsAsLongAsItsRingNeedsNoWords() {
        stage.waits(MAIN, 10, 4_500, "worker", WORKER).ring(5_000, 4_950);

        assertThat(WarningMessages.of(stage.diagnose(DoctorOptions.defaults()).warnings()))
                .noneMatch(line -> line.contains("ring"));
    }

    @Test
    void theClassOfAMonitorMayStandBesideItsName() {
        stage.waitsAsRecorded(MAIN, 10, 40, "worker", WORKER);
        Diagnosis diagnosis = stage.diagnose(DoctorOptions.defaults());
        assertThat(diagnosis.incidents().getFirst().rootWait().target()).isEqualTo("app.Store");
    }
}
