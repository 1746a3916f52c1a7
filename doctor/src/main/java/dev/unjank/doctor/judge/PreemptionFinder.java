package dev.unjank.doctor.judge;

import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.model.PreemptingThread;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.CpuRuns;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the threads that ran while a thread was runnable without a CPU. A thread that was put off its CPU waits for
 * that CPU: it stands in that CPU's queue, and the kernel need not migrate it to another, even an idle one. One that
 * was woken could have been given any CPU it may use; a trace does not record which these are, so they are taken to be
 * those on which it ran at any time in the trace. Idle CPUs do not count. Not thread-safe.
 */
final class PreemptionFinder {
    private final ThreadStates states;
    private final CpuRuns runs;
    private final ThreadRefFactory refs;
    private final Map<Integer, List<Integer>> usable = new HashMap<>();

    // The threads that ran, as utid << 32 | priority, and their times.
    private long[] keys = new long[16];
    private long[] times = new long[16];
    private int count;

    /** The runs of less important threads, as start and end, ns. */
    private final List<long[]> lessImportant = new ArrayList<>();

    PreemptionFinder(Trace trace, ThreadRefFactory refs) {
        this.states = trace.threadStates();
        this.runs = trace.cpuRuns();
        this.refs = refs;
    }

    /** {@return the CPUs that a thread waited for, ascending} */
    List<Integer> waitedFor(int utid, int row) {
        int last = states.cpu(row);
        return last >= 0 && wasPreempted(utid, row) ? List.of(last) : usable.computeIfAbsent(utid, this::cpusUsed);
    }

    /**
     * Finds the threads that ran meanwhile.
     *
     * @param from the beginning of the time that matters, in ns
     */
    List<PreemptingThread> on(List<Integer> cpus, int utid, long from, long to) {
        count = 0;
        for (int cpu : cpus) {
            addRuns(cpu, utid, from, to);
        }
        return sorted();
    }

    /**
     * {@return the time in which a thread less important than the waiter ran on one of the CPUs, ns; time in which
     * several did counts once}
     *
     * @param cpus the CPUs that the owner waited for
     * @param utid the owner
     * @param waiter the waiter, with its priority
     * @param from the beginning of the time that matters, in ns
     */
    long lessImportantNs(List<Integer> cpus, int utid, ThreadRef waiter, long from, long to) {
        lessImportant.clear();
        for (int cpu : cpus) {
            forEachRun(cpu, utid, from, to, (other, priority, start, end) -> {
                if (other != waiter.utid() && refs.withPriority(other, priority).isLessImportantThan(waiter)) {
                    lessImportant.add(new long[] {start, end});
                }
            });
        }
        lessImportant.sort(LongOrder.ascending(run -> run[0]));
        long sum = 0;
        long at = from;
        for (long[] run : lessImportant) {
            sum += Math.max(0, run[1] - Math.max(at, run[0]));
            at = Math.max(at, run[1]);
        }
        return sum;
    }

    /** Whether a thread was preempted. Old kernels write R for R+; then the row before decides. */
    private boolean wasPreempted(int utid, int row) {
        return states.state(row) == SchedState.RUNNABLE_PREEMPTED
                || (row > states.first(utid) && states.state(row - 1) == SchedState.RUNNING);
    }

    private List<Integer> cpusUsed(int utid) {
        BitSet cpus = new BitSet();
        for (int row = states.first(utid); row < states.end(utid); row++) {
            if (states.cpu(row) >= 0) {
                cpus.set(states.cpu(row));
            }
        }
        return cpus.stream().boxed().toList();
    }

    /** Takes the part of a run in an interval. */
    private interface RunVisitor {
        void run(int utid, int priority, long start, long end);
    }

    private void addRuns(int cpu, int utid, long from, long to) {
        forEachRun(
                cpu,
                utid,
                from,
                to,
                (other, priority, start, end) -> add(((long) other << 32) | (priority & 0xffff_ffffL), end - start));
    }

    /** Visits the runs of other threads on a CPU in an interval. */
    private void forEachRun(int cpu, int utid, long from, long to, RunVisitor visitor) {
        if (cpu >= runs.cpus()) {
            return;
        }
        for (int run = Math.max(runs.at(cpu, from), runs.first(cpu)); run < runs.end(cpu) && runs.ts(run) < to; run++) {
            long start = Math.max(from, runs.ts(run));
            long end = Math.min(to, runs.ts(run) + runs.dur(cpu, run));
            int other = runs.utid(run);
            if (start < end && other != Threads.IDLE && other != utid) {
                visitor.run(other, refs.effectivePriority(other, runs.ts(run), runs.priority(run)), start, end);
            }
        }
    }

    /** Adds a thread's time. A linear search, because few threads run in a short interval. */
    private void add(long key, long time) {
        for (int i = 0; i < count; i++) {
            if (keys[i] == key) {
                times[i] += time;
                return;
            }
        }
        if (count == keys.length) {
            keys = Arrays.copyOf(keys, count * 2);
            times = Arrays.copyOf(times, count * 2);
        }
        keys[count] = key;
        times[count++] = time;
    }

    private List<PreemptingThread> sorted() {
        if (count == 0) {
            return List.of();
        }
        List<PreemptingThread> preemptingThreads = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            preemptingThreads.add(
                    new PreemptingThread(refs.withPriority((int) (keys[i] >> 32), (int) keys[i]), times[i]));
        }
        if (count > 1) {
            preemptingThreads.sort(PreemptingThread.LONGEST_FIRST);
        }
        return preemptingThreads;
    }
}
