package dev.unjank.doctor.find.lock;

import static dev.unjank.scene.Scene.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.Advice;
import dev.unjank.doctor.report.VerdictMessages;
import dev.unjank.doctor.report.WaitMessages;
import dev.unjank.doctor.report.WarningMessages;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The owner of a lock by each kind of evidence. The worker, tid 1001, is the owner each time. */
class OwnerFinderTest {
    private final Scene scene = new Scene();
    private final SceneProcess app = scene.process(1000, "com.example.app");
    private final SceneThread main = app.mainThread("com.example.app", 110);
    private final SceneThread worker = app.thread(1001, "worker", 120);
    private final SceneProcess other = scene.process(2000, "com.example.other");

    @BeforeEach
    void theWorkerWorks() {
        worker.runs(1, ms(9.1));
    }

    private Owner ownerOf(ArtContention contention) {
        main.runs(0, ms(1))
                .blocksOn(contention)
                .sleeps(ms(9))
                .wokenBy(worker)
                .runnable(ms(9.05))
                .acquires()
                .runs(0, ms(10));
        return SceneDiagnoses.only(scene).owner();
    }

    private Owner ownerOfSlice(String name, SceneThread waker) {
        main.runs(0, ms(1))
                .begin(name)
                .sleeps(ms(9))
                .wokenBy(waker)
                .runnable(ms(9.05))
                .end()
                .runs(0, ms(10));
        return SceneDiagnoses.only(scene).owner();
    }

    private static void assertOwner(Owner owner, int tid, Evidence evidence) {
        assertThat(owner.thread().tid()).isEqualTo(tid);
        assertThat(owner.evidence()).isEqualTo(evidence);
    }

    @Test
    void theRuntimeNamedTheOwnerIfBothIdsAgree() {
        assertOwner(ownerOf(ArtContention.heldBy(worker)), 1001, Evidence.OWNER_NAMED);
    }

    @Test
    void theNestedSliceWinsOverTheRuntimesThreadId() {
        app.thread(182, "worker", 120).runs(2, ms(10));
        assertOwner(ownerOf(ArtContention.heldBy(worker).artThreadId(182)), 1001, Evidence.OWNER_FROM_CHILD);
    }

    /** The lock changed owners: the outer slice describes another thread. */
    @Test
    void theDescriptionOfAnotherThreadIsNotTheOwners() {
        app.thread(1002, "second", 120).runs(2, ms(9.5));
        Owner owner = ownerOf(ArtContention.heldBy(worker).nestedTid(1002));
        assertOwner(owner, 1002, Evidence.OWNER_FROM_CHILD);
        assertThat(owner.thread().name()).isEqualTo("second");
        assertThat(owner.location()).isNull();
    }

    @Test
    void severalNestedSlicesAreSeveralOwners() {
        app.thread(1002, "second", 120).runs(2, ms(9.5));
        main.runs(0, ms(1))
                .blocksOn(ArtContention.heldBy(worker))
                .sleeps(ms(4))
                .runs(0, ms(4.5))
                .end();
        main.begin("Lock contention on a monitor lock (owner tid: 1002)")
                .sleeps(ms(9))
                .wokenBy(worker);
        main.runnable(ms(9.05)).end().end().runs(0, ms(10));
        Incident incident = SceneDiagnoses.only(scene);
        assertThat(incident.rootWait().ownerIntervals())
                .extracting(ownerInterval -> ownerInterval.owner().thread().tid() + " " + ownerInterval.durNs())
                .containsExactly("1001 " + ms(3.5), "1002 " + ms(4.5), "1000 " + ms(0.05));
        assertOwner(incident.owner(), 1002, Evidence.OWNER_FROM_CHILD);
        SceneDiagnoses.assertTiled(incident.rootWait());
    }

    @Test
    void theIdIfItsThreadHasTheName() {
        Owner owner = ownerOf(ArtContention.heldBy(worker).withoutNestedSlice());
        assertOwner(owner, 1001, Evidence.OWNER_NAMED);
        assertThat(owner.location()).isNotNull();
    }

    @Test
    void aNestedSliceWithoutAnOwner() {
        assertOwner(ownerOf(ArtContention.heldBy(worker).nestedTid(0)), 1001, Evidence.OWNER_NAMED);
    }

    @Test
    void theNameIfTheIdIsTheRuntimesOwn() {
        assertOwner(
                ownerOf(ArtContention.heldBy(worker).artThreadId(7).withoutNestedSlice()), 1001, Evidence.OWNER_NAMED);
    }

    /** The runtime's thread id 182 happens to be the tid of another thread. */
    @Test
    void anIdThatIsTheTidOfAnotherThread() {
        app.thread(182, "bystander", 120).runs(2, ms(10));
        assertOwner(
                ownerOf(ArtContention.heldBy(worker).artThreadId(182).withoutNestedSlice()),
                1001,
                Evidence.OWNER_NAMED);
    }

    @Test
    void anIdOfAnotherProcess() {
        other.thread(2001, "worker", 120).runs(2, ms(10));
        assertOwner(
                ownerOf(ArtContention.heldBy(worker).artThreadId(2001).withoutNestedSlice()),
                1001,
                Evidence.OWNER_NAMED);
    }

    /** Two threads of the name: the one that woke the main thread had the lock. */
    @Test
    void theWakerIfTheNameIsAmbiguous() {
        app.thread(1002, "worker", 120).runs(2, ms(10));
        Owner owner = ownerOf(ArtContention.heldBy(worker).artThreadId(7).withoutNestedSlice());
        assertOwner(owner, 1001, Evidence.WAKER_INFERRED);
    }

    @Test
    void theMainThreadIsCalledMain() {
        main.runs(0, ms(9.5));
        SceneThread reader = app.thread(1003, "reader", 120);
        ArtContention byMain = ArtContention.heldBy(main).ownerName("main").withoutNestedSlice();
        reader.runs(3, ms(1))
                .blocksOn(byMain)
                .sleeps(ms(9))
                .wokenBy(main)
                .runnable(ms(9.05))
                .acquires()
                .runs(3, ms(10));
        Diagnosis diagnosis = SceneDiagnoses.diagnose(scene, SceneDiagnoses.EVERYTHING);
        assertOwner(diagnosis.incidents().getFirst().owner(), 1000, Evidence.OWNER_NAMED);
    }

    @Test
    void longNames() {
        app.thread(1002, "netscheduler-queue-handler", 120).runs(2, ms(10));
        ArtContention contention =
                new ArtContention("netscheduler-queue-handler", 41, null, ArtContention.QUEUE_NEXT, 0, -1);
        Owner owner = ownerOf(contention);
        assertOwner(owner, 1002, Evidence.OWNER_NAMED);
        assertThat(owner.thread().name()).isEqualTo("netscheduler-queue-handler");
    }

    @Test
    void aRuntimesLock() {
        Owner owner = ownerOfSlice("Lock contention on thread list lock (owner tid: 1001)", worker);
        assertOwner(owner, 1001, Evidence.OWNER_NAMED);
        assertThat(owner.thread().name()).isEqualTo("worker");
    }

    @Test
    void aRuntimesLockOfAnUnknownOwner() {
        assertOwner(
                ownerOfSlice("Lock contention on thread list lock (owner tid: 0)", worker),
                1001,
                Evidence.WAKER_INFERRED);
    }

    /** A tid that the trace never shows: it is said, and nothing is known of what it did. */
    @Test
    void aRuntimesLockOfAnUnseenOwner() {
        Owner owner = ownerOfSlice("Lock contention on thread list lock (owner tid: 4711)", worker);
        assertOwner(owner, 4711, Evidence.OWNER_NAMED);
        assertThat(owner.thread().isInTrace()).isFalse();
        assertThat(SceneDiagnoses.only(scene).verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void aPthreadMutex() {
        assertOwner(ownerOfSlice("Contending for pthread mutex", worker), 1001, Evidence.WAKER_INFERRED);
    }

    /** Such a lock is a process's own: a thread of another one cannot have held it. */
    @Test
    void aWakerOfAnotherProcessIsNoOwner() {
        SceneThread stranger = other.thread(2001, "stranger", 120).runs(2, ms(10));
        assertOwner(ownerOfSlice("Contending for pthread mutex", stranger), ThreadRef.NOT_IN_TRACE, Evidence.UNKNOWN);
    }

    @Test
    void nobodyFits() {
        Owner owner = ownerOf(
                ArtContention.heldBy(worker).ownerName("ghost").artThreadId(7).withoutNestedSlice());
        assertOwner(owner, ThreadRef.NOT_IN_TRACE, Evidence.UNKNOWN);
        assertThat(owner.thread().name()).isEqualTo("ghost");
        Diagnosis diagnosis = SceneDiagnoses.diagnose(scene, DoctorOptions.defaults());
        assertThat(WarningMessages.of(diagnosis.warnings()))
                .noneMatch(warning -> warning.startsWith("the owner is unknown"));
        Incident incident = diagnosis.incidents().getFirst();
        assertThat(WaitMessages.evidence(incident)).isEqualTo("what the owner did is not recorded");
        assertThat(WaitMessages.ownerActivity(incident)).isEqualTo("ghost held the lock; what it did is not recorded.");
        assertThat(Advice.of(incident, diagnosis.platform()))
                .singleElement()
                .asString()
                .startsWith("Inspect what the owner does");
    }

    /** A near miss: without a name the owner is unknown. */
    @Test
    void theWaiterItselfIsNoOwner() {
        Owner owner = ownerOf(new ArtContention("com.example.app", 1000, null, "null(null:0)", 0, -1));
        assertOwner(owner, ThreadRef.NOT_IN_TRACE, Evidence.UNKNOWN);
        assertThat(owner.thread().name()).isNull();
        Diagnosis diagnosis = SceneDiagnoses.diagnose(scene, DoctorOptions.defaults());
        assertThat(WarningMessages.of(diagnosis.warnings()))
                .contains("the owner is unknown in the only wait for another thread");
        Incident incident = diagnosis.incidents().getFirst();
        assertThat(VerdictMessages.of(incident)).isEqualTo("No verdict: the owner of the lock is not recorded.");
        assertThat(WaitMessages.evidence(incident)).isEqualTo("the owner is unknown");
        assertThat(WaitMessages.ownerActivity(incident)).isEqualTo("The owner is not recorded.");
        assertThat(Advice.of(incident, diagnosis.platform()))
                .singleElement()
                .asString()
                .contains("no waker from its process");
    }

    /** A virtual thread with the lock came aboard late: its carrier wakes who waits, and never had the lock. */
    @Test
    void aThreadThatWasIdleDuringTheWaitIsNotItsOwner() {
        SceneThread carrier = app.thread(1003, "ForkJoinPool-1-", 120);
        carrier.runs(2, ms(3))
                .begin("parking on java.util.concurrent.ForkJoinPool")
                .sleeps(ms(6));
        carrier.wokenBy(worker).runnable(ms(6.1)).end().runs(2, ms(9.1));
        String lock = "parking on java.util.concurrent.locks.ReentrantLock$NonfairSync (owner tid: 0)";
        assertThat(ownerOfSlice(lock, carrier).evidence()).isEqualTo(Evidence.UNKNOWN);
    }
}
