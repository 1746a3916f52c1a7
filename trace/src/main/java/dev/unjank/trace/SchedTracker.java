package dev.unjank.trace;

import java.util.Arrays;

/** Turns switches and wake-ups, in order of time, into the rows of {@link ThreadStates} and {@link CpuRuns}. */
final class SchedTracker {
    private static final int NONE = -1;

    // The states of all threads in order of time.
    private final LongLog times = new LongLog();
    private final IntLog utids = new IntLog();
    private final IntLog infos = new IntLog();
    private final IntLog wakers = new IntLog();

    /** Rows with a kernel function, and the functions, in order of arrival. */
    private final IntLog blockedRows = new IntLog();

    private final IntLog blockedFunctions = new IntLog();

    // Per thread: its last row, its last row that was a sleep since it ran, how many rows it has.
    private int[] lastRows = filled(256);
    private int[] lastSleeps = filled(256);
    private int[] rowCounts = new int[256];

    // The runs of all CPUs in order of time.
    private final LongLog runTimes = new LongLog();
    private final IntLog runUtids = new IntLog();

    /** CPU in the upper, priority in the lower half. */
    private final IntLog runCpus = new IntLog();

    // Per CPU: who runs there since the last switch, and how many runs it has.
    private int[] running = filled(8);
    private int[] runningPriorities = new int[8];
    private int[] runCounts = new int[8];

    /** Who runs on a CPU, -1 if it has not told yet. */
    int running(int cpu) {
        return cpu >= 0 && cpu < running.length ? running[cpu] : NONE;
    }

    int runningPriority(int cpu) {
        return runningPriorities[cpu];
    }

    /** One thread gave way to another. */
    void switched(long ts, int cpu, int prev, SchedState state, int prevPriority, int next, int nextPriority) {
        int last = lastRow(prev);
        if (last >= 0 && StateInfo.state(infos.get(last)) != SchedState.RUNNING) {
            // It did not run as far as we know: whatever put it onto the CPU was lost.
            infos.set(last, StateInfo.withTorn(infos.get(last)));
        }
        open(ts, prev, state, cpu, prevPriority, NONE);
        open(ts, next, SchedState.RUNNING, cpu, nextPriority, NONE);
        run(ts, cpu, next, nextPriority);
    }

    /** The first compact switch of a CPU: what it switched from is not told, and what it switched to counts from here. */
    void run(long ts, int cpu, int next, int priority) {
        if (cpu >= running.length) {
            int from = running.length;
            int capacity = Math.max(cpu + 1, from * 2);
            running = Arrays.copyOf(running, capacity);
            Arrays.fill(running, from, capacity, NONE);
            runningPriorities = Arrays.copyOf(runningPriorities, capacity);
            runCounts = Arrays.copyOf(runCounts, capacity);
        }
        running[cpu] = next;
        runningPriorities[cpu] = priority;
        runCounts[cpu]++;
        runTimes.add(ts);
        runUtids.add(next);
        runCpus.add((cpu << 16) | (StateInfo.plausible(priority) & 0xffff));
    }

    /** A thread was made runnable. One that did not sleep stays as it is: wake-ups may be spurious. */
    void woken(long ts, int utid, int waker, int priority) {
        int last = lastRow(utid);
        int cpu = NONE;
        if (last >= 0) {
            int info = infos.get(last);
            SchedState state = StateInfo.state(info);
            if (state == SchedState.RUNNING || state == SchedState.RUNNABLE) {
                return;
            }
            cpu = StateInfo.cpu(info);
        }
        open(ts, utid, SchedState.RUNNABLE, cpu, priority, waker);
    }

    /** A thread was created and waits for its first turn. */
    void created(long ts, int utid, int creator) {
        open(ts, utid, SchedState.RUNNABLE, NONE, StateInfo.NO_PRIORITY, creator);
    }

    /** Why a thread slept; told after it woke. */
    void blocked(int utid, boolean ioWait, int function) {
        int row = utid < lastSleeps.length ? lastSleeps[utid] : NONE;
        if (row < 0) {
            return;
        }
        infos.set(row, StateInfo.withIoWait(infos.get(row), ioWait));
        if (function >= 0) {
            blockedRows.add(row);
            blockedFunctions.add(function);
        }
    }

    /** When a thread's last state began; {@link Long#MIN_VALUE} if it has none. */
    long lastChange(int utid) {
        int last = lastRow(utid);
        return last < 0 ? Long.MIN_VALUE : times.get(last);
    }

    private int lastRow(int utid) {
        return utid < lastRows.length ? lastRows[utid] : NONE;
    }

    private void open(long ts, int utid, SchedState state, int cpu, int priority, int waker) {
        if (utid == Threads.IDLE) {
            return;
        }
        if (utid >= lastRows.length) {
            int from = lastRows.length;
            int capacity = Math.max(utid + 1, from * 2);
            lastRows = Arrays.copyOf(lastRows, capacity);
            Arrays.fill(lastRows, from, capacity, NONE);
            lastSleeps = Arrays.copyOf(lastSleeps, capacity);
            Arrays.fill(lastSleeps, from, capacity, NONE);
            rowCounts = Arrays.copyOf(rowCounts, capacity);
        }
        int row = times.size();
        times.add(ts);
        utids.add(utid);
        infos.add(StateInfo.of(state, cpu, priority));
        wakers.add(waker);
        lastRows[utid] = row;
        rowCounts[utid]++;
        if (state == SchedState.RUNNING) {
            lastSleeps[utid] = NONE;
        } else if (state != SchedState.RUNNABLE) {
            lastSleeps[utid] = row;
        }
    }

    ThreadStates threadStates(Strings strings, long[] threadEnds, long traceEnd) {
        int threads = threadEnds.length;
        long[] ends = new long[threads];
        for (int utid = 0; utid < threads; utid++) {
            int last = lastRow(utid);
            if (last >= 0) {
                infos.set(last, StateInfo.withLast(infos.get(last)));
                // A thread may be reported gone before it is switched away for good.
                ends[utid] = Math.max(times.get(last), Math.min(threadEnds[utid], traceEnd));
            }
        }
        int[] firsts = offsets(rowCounts, threads);
        int[] targets = targets(utids, firsts, 0);
        int blocked = blockedRows.size();
        long[] byRow = new long[blocked];
        for (int i = 0; i < blocked; i++) {
            byRow[i] = ((long) targets[blockedRows.get(i)] << 32) | i;
        }
        Arrays.sort(byRow);
        int[] rows = new int[blocked];
        int[] functions = new int[blocked];
        for (int i = 0; i < blocked; i++) {
            rows[i] = (int) (byRow[i] >> 32);
            functions[i] = blockedFunctions.get((int) byRow[i]);
        }
        return new ThreadStates(
                strings,
                firsts,
                new ThreadStates.Columns(times.moveTo(targets), infos.moveTo(targets), wakers.moveTo(targets)),
                ends,
                rows,
                functions);
    }

    CpuRuns cpuRuns(long traceEnd) {
        int cpus = runCounts.length;
        while (cpus > 0 && runCounts[cpus - 1] == 0) {
            cpus--;
        }
        int[] firsts = offsets(runCounts, cpus);
        int[] targets = targets(runCpus, firsts, 16);
        short[] priorities = new short[targets.length];
        for (int run = 0; run < targets.length; run++) {
            priorities[targets[run]] = (short) runCpus.get(run);
        }
        CpuRuns.Columns columns = new CpuRuns.Columns(
                runTimes.moveTo(targets), runUtids.moveTo(targets), ShortColumn.of(priorities));
        return new CpuRuns(firsts, columns, traceEnd);
    }

    /** Where each group begins, with the end of the last behind it. */
    static int[] offsets(int[] counts, int groups) {
        int[] firsts = new int[groups + 1];
        for (int group = 0; group < groups; group++) {
            firsts[group + 1] = firsts[group] + (group < counts.length ? counts[group] : 0);
        }
        return firsts;
    }

    /** Where each row goes if groups lie together and rows of a group keep their order. */
    private static int[] targets(IntLog groups, int[] firsts, int shift) {
        int[] next = firsts.clone();
        int[] targets = new int[groups.size()];
        for (int row = 0; row < targets.length; row++) {
            targets[row] = next[groups.get(row) >>> shift]++;
        }
        return targets;
    }

    private static int[] filled(int length) {
        int[] array = new int[length];
        Arrays.fill(array, NONE);
        return array;
    }
}
