package dev.unjank.trace.build.tracker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** Wakeups that Perfetto's trace processor ignores: the states with them, and as in the trace processor. */
class IgnoredWakeupsTest {
    private final TraceBuilder builder = new TraceBuilder("test");
    private final int comm = builder.intern("a");

    private void switchTo(long ts, int cpu, int prev, SchedState state, int next) {
        builder.kernel().schedSwitch(ts, cpu, prev, comm, 120, state, next, comm, 120);
    }

    /** CPU 0 records at 300 that thread 10 is woken, CPU 1 that it goes to sleep; CPU 0 is processed first. */
    private void wakingAtTheTimeOfTheSleep(long wakingTs, SchedState sleep) {
        switchTo(100, 1, 0, SchedState.RUNNABLE, 10);
        switchTo(200, 0, 0, SchedState.RUNNABLE, 7);
        builder.kernel().waking(wakingTs, 0, 7, 10, 110);
        switchTo(300, 1, 10, sleep, 0);
        switchTo(350, 1, 0, SchedState.RUNNABLE, 10);
        builder.unmodeledEvent(400);
    }

    @ParameterizedTest
    @EnumSource(names = {"SLEEPING", "UNINTERRUPTIBLE", "KILLABLE", "IDLE"})
    void aWakingAtTheStartOfASleepEndsIt(SchedState sleep) {
        wakingAtTheTimeOfTheSleep(300, sleep);
        Trace trace = builder.build();

        assertThat(own(trace, 10))
                .containsExactly("100+200 Running", "300+0 " + sleep.text(), "300+50 R waker 7", "350+50 Running open");
        assertThat(seen(trace, 10)).containsExactly("100+200 Running", "300+50 " + sleep.text(), "350+50 Running open");
    }

    @ParameterizedTest
    @EnumSource(
            names = {"SLEEPING", "UNINTERRUPTIBLE", "KILLABLE", "IDLE", "RUNNING"},
            mode = Mode.EXCLUDE)
    void aWakingDoesNotEndOtherStates(SchedState state) {
        wakingAtTheTimeOfTheSleep(300, state);

        assertThat(own(builder.build(), 10))
                .containsExactly("100+200 Running", "300+50 " + state.text(), "350+50 Running open");
    }

    /**
     * The kernel wakes only threads that have announced a sleep; without a later wakeup this one ended the sleep as
     * it began.
     */
    @ParameterizedTest
    @ValueSource(longs = {299, 250, 200})
    void aWakingBeforeTheSleepEndsIt(long wakingTs) {
        wakingAtTheTimeOfTheSleep(wakingTs, SchedState.SLEEPING);
        Trace trace = builder.build();

        assertThat(own(trace, 10))
                .containsExactly("100+200 Running", "300+0 S", "300+50 R waker 7", "350+50 Running open");
        assertThat(seen(trace, 10)).containsExactly("100+200 Running", "300+50 S", "350+50 Running open");
    }

    /** The thread continued without the announced sleep, and slept for another reason later. */
    @Test
    void aWakingIsNotOfALaterSleep() {
        switchTo(100, 1, 0, SchedState.RUNNABLE, 10);
        switchTo(200, 0, 0, SchedState.RUNNABLE, 7);
        builder.kernel().waking(210, 0, 7, 10, 110);
        switchTo(300, 1, 10, SchedState.SLEEPING, 8);
        builder.kernel().waking(330, 0, 7, 10, 110);
        switchTo(350, 1, 8, SchedState.SLEEPING, 10);
        switchTo(400, 1, 10, SchedState.RUNNABLE, 8); // preempted
        switchTo(450, 1, 8, SchedState.SLEEPING, 10);
        switchTo(500, 1, 10, SchedState.SLEEPING, 0); // its wakeup is lost
        switchTo(550, 1, 0, SchedState.RUNNABLE, 10);

        assertThat(own(builder.build(), 10))
                .containsExactly(
                        "100+200 Running",
                        "300+30 S",
                        "330+20 R waker 7",
                        "350+50 Running",
                        "400+50 R",
                        "450+50 Running",
                        "500+50 S",
                        "550+0 Running open");
    }

    /** A lost wakeup is more likely. */
    @Test
    void aWakingLongBeforeTheSleepDoesNotEndIt() {
        switchTo(100, 1, 0, SchedState.RUNNABLE, 10);
        builder.kernel().waking(200, 0, 7, 10, 110);
        switchTo(100_201, 1, 10, SchedState.SLEEPING, 0);
        switchTo(100_300, 1, 0, SchedState.RUNNABLE, 10);

        assertThat(own(builder.build(), 10)).contains("100201+99 S");
    }

    @Test
    void aWakingBeforeALostSwitchDoesNotEndTheSleep() {
        switchTo(100, 1, 0, SchedState.RUNNABLE, 10);
        builder.kernel().waking(200, 0, 7, 10, 110);
        switchTo(300, 1, 10, SchedState.RUNNABLE, 0);
        switchTo(400, 1, 10, SchedState.SLEEPING, 0); // the switch to it was lost
        switchTo(500, 1, 0, SchedState.RUNNABLE, 10);

        assertThat(own(builder.build(), 10)).contains("400+100 S");
    }

    /** CPU 1 records at 300 that thread 10 runs, CPU 2 that it is woken; CPU 1 is processed first. */
    @Test
    void aWakingProcessedAfterItsRunBelongsToThatRun() {
        switchTo(100, 1, 0, SchedState.RUNNABLE, 10);
        switchTo(200, 1, 10, SchedState.SLEEPING, 0);
        switchTo(300, 1, 0, SchedState.RUNNABLE, 10);
        builder.kernel().waking(300, 2, 7, 10, 110);
        builder.kernel().waking(300, 2, 8, 10, 110); // of the next sleep
        switchTo(350, 1, 10, SchedState.SLEEPING, 0);
        switchTo(400, 1, 0, SchedState.RUNNABLE, 10);
        Trace trace = builder.build();

        assertThat(own(trace, 10))
                .containsExactly(
                        "100+100 Running",
                        "200+100 S",
                        "300+0 R waker 7",
                        "300+50 Running",
                        "350+0 S",
                        "350+50 R waker 8",
                        "400+0 Running open");
        assertThat(seen(trace, 10))
                .containsExactly("100+100 Running", "200+100 S", "300+50 Running", "350+50 S", "400+0 Running open");
    }

    @Test
    void aWakingAfterTheBeginningOfARunIsNotOfThatRun() {
        switchTo(100, 1, 0, SchedState.RUNNABLE, 10);
        switchTo(200, 1, 10, SchedState.SLEEPING, 0);
        switchTo(300, 1, 0, SchedState.RUNNABLE, 10);
        builder.kernel().waking(301, 2, 7, 10, 110);
        switchTo(200_300, 1, 10, SchedState.RUNNABLE_PREEMPTED, 0);

        assertThat(own(builder.build(), 10)).noneMatch(row -> row.contains("waker"));
    }

    @Test
    void aWakingThatIsHeardAfterTheSleepIsSeen() {
        switchTo(100, 0, 0, SchedState.RUNNABLE, 10);
        switchTo(200, 1, 0, SchedState.RUNNABLE, 7);
        switchTo(300, 0, 10, SchedState.SLEEPING, 0);
        builder.kernel().waking(300, 1, 7, 10, 110);
        switchTo(350, 0, 0, SchedState.RUNNABLE, 10);
        builder.onCpu(0);
        builder.unmodeledEvent(250);
        Trace trace = builder.build();

        assertThat(seen(trace, 10))
                .containsExactly("100+200 Running", "300+0 S", "300+50 R waker 7", "350+0 Running open");
        assertThat(trace.threadStates().withoutIgnoredWakeups()).isSameAs(trace.threadStates());
    }

    /** Events in between decide which CPU is processed first: here CPU 1 is current until a log line ends its turn. */
    @Test
    void theOrderOfCpusDependsOnEventsInBetween() {
        wakingAtTheTimeOfTheSleep(300, SchedState.SLEEPING);
        builder.onCpu(1);
        builder.unmodeledEvent(250);
        Trace turn = builder.build();
        assertThat(seen(turn, 10))
                .containsExactly("100+200 Running", "300+0 S", "300+50 R waker 7", "350+50 Running open");

        TraceBuilder logged = new TraceBuilder("logged");
        int name = logged.intern("a");
        logged.kernel().schedSwitch(100, 1, 0, name, 120, SchedState.RUNNABLE, 10, name, 120);
        logged.kernel().schedSwitch(200, 0, 0, name, 120, SchedState.RUNNABLE, 7, name, 120);
        logged.kernel().waking(300, 0, 7, 10, 110);
        logged.kernel().schedSwitch(300, 1, 10, name, 120, SchedState.SLEEPING, 0, name, 120);
        logged.kernel().schedSwitch(350, 1, 0, name, 120, SchedState.RUNNABLE, 10, name, 120);
        logged.onCpu(1);
        logged.unmodeledEvent(250);
        logged.onCpu(-1);
        logged.logLine(260);
        logged.logLine(20);
        Trace trace = logged.build();
        assertThat(seen(trace, 10)).containsExactly("100+200 Running", "300+50 S", "350+0 Running open");
        assertThat(trace.startNs()).isEqualTo(100);
    }

    /** Old kernels record {@code sched_wakeup} only. */
    @Test
    void withoutWakingsSleepsLastUntilTheNextRun() {
        builder.kernel().wakeup(50, 1, 10, 120); // unknown so far
        switchTo(100, 0, 0, SchedState.RUNNABLE, 10);
        switchTo(200, 0, 10, SchedState.UNINTERRUPTIBLE, 11);
        builder.kernel().wakeup(250, 1, 10, 120);
        builder.kernel().blockedReason(260, 10, true, -1);
        switchTo(300, 0, 11, SchedState.SLEEPING, 10);
        switchTo(400, 0, 10, SchedState.KILLABLE, 0);
        builder.kernel().wakeup(450, 1, 10, 120);
        builder.kernel().wakeup(460, 1, 11, 120);
        switchTo(500, 1, 11, SchedState.SLEEPING, 0); // the switch to it was lost
        switchTo(550, 1, 0, SchedState.RUNNABLE, 11);
        builder.unmodeledEvent(600);
        Trace trace = builder.build();

        assertThat(own(trace, 10))
                .containsExactly(
                        "50+50 R",
                        "100+100 Running",
                        "200+50 D I/O",
                        "250+50 R",
                        "300+100 Running",
                        "400+50 DK",
                        "450+150 R open");
        assertThat(seen(trace, 10))
                .containsExactly("100+100 Running", "200+100 D I/O", "300+100 Running", "400+200 DK open");
        assertThat(own(trace, 11))
                .containsExactly("200+100 Running", "300+160 S", "460+40 R open", "500+50 S", "550+50 Running open");
        assertThat(seen(trace, 11))
                .containsExactly("200+100 Running", "300+200 S open", "500+50 S", "550+50 Running open");
        assertThat(trace.threadStates().withoutIgnoredWakeups().size())
                .isEqualTo(trace.threadStates().size() - 4);
    }

    @Test
    void theFunctionOfASleepStaysItsOwn() {
        builder.kernel().wakeup(50, 1, 10, 120);
        switchTo(100, 0, 0, SchedState.RUNNABLE, 10);
        switchTo(200, 0, 10, SchedState.UNINTERRUPTIBLE, 11);
        builder.kernel().wakeup(250, 1, 10, 120);
        builder.kernel().blockedReason(260, 10, true, builder.intern("wait_on_page"));
        switchTo(300, 0, 11, SchedState.SLEEPING, 10);
        ThreadStates seen = builder.build().threadStates().withoutIgnoredWakeups();

        assertThat(seen.size()).isEqualTo(5);
        for (int row = 0; row < seen.size(); row++) {
            assertThat(seen.blockedFunction(row))
                    .isEqualTo(seen.state(row) == SchedState.UNINTERRUPTIBLE ? "wait_on_page" : null);
        }
    }

    @Test
    void theIdleThreadsAreNotWoken() {
        builder.kernel().wakeup(50, 1, 0, 120);
        switchTo(100, 0, 0, SchedState.RUNNABLE, 10);

        assertThat(builder.build().threadStates().size()).isOne();
    }

    private static List<String> own(Trace trace, int tid) {
        return rows(trace, trace.threadStates(), tid);
    }

    private static List<String> seen(Trace trace, int tid) {
        return rows(trace, trace.threadStates().withoutIgnoredWakeups(), tid);
    }

    private static List<String> rows(Trace trace, ThreadStates states, int tid) {
        int utid = trace.threads().find(tid, trace.endNs());
        List<String> rows = new ArrayList<>();
        for (int row = states.first(utid); row < states.end(utid); row++) {
            int waker = states.waker(row);
            rows.add(states.ts(row) + "+" + states.dur(row) + " "
                    + states.state(row).text()
                    + (waker < 0 ? "" : " waker " + trace.threads().tid(waker))
                    + (states.ioWait(row) ? " I/O" : "")
                    + (states.isOpen(row) ? " open" : ""));
        }
        return rows;
    }
}
