package dev.unjank.doctor.find.wait;

import static dev.unjank.doctor.scene.SyntheticTrace.APP;
import static dev.unjank.doctor.scene.SyntheticTrace.SERVER;
import static dev.unjank.doctor.scene.SyntheticTrace.ns;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.trace.model.SchedState;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each kind of wait, with its near misses. The waiter is the main thread of the app, priority 110. */
class WaitSourcesTest {
    private static final int WORKER = 1001;
    private static final int THIRD = 1002;
    private static final int BINDER = 2003;
    private static final int GREEDY = 2004;

    private final SyntheticTrace stage = new SyntheticTrace();

    @BeforeEach
    void threads() {
        stage.process(APP, "com.example.app")
                .process(SERVER, "server")
                .thread(WORKER, APP, "worker", 120)
                .thread(THIRD, APP, "third", 120)
                .thread(BINDER, SERVER, "binder:2000_3", 120)
                .thread(GREEDY, SERVER, "greedy", 115);
    }

    /** The main thread waits from 5 to 15 ms, woken by a thread that runs then. */
    private void mainSleeps(int waker) {
        stage.runs(APP, 1, 5.001, SchedState.SLEEPING).wakes(waker, 14.99, APP).runs(APP, 15, 20, SchedState.SLEEPING);
    }

    private Incident only() {
        List<Incident> incidents = stage.incidents();
        assertThat(incidents).hasSize(1);
        SceneDiagnoses.assertTiled(incidents.getFirst().rootWait());
        return incidents.getFirst();
    }

    private static void assertBlames(Incident incident, Verdict verdict, int tid, Evidence evidence) {
        assertThat(incident.verdict()).isEqualTo(verdict);
        assertThat(incident.judgement().responsibleThread().tid()).isEqualTo(tid);
        assertThat(incident.judgement().evidence()).isEqualTo(evidence);
    }

    @Test
    void aReplyThatTakesLong() {
        mainSleeps(BINDER);
        stage.call(APP, 5, 15, BINDER, 5.1, 14.98)
                .wakes(APP, 4.9, BINDER)
                .runs(BINDER, 5.05, 16, SchedState.SLEEPING)
                .slice(BINDER, "AIDL::java::IWork::work::server", 5.2, 14.9);
        Incident incident = only();
        assertThat(incident.rootWait().kind()).isEqualTo(WaitKind.BINDER);
        assertBlames(incident, Verdict.SLOW_REPLY, BINDER, Evidence.OWNER_NAMED);
        assertThat(incident.longestDetail(OwnerState.RUNNING)).isEqualTo("AIDL::java::IWork::work::server");
    }

    @ParameterizedTest
    @CsvSource({
        "9.0, 120, PRIORITY_INVERSION", // most of the time
        "0.5, 120, SLOW_REPLY", // of a lock it would be one; but nearly all of the time went into the work
        "9.0, 105, RUNNABLE_OWNER",
    })
    void aServerWithoutACpu(double withoutMs, int priority, Verdict verdict) {
        stage.thread(BINDER, SERVER, "binder:2000_3", priority);
        mainSleeps(BINDER);
        stage.call(APP, 5, 15, BINDER, 5.1, 14.98)
                .wakes(APP, 4.9, BINDER)
                .runs(BINDER, 5.05, 5.2, SchedState.RUNNABLE_PREEMPTED)
                .runsOn(3, GREEDY, 5.2, 5.2 + withoutMs, SchedState.SLEEPING)
                .runs(BINDER, 5.2 + withoutMs, 16, SchedState.SLEEPING);
        Incident incident = only();
        assertBlames(incident, verdict, BINDER, Evidence.OWNER_NAMED);
        assertThat(incident.preemptingThreads())
                .extracting(preempting -> preempting.thread().tid())
                .containsExactly(GREEDY);
    }

    @Test
    void aServerThatSleeps() {
        mainSleeps(BINDER);
        stage.call(APP, 5, 15, BINDER, 5.1, 14.98)
                .runs(BINDER, 5.05, 5.2, SchedState.SLEEPING)
                .runs(BINDER, 14.9, 16, SchedState.SLEEPING);
        assertBlames(only(), Verdict.SLEEPING_OWNER, BINDER, Evidence.OWNER_NAMED);
    }

    /** The blame continues from the reply to the lock that its server thread waits for, and to the owner of that. */
    @Test
    void aReplyBehindALock() {
        stage.thread(2005, SERVER, "holder", 120);
        mainSleeps(BINDER);
        stage.call(APP, 5, 15, BINDER, 5.1, 14.98)
                .runs(BINDER, 5.05, 5.3, SchedState.SLEEPING)
                .slice(BINDER, "Lock contention on thread list lock (owner tid: 2005)", 5.2, 14.5)
                .wakes(2005, 14.39, BINDER)
                .runs(BINDER, 14.4, 16, SchedState.SLEEPING)
                .runs(2005, 4, 14.45, SchedState.SLEEPING);
        Incident incident = only();
        assertBlames(incident, Verdict.LONG_HOLD, 2005, Evidence.OWNER_NAMED);
        assertThat(incident.chain()).extracting(Wait::kind).containsExactly(WaitKind.BINDER, WaitKind.RUNTIME_LOCK);
    }

    /** A thread that serves a call while it waits for the reply to its own: no cycle, and its own work. */
    @Test
    void aCallBack() {
        stage.runs(APP, 1, 5.001, SchedState.SLEEPING)
                .wakes(BINDER, 5.19, APP)
                .runs(APP, 5.2, 13, SchedState.SLEEPING)
                .wakes(BINDER, 14.99, APP)
                .runs(APP, 15, 20, SchedState.SLEEPING)
                .call(APP, 5, 15, BINDER, 5.1, 14.98)
                .call(BINDER, 5.15, 13.1, APP, 5.25, 12.99)
                .runs(BINDER, 0.5, 0.6, SchedState.SLEEPING)
                .runs(BINDER, 5.05, 5.199, SchedState.SLEEPING)
                .wakes(APP, 12.995, BINDER)
                .runs(BINDER, 13.05, 16, SchedState.SLEEPING);
        Incident incident = only();
        assertThat(incident.chain()).extracting(Wait::kind).containsExactly(WaitKind.BINDER, WaitKind.BINDER);
        long[] mainRan = {0};
        incident.rootWait().forEachLeaf(leaf -> {
            assertThat(leaf.state()).isNotIn(OwnerState.UNKNOWN, OwnerState.DEADLOCKED);
            mainRan[0] += leaf.thread().tid() == APP && leaf.state() == OwnerState.RUNNING ? leaf.durNs() : 0;
        });
        assertThat(mainRan[0]).isGreaterThan(ns(7));
    }

    /** Shorter waits than 1 ms for a reply are the normal cost of a call, even if all waits are selected. */
    @Test
    void aShortReplyIsNoIncident() {
        stage.runs(APP, 1, 5.001, SchedState.SLEEPING)
                .wakes(BINDER, 5.9, APP)
                .runs(APP, 5.91, 20, SchedState.SLEEPING)
                .call(APP, 5, 5.95, BINDER, 5.1, 5.8)
                .runs(BINDER, 5.05, 6, SchedState.SLEEPING);
        assertThat(stage.diagnose(SceneDiagnoses.EVERYTHING).incidents()).isEmpty();
    }

    private void collection(String mainsSlice, SchedState thirds) {
        stage.thread(1005, APP, "HeapTaskDaemon", 124);
        mainSleeps(1005);
        stage.slice(APP, mainsSlice, 5, 15)
                .slice(1005, "Background concurrent copying GC", 4, 18)
                .slice(1005, "FlipThreadRoots", 4.5, 14.9)
                .slice(1005, "ThreadListFlip", 14.5, 14.8)
                .runs(1005, 3, 4.6, SchedState.SLEEPING)
                .wakes(THIRD, 14.2, 1005)
                .runs(1005, 14.3, 18, SchedState.SLEEPING)
                .runs(THIRD, 2, 4.7, thirds)
                .runs(THIRD, 14, 15, SchedState.SLEEPING);
    }

    /** The collector's flip waits for a thread that sleeps in native code with pinned objects. */
    @Test
    void aCriticalSection() {
        collection("IncrementalDisableThreadFlip", SchedState.SLEEPING);
        Incident incident = only();
        assertThat(incident.rootWait().kind()).isEqualTo(WaitKind.GC);
        assertThat(incident.owner().thread().tid()).isEqualTo(1005);
        assertBlames(incident, Verdict.GC_BLOCKED_BY_CRITICAL, THIRD, Evidence.WAKER_INFERRED);
    }

    /** The same with a runnable thread: it is late, but sleeps in no critical section. */
    @Test
    void aLateThreadIsNoCriticalSection() {
        collection("IncrementalDisableThreadFlip", SchedState.RUNNABLE_PREEMPTED);
        assertThat(only().verdict()).isEqualTo(Verdict.PRIORITY_INVERSION);
    }

    @Test
    void theCollectorIsRunning() {
        stage.thread(1005, APP, "HeapTaskDaemon", 124);
        mainSleeps(1005);
        stage.slice(APP, "GC: Wait For Completion Alloc", 5, 15)
                .slice(1005, "Background concurrent copying GC", 4, 18)
                .runs(1005, 3, 18, SchedState.SLEEPING);
        assertBlames(only(), Verdict.GC_BLOCKED, 1005, Evidence.OWNER_NAMED);
    }

    /** Without a slice of a collection, the waker is the owner. */
    @Test
    void aCollectorThatOnlyWakes() {
        mainSleeps(WORKER);
        stage.slice(APP, "GC: Wait For Completion Alloc", 5, 15).runs(WORKER, 3, 18, SchedState.SLEEPING);
        assertBlames(only(), Verdict.GC_BLOCKED, WORKER, Evidence.WAKER_INFERRED);
    }

    @Test
    void aFutex() {
        mainSleeps(WORKER);
        stage.slice(APP, "traversal", 2, 18).slice(APP, "sys_futex", 5, 15).runs(WORKER, 3, 18, SchedState.SLEEPING);
        Incident incident = only();
        assertThat(incident.rootWait().kind()).isEqualTo(WaitKind.FUTEX);
        assertBlames(incident, Verdict.LONG_HOLD, WORKER, Evidence.WAKER_INFERRED);
    }

    /** An idle pool thread waits for work on a futex as well. */
    @Test
    void aFutexToWaitForWork() {
        mainSleeps(WORKER);
        stage.slice(APP, "sys_futex", 5, 15).runs(WORKER, 3, 18, SchedState.SLEEPING);
        assertThat(stage.incidents()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"2.0, 120, 1", "2.0, 121, 0", "0.999, 120, 0", "1.0, 100, 1"})
    void noCpu(double ms, int priority, int found) {
        stage.thread(APP, APP, "com.example.app", priority)
                .slice(APP, "bindApplication", 1, 2)
                .runs(APP, 1, 3, SchedState.RUNNABLE_PREEMPTED)
                .runsOn(0, GREEDY, 3, 3 + ms, SchedState.SLEEPING)
                .runs(APP, 3 + ms, 9, SchedState.SLEEPING);
        List<Incident> incidents = stage.incidents();
        assertThat(incidents).hasSize(found);
        for (Incident incident : incidents) {
            assertBlames(incident, Verdict.NO_CPU, APP, Evidence.WAITER_EVENTS);
            assertThat(incident.preemptingThreads())
                    .extracting(preempting -> preempting.thread().tid())
                    .containsExactly(GREEDY);
            SceneDiagnoses.assertTiled(incident.rootWait());
        }
    }

    @ParameterizedTest
    @CsvSource({"2.0, true, 1", "2.0, false, 1", "0.999, true, 0"})
    void theKernel(double ms, boolean ioWait, int found) {
        stage.slice(APP, "bindApplication", 1, 2)
                .runs(APP, 1, 3, SchedState.UNINTERRUPTIBLE)
                .wakes(WORKER, 3 + ms, APP)
                .sleptInKernel(APP, 3 + ms, ioWait, "folio_wait_bit_common")
                .runs(WORKER, 2, 9, SchedState.SLEEPING)
                .runs(APP, 3.001 + ms, 9, SchedState.SLEEPING);
        List<Incident> incidents = stage.incidents();
        assertThat(incidents).hasSize(found);
        for (Incident incident : incidents) {
            assertBlames(incident, Verdict.BLOCKING_IO, APP, Evidence.WAITER_EVENTS);
            assertThat(incident.rootWait().target()).isEqualTo("folio_wait_bit_common");
            assertThat(incident.ownerStates().getFirst().state())
                    .isEqualTo(ioWait ? OwnerState.IO_WAIT : OwnerState.UNINTERRUPTIBLE);
            SceneDiagnoses.assertTiled(incident.rootWait());
        }
    }

    /** Kernel threads wait for work like this; without a known parent process, the name decides. */
    @ParameterizedTest
    @CsvSource({"mdss_fb0, 0", "kworker/0:1, 0", "worker, 1"})
    void kernelThreads(String name, int found) {
        int stray = 3001;
        Diagnosis diagnosis = new SyntheticTrace()
                .strayThread(stray, name)
                .runs(stray, 1, 2, SchedState.UNINTERRUPTIBLE)
                .runs(stray, 12, 13, SchedState.SLEEPING)
                .diagnose(SceneDiagnoses.EVERYTHING);
        assertThat(diagnosis.incidents()).hasSize(found);
    }

    /** A wait within another one is part of it, and no incident. */
    @Test
    void nothingCountsTwice() {
        stage.runs(APP, 1, 5.001, SchedState.UNINTERRUPTIBLE)
                .wakes(WORKER, 7, APP)
                .runs(APP, 10, 10.1, SchedState.SLEEPING)
                .wakes(WORKER, 14.99, APP)
                .runs(APP, 15, 20, SchedState.SLEEPING)
                .slice(APP, "Lock contention on thread list lock (owner tid: 1001)", 5, 15.1)
                .runs(WORKER, 3, 18, SchedState.SLEEPING);
        assertThat(only().rootWait().kind()).isEqualTo(WaitKind.RUNTIME_LOCK);
    }
}
