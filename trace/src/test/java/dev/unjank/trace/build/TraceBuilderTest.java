package dev.unjank.trace.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.CpuRuns;
import dev.unjank.trace.model.Frames;
import dev.unjank.trace.model.JankType;
import dev.unjank.trace.model.PresentType;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TraceBuilderTest {
    private static final int CLONE_THREAD = 0x10000;

    private final TraceBuilder builder = new TraceBuilder("test");

    /** Slices are built a few hundred at a time. */
    @Test
    void aSliceMayBeginLongBeforeItsChildren() {
        int name = builder.intern("work");
        int many = 2_000;
        builder.program().begin(0, 7, 7, name);
        for (int i = 0; i < many; i++) {
            builder.program().begin(10 + 4 * i, 7, 7, name);
            builder.program().begin(11 + 4 * i, 7, 7, name);
            builder.program().end(12 + 4 * i, 7, 7);
            builder.program().end(13 + 4 * i, 7, 7);
        }
        builder.program().end(10_000, 7, 7);
        Slices slices = builder.build().slices();
        assertThat(slices.size()).isEqualTo(1 + 2 * many);
        assertThat(slices.dur(0)).isEqualTo(10_000);
        assertThat(slices.depth(0)).isZero();
        for (int middle = 1; middle < slices.size(); middle += 2) {
            assertThat(slices.parent(middle)).isZero();
            assertThat(slices.depth(middle)).isEqualTo(1);
            assertThat(slices.dur(middle)).isEqualTo(3);
            assertThat(slices.parent(middle + 1)).isEqualTo(middle);
            assertThat(slices.depth(middle + 1)).isEqualTo(2);
            assertThat(slices.dur(middle + 1)).isEqualTo(1);
        }
    }

    @Test
    void aTraceWithoutEventsIsEmpty() {
        Trace trace = builder.build();

        assertThat(trace.hasScheduling()).isFalse();
        assertThat(trace.slices().size()).isZero();
        assertThat(trace.frames().size()).isZero();
        assertThat(trace.skipped()).isEqualTo(new Trace.Skipped(0, 0));
        assertThat(trace.startNs()).isZero();
        assertThat(trace.endNs()).isZero();
        assertThat(trace.threads().size()).isEqualTo(1);
        assertThat(trace.threads().name(Threads.IDLE)).isEqualTo("swapper");
    }

    @Test
    void switchesAndWakingsBecomeStatesWithoutGaps() {
        waking(100, 0, 7, 10);
        switchTo(150, 0, 0, SchedState.RUNNABLE, 10);
        switchTo(250, 0, 10, SchedState.SLEEPING, 0);
        waking(400, 0, 7, 10);
        switchTo(450, 1, 0, SchedState.RUNNABLE, 10);
        switchTo(500, 1, 10, SchedState.RUNNABLE_PREEMPTED, 11);
        switchTo(600, 1, 11, SchedState.UNINTERRUPTIBLE, 10);
        builder.kernel().blockedReason(650, 11, true, builder.intern("folio_wait"));
        builder.program().instant(700, 10, 10, builder.intern("end"));
        Trace trace = builder.build();

        assertThat(states(trace, 10))
                .containsExactly(
                        "100+50 R cpu -1 waker 7",
                        "150+100 Running cpu 0",
                        "250+150 S cpu 0",
                        "400+50 R cpu 0 waker 7",
                        "450+50 Running cpu 1",
                        "500+100 R+ cpu 1",
                        "600+100 Running cpu 1");
        assertThat(states(trace, 11)).containsExactly("500+100 Running cpu 1", "600+100 D cpu 1 I/O folio_wait");
        ThreadStates states = trace.threadStates();
        int utid = trace.threads().find(10, 500);
        assertThat(states.at(utid, 99)).isEqualTo(-1);
        assertThat(states.state(states.at(utid, 500))).isEqualTo(SchedState.RUNNABLE_PREEMPTED);
        assertThat(states.state(states.at(utid, 499))).isEqualTo(SchedState.RUNNING);
        assertThat(states.at(utid, 700)).isEqualTo(-1);
        assertThat(states.utid(states.first(utid))).isEqualTo(utid);
        assertThat(states.isOpen(states.end(utid) - 1)).isTrue();
        assertThat(states.isOpen(states.first(utid))).isFalse();
    }

    @Test
    void eventsMayComeInAnyOrder() {
        switchTo(600, 0, 10, SchedState.SLEEPING, 0);
        builder.program().end(500, 10, 10);
        switchTo(150, 0, 0, SchedState.RUNNABLE, 10);
        builder.program().begin(200, 10, 10, builder.intern("work"));
        Trace trace = builder.build();

        assertThat(states(trace, 10)).containsExactly("150+450 Running cpu 0", "600+0 S cpu 0");
        assertThat(slices(trace, 10)).containsExactly("200+300 work depth 0");
    }

    @Test
    void prioritiesAreThoseOfTheMoment() {
        int comm = builder.intern("a");
        builder.kernel().schedSwitch(100, 0, 0, comm, 120, SchedState.RUNNABLE, 10, comm, 110);
        builder.kernel().schedSwitch(200, 0, 10, comm, 98, SchedState.SLEEPING, 11, comm, -1);
        builder.kernel().waking(300, 1, 11, 10, 97);
        builder.kernel().schedSwitch(400, 0, 11, comm, 1 << 20, SchedState.SLEEPING, 10, comm, 130);
        Trace trace = builder.build();

        ThreadStates states = trace.threadStates();
        int ten = states.first(trace.threads().find(10, 100));
        assertThat(states.priority(ten)).isEqualTo(110);
        assertThat(states.priority(ten + 1)).isEqualTo(98);
        assertThat(states.priority(ten + 2)).isEqualTo(97);
        assertThat(states.priority(ten + 3)).isEqualTo(130);
        int eleven = states.first(trace.threads().find(11, 100));
        assertThat(states.priority(eleven)).isEqualTo(-1);
        assertThat(states.priority(eleven + 1)).isEqualTo(ThreadStates.NO_PRIORITY);
    }

    @Test
    void cpuRunsListTheThreadsOfEachCpu() {
        switchTo(100, 2, 0, SchedState.RUNNABLE, 10);
        switchTo(200, 2, 10, SchedState.SLEEPING, 0);
        switchTo(300, 2, 0, SchedState.RUNNABLE, 11);
        switchTo(350, 0, 0, SchedState.RUNNABLE, 10);
        Trace trace = builder.build();

        CpuRuns runs = trace.cpuRuns();
        assertThat(runs.cpus()).isEqualTo(3);
        assertThat(runs.end(1) - runs.first(1)).isZero();
        assertThat(trace.threads().tid(runs.utid(runs.at(2, 150)))).isEqualTo(10);
        assertThat(runs.utid(runs.at(2, 299))).isEqualTo(Threads.IDLE);
        assertThat(runs.at(2, 99)).isEqualTo(-1);
        assertThat(runs.dur(2, runs.first(2))).isEqualTo(100);
        assertThat(runs.dur(2, runs.end(2) - 1)).isEqualTo(50);
    }

    @Test
    void slicesNest() {
        builder.program().end(90, 10, 10);
        builder.program().begin(100, 10, 10, builder.intern("outer"));
        builder.program().begin(110, 10, 10, builder.intern("inner"));
        builder.program().instant(115, 10, 10, builder.intern("mark"));
        builder.program().end(120, 10, 10);
        builder.program().end(130, 10, 10);
        builder.program().begin(150, 10, 10, builder.intern("open"));
        builder.program().begin(105, 11, 10, builder.intern("elsewhere"));
        builder.program().end(160, 11, 10);
        builder.program().asyncBegin(101, 10, builder.intern("launch"), 1, builder.intern("launch"));
        builder.program().asyncBegin(102, 10, builder.intern("launch"), 1, builder.intern("launch"));
        builder.program().asyncEnd(180, 10, builder.intern("launch"), 1);
        builder.program().instant(200, 12, 12, builder.intern("end"));
        Trace trace = builder.build();

        assertThat(slices(trace, 10))
                .containsExactly(
                        "100+30 outer depth 0",
                        "110+10 inner depth 1 in outer",
                        "115+0 mark depth 2 in inner",
                        "150+50 open depth 0 open");
        assertThat(slices(trace, 11)).containsExactly("105+55 elsewhere depth 0");
        Slices slices = trace.slices();
        assertThat(slices.size() - slices.firstAsync()).isEqualTo(1);
        int launch = slices.firstAsync();
        assertThat(slices.ts(launch)).isEqualTo(101);
        assertThat(slices.dur(launch)).isEqualTo(79);
        assertThat(slices.utid(launch)).isEqualTo(-1);
        assertThat(trace.processes().pid(slices.upid(launch))).isEqualTo(10);

        int main = trace.threads().find(10, 100);
        assertThat(trace.threads().isMain(main)).isTrue();
        assertThat(slices.name(slices.innermostAt(main, 112))).isEqualTo("inner");
        assertThat(slices.name(slices.innermostAt(main, 125))).isEqualTo("outer");
        assertThat(slices.innermostAt(main, 140)).isEqualTo(-1);
        assertThat(slices.innermostAt(main, 99)).isEqualTo(-1);
    }

    @Test
    void aReusedTidIsAnotherThread() {
        switchTo(100, 0, 0, SchedState.RUNNABLE, 10);
        builder.kernel().taskEnd(210, 10);
        switchTo(200, 0, 10, SchedState.DEAD, 5);
        builder.kernel().taskNew(300, 5, 10, builder.intern("young"), CLONE_THREAD);
        switchTo(400, 0, 5, SchedState.SLEEPING, 10);
        builder.kernel().thread(500, 5, 5, -1);
        Trace trace = builder.build();

        Threads threads = trace.threads();
        int old = threads.find(10, 150);
        int young = threads.find(10, 350);
        assertThat(young).isNotEqualTo(old);
        assertThat(threads.find(10, 250)).isEqualTo(-1);
        assertThat(threads.find(77, 250)).isEqualTo(-1);
        assertThat(threads.endNs(old)).isEqualTo(210);
        assertThat(threads.startNs(young)).isEqualTo(300);
        // The creator's process becomes known later; the new thread belongs to the same one.
        assertThat(trace.processes().pid(threads.upid(young))).isEqualTo(5);
    }

    @Test
    void anExitEndsAThreadWithItsLastSwitch() {
        switchTo(100, 0, 0, SchedState.RUNNABLE, 10);
        builder.kernel().taskExit(190, 10);
        switchTo(200, 0, 10, SchedState.DEAD, 5);
        builder.program().instant(300, 5, 5, builder.intern("end"));
        Trace trace = builder.build();

        Threads threads = trace.threads();
        int utid = threads.find(10, 195);
        assertThat(threads.endNs(utid)).isEqualTo(200);
        assertThat(threads.find(10, 201)).isEqualTo(-1);
        ThreadStates states = trace.threadStates();
        assertThat(states.end(utid) - states.first(utid)).isEqualTo(2);
        assertThat(states.state(states.end(utid) - 1)).isEqualTo(SchedState.DEAD);
        assertThat(states.endNs(states.end(utid) - 1)).isEqualTo(300);
    }

    @Test
    void eventsOfAFreedTidBelongToALaterThread() {
        switchTo(100, 1, 0, SchedState.RUNNABLE, 10);
        builder.onCpu(1);
        builder.kernel().taskEnd(200, 10); // added before the switch at the same time, and so applied before it
        switchTo(200, 1, 10, SchedState.DEAD, 5);
        switchTo(300, 1, 5, SchedState.RUNNABLE, 0);
        Trace trace = builder.build();

        Threads threads = trace.threads();
        int old = threads.find(10, 150);
        assertThat(threads.endNs(old)).isEqualTo(200);
        assertThat(trace.threadStates().state(trace.threadStates().first(old))).isEqualTo(SchedState.RUNNING);
        int later = threads.find(10, 250);
        assertThat(later).isNotEqualTo(old);
        assertThat(threads.startNs(later)).isEqualTo(200);
    }

    @Test
    void aNameThatChangesIsTheLast() {
        builder.kernel().process(100, 10, 1, builder.intern("com.example"));
        builder.kernel().thread(100, 10, 10, builder.intern("old"));
        builder.kernel().taskRename(200, 10, builder.intern("com.exam"));
        Trace trace = builder.build();

        int main = trace.threads().find(10, 100);
        assertThat(trace.threads().name(main)).isEqualTo("com.exam");
        int upid = trace.threads().upid(main);
        assertThat(trace.processes().name(upid)).isEqualTo("com.example");
        assertThat(trace.processes().lastName(upid)).isEqualTo("com.exam");
    }

    @Test
    void aProcessThatExecutesAnotherProgramHasItsName() {
        builder.kernel().process(100, 10, 1, builder.intern("bash"));
        builder.kernel().taskRename(200, 10, builder.intern("java"));
        builder.kernel().processExec(201, 10, builder.intern("java"));
        builder.kernel().process(100, 20, 1, builder.intern("com.example"));
        builder.kernel().taskRename(200, 20, builder.intern("Shutdown thread"));
        Trace trace = builder.build();

        assertThat(trace.processes().name(trace.threads().upid(trace.threads().find(10, 300))))
                .isEqualTo("java");
        assertThat(trace.processes().name(trace.threads().upid(trace.threads().find(20, 300))))
                .isEqualTo("com.example");
    }

    @Test
    void aProcessListedBetweenForkAndExecIsRenamed() {
        builder.kernel().process(100, 10, 1, builder.intern("bash"));
        builder.kernel().taskNew(200, 10, 20, builder.intern("bash"), 0);
        builder.kernel().process(201, 20, 10, builder.intern("bash"));
        builder.kernel().taskRename(202, 20, builder.intern("java"));
        builder.kernel().process(203, 20, 10, builder.intern("/usr/bin/java"));
        builder.kernel().taskRename(204, 20, builder.intern("waiter"));
        Trace trace = builder.build();

        assertThat(trace.processes().name(trace.threads().upid(trace.threads().find(20, 300))))
                .isEqualTo("/usr/bin/java");
        assertThat(trace.processes().name(trace.threads().upid(trace.threads().find(10, 300))))
                .isEqualTo("bash");
    }

    @Test
    void listsOfProcessesDoNotCountForTheBounds() {
        builder.kernel().process(1, 10, 1, builder.intern("a"));
        builder.kernel().thread(900, 11, 10, builder.intern("b"));
        builder.unmodeledEvent(100);
        builder.unmodeledEvent(200);
        Trace trace = builder.build();

        assertThat(trace.startNs()).isEqualTo(100);
        assertThat(trace.endNs()).isEqualTo(200);
        assertThat(trace.threads().name(trace.threads().find(11, 150))).isEqualTo("b");
    }

    @Test
    void lostSwitchesTearTheStateBefore() {
        switchTo(100, 0, 10, SchedState.SLEEPING, 0);
        switchTo(300, 0, 10, SchedState.SLEEPING, 0);
        Trace trace = builder.build();

        ThreadStates states = trace.threadStates();
        int first = states.first(trace.threads().find(10, 100));
        assertThat(states.isOpen(first)).isTrue();
        assertThat(states.dur(first)).isEqualTo(200);
    }

    @Test
    void wakeupsCountOnlyWithoutWakings() {
        switchTo(100, 0, 10, SchedState.SLEEPING, 0);
        builder.kernel().wakeup(150, 1, 10, 120);
        switchTo(200, 0, 0, SchedState.RUNNABLE, 10);
        assertThat(states(builder.build(), 10)).contains("150+50 R cpu 0");

        TraceBuilder both = new TraceBuilder("both");
        int comm = both.intern("a");
        both.kernel().schedSwitch(100, 0, 10, comm, 120, SchedState.SLEEPING, 0, comm, 120);
        both.kernel().waking(140, 0, 7, 10, 120);
        both.kernel().wakeup(150, 1, 10, 120);
        both.kernel().schedSwitch(200, 0, 0, comm, 120, SchedState.RUNNABLE, 10, comm, 120);
        assertThat(states(both.build(), 10)).contains("140+60 R cpu 0 waker 7");
    }

    @Test
    void compactSwitchesContinueFromTheLastSwitch() {
        int comm = builder.intern("a");
        builder.kernel().compactSwitch(100, 0, 0, 10, comm, 111);
        builder.kernel().compactSwitch(200, 0, 1, 11, comm, 112);
        builder.kernel().waking(250, 0, -1, 10, 113);
        builder.kernel().compactSwitch(300, 0, 0x100, 10, comm, 114);
        Trace trace = builder.build();

        assertThat(states(trace, 10))
                .containsExactly("200+50 S cpu 0", "250+50 R cpu 0 waker 11", "300+0 Running cpu 0");
        assertThat(states(trace, 11)).containsExactly("200+100 Running cpu 0", "300+0 R+ cpu 0");
        assertThat(trace.cpuRuns().size()).isEqualTo(3);
    }

    @Test
    void framesHaveExpectedTimes() {
        int layer = builder.intern("TX - app");
        builder.program().expectedFrame(100, 1, 10, 7, 5, layer);
        builder.program().actualFrame(110, 2, 10, 7, 5, layer, 64 | 128, PresentType.LATE, false, true);
        builder.program().frameEnd(120, 1);
        builder.program().frameEnd(150, 2);
        builder.program().actualFrame(105, 3, 20, 7, 0, -1, 1, PresentType.ON_TIME, true, false);
        Trace trace = builder.build();

        Frames frames = trace.frames();
        assertThat(frames.size()).isEqualTo(2);
        assertThat(frames.surfaceToken(0)).isZero();
        assertThat(frames.isOpen(0)).isTrue();
        assertThat(frames.dur(0)).isEqualTo(45);
        assertThat(frames.deadlineNs(0)).isEqualTo(Frames.NO_TIME);
        assertThat(frames.surfaceToken(1)).isEqualTo(5);
        assertThat(frames.ts(1)).isEqualTo(110);
        assertThat(frames.dur(1)).isEqualTo(40);
        assertThat(frames.expectedStartNs(1)).isEqualTo(100);
        assertThat(frames.deadlineNs(1)).isEqualTo(120);
        assertThat(frames.layer(1)).isEqualTo("TX - app");
        assertThat(JankType.in(frames.jankMask(1)))
                .containsExactly(JankType.APP_DEADLINE_MISSED, JankType.BUFFER_STUFFING);
        assertThat(frames.presentType(1)).isEqualTo(PresentType.LATE);
        assertThat(frames.onTimeFinish(1)).isFalse();
        assertThat(frames.gpuComposition(1)).isTrue();
        assertThat(trace.processes().pid(frames.upid(1))).isEqualTo(10);
    }

    @Test
    void countersOfImpossibleCpusAndThreadsHaveNoOwner() {
        int name = builder.intern("frequency");
        for (int cpu : new int[] {-1, Integer.MIN_VALUE, 1 << 10, Integer.MAX_VALUE}) {
            builder.onCpu(cpu);
            builder.rareKernel().cpuCounter(100, cpu, name, 1);
            builder.kernel().schedSwitch(100, cpu, 1, name, 120, SchedState.RUNNABLE, 2, name, 120);
            builder.program().counter(100, cpu, name, 2);
            builder.tracks().trackCounter(100, builder.tracks().newCounterTrack(cpu, cpu, name, -1), 3);
        }
        builder.rareKernel().cpuCounter(100, (1 << 10) - 1, name, Long.MIN_VALUE);

        Trace trace = builder.build();

        assertThat(trace.cpuRuns().size()).isZero();
        assertThat(IntStream.range(0, trace.counters().tracks())
                        .map(trace.counters()::cpu)
                        .filter(cpu -> cpu >= 0))
                .containsExactly((1 << 10) - 1);
    }

    @Test
    void countersHoldUntilTheNextValue() {
        int name = builder.intern("queued");
        builder.program().counter(100, 10, name, 3);
        builder.program().counter(120, 11, name, 9);
        builder.program().counter(200, 10, name, -4);
        Trace trace = builder.build();

        Counters counters = trace.counters();
        assertThat(counters.tracks()).isEqualTo(2);
        assertThat(counters.name(0)).isEqualTo("queued");
        assertThat(trace.processes().pid(counters.upid(0))).isEqualTo(10);
        assertThat(counters.at(0, 99)).isEqualTo(-1);
        assertThat(counters.value(counters.at(0, 199))).isEqualTo(3);
        assertThat(counters.value(counters.at(0, 200))).isEqualTo(-4);
        assertThat(counters.end(0) - counters.first(0)).isEqualTo(2);
        assertThat(counters.ts(counters.first(1))).isEqualTo(120);
    }

    @Test
    void absurdNumbersDoNoHarm() {
        int comm = builder.intern("a");
        builder.kernel().schedSwitch(100, 1 << 30, 10, comm, 120, SchedState.SLEEPING, 11, comm, 120);
        builder.kernel().schedSwitch(Long.MIN_VALUE, 0, 12, comm, 120, SchedState.SLEEPING, 13, comm, 120);
        builder.kernel().schedSwitch(0, 0, -5, comm, 120, 0x7fffffffffffL, Integer.MAX_VALUE, comm, -77);
        builder.program().begin(Long.MAX_VALUE, Integer.MIN_VALUE, -1, comm);
        Trace trace = builder.build();

        assertThat(trace.warnings())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("1 ").contains("CPU"),
                        line -> assertThat(line).startsWith("1 ").contains("negative"));
        assertThat(trace.threadStates().size()).isEqualTo(2);
        assertThat(trace.slices().size()).isEqualTo(1);
    }

    private void switchTo(long ts, int cpu, int prev, SchedState state, int next) {
        int comm = builder.intern("a");
        builder.kernel().schedSwitch(ts, cpu, prev, comm, 120, state, next, comm, 120);
    }

    private void waking(long ts, int cpu, int waker, int tid) {
        builder.kernel().waking(ts, cpu, waker, tid, 120);
    }

    private static List<String> states(Trace trace, int tid) {
        ThreadStates states = trace.threadStates();
        Threads threads = trace.threads();
        int utid = threads.find(tid, trace.endNs());
        List<String> rows = new ArrayList<>();
        for (int row = states.first(utid); row < states.end(utid); row++) {
            String function = states.blockedFunction(row);
            rows.add(states.ts(row) + "+" + states.dur(row) + " "
                    + states.state(row).text() + " cpu " + states.cpu(row)
                    + (states.waker(row) < 0 ? "" : " waker " + threads.tid(states.waker(row)))
                    + (states.ioWait(row) ? " I/O" : "")
                    + (function == null ? "" : " " + function));
        }
        return rows;
    }

    private static List<String> slices(Trace trace, int tid) {
        Slices slices = trace.slices();
        int utid = trace.threads().find(tid, trace.endNs());
        List<String> rows = new ArrayList<>();
        for (int row = slices.first(utid); row < slices.end(utid); row++) {
            rows.add(slices.ts(row) + "+" + slices.dur(row) + " " + slices.name(row) + " depth " + slices.depth(row)
                    + (slices.parent(row) < 0 ? "" : " in " + slices.name(slices.parent(row)))
                    + (slices.isOpen(row) ? " open" : ""));
        }
        return rows;
    }
}
