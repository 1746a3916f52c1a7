package dev.unjank.doctor;

import static dev.unjank.scene.Scene.ms;
import static dev.unjank.scene.Scene.us;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Judgement;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.Summary;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.SummaryMessages;
import dev.unjank.doctor.report.VerdictMessages;
import dev.unjank.doctor.report.WaitMessages;
import dev.unjank.doctor.report.WarningMessages;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Incidents, blame trees and verdicts on scenes that are written thread by thread. The main thread waits from 1 to 9
 * ms.
 */
class DoctorTest {
    private final Scene scene = new Scene();
    private final SceneProcess app = scene.process(1000, "com.example.app");
    private final SceneThread main = app.mainThread("com.example.app", 110);
    private final SceneThread worker = app.thread(1001, "worker", 120);
    private final SceneProcess other = scene.process(2000, "com.example.other");

    private void mainWaits(ArtContention contention) {
        main.runs(0, ms(1))
                .blocksOn(contention)
                .sleeps(ms(8.99))
                .wokenBy(worker)
                .runnable(ms(9))
                .acquires()
                .runs(0, ms(10));
    }

    @Test
    void anInversionNamesWhoRanInstead() {
        SceneThread medium = other.thread(2001, "medium", 115);
        worker.runs(1, ms(2)).runnable(ms(8)).runs(1, ms(9.1));
        medium.sleeps(ms(1.9)).runnable(ms(2)).runs(1, ms(8));
        mainWaits(ArtContention.heldBy(worker));
        Incident incident = SceneDiagnoses.only(scene);
        SceneDiagnoses.assertUnboundedInversion(incident, ms(6));
        assertThat(SceneDiagnoses.states(incident)).containsOnlyKeys(OwnerState.RUNNING, OwnerState.RUNNABLE);
        assertThat(incident.preemptingThreads()).singleElement().satisfies(preempting -> {
            assertThat(preempting.thread().tid()).isEqualTo(2001);
            assertThat(preempting.thread().priority()).isEqualTo(115);
            assertThat(preempting.ranNs()).isEqualTo(ms(6));
        });
    }

    @ParameterizedTest
    @CsvSource({
        "120, 110, 6.000, PRIORITY_INVERSION, false",
        "120, 98,  6.000, PRIORITY_INVERSION, false",
        "120, 111, 6.000, PRIORITY_INVERSION, true",
        "120, 130, 6.000, PRIORITY_INVERSION, true",
        "111, 115, 6.000, PRIORITY_INVERSION, true",
        "110, 115, 6.000, RUNNABLE_OWNER,    false",
        "100, 115, 6.000, RUNNABLE_OWNER,    false",
        "120, 115, 0.200, PRIORITY_INVERSION, true",
        "120, 115, 0.199, LONG_HOLD,          false",
    })
    void ownersAndCulpritsOfAllPriorities(
            int owner, int preempting, double preemptedMs, Verdict verdict, boolean unbounded) {
        worker.priority(owner);
        worker.runs(1, ms(2)).runnable(ms(2 + preemptedMs)).runs(1, ms(9.1));
        other.thread(2001, "medium", preempting).sleeps(ms(1.9)).runnable(ms(2)).runs(1, ms(2 + preemptedMs));
        mainWaits(ArtContention.heldBy(worker));
        Judgement judgement = SceneDiagnoses.only(scene).judgement();
        assertThat(judgement.verdict()).isEqualTo(verdict);
        assertThat(judgement.unbounded()).isEqualTo(unbounded);
    }

    /**
     * A thread more important than both keeps the owner from its CPU for 6 ms, a less important one on its CPU or on
     * another that it may use for a part of that: the inversion is unbounded only if that part is most of it.
     */
    @ParameterizedTest
    @CsvSource({
        "1, 0.010, false, ran during only 0.010 ms of that",
        "1, 0.300, false, ran during only 0.300 ms of that",
        "1, 2.900, false, ran during only 2.900 ms of that",
        "1, 3.000, true,  During 3.000 ms of that",
        "1, 5.900, true,  During 5.900 ms of that",
        "1, 6.000, true,  while threads with a lower priority than the waiter ran",
        "1, 0,     false, while threads with at least the waiter's priority ran",
    })
    void aThreadMoreImportantThanBoth(int cpu, double lessMs, boolean unbounded, String says) {
        SceneThread high = other.thread(2001, "high", 98);
        SceneThread low = other.thread(2002, "low", 115);
        double until = 8 - lessMs;
        worker.runs(cpu, ms(2)).runnable(ms(8)).runs(cpu, ms(9.1));
        if (lessMs < 6) {
            high.sleeps(ms(1.9)).runnable(ms(2)).runs(cpu, ms(until));
        }
        if (lessMs > 0) {
            low.sleeps(ms(1.9)).runnable(ms(until)).runs(cpu, ms(8));
        }
        mainWaits(ArtContention.heldBy(worker));
        Incident incident = SceneDiagnoses.only(scene);
        assertThat(incident.verdict()).isEqualTo(Verdict.PRIORITY_INVERSION);
        assertThat(incident.judgement().unbounded()).isEqualTo(unbounded);
        assertThat(incident.judgement().decisiveNs()).isEqualTo(ms(6));
        assertThat(incident.judgement().lessImportantNs()).isEqualTo(ms(6) - ms(6 - lessMs));
        assertThat(VerdictMessages.of(incident)).contains(says);
    }

    /** Two less important threads that run at once on two CPUs do not double the time. */
    @ParameterizedTest
    @CsvSource({"2.0, 2.0, false", "3.0, 3.0, true"})
    void lessImportantThreadsOnSeveralCpus(double first, double second, boolean unbounded) {
        SceneThread low = other.thread(2002, "low", 115);
        SceneThread next = other.thread(2003, "next", 116);
        SceneThread high = other.thread(2001, "high", 98);
        worker.runs(1, ms(0.2))
                .runnable(ms(0.3))
                .runs(2, ms(2))
                .sleeps(ms(2.01))
                .runnable(ms(8))
                .runs(1, ms(9.1));
        low.sleeps(ms(1)).runnable(ms(2)).runs(1, ms(2.01 + first));
        next.sleeps(ms(1)).runnable(ms(2)).runs(2, ms(2.01 + second));
        high.sleeps(ms(2.01)).runnable(ms(2.01 + first)).runs(1, ms(8));
        mainWaits(ArtContention.heldBy(worker));
        Judgement judgement = SceneDiagnoses.only(scene).judgement();
        assertThat(judgement.lessImportantNs()).isEqualTo(ms(first));
        assertThat(judgement.unbounded()).isEqualTo(unbounded);
    }

    /**
     * An inversion of a wait of so many ms, counted where published tables count it; a shorter one is none of theirs.
     */
    @ParameterizedTest
    @CsvSource({
        "0.999999,  0, 0, 0",
        "1,         1, 0, 0",
        "9.999999,  1, 0, 0",
        "10,        0, 1, 0",
        "16,        0, 1, 0",
        "16.000001, 0, 0, 1",
        "40,        0, 0, 1",
    })
    void inversionsByLength(double waitMs, int upTo10, int upTo16, int more) {
        worker.runs(1, ms(1.1)).runnable(ms(1.5)).runs(1, ms(50));
        other.thread(2001, "medium", 115).sleeps(ms(1)).runnable(ms(1.1)).runs(1, ms(1.5));
        main.runs(0, ms(1)).blocksOn(ArtContention.heldBy(worker));
        main.sleeps(ms(1 + waitMs - 0.01))
                .wokenBy(worker)
                .runnable(ms(1 + waitMs))
                .acquires();
        main.runs(0, ms(50));
        Diagnosis diagnosis = SceneDiagnoses.inAnyFormat(scene, DoctorOptions.defaults());
        Summary summary = diagnosis.summary();
        assertThat(summary.lockWaits()).isEqualTo(1);
        assertThat(summary.longestLockWaitNs()).isEqualTo(summary.lockWaitNs()).isEqualTo(ms(1 + waitMs) - ms(1));
        assertThat(summary.monitorWaits()).isEqualTo(1);
        int all = upTo10 + upTo16 + more;
        assertThat(summary.inversions())
                .isEqualTo(new Summary.Inversions(upTo10, upTo16, more, all * summary.lockWaitNs()));
        assertThat(TextReport.of(diagnosis, TextReport.Style.plain()))
                .contains(
                        upTo10 > 0
                                ? "among these: 1 lasted 1 to 10 ms"
                                : upTo16 > 0
                                        ? "among these: 1 lasted 10 to 16 ms"
                                        : more > 0 ? "among these: 1 lasted more than 16 ms" : "None of these was");
    }

    /** Locks of the runtime are locks, but no monitors. */
    @Test
    void monitorContentionInTheSummary() {
        worker.runs(1, ms(50));
        main.runs(0, ms(1))
                .begin("Lock contention on InternTable lock (owner tid: 1001)")
                .sleeps(ms(3.9));
        main.wokenBy(worker).runnable(ms(4)).end().runs(0, ms(5)).blocksOn(ArtContention.heldBy(worker));
        main.sleeps(ms(6.9)).wokenBy(worker).runnable(ms(7)).acquires().runs(0, ms(50));
        Diagnosis diagnosis = SceneDiagnoses.inAnyFormat(scene, DoctorOptions.defaults());
        assertThat(diagnosis.summary().lockWaits()).isEqualTo(2);
        assertThat(diagnosis.summary().monitorWaits()).isEqualTo(1);
        assertThat(diagnosis.summary().monitorWaitNs()).isEqualTo(ms(2));
        assertThat(SummaryMessages.of(diagnosis).getLast())
                .startsWith(
                        "Main threads waited twice for contended locks: 5.000 ms in total, longest 3.000 ms; of these,"
                                + " monitor contention: once, 2.000 ms. None");
    }

    /** Who is put off waits for that CPU; who is woken could have had any on which it is seen to run. */
    @Test
    void theCpusThatCount() {
        worker.runs(2, ms(0.5)).sleeps(ms(0.6)).runs(1, ms(2)).runnable(ms(3)).runs(1, ms(4));
        worker.sleeps(ms(5)).runnable(ms(7)).runs(1, ms(9.1));
        other.thread(2001, "on cpu 1", 115)
                .sleeps(ms(1.9))
                .runnable(ms(2))
                .runs(1, ms(3))
                .sleeps(ms(4.9))
                .runs(1, ms(7));
        other.thread(2002, "on cpu 2", 116).sleeps(ms(1.9)).runs(2, ms(6));
        other.thread(2003, "on cpu 3", 117).runs(3, ms(9));
        mainWaits(ArtContention.heldBy(worker));
        assertThat(SceneDiagnoses.only(scene).preemptingThreads())
                .extracting(preempting -> preempting.thread().tid() + " " + preempting.ranNs())
                .containsExactly("2001 " + ms(3), "2002 " + ms(1));
    }

    @Test
    void anOwnerAtWork() {
        worker.runs(1, ms(9.1));
        mainWaits(ArtContention.heldBy(worker));
        assertThat(SceneDiagnoses.only(scene).verdict()).isEqualTo(Verdict.LONG_HOLD);
    }

    @Test
    void anOwnerAsleep() {
        worker.runs(1, ms(2)).sleeps(ms(8)).runs(1, ms(9.1));
        mainWaits(ArtContention.heldBy(worker));
        assertThat(SceneDiagnoses.only(scene).verdict()).isEqualTo(Verdict.SLEEPING_OWNER);
    }

    @Test
    void allSleepsOfTheKernel() {
        worker.runs(1, ms(2))
                .sleepsUninterruptibly(ms(4), true, "io_schedule")
                .runnable(ms(4.05))
                .runs(1, ms(4.2));
        worker.sleepsUninterruptibly(ms(7), false, "mutex_lock")
                .runnable(ms(7.05))
                .runs(1, ms(7.2))
                .sleeps(ms(8));
        worker.runs(1, ms(9.1));
        mainWaits(ArtContention.heldBy(worker));
        Incident incident = SceneDiagnoses.only(scene);
        assertThat(SceneDiagnoses.states(incident))
                .containsOnly(
                        entry(OwnerState.IO_WAIT, ms(2)),
                        entry(OwnerState.UNINTERRUPTIBLE, ms(2.8)),
                        entry(OwnerState.SLEEPING, ms(0.8)),
                        entry(OwnerState.RUNNABLE, us(100)),
                        entry(OwnerState.RUNNING, ms(2.3)));
        assertThat(incident.rootWait().ownerIntervals().getFirst().segments())
                .extracting(Segment::detail)
                .containsOnlyOnce("io_schedule", "mutex_lock");
        assertThat(incident.verdict()).isEqualTo(Verdict.SLEEPING_OWNER);
    }

    @Test
    void waitsForFurtherLocksAreFollowed() {
        SceneThread last = app.thread(1002, "last", 125);
        SceneThread medium = other.thread(2001, "medium", 115);
        last.runs(2, ms(3)).runnable(ms(7)).runs(2, ms(8.2));
        medium.sleeps(ms(2.9)).runnable(ms(3)).runs(2, ms(7));
        worker.runs(1, ms(2)).blocksOn(ArtContention.heldBy(last));
        worker.sleeps(ms(7.99)).wokenBy(last).runnable(ms(8)).acquires().runs(1, ms(9.1));
        mainWaits(ArtContention.heldBy(worker));
        Incident incident = SceneDiagnoses.only(scene);
        assertThat(SceneDiagnoses.states(incident))
                .containsOnly(
                        entry(OwnerState.BLOCKED, ms(5.99)),
                        entry(OwnerState.RUNNABLE, us(10)),
                        entry(OwnerState.RUNNING, ms(2)));
        assertThat(incident.chain())
                .extracting(wait -> wait.longestOwnerInterval().owner().thread().tid())
                .containsExactly(1001, 1002);
        SceneDiagnoses.assertUnboundedInversion(incident, ms(4.01));
        SceneDiagnoses.assertTiled(incident.rootWait());
    }

    /** A sleep of the owner that only partly is a wait for a lock. */
    @Test
    void aWaitThatBeganBeforeTheLockWasWanted() {
        SceneThread last = app.thread(1002, "last", 120);
        last.runs(2, ms(5.2));
        worker.runs(1, us(500)).blocksOn(ArtContention.heldBy(last));
        worker.sleeps(ms(4.99)).wokenBy(last).runnable(ms(5)).acquires().runs(1, ms(9.1));
        mainWaits(ArtContention.heldBy(worker));
        Incident incident = SceneDiagnoses.only(scene);
        assertThat(SceneDiagnoses.states(incident)).containsEntry(OwnerState.BLOCKED, ms(3.99));
        assertThat(incident.verdict()).isEqualTo(Verdict.LONG_HOLD);
        SceneDiagnoses.assertTiled(incident.rootWait());
    }

    @Test
    void aCircleWithoutProgressIsADeadlock() {
        main.runs(0, ms(1)).blocksOn(ArtContention.heldBy(worker)).sleeps(ms(20));
        worker.runs(1, ms(2)).blocksOn(ArtContention.heldBy(main)).sleeps(ms(20));
        other.mainThread("com.example.other", 120).runs(2, ms(12));
        Incident incident = SceneDiagnoses.only(scene);
        assertThat(incident.verdict()).isEqualTo(Verdict.DEADLOCK);
        assertThat(incident.rootWait().unfinished()).isTrue();
        assertThat(incident.rootWait().durNs()).isEqualTo(ms(11));
        assertThat(SceneDiagnoses.states(incident))
                .containsEntry(OwnerState.RUNNING, ms(1))
                .containsEntry(OwnerState.BLOCKED, ms(10));
        SceneDiagnoses.assertTiled(incident.rootWait());
    }

    @Test
    void aThreadBehindADeadlockIsItsVictim() {
        SceneThread third = app.thread(1002, "third", 120);
        main.runs(0, ms(1)).blocksOn(ArtContention.heldBy(worker)).sleeps(ms(20));
        worker.runs(1, ms(2)).blocksOn(ArtContention.heldBy(third)).sleeps(ms(20));
        third.runs(2, ms(3)).blocksOn(ArtContention.heldBy(worker)).sleeps(ms(20));
        other.mainThread("com.example.other", 120).runs(3, ms(12));
        Incident incident = SceneDiagnoses.only(scene);
        assertThat(incident.verdict()).isEqualTo(Verdict.DEADLOCK);
        SceneDiagnoses.assertTiled(incident.rootWait());
    }

    /** The main thread got its lock, so the worker cannot have had it all the time. */
    @Test
    void aCircleThatResolvedIsNone() {
        worker.runs(1, ms(2))
                .blocksOn(ArtContention.heldBy(main))
                .sleeps(ms(9.5))
                .wokenBy(main);
        worker.runnable(ms(9.6)).acquires().runs(1, ms(10));
        SceneThread third = app.thread(1002, "third", 120);
        third.runs(2, ms(9.1));
        main.runs(0, ms(1))
                .blocksOn(ArtContention.heldBy(worker))
                .sleeps(ms(8.99))
                .wokenBy(third)
                .runnable(ms(9))
                .acquires();
        main.runs(0, ms(10));
        Incident incident = SceneDiagnoses.only(scene);
        assertThat(incident.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(SceneDiagnoses.states(incident)).containsEntry(OwnerState.BLOCKED, ms(6.99));
        SceneDiagnoses.assertTiled(incident.rootWait());
    }

    @Test
    void nestedSlicesAreOneIncident() {
        worker.runs(1, ms(9.1));
        mainWaits(ArtContention.heldBy(worker));
        assertThat(SceneDiagnoses.diagnose(scene, SceneDiagnoses.EVERYTHING)
                        .search()
                        .waits())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"8000000, 1", "8000001, 0"})
    void theShortestOfInterest(long nanos, int found) {
        worker.runs(1, ms(9.1));
        mainWaits(ArtContention.heldBy(worker));
        DoctorOptions options = DoctorOptions.defaults().withMinDuration(Duration.ofNanos(nanos));
        Diagnosis diagnosis = SceneDiagnoses.diagnose(scene, options);
        assertThat(diagnosis.incidents()).hasSize(found);
        assertThat(diagnosis.search().waits()).isEqualTo(1);
        assertThat(diagnosis.search().longestNs()).isEqualTo(8_000_000);
    }

    @ParameterizedTest
    @CsvSource({
        "main,            ,                 1",
        "all,             ,                 1",
        "1000,            ,                 1",
        "com.example.app, ,                 1",
        "com.example.ap,  ,                 0",
        "worker,          ,                 0",
        "main,            com.example.app,  1",
        "main,            1000,             1",
        "main,            2000,             0",
        "all,             com.example.other, 0",
    })
    void whoseWaits(String thread, String process, int found) {
        worker.runs(1, ms(9.1));
        other.mainThread("com.example.other", 120);
        mainWaits(ArtContention.heldBy(worker));
        DoctorOptions options = DoctorOptions.defaults().withThread(thread).withProcess(process);
        assertThat(SceneDiagnoses.diagnose(scene, options).incidents()).hasSize(found);
    }

    @Test
    void unknownNamesGiveAWarning() {
        worker.runs(1, ms(9.1));
        mainWaits(ArtContention.heldBy(worker));
        assertThat(warnings(DoctorOptions.defaults().withThread("WORK")))
                .contains("the trace has no thread \"WORK\"; existing names: worker, migration/0, migration/1,"
                        + " com.example.app");
        assertThat(warnings(DoctorOptions.defaults().withProcess("app")))
                .contains("the trace has no process \"app\"; existing names: com.example.app, com.example.other");
        assertThat(warnings(DoctorOptions.defaults().withProcess("worker")))
                .contains("the trace has no process \"worker\"; a thread has this name: --thread \"worker\"");
        assertThat(warnings(DoctorOptions.defaults().withProcess("1000").withThread("wroker")))
                .contains("process \"1000\" has no thread \"wroker\"; existing names: worker, com.example.app");
    }

    private List<String> warnings(DoctorOptions options) {
        return WarningMessages.of(SceneDiagnoses.diagnose(scene, options).warnings());
    }

    /**
     * Frames are those of the processes whose threads were asked for; sums are those of the whole, which is the process
     * asked for.
     */
    @ParameterizedTest
    @CsvSource({
        "main,            com.example.app,   1, 1, 1, 1",
        "worker,          ,                  0, 1, 2, 1",
        "com.example.app, ,                  1, 1, 2, 1",
        "main,            com.example.other, 0, 1, 1, 0",
        "2000,            ,                  0, 1, 2, 1",
    })
    void allOfADiagnosisIsOfWhoWasAskedFor(
            String thread, String process, int incidents, int frames, int all, int lockWaits) {
        worker.runs(1, ms(9.1));
        mainWaits(ArtContention.heldBy(worker));
        app.frame("app's", ms(0.5), ms(8), ms(10), 64);
        SceneThread otherMain = other.mainThread("com.example.other", 120);
        otherMain.runs(2, ms(9));
        other.frame("other's", ms(0.5), ms(8), ms(10), 64);
        Diagnosis diagnosis = SceneDiagnoses.diagnose(
                scene, DoctorOptions.defaults().withThread(thread).withProcess(process));
        assertThat(diagnosis.incidents()).hasSize(incidents);
        assertThat(diagnosis.frames()).hasSize(frames);
        assertThat(diagnosis.search().frames()).isEqualTo(frames);
        assertThat(diagnosis.summary().frames()).isEqualTo(all);
        assertThat(diagnosis.summary().lockWaits()).isEqualTo(lockWaits);
    }

    /** Waiting for a message or a condition is what threads do; no slice of contention says otherwise. */
    @Test
    void idleWaitsAreNoIncidents() {
        main.runs(0, ms(1))
                .begin("android.os.MessageQueue.nativePollOnce")
                .sleeps(ms(9))
                .end()
                .runs(0, ms(10));
        Diagnosis diagnosis = SceneDiagnoses.diagnose(scene, SceneDiagnoses.EVERYTHING);
        assertThat(diagnosis.incidents()).isEmpty();
        assertThat(WarningMessages.of(diagnosis.warnings())).allMatch(line -> line.startsWith("the trace "));
        assertThat(TextReport.of(diagnosis, TextReport.Style.plain()))
                .contains("Nothing to diagnose: no waits found. To record lock waits on Android");
    }

    /** What the owner did after it let go of the lock is no one's concern. */
    @Test
    void theVerdictEndsWithTheLastWakeUp() {
        worker.runs(1, ms(3)).sleeps(ms(20));
        SceneThread greedy = other.thread(2001, "greedy", 120);
        greedy.sleeps(ms(1.1)).runnable(ms(1.2)).runs(0, ms(8.9));
        main.runs(0, ms(1)).blocksOn(ArtContention.heldBy(worker));
        main.sleeps(ms(2.9)).wokenBy(worker).runnable(ms(9)).acquires().runs(0, ms(10));
        Incident incident = SceneDiagnoses.only(scene);
        assertThat(incident.rootWait().wakeDelayNs()).isEqualTo(ms(6.1));
        assertThat(incident.verdict()).isEqualTo(Verdict.NO_CPU);
        assertThat(incident.judgement().responsibleThread().tid()).isEqualTo(1000);
        assertThat(incident.preemptingThreads())
                .extracting(preempting -> preempting.thread().name())
                .containsExactly("greedy");
        assertThat(SceneDiagnoses.states(incident))
                .containsOnly(entry(OwnerState.RUNNING, ms(2)), entry(OwnerState.SLEEPING, ms(6)));
        assertThat(WaitMessages.ownerActivity(incident))
                .contains("The lock was released after 1.900 ms; ")
                .endsWith(" then was runnable (waiting for a CPU) for 6.100 ms.");
        assertThat(VerdictMessages.of(incident)).endsWith("runnable (waiting for a CPU) after its wake-up.");
        SceneDiagnoses.assertTiled(incident.rootWait());
    }
}
