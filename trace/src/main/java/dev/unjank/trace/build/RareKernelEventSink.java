package dev.unjank.trace.build;

import dev.unjank.trace.build.event.EventKind;
import dev.unjank.trace.build.tracker.FutexTracker;
import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.model.FenceStage;

/** What the kernel tells in few traces: system calls, fences of graphics drivers, lent priorities, clock rates. */
public abstract class RareKernelEventSink extends KernelEventSink {
    RareKernelEventSink(BlockPool pool) {
        super(pool);
    }

    /**
     * A thread makes a system call. Only those of futex, the call below most locks, are kept; which number that is, the
     * machine decides.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param number the call's number
     * @param operation the second argument: for futex what it is to do, with flags
     * @param address the first argument: for futex where it is, 0 if unknown
     */
    public final void systemCall(long ts, int tid, long number, int operation, long address) {
        if (accept(ts) && FutexTracker.mayBeFutex(number)) {
            currentLog.add(EventKind.FUTEX_ENTER | number << 8, ts, IntPair.pack(tid, operation), address);
        }
    }

    /**
     * A thread's system call returns.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param number the call's number
     * @param result what it returns
     */
    public final void systemCallReturns(long ts, int tid, long number, long result) {
        if (accept(ts) && FutexTracker.mayBeFutex(number)) {
            currentLog.add(EventKind.FUTEX_EXIT | number << 8, ts, IntPair.pack(tid, 0), result);
        }
    }

    /**
     * A fence of the graphics driver: a job of the graphics processor that others may wait for.
     *
     * @param ts the time in ns
     * @param stage what becomes of it
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
     * A thread's priority changes because of those who wait for its mutex: it is lent theirs, or gives it back.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param from the priority until now
     * @param to the priority from now on
     */
    public final void inheritedPriority(long ts, int tid, int from, int to) {
        addEvent(EventKind.PRIORITY_INHERITED | (long) tid << 32, ts, from, to);
    }

    /**
     * The kernel reports a number of a CPU, such as the rate of its clock.
     *
     * @param ts the time in ns
     * @param cpu the CPU
     * @param name of the counter
     * @param value the new value
     */
    public final void cpuCounter(long ts, int cpu, int name, long value) {
        if (accept(ts, cpu)) {
            currentLog.add(EventKind.CPU_COUNTER, ts, IntPair.pack(cpu, name), value);
        }
    }
}
