package dev.unjank.trace.build.tracker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.DataLoss;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Switches and wakeups that the trace lacks without recording a loss: what remains contradicts itself, or does not. */
class MissingSwitchesTest {
    private final TraceBuilder builder = new TraceBuilder("test");
    private final int comm = builder.intern("a");

    private void switchTo(long ts, int cpu, int prev, SchedState state, int next) {
        builder.kernel().schedSwitch(ts, cpu, prev, comm, 120, state, next, comm, 120);
    }

    private void switchTo(long ts, int cpu, SchedState state, int next) {
        builder.kernel().compactSwitch(ts, cpu, state == SchedState.RUNNABLE ? 0 : 1, next, comm, 120);
    }

    private void waking(long ts, int cpu, int waker, int woken) {
        builder.kernel().waking(ts, cpu, waker, woken, 120);
    }

    /** A thread leaves CPU 0, on which another one was put: between them a switch is missing. */
    @Test
    void anotherThreadLeaves() {
        switchTo(100, 0, 0, SchedState.RUNNABLE, 10);
        switchTo(300, 0, 11, SchedState.SLEEPING, 0);
        Trace trace = builder.build();
        assertThat(trace.dataLosses()).containsExactly(DataLoss.found(0, 100, 300));
    }

    @Test
    void theSameThreadLeaves() {
        switchTo(100, 0, 0, SchedState.RUNNABLE, 10);
        switchTo(200, 0, 10, SchedState.SLEEPING, 11);
        switchTo(300, 0, 11, SchedState.SLEEPING, 0);
        assertThat(builder.build().dataLosses()).isEmpty();
    }

    /** The first switch of a CPU has nothing before it. */
    @Test
    void theFirstSwitchOfACpu() {
        switchTo(100, 0, 10, SchedState.SLEEPING, 11);
        switchTo(100, 1, 12, SchedState.SLEEPING, 0);
        assertThat(builder.build().dataLosses()).isEmpty();
    }

    /** A thread is put on CPU 1 while CPU 0 has not put it off; what CPU 0 does next ends the gap. */
    @Test
    void aThreadOnTwoCpus() {
        switchTo(100, 0, 0, SchedState.RUNNABLE, 10);
        switchTo(200, 1, 0, SchedState.RUNNABLE, 10);
        switchTo(400, 0, 0, SchedState.RUNNABLE, 12);
        assertThat(builder.build().dataLosses()).containsExactly(DataLoss.found(0, 100, 400));
    }

    /** CPU 0 does nothing any more: the gap lasts until the trace's end. */
    @Test
    void aThreadOnTwoCpusUntilTheEnd() {
        switchTo(100, 0, 0, SchedState.RUNNABLE, 10);
        switchTo(200, 1, 0, SchedState.RUNNABLE, 10);
        switchTo(500, 1, 10, SchedState.SLEEPING, 0);
        assertThat(builder.build().dataLosses()).containsExactly(DataLoss.found(0, 100, 500));
    }

    /** A thread that moves within one tick of the clock: which CPU was first is not known. */
    @Test
    void aThreadMoves() {
        switchTo(100, 1, 0, SchedState.RUNNABLE, 10);
        switchTo(200, 0, 0, SchedState.RUNNABLE, 10);
        switchTo(200, 1, 10, SchedState.RUNNABLE, 0);
        assertThat(builder.build().dataLosses()).isEmpty();
    }

    /** A mark or a waking by a thread that has not been put on the CPU. */
    @Test
    void anotherThreadWritesAMark() {
        switchTo(100, 0, 0, SchedState.RUNNABLE, 10);
        builder.onCpu(0);
        builder.program().begin(250, 11, 11, comm);
        waking(260, 0, 11, 12);
        waking(300, 0, 13, 14);
        builder.onCpu(-1);
        assertThat(builder.build().dataLosses())
                .containsExactly(DataLoss.found(0, 100, 250), DataLoss.found(0, 260, 300));
    }

    /** At the time of a switch a mark may be of the thread before it. Interrupts may have no thread. */
    @Test
    void aMarkAtTheTimeOfASwitch() {
        switchTo(100, 0, 0, SchedState.RUNNABLE, 10);
        switchTo(200, 0, 10, SchedState.SLEEPING, 11);
        builder.onCpu(0);
        builder.program().end(200, 10, 10);
        builder.program().begin(210, 11, 11, comm);
        builder.onCpu(-1);
        builder.kernel().wakingFromInterrupt(220, 0, 0, 10, 120);
        assertThat(builder.build().dataLosses()).isEmpty();
    }

    /** A compact switch names the next thread and the state of the one that leaves: an idle thread does not sleep. */
    @Test
    void compactSwitches() {
        switchTo(100, 0, SchedState.RUNNABLE, 10);
        switchTo(200, 0, SchedState.SLEEPING, 0);
        switchTo(400, 0, SchedState.SLEEPING, 11);
        switchTo(600, 0, SchedState.SLEEPING, 11);
        switchTo(700, 0, SchedState.SLEEPING, 0);
        switchTo(800, 0, SchedState.RUNNABLE, 0);
        assertThat(builder.build().dataLosses())
                .containsExactly(DataLoss.found(0, 200, 400), DataLoss.found(0, 400, 600), DataLoss.found(0, 700, 800));
    }

    @Test
    void compactSwitchesThatFit() {
        switchTo(100, 0, SchedState.RUNNABLE, 10);
        switchTo(200, 0, SchedState.SLEEPING, 0);
        switchTo(300, 0, SchedState.RUNNABLE, 10);
        switchTo(400, 0, SchedState.RUNNABLE, 11);
        switchTo(500, 0, SchedState.SLEEPING, 10);
        assertThat(builder.build().dataLosses()).isEmpty();
    }

    /** What the recorder reports is not found again. */
    @Test
    void aRecordedLoss() {
        switchTo(100, 0, 0, SchedState.RUNNABLE, 10);
        switchTo(300, 0, 11, SchedState.SLEEPING, 0);
        switchTo(300, 1, 0, SchedState.RUNNABLE, 12);
        switchTo(600, 1, 13, SchedState.SLEEPING, 0);
        builder.addDataLoss(0, 90, 310);
        builder.addDataLoss(DataLoss.ANY_CPU, 400, 450);
        assertThat(builder.build().dataLosses())
                .containsExactly(DataLoss.recorded(0, 100, 310), DataLoss.recorded(DataLoss.ANY_CPU, 400, 450));
    }

    /** A thread that leaves a CPU on which it was not put, and one that is put on a CPU twice. */
    @Test
    void statesWithoutTheirSwitch() {
        switchTo(100, 0, 0, SchedState.RUNNABLE, 10);
        switchTo(200, 0, 10, SchedState.SLEEPING, 0);
        switchTo(300, 1, 10, SchedState.SLEEPING, 0);
        switchTo(400, 0, 0, SchedState.RUNNABLE, 10);
        switchTo(500, 1, 0, SchedState.RUNNABLE, 10);
        switchTo(600, 1, 10, SchedState.SLEEPING, 0);
        assertThat(doubtful(builder.build(), 10)).containsExactly("200 S", "400 Running");
    }

    /** A second wakeup: between the two the thread ran and slept. */
    @Test
    void wokenTwice() {
        switchTo(100, 0, 0, SchedState.RUNNABLE, 10);
        switchTo(200, 0, 10, SchedState.SLEEPING, 11);
        waking(300, 0, 11, 10);
        waking(400, 0, 11, 10);
        switchTo(500, 0, 11, SchedState.SLEEPING, 10);
        assertThat(doubtful(builder.build(), 10)).containsExactly("300 R");
    }

    /** A thread that announced a sleep and was preempted before it is woken out of that. */
    @Test
    void preemptedAndWoken() {
        switchTo(100, 0, 0, SchedState.RUNNABLE, 10);
        switchTo(200, 0, 10, SchedState.RUNNABLE_PREEMPTED, 11);
        waking(300, 0, 11, 10);
        switchTo(500, 0, 11, SchedState.SLEEPING, 10);
        assertThat(doubtful(builder.build(), 10)).isEmpty();
    }

    /** Two sleeps of thread 10 end with a wakeup and one does not; no wakeup of thread 11 is recorded. */
    @Test
    void aSleepWithoutAWakeup() {
        switchTo(50, 1, 0, SchedState.RUNNABLE, 20);
        switchTo(100, 0, 0, SchedState.RUNNABLE, 10);
        for (long at : List.of(1_000_000L, 2_000_000L, 3_000_000L)) {
            switchTo(at, 0, 10, SchedState.SLEEPING, 11);
            if (at != 2_000_000) {
                waking(at + 500_000, 1, 20, 10);
            }
            switchTo(at + 600_000, 0, 11, SchedState.SLEEPING, 10);
        }
        Trace trace = builder.build();
        assertThat(doubtful(trace, 10)).containsExactly("2000000 S");
        assertThat(doubtful(trace, 11)).isEmpty();
        assertThat(trace.dataLosses()).isEmpty();
    }

    private static List<String> doubtful(Trace trace, int tid) {
        ThreadStates states = trace.threadStates();
        int utid = trace.threads().find(tid, trace.startNs());
        List<String> found = new ArrayList<>();
        for (int row = states.first(utid); row < states.end(utid); row++) {
            if (states.isDoubtful(row)) {
                found.add(states.ts(row) + " " + states.state(row).text());
            }
        }
        return found;
    }
}
