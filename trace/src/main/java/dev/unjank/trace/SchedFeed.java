package dev.unjank.trace;

import java.util.Arrays;

/**
 * Between the walk over all events and the {@link SchedTracker}: knows who runs on each CPU, which other events ask for, and
 * hands on what the scheduler did.
 */
final class SchedFeed {
    private static final int NONE = -1;

    private final SchedTracker tracker;
    private final Batches batches;

    // Per CPU: who runs there since the last switch.
    private int[] running = filled(8);
    private int[] runningPriorities = new int[8];

    SchedFeed(BlockPool pool, boolean alone) {
        tracker = new SchedTracker(pool);
        batches = new Batches("trace-states", tracker::apply, alone);
    }

    /** Who runs on a CPU, -1 if it has not told yet. */
    int running(int cpu) {
        return cpu >= 0 && cpu < running.length ? running[cpu] : NONE;
    }

    int runningPriority(int cpu) {
        return runningPriorities[cpu];
    }

    /** A thread has another priority while it runs: the compact form tells only with which one a thread is put on a CPU. */
    void hasPriority(int utid, int priority) {
        for (int cpu = 0; cpu < running.length; cpu++) {
            if (running[cpu] == utid) {
                runningPriorities[cpu] = StateInfo.plausible(priority);
            }
        }
    }

    /** One thread gave way to another. */
    void switched(long ts, int cpu, int prev, SchedState state, int prevPriority, int next, int nextPriority) {
        runs(cpu, next, nextPriority);
        batches.add(
                ts,
                EventKind.pair(prev, next),
                SchedTracker.packSwitch(SchedTracker.SWITCH, cpu, state, prevPriority, nextPriority));
    }

    /** The first compact switch of a CPU: what it switched from is not told, and what it switched to counts from here. */
    void run(long ts, int cpu, int next, int priority) {
        runs(cpu, next, priority);
        batches.add(
                ts,
                EventKind.pair(NONE, next),
                SchedTracker.packSwitch(SchedTracker.RUN, cpu, SchedState.UNKNOWN, 0, priority));
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
    void woken(long ts, int utid, int waker, int priority) {
        batches.add(ts, EventKind.pair(utid, waker), SchedTracker.pack(SchedTracker.WOKEN, priority));
    }

    /** A thread was made runnable, as {@link KernelEvents#wakeup} tells it. */
    void wakeup(long ts, int utid, int priority) {
        batches.add(ts, EventKind.pair(utid, NONE), SchedTracker.pack(SchedTracker.WAKEUP, priority));
    }

    /** A thread was created and waits for its first turn. */
    void created(long ts, int utid, int creator) {
        batches.add(ts, EventKind.pair(utid, creator), SchedTracker.pack(SchedTracker.CREATED, 0));
    }

    /** Why a thread slept; told after it woke. */
    void blocked(int utid, boolean ioWait, int function) {
        batches.add(0, EventKind.pair(utid, function), SchedTracker.pack(SchedTracker.BLOCKED, ioWait ? 1 : 0));
    }

    /** Nothing more will come. {@link #await} gives the tracker. */
    void finish(long traceEnd) {
        batches.finish(() -> tracker.finish(traceEnd));
    }

    /** The tracker, done. */
    SchedTracker await() {
        batches.await();
        return tracker;
    }

    private static int[] filled(int length) {
        int[] array = new int[length];
        Arrays.fill(array, NONE);
        return array;
    }
}
