package dev.unjank.trace.build;

import dev.unjank.trace.build.event.EventKind;
import dev.unjank.trace.build.tracker.FutexTracker;
import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.model.FenceStage;

/** Sink of kernel events that few traces contain: system calls, GPU fences, priority inheritance, CPU frequencies. */
public abstract class RareKernelEventSink extends KernelEventSink {
    RareKernelEventSink(BlockPool pool) {
        super(pool);
    }

    /**
     * Adds a sys_enter. Only futex calls are kept; the number of futex depends on the architecture.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param number the call's number
     * @param operation the second argument; for futex the operation with its flags
     * @param address the first argument, for futex its address; 0 if unknown
     */
    public final void systemCall(long ts, int tid, long number, int operation, long address) {
        if (accept(ts) && FutexTracker.mayBeFutex(number)) {
            currentLog.add(EventKind.FUTEX_ENTER | number << 8, ts, IntPair.pack(tid, operation), address);
        }
    }

    /**
     * Adds a sys_exit.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param number the call's number
     * @param result the result
     */
    public final void systemCallReturns(long ts, int tid, long number, long result) {
        if (accept(ts) && FutexTracker.mayBeFutex(number)) {
            currentLog.add(EventKind.FUTEX_EXIT | number << 8, ts, IntPair.pack(tid, 0), result);
        }
    }

    /**
     * Adds an event of a GPU fence, which signals the end of a job.
     *
     * @param ts the time in ns
     * @param stage the stage it has reached
     * @param context the number of its timeline
     * @param timeline the timeline's name
     * @param number its number on the timeline
     */
    public final void fence(long ts, FenceStage stage, int context, int timeline, long number) {
        if (accept(ts)) {
            currentLog.add(EventKind.FENCE | (long) stage.code() << 8, ts, IntPair.pack(context, timeline), number);
        }
    }

    /**
     * Adds a sched_pi_setprio: a thread inherits the priority of a waiter, or returns to its own.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param from the old priority
     * @param to the new priority
     */
    public final void inheritedPriority(long ts, int tid, int from, int to) {
        addEvent(EventKind.PRIORITY_INHERITED | (long) tid << 32, ts, from, to);
    }

    /**
     * Adds a counter value of a CPU, such as its frequency.
     *
     * @param ts the time in ns
     * @param cpu the CPU
     * @param name the counter's name
     * @param value the new value
     */
    public final void cpuCounter(long ts, int cpu, int name, long value) {
        if (accept(ts, cpu)) {
            currentLog.add(EventKind.CPU_COUNTER, ts, IntPair.pack(cpu, name), value);
        }
    }
}
