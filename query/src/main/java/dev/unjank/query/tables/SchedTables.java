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
import java.util.stream.IntStream;

/** What the scheduler did: states of threads, runs on CPUs. */
final class SchedTables {
    private final Supplier<Trace> trace;
    private final SharedStrings texts;

    SchedTables(Supplier<Trace> trace, SharedStrings texts) {
        this.trace = trace;
        this.texts = texts;
    }

    /**
     * States of threads, and how one of them is called.
     *
     * @param states the states
     * @param preempted the number of the text for {@link SchedState#RUNNABLE_PREEMPTED}
     */
    private record Told(ThreadStates states, int preempted) {
        int text(int row) {
            SchedState state = states.state(row);
            return state == SchedState.RUNNABLE_PREEMPTED ? preempted : SharedStrings.idOf(state);
        }
    }

    /**
     * The states as Perfetto's trace processor tells them. Bit 0x400 says "preempted" before Linux 4.2 and since then, where it
     * never stands alone, "does not count as load"; trace processor takes it for the latter always.
     */
    private Told byTraceProcessor() {
        Machine.Kernel kernel = trace.get().machine().kernel();
        return new Told(
                trace.get().threadStates().withoutIgnoredWakeups(),
                kernel != null && kernel.isOlder(4, 2)
                        ? SharedStrings.NOLOAD
                        : SharedStrings.idOf(SchedState.RUNNABLE_PREEMPTED));
    }

    NativeTable threadStates(Arena arena) {
        return threadStates(arena, byTraceProcessor());
    }

    /** What the doctor goes by. */
    NativeTable ownThreadStates(Arena arena) {
        ThreadStates states = trace.get().threadStates();
        return threadStates(arena, new Told(states, SharedStrings.idOf(SchedState.RUNNABLE_PREEMPTED)))
                .ints("priority", ThreadStates.NO_PRIORITY, states::priority);
    }

    private NativeTable threadStates(Arena arena, Told told) {
        ThreadStates states = told.states();
        int[] utids = new int[states.size()];
        for (int utid = 0; utid < trace.get().threads().size(); utid++) {
            Arrays.fill(utids, states.first(utid), states.end(utid), utid);
        }
        return new NativeTable(arena, states.size())
                .ints("id", row -> row)
                .with("ts", Layout.INT64, states.columns().ts().segment())
                .longs("dur", row -> states.isOpen(row) ? -1 : states.dur(row))
                .ints("cpu", -1, row -> cpu(states, row))
                .alias("cpu", "ucpu")
                .ints("utid", row -> utids[row])
                .texts("state", texts.states(), told::text)
                .ints("io_wait", -1, row -> ioWait(states, row))
                .texts("blocked_function", states::blockedFunction)
                .with("waker_utid", Layout.INT32, states.columns().waker().segment(), -1)
                .ints("waker_id", -1, row -> waker(states, row));
    }

    /** As Perfetto has it: only who runs is on a CPU. */
    private static int cpu(ThreadStates states, int row) {
        return states.state(row) == SchedState.RUNNING ? states.cpu(row) : -1;
    }

    /** In which of its own states the thread was that woke this one. */
    private static int waker(ThreadStates states, int row) {
        int utid = states.waker(row);
        return utid < 0 ? -1 : states.at(utid, states.ts(row));
    }

    /** Known of sleeps that the kernel calls uninterruptible, where it says so. */
    private static int ioWait(ThreadStates states, int row) {
        return states.hasReason(row) ? (states.ioWait(row) ? 1 : 0) : -1;
    }

    NativeTable runs(Arena arena) {
        CpuRuns runs = trace.get().cpuRuns();
        Told told = byTraceProcessor();
        int[] cpus = new int[runs.size()];
        for (int cpu = 0; cpu < runs.cpus(); cpu++) {
            Arrays.fill(cpus, runs.first(cpu), runs.end(cpu), cpu);
        }
        return new NativeTable(arena, runs.size())
                .ints("id", row -> row)
                .with("ts", Layout.INT64, runs.columns().ts().segment())
                .longs("dur", row -> isLast(runs, cpus, row) ? -1 : runs.dur(cpus[row], row))
                .ints("cpu", row -> cpus[row])
                .alias("cpu", "ucpu")
                .with("utid", Layout.INT32, runs.columns().utid().segment())
                .texts("end_state", texts.states(), row -> endState(told, runs, cpus, row))
                .with("priority", Layout.INT16, runs.columns().priority().segment(), ThreadStates.NO_PRIORITY)
                .longs("ts_end", row -> isLast(runs, cpus, row) ? runs.ts(row) - 1 : runs.ts(row + 1));
    }

    private static boolean isLast(CpuRuns runs, int[] cpus, int row) {
        return row + 1 == runs.end(cpus[row]);
    }

    /** The state in which the thread was left, unless it is on another CPU at once: its switch was lost. The idle threads are always ready to run. */
    private static int endState(Told told, CpuRuns runs, int[] cpus, int row) {
        if (isLast(runs, cpus, row)) {
            return -1;
        }
        int utid = runs.utid(row);
        if (utid == Threads.IDLE) {
            return SharedStrings.idOf(SchedState.RUNNABLE);
        }
        ThreadStates states = told.states();
        int state = states.at(utid, runs.ts(row));
        boolean isKnown = state >= 0
                && state + 1 < states.end(utid)
                && !states.isOpen(state)
                && states.state(state + 1) != SchedState.RUNNING;
        return isKnown ? told.text(state + 1) : -1;
    }

    NativeTable cpus(Arena arena) {
        CpuRuns runs = trace.get().cpuRuns();
        int[] used = IntStream.range(0, runs.cpus())
                .filter(cpu -> runs.first(cpu) < runs.end(cpu))
                .toArray();
        return new NativeTable(arena, used.length)
                .ints("id", row -> used[row])
                .alias("id", "ucpu")
                .alias("id", "cpu");
    }
}
