package dev.unjank.trace.build.tracker;

import dev.unjank.trace.build.event.EventKind;
import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.collections.FilledArrays;
import dev.unjank.trace.model.DataLoss;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStateBits;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Passes scheduling events from the dispatcher to the {@link ThreadStateTracker}, and keeps which thread runs on each
 * CPU, on which other events depend.
 */
public final class SchedOperations {
    private static final int NONE = -1;

    private final ThreadStateTracker tracker;
    private final OperationBatches batches;
    private final MissingSwitches missing = new MissingSwitches();

    // Per CPU: the thread that runs there since the last switch.
    private int[] running = FilledArrays.of(8, NONE);
    private int[] runningPriorities = new int[8];

    public SchedOperations(BlockPool pool, Executor executor) {
        tracker = new ThreadStateTracker(pool);
        batches = new OperationBatches(tracker::apply, executor);
    }

    /** The thread that runs on a CPU, -1 if unknown. */
    public int running(int cpu) {
        return cpu >= 0 && cpu < running.length ? running[cpu] : NONE;
    }

    /**
     * Changes the priority of a running thread: compact events record the priority only when a thread is put on a
     * CPU.
     */
    public void priorityChanged(int utid, int priority) {
        for (int cpu = 0; cpu < running.length; cpu++) {
            if (running[cpu] == utid) {
                runningPriorities[cpu] = ThreadStateBits.validPriority(priority);
            }
        }
    }

    /** A CPU switched from one thread to another. */
    public void switched(long ts, int cpu, int prev, SchedState state, int prevPriority, int next, int nextPriority) {
        missing.switched(ts, cpu, prev, next);
        add(ts, cpu, prev, state, prevPriority, next, nextPriority);
    }

    /** A CPU switched to another thread; the previous one is the one that ran. */
    public void switchedTo(long ts, int cpu, SchedState state, int next, int nextPriority) {
        missing.switchedTo(ts, cpu, state, next);
        int prev = running(cpu);
        if (prev < 0) {
            run(ts, cpu, next, nextPriority);
        } else {
            add(ts, cpu, prev, state, runningPriorities[cpu], next, nextPriority);
        }
    }

    /** A thread recorded an event on a CPU, -1 if unknown. */
    public void ranOn(long ts, int cpu, int utid) {
        missing.ranOn(ts, cpu, utid);
    }

    /** {@return the losses of switches that the trace does not record} */
    public List<DataLoss> unrecordedLosses(List<DataLoss> recorded, long endNs) {
        return missing.losses(recorded, endNs);
    }

    private void add(long ts, int cpu, int prev, SchedState state, int prevPriority, int next, int nextPriority) {
        runs(cpu, next, nextPriority);
        batches.add(
                ts,
                SchedOperation.threads(prev, next),
                SchedOperation.switched(EventKind.SWITCH, cpu, state, prevPriority, nextPriority));
    }

    /** The first compact switch of a CPU: the previous thread is unknown. */
    private void run(long ts, int cpu, int next, int priority) {
        runs(cpu, next, priority);
        batches.add(
                ts,
                SchedOperation.threads(NONE, next),
                SchedOperation.switched(EventKind.COMPACT_SWITCH, cpu, SchedState.UNKNOWN, 0, priority));
    }

    private void runs(int cpu, int next, int priority) {
        if (cpu >= running.length) {
            int capacity = Math.max(cpu + 1, running.length * 2);
            running = FilledArrays.grown(running, capacity, NONE);
            runningPriorities = Arrays.copyOf(runningPriorities, capacity);
        }
        running[cpu] = next;
        runningPriorities[cpu] = priority;
    }

    /** A thread was made runnable. */
    public void woken(long ts, int utid, int waker, int priority) {
        batches.add(ts, SchedOperation.threads(utid, waker), SchedOperation.woken(EventKind.WAKING, priority));
    }

    /** A thread was made runnable, recorded on the CPU where the thread was enqueued (sched_wakeup). */
    public void wakeup(long ts, int utid, int priority) {
        batches.add(ts, SchedOperation.threads(utid, NONE), SchedOperation.woken(EventKind.WAKEUP, priority));
    }

    /** A thread was created and is runnable. */
    public void created(long ts, int utid, int creator) {
        batches.add(ts, SchedOperation.threads(utid, creator), EventKind.TASK_NEW);
    }

    /** The reason for a thread's sleep, recorded after it woke. */
    public void blocked(int utid, boolean ioWait, int function) {
        batches.add(0, SchedOperation.threads(utid, function), SchedOperation.blocked(ioWait));
    }

    /** Ends the operations; {@link #awaitTracker} returns the tracker. */
    public void finish(long traceEnd) {
        batches.finish(() -> tracker.finish(traceEnd));
    }

    /** Waits for the finished tracker. */
    public ThreadStateTracker awaitTracker() {
        batches.awaitEnd();
        return tracker;
    }
}
