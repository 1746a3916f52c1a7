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

/** Events that a trace lacks without recording it: verdicts that depend on them have the evidence EVENTS_LOST. */
class LostEventsTest {
    private static final long MS = 1_000_000;
    private static final int MAIN = 10;
    private static final int OWNER = 11;
    private static final int OTHER = 12;

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
}
