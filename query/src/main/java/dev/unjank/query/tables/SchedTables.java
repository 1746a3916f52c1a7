package dev.unjank.query.tables;

import dev.unjank.query.load.NativeTable;
import dev.unjank.query.load.NativeTable.Layout;
import dev.unjank.trace.model.CpuRuns;
import dev.unjank.trace.model.Machine;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.function.Supplier;

/** Tables of scheduling: thread states and runs on CPUs. */
final class SchedTables {
    private final Supplier<Trace> trace;
    private final SharedStrings strings;

    SchedTables(Supplier<Trace> trace, SharedStrings strings) {
        this.trace = trace;
        this.strings = strings;
    }

    /**
     * Thread states and their labels.
     *
     * @param states the states
     * @param preempted id of the label for {@link SchedState#RUNNABLE_PREEMPTED}
     */
    private record StateLabels(ThreadStates states, int preempted) {
        int text(int row) {
            SchedState state = states.state(row);
            return state == SchedState.RUNNABLE_PREEMPTED ? preempted : SharedStrings.idOf(state);
        }
    }

    /**
     * Thread states as in trace processor. Bit 0x400 means "preempted" before Linux 4.2; since then, it never occurs
     * alone and means "does not count as load". Trace processor always uses the latter.
     */
    private StateLabels likeTraceProcessor() {
        Machine.Kernel kernel = trace.get().machine().kernel();
        return new StateLabels(
                trace.get().threadStates().withoutIgnoredWakeups(),
                kernel != null && kernel.isOlder(4, 2)
                        ? SharedStrings.NOLOAD
                        : SharedStrings.idOf(SchedState.RUNNABLE_PREEMPTED));
    }

    NativeTable threadStates(Arena arena) {
        return threadStates(arena, likeTraceProcessor());
    }

    /** Thread states as the doctor uses them. */
    NativeTable ownThreadStates(Arena arena) {
        ThreadStates states = trace.get().threadStates();
        return threadStates(arena, new StateLabels(states, SharedStrings.idOf(SchedState.RUNNABLE_PREEMPTED)))
                .ints("priority", ThreadStates.NO_PRIORITY, states::priority);
    }

    private NativeTable threadStates(Arena arena, StateLabels labels) {
        ThreadStates states = labels.states();
        int[] utids = new int[states.size()];
        for (int utid = 0; utid < trace.get().threads().size(); utid++) {
            Arrays.fill(utids, states.first(utid), states.end(utid), utid);
        }
        return new NativeTable(arena, states.size())
                .ints("id", row -> row)
                .column("ts", Layout.INT64, states.columns().ts().segment())
                .longs("dur", row -> states.isOpen(row) ? -1 : states.dur(row))
                .ints("cpu", -1, row -> cpu(states, row))
                .alias("cpu", "ucpu")
                .ints("utid", row -> utids[row])
                .strings("state", strings.states(), labels::text)
                .ints("io_wait", -1, row -> ioWait(states, row))
                .strings("blocked_function", states::blockedFunction)
                .column("waker_utid", Layout.INT32, states.columns().waker().segment(), -1)
                .ints("waker_id", -1, row -> waker(states, row));
    }

    /** The CPU of a running thread; -1 in other states, as in Perfetto. */
    private static int cpu(ThreadStates states, int row) {
        return states.state(row) == SchedState.RUNNING ? states.cpu(row) : -1;
    }

    /** The id of the waker's state at that time. */
    private static int waker(ThreadStates states, int row) {
        int utid = states.waker(row);
        return utid < 0 ? -1 : states.at(utid, states.ts(row));
    }

    /** Recorded for uninterruptible sleep if the kernel reports it. */
    private static int ioWait(ThreadStates states, int row) {
        return states.hasReason(row) ? (states.ioWait(row) ? 1 : 0) : -1;
    }

    NativeTable runs(Arena arena) {
        CpuRuns runs = trace.get().cpuRuns();
        StateLabels labels = likeTraceProcessor();
        int[] cpus = new int[runs.size()];
        for (int cpu = 0; cpu < runs.cpus(); cpu++) {
            Arrays.fill(cpus, runs.first(cpu), runs.end(cpu), cpu);
        }
        return new NativeTable(arena, runs.size())
                .ints("id", row -> row)
                .column("ts", Layout.INT64, runs.columns().ts().segment())
                .longs("dur", row -> isLast(runs, cpus, row) ? -1 : runs.dur(cpus[row], row))
                .ints("cpu", row -> cpus[row])
                .alias("cpu", "ucpu")
                .column("utid", Layout.INT32, runs.columns().utid().segment())
                .strings("end_state", strings.states(), row -> endState(labels, runs, cpus, row))
                .column("priority", Layout.INT16, runs.columns().priority().segment(), ThreadStates.NO_PRIORITY)
                .longs("ts_end", row -> isLast(runs, cpus, row) ? runs.ts(row) - 1 : runs.ts(row + 1));
    }

    private static boolean isLast(CpuRuns runs, int[] cpus, int row) {
        return row + 1 == runs.end(cpus[row]);
    }

    /**
     * The state after the run; unknown if the thread is immediately on another CPU, because a switch was lost. Idle
     * threads are always runnable.
     */
    private static int endState(StateLabels labels, CpuRuns runs, int[] cpus, int row) {
        if (isLast(runs, cpus, row)) {
            return -1;
        }
        int utid = runs.utid(row);
        if (utid == Threads.IDLE) {
            return SharedStrings.idOf(SchedState.RUNNABLE);
        }
        ThreadStates states = labels.states();
        int state = states.at(utid, runs.ts(row));
        boolean isKnown = state >= 0
                && state + 1 < states.end(utid)
                && !states.isOpen(state)
                && states.state(state + 1) != SchedState.RUNNING;
        return isKnown ? labels.text(state + 1) : -1;
    }
}
