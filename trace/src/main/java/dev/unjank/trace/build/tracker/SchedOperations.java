package dev.unjank.trace.build.tracker;

import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStateBits;
import java.util.Arrays;

/**
 * Between the walk over all events and the {@link ThreadStateTracker}: knows who runs on each CPU, which other events ask for, and
 * hands on what the scheduler did.
 */
public final class SchedOperations {
    private static final int NONE = -1;

    private final ThreadStateTracker tracker;
    private final OperationBatches batches;

    // Per CPU: who runs there since the last switch.
    private int[] running = filled(8);
    private int[] runningPriorities = new int[8];

    public SchedOperations(BlockPool pool, boolean alone) {
        tracker = new ThreadStateTracker(pool);
        batches = new OperationBatches("trace-states", tracker::apply, alone);
    }

    /** Who runs on a CPU, -1 if it has not told yet. */
    public int running(int cpu) {
        return cpu >= 0 && cpu < running.length ? running[cpu] : NONE;
    }

    public int runningPriority(int cpu) {
        return runningPriorities[cpu];
    }

    /** A thread has another priority while it runs: the compact form tells only with which one a thread is put on a CPU. */
    public void priorityChanged(int utid, int priority) {
        for (int cpu = 0; cpu < running.length; cpu++) {
            if (running[cpu] == utid) {
                runningPriorities[cpu] = ThreadStateBits.validPriority(priority);
            }
        }
    }

    /** One thread gave way to another. */
    public void switched(long ts, int cpu, int prev, SchedState state, int prevPriority, int next, int nextPriority) {
        runs(cpu, next, nextPriority);
        batches.add(
                ts,
                IntPair.pack(prev, next),
                ThreadStateTracker.packSwitch(ThreadStateTracker.SWITCH, cpu, state, prevPriority, nextPriority));
    }

    /** The first compact switch of a CPU: what it switched from is not told, and what it switched to counts from here. */
    public void run(long ts, int cpu, int next, int priority) {
        runs(cpu, next, priority);
        batches.add(
                ts,
                IntPair.pack(NONE, next),
                ThreadStateTracker.packSwitch(ThreadStateTracker.RUN, cpu, SchedState.UNKNOWN, 0, priority));
    }

    private void runs(int cpu, int next, int priority) {
        if (cpu >= running.length) {
            int from = running.length;
            int capacity = Math.max(cpu + 1, from * 2);
            running = Arrays.copyOf(running, capacity);
            Arrays.fill(running, from, capacity, NONE);
            runningPriorities = Arrays.copyOf(runningPriorities, capacity);
        }
        running[cpu] = next;
        runningPriorities[cpu] = priority;
    }

    /** A thread was made runnable. */
    public void woken(long ts, int utid, int waker, int priority) {
        batches.add(ts, IntPair.pack(utid, waker), ThreadStateTracker.pack(ThreadStateTracker.WOKEN, priority));
    }

    /** A thread was made runnable, recorded on the CPU where the thread was enqueued (sched_wakeup). */
    public void wakeup(long ts, int utid, int priority) {
        batches.add(ts, IntPair.pack(utid, NONE), ThreadStateTracker.pack(ThreadStateTracker.WAKEUP, priority));
    }

    /** A thread was created and waits for its first turn. */
    public void created(long ts, int utid, int creator) {
        batches.add(ts, IntPair.pack(utid, creator), ThreadStateTracker.pack(ThreadStateTracker.CREATED, 0));
    }

    /** Why a thread slept; told after it woke. */
    public void blocked(int utid, boolean ioWait, int function) {
        batches.add(
                0, IntPair.pack(utid, function), ThreadStateTracker.pack(ThreadStateTracker.BLOCKED, ioWait ? 1 : 0));
    }

    /** Nothing more will come. {@link #awaitTracker} gives the tracker. */
    public void finish(long traceEnd) {
        batches.finish(() -> tracker.finish(traceEnd));
    }

    /** The tracker, done. */
    public ThreadStateTracker awaitTracker() {
        batches.awaitEnd();
        return tracker;
    }

    private static int[] filled(int length) {
        int[] array = new int[length];
        Arrays.fill(array, NONE);
        return array;
    }
}
