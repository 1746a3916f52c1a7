package dev.unjank.doctor.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Trace;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events that a trace lacks without recording it: verdicts that depend on them have the evidence EVENTS_LOST. */
class LostEventsTest {
    private static final long MS = 1_000_000;
    private static final int MAIN = 10;
    private static final int OWNER = 11;
    private static final int OTHER = 12;
    private static final int NO_WAKING = -2;
    private static final int RUNNING = -1;

    private final TraceBuilder builder = new TraceBuilder("t");
    private final int comm = builder.intern("a");

    private void switchTo(double ms, int cpu, int prev, SchedState state, int next) {
        builder.kernel().schedSwitch(ns(ms), cpu, prev, comm, 120, state, next, comm, 120);
    }

    private void waking(double ms, int cpu, int waker, int woken) {
        builder.kernel().waking(ns(ms), cpu, waker, woken, 120);
    }

    private static long ns(double ms) {
        return Math.round(ms * MS);
    }

    /**
     * The main thread waits from 5 to 15 ms for a lock whose owner sleeps meanwhile; another thread wakes the owner at
     * 1, 3 and 12 ms.
     */
    private Trace trace(List<Double> wakings) {
        switchTo(0, 0, 0, SchedState.RUNNABLE, MAIN);
        switchTo(0, 1, 0, SchedState.RUNNABLE, OWNER);
        switchTo(0, 2, 0, SchedState.RUNNABLE, OTHER);
        for (double at : List.of(0.5, 2.5, 6.0)) {
            switchTo(at, 1, OWNER, SchedState.SLEEPING, 0);
        }
        for (double at : List.of(1.0, 3.0, 12.0)) {
            if (wakings.contains(at)) {
                waking(at, 2, OTHER, OWNER);
            }
            switchTo(at + 0.1, 1, 0, SchedState.RUNNABLE, OWNER);
        }
        builder.onCpu(0);
        builder.program()
                .begin(ns(5), MAIN, MAIN, builder.intern("Lock contention on thread list lock (owner tid: 11)"));
        builder.onCpu(-1);
        switchTo(5.1, 0, MAIN, SchedState.SLEEPING, 0);
        waking(14.9, 1, OWNER, MAIN);
        switchTo(15, 0, 0, SchedState.RUNNABLE, MAIN);
        builder.onCpu(0);
        builder.program().end(ns(15.1), MAIN, MAIN);
        builder.onCpu(-1);
        builder.unmodeledEvent(ns(20));
        return builder.build();
    }

    private static Incident lockWait(Trace trace) {
        return Doctor.diagnose(trace, SceneDiagnoses.EVERYTHING).incidents().stream()
                .filter(incident -> incident.rootWait().kind().isLock())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void allEventsAreThere() {
        Incident incident = lockWait(trace(List.of(1.0, 3.0, 12.0)));
        assertThat(incident.verdict()).isEqualTo(Verdict.SLEEPING_OWNER);
        assertThat(incident.judgement().evidence()).isEqualTo(Evidence.OWNER_NAMED);
    }

    /** Who woke the owner, and when, was lost: so may be that it ran meanwhile. */
    @Test
    void theOwnerContinuesWithoutAWakeup() {
        assertThat(lockWait(trace(List.of(1.0, 3.0))).judgement().evidence()).isEqualTo(Evidence.EVENTS_LOST);
    }

    /** A wakeup that is missing before the wait has no effect on it. */
    @Test
    void beforeTheWait() {
        assertThat(lockWait(trace(List.of(1.0, 12.0))).judgement().evidence()).isEqualTo(Evidence.OWNER_NAMED);
    }

    /**
     * Another thread leaves CPU 2 during the wait than was put there: a switch was lost, perhaps one of the owner's.
     */
    @Test
    void aSwitchOfAnotherCpuWasLost() {
        switchTo(10, 2, OTHER + 1, SchedState.SLEEPING, 0);
        assertThat(lockWait(trace(List.of(1.0, 3.0))).judgement().evidence()).isEqualTo(Evidence.EVENTS_LOST);
    }

    /** The same within 0.4 ms: the owner slept for the rest of the 6 ms that decide in any case. */
    @Test
    void aSwitchOfAnotherCpuWasLostForAMoment() {
        switchTo(9.6, 2, OTHER, SchedState.SLEEPING, OTHER + 2);
        switchTo(10, 2, OTHER + 1, SchedState.SLEEPING, OTHER);
        assertThat(lockWait(trace(List.of(1.0, 3.0, 12.0))).judgement().evidence())
                .isEqualTo(Evidence.OWNER_NAMED);
    }

    /** Two such moments are more than a tenth of the 6 ms together. */
    @Test
    void switchesWereLostForTwoMoments() {
        for (double at : List.of(7.4, 9.4)) {
            switchTo(at, 2, OTHER, SchedState.SLEEPING, OTHER + 2);
            switchTo(at + 0.4, 2, OTHER + 1, SchedState.SLEEPING, OTHER);
        }
        assertThat(lockWait(trace(List.of(1.0, 3.0, 12.0))).judgement().evidence())
                .isEqualTo(Evidence.EVENTS_LOST);
    }

    /**
     * The main thread waits from 5 to 15.1 ms for a lock without a recorded owner, and is woken at 5.3, 14.5 and 14.9
     * ms; the last waker is inferred to be the owner. It is the thread that runs on CPU 2.
     */
    private Incident inferred(List<Double> wakings) {
        switchTo(0, 0, 0, SchedState.RUNNABLE, MAIN);
        switchTo(0, 1, 0, SchedState.RUNNABLE, OWNER);
        switchTo(0, 2, 0, SchedState.RUNNABLE, OTHER);
        builder.onCpu(0);
        builder.program().begin(ns(5), MAIN, MAIN, builder.intern("Lock contention on thread list lock"));
        builder.onCpu(-1);
        sleep(1, 2, OWNER);
        sleep(3, 4, OWNER);
        sleep(5.1, 5.3, wakings.contains(5.3) ? OWNER : NO_WAKING);
        sleep(6, 14.5, OWNER);
        sleep(14.6, 14.9, wakings.contains(14.9) ? RUNNING : NO_WAKING);
        builder.onCpu(0);
        builder.program().end(ns(15.1), MAIN, MAIN);
        builder.onCpu(-1);
        builder.unmodeledEvent(ns(20));
        return lockWait(builder.build());
    }

    /** The main thread sleeps until a thread wakes it; a waker that is recorded by its CPU only runs on CPU 2. */
    private void sleep(double fromMs, double toMs, int waker) {
        switchTo(fromMs, 0, MAIN, SchedState.SLEEPING, 0);
        if (waker != NO_WAKING) {
            waking(toMs, waker == OWNER ? 1 : 2, waker, MAIN);
        }
        switchTo(toMs + 0.05, 0, 0, SchedState.RUNNABLE, MAIN);
    }

    private static void assertInferred(Incident incident, Evidence evidence, int owner) {
        assertThat(incident.rootWait().longestOwnerInterval().owner().thread().tid())
                .isEqualTo(owner);
        assertThat(incident.judgement().evidence()).isEqualTo(evidence);
    }

    @Test
    void theLastWakerIsInferred() {
        assertInferred(inferred(List.of(5.3, 14.9)), Evidence.WAKER_INFERRED, OTHER);
    }

    /** Without the last wakeup, an earlier waker is inferred, although the contradicted sleep is short. */
    @Test
    void theLastWakeupWasLost() {
        assertInferred(inferred(List.of(5.3)), Evidence.EVENTS_LOST, OWNER);
    }

    /** An earlier wakeup has no effect on who is inferred. */
    @Test
    void anEarlierWakeupWasLost() {
        assertInferred(inferred(List.of(14.9)), Evidence.WAKER_INFERRED, OTHER);
    }

    /** The waker's CPU lost a switch around the wakeup: another thread may have run there. */
    @Test
    void aSwitchOfTheWakersCpuWasLost() {
        loseSwitch(14.8, 15, 2);
        assertInferred(inferred(List.of(5.3, 14.9)), Evidence.EVENTS_LOST, OTHER);
    }

    /** The same before the wakeup, until it, after it, and on another CPU. */
    @ParameterizedTest
    @CsvSource({"14.7, 14.8, 2", "14.7, 14.9, 2", "14.92, 15, 2", "14.8, 15, 3"})
    void aSwitchWasLostElsewhere(double fromMs, double toMs, int cpu) {
        switchTo(0, 3, 0, SchedState.RUNNABLE, OTHER + 1);
        loseSwitch(fromMs, toMs, cpu);
        assertInferred(inferred(List.of(5.3, 14.9)), Evidence.WAKER_INFERRED, OTHER);
    }

    /** A CPU is left by another thread than was put there. */
    private void loseSwitch(double fromMs, double toMs, int cpu) {
        int runs = cpu == 2 ? OTHER : OTHER + 1;
        switchTo(fromMs, cpu, runs, SchedState.RUNNABLE, runs);
        switchTo(toMs, cpu, OTHER + 2, SchedState.SLEEPING, runs);
    }
}
