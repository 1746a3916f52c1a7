package dev.unjank.doctor;

import static dev.unjank.scene.Scene.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.ThreadLabels;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.VerdictScene;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.write.KernelEvent;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Verdicts about replies, futexes, mutexes and CPUs. Those about locks alone are in {@link DoctorTest}; about messages
 * in {@link QueueBacklogScenesTest}.
 */
class VerdictScenesTest extends VerdictScene {
    private static final int FUTEX_WAIT_PRIVATE = 128;
    private static final long ADDRESS = 0x7f00_1000;

    // ---- SLOW_REPLY

    @ParameterizedTest
    @CsvSource({
        "works,            SLOW_REPLY 2001 OWNER_NAMED",
        "sleeps,           SLEEPING_OWNER 2001 OWNER_NAMED",
        "has no CPU,       PRIORITY_INVERSION 2001 OWNER_NAMED",
        "was asked to,     none", // a one-way call has nobody waiting
        "is back at once,  none",
    })
    void aCallOfAnotherProcess(String thatThread, String expected) {
        SceneThread binder = server.thread(2001, "binder:2000_1", 120);
        SceneThread greedy = server.thread(2002, "greedy", 115);
        isText = false;
        boolean oneWay = thatThread.equals("was asked to");
        double back = thatThread.equals("is back at once") ? 5.5 : 15;

        main.begin("onCreate").runs(0, ms(4.9)).does(KernelEvent.binderTransaction(1, false, oneWay));
        main.runs(0, ms(5)).sleeps(ms(back));
        if (!oneWay) {
            main.wokenBy(binder).runnable(ms(back + 0.05)).does(KernelEvent.binderReceived(2));
        }
        main.runs(0, ms(20)).end();

        binder.sleeps(ms(4.95)).wokenBy(main).runnable(ms(5)).does(KernelEvent.binderReceived(1));
        binder.runs(1, ms(5.1));
        switch (thatThread) {
            case "sleeps" -> binder.sleeps(ms(back - 0.3));
            case "has no CPU" -> {
                greedy.sleeps(ms(5.05)).runnable(ms(5.1)).runs(1, ms(back - 0.3));
                binder.runnable(ms(back - 0.3));
            }
            default -> {}
        }
        binder.runs(1, ms(back - 0.1));
        if (!oneWay) {
            binder.does(KernelEvent.binderTransaction(2, true, false));
        }
        binder.runs(1, ms(back + 0.2));
        assertThat(verdict()).isEqualTo(expected);
    }

    // ---- futex waits: call 98, on a machine that the trace does not name

    @ParameterizedTest
    @CsvSource({
        "98,  true,  worker,    true,  LONG_HOLD 1001 WAKER_INFERRED",
        "98,  true,  worker,    false, SLEEPING_OWNER 1001 WAKER_INFERRED",
        "98,  false, worker,    true,  none", // a thread that does nothing else waits for work
        "63,  true,  worker,    true,  none", // read is no futex
        "98,  true,  stranger,  true,  UNKNOWN -1 UNKNOWN", // of another process: cannot have had the lock
        "98,  true,  interrupt, true,  UNKNOWN -1 UNKNOWN", // a timeout
    })
    void aFutex(int call, boolean amid, String waker, boolean works, String expected) {
        SceneThread worker = app.thread(1001, "worker", 120);
        SceneThread stranger = server.thread(2001, "stranger", 120);
        isText = false;
        if (amid) {
            main.begin("traversal");
        }
        main.runs(0, ms(5)).calls(call, ADDRESS, FUTEX_WAIT_PRIVATE, 0);
        main.runs(0, ms(5.01)).sleeps(ms(14.9));
        switch (waker) {
            case "worker" -> main.wokenBy(worker);
            case "stranger" -> main.wokenBy(stranger);
            default -> {}
        }
        main.runnable(ms(14.95)).returns(call, 0).runs(0, ms(20));
        if (amid) {
            main.end();
        }
        for (SceneThread other : new SceneThread[] {worker, stranger}) {
            int cpu = other == worker ? 1 : 2;
            other.runs(cpu, ms(6));
            if (!works) {
                other.sleeps(ms(14.5));
            }
            other.runs(cpu, ms(16));
        }
        assertThat(verdict()).isEqualTo(expected);
    }

    // ---- mutexes of native code, of which nobody names the owner

    @ParameterizedTest
    @CsvSource({
        "worker,    works,      LONG_HOLD 1001 WAKER_INFERRED",
        "worker,    sleeps,     SLEEPING_OWNER 1001 WAKER_INFERRED",
        "worker,    has no CPU, PRIORITY_INVERSION 1001 WAKER_INFERRED",
        "stranger,  works,      UNKNOWN -1 UNKNOWN", // of another process: cannot have had it
        "interrupt, works,      UNKNOWN -1 UNKNOWN",
    })
    void aMutexOfNativeCode(String waker, String does, String expected) {
        SceneThread worker = app.thread(1001, "worker", 120);
        SceneThread stranger = server.thread(2001, "stranger", 120);
        SceneThread greedy = server.thread(2002, "greedy", 115);
        main.runs(0, ms(5))
                .begin("Contending for pthread mutex")
                .runs(0, ms(5.01))
                .sleeps(ms(14.9));
        switch (waker) {
            case "worker" -> main.wokenBy(worker);
            case "stranger" -> main.wokenBy(stranger);
            default -> {}
        }
        main.runnable(ms(14.95)).end().runs(0, ms(20));
        stranger.runs(2, ms(16));
        worker.runs(1, ms(6));
        switch (does) {
            case "sleeps" -> worker.sleeps(ms(14.5));
            case "has no CPU" -> {
                greedy.sleeps(ms(5.9)).runnable(ms(6)).runs(1, ms(14.5));
                worker.runnable(ms(14.5));
            }
            default -> {}
        }
        worker.runs(1, ms(16));
        assertThat(verdict()).isEqualTo(expected);
    }

    // ---- LOCK_CONVOY

    @ParameterizedTest
    @CsvSource({
        "1,  3, 3, true,  LOCK_CONVOY 1001 OWNER_NAMED",
        "1,  2, 3, true,  LONG_HOLD 1001 OWNER_NAMED", // two before it are a queue as any
        "20, 3, 1, true,  LONG_HOLD 1001 OWNER_NAMED", // the first one was slow, the others were not
        "1,  3, 3, false, LONG_HOLD 1001 OWNER_NAMED", // they wait for another lock
    })
    void threadsInARow(double firstMs, int followers, double eachMs, boolean sameLock, String expected) {
        SceneThread first = app.thread(1001, "first", 110);
        SceneThread elsewhere = app.thread(1009, "elsewhere", 110);
        double end = 5 + firstMs + followers * eachMs;
        first.runs(1, ms(end + 1));
        elsewhere.runs(9, ms(end + 1));
        for (int i = 0; i < followers; i++) {
            SceneThread owner = sameLock ? first : elsewhere;
            double gets = 5 + firstMs + i * eachMs;
            SceneThread follower = app.thread(1002 + i, "follower " + i, 110);
            follower.runs(2 + i, ms(4.4)).blocksOn(ArtContention.heldBy(owner).waiters(i));
            follower.runs(2 + i, ms(4.5)).sleeps(ms(gets - 0.1)).wokenBy(owner);
            follower.runnable(ms(gets)).acquires().runs(2 + i, ms(gets + eachMs));
        }
        main.runs(0, ms(5)).blocksOn(ArtContention.heldBy(first).waiters(followers));
        main.runs(0, ms(5.1)).sleeps(ms(end - 0.1)).wokenBy(first).runnable(ms(end));
        main.acquires().runs(0, ms(end + 3));
        assertThat(verdict()).isEqualTo(expected);
    }

    // ---- nobody in the way

    @ParameterizedTest
    @CsvSource({
        "has no CPU, 2.0,   110, NO_CPU 1000 WAITER_EVENTS",
        "has no CPU, 0.999, 110, none",
        "has no CPU, 2.0,   121, none", // it is nice to others, and has asked for no better
        "sleeps,     2.0,   110, none",
    })
    void aThreadWithoutACpu(String does, double ms, int priority, String expected) {
        main.priority(priority).begin("bindApplication").runs(0, ms(5));
        if (does.equals("sleeps")) {
            main.sleeps(ms(5 + ms));
        } else {
            main.runnable(ms(5 + ms));
        }
        main.runs(0, ms(9)).end();
        server.thread(2002, "greedy", 115).sleeps(ms(4.9)).runnable(ms(5)).runs(0, ms(5 + ms));
        assertThat(verdict()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "in the kernel, 2.0,   true,  BLOCKING_IO 1000 WAITER_EVENTS",
        "in the kernel, 2.0,   false, BLOCKING_IO 1000 WAITER_EVENTS",
        "in the kernel, 0.999, true,  none",
        "ordinarily,    2.0,   true,  none",
    })
    void aThreadThatSleeps(String how, double ms, boolean ioWait, String expected) {
        main.begin("bindApplication").runs(0, ms(5));
        if (how.equals("ordinarily")) {
            main.sleeps(ms(5 + ms)).runnable(ms(5.01 + ms));
        } else {
            main.sleepsUninterruptibly(ms(5 + ms), ioWait, "folio_wait_bit_common")
                    .runnable(ms(5.01 + ms));
        }
        main.runs(0, ms(9)).end();
        assertThat(verdict()).isEqualTo(expected);
        if (!expected.equals("none")) {
            Incident incident = SceneDiagnoses.only(scene);
            assertThat(incident.rootWait().target()).isEqualTo("folio_wait_bit_common");
            assertThat(incident.ownerStates().getFirst().state())
                    .isEqualTo(ioWait ? OwnerState.IO_WAIT : OwnerState.UNINTERRUPTIBLE);
        }
    }

    // ---- UNKNOWN

    @ParameterizedTest
    @CsvSource({"1001, LONG_HOLD 1001 OWNER_NAMED", "4711, UNKNOWN 4711 OWNER_NAMED"})
    void anOwnerThatIsNotRecorded(int tid, String expected) {
        SceneThread worker = app.thread(1001, "worker", 120);
        worker.runs(1, ms(16));
        main.runs(0, ms(5)).begin("Lock contention on thread list lock (owner tid: " + tid + ")");
        main.sleeps(ms(14.9)).wokenBy(worker).runnable(ms(14.95)).end().runs(0, ms(20));
        assertThat(verdict()).isEqualTo(expected);
    }

    // ---- lent priorities

    /**
     * The kernel shows a thread that was lent a priority with that one. A real-time one helps, as the owner then is the
     * more important thread; any other changes nothing, though it looks better than the waiting thread's own.
     */
    @ParameterizedTest
    @CsvSource({
        "0,   PRIORITY_INVERSION, 120",
        "105, PRIORITY_INVERSION, 120",
        "97,  RUNNABLE_OWNER,    97",
    })
    void anOwnerThatWasLentAPriority(int lent, Verdict verdict, int counts) {
        SceneThread worker = app.thread(1001, "worker", 120);
        SceneThread greedy = server.thread(2002, "greedy", 115);
        worker.runs(1, ms(6));
        if (lent > 0) {
            worker.inherits(lent);
        }
        worker.runs(1, ms(6.1)).runnable(ms(13)).runs(1, ms(15));
        if (lent > 0) {
            worker.inherits(120);
        }
        worker.runs(1, ms(16));
        greedy.sleeps(ms(6)).runnable(ms(6.1)).runs(1, ms(13));
        main.runs(0, ms(5)).blocksOn(ArtContention.heldBy(worker)).sleeps(ms(14.9));
        main.wokenBy(worker).runnable(ms(14.95)).acquires().runs(0, ms(20));

        Diagnosis diagnosis = SceneDiagnoses.inAnyFormat(scene, DoctorOptions.defaults());
        Incident incident = diagnosis.incidents().getFirst();
        assertThat(incident.verdict()).isEqualTo(verdict);
        assertThat(incident.judgement().decisiveNs()).isEqualTo(ms(6.9));
        Segment preempted = incident.rootWait().ownerIntervals().getFirst().segments().stream()
                .filter(part -> part.state() == OwnerState.RUNNABLE)
                .findFirst()
                .orElseThrow();
        assertThat(preempted.thread().priority()).isEqualTo(counts);
        assertThat(preempted.thread().hasInherited()).isEqualTo(lent > 0);
        if (lent > 0) {
            assertThat(preempted.thread().inheritedPriority()).isEqualTo(lent);
            assertThat(ThreadLabels.identity(preempted.thread(), "com.example.app"))
                    .endsWith(lent == counts ? "priority 97, inherited" : "priority 120, inherited 105");
        }
    }
}
