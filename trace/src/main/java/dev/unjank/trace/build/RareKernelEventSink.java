package dev.unjank.trace.build;

import dev.unjank.trace.build.event.CounterEvent;
import dev.unjank.trace.build.event.FenceEvent;
import dev.unjank.trace.build.event.FutexEvent;
import dev.unjank.trace.build.event.PriorityInheritanceEvent;
import dev.unjank.trace.build.tracker.FutexTracker;
import dev.unjank.trace.model.FenceStage;

/** Sink of kernel events that few traces contain: system calls, GPU fences, priority inheritance, CPU frequencies. */
public final class RareKernelEventSink {
    private final EventLogs logs;

    RareKernelEventSink(EventLogs logs) {
        this.logs = logs;
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
    public void systemCall(long ts, int tid, long number, int operation, long address) {
        if (logs.accept(ts) && FutexTracker.mayBeFutex(number)) {
            FutexEvent.addEnter(logs.current(), ts, tid, number, operation, address);
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
    public void systemCallReturns(long ts, int tid, long number, long result) {
        if (logs.accept(ts) && FutexTracker.mayBeFutex(number)) {
            FutexEvent.addExit(logs.current(), ts, tid, number, result);
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
    public void fence(long ts, FenceStage stage, int context, int timeline, long number) {
        if (logs.accept(ts)) {
            FenceEvent.add(logs.current(), ts, stage, context, timeline, number);
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
    public void inheritedPriority(long ts, int tid, int from, int to) {
        if (logs.accept(ts)) {
            PriorityInheritanceEvent.add(logs.current(), ts, tid, from, to);
        }
    }

    /**
     * Adds a counter value of a CPU, such as its frequency.
     *
     * @param ts the time in ns
     * @param cpu the CPU
     * @param name the counter's name
     * @param value the new value
     */
    public void cpuCounter(long ts, int cpu, int name, long value) {
        if (logs.accept(ts, cpu)) {
            CounterEvent.addOfCpu(logs.current(), ts, cpu, name, value);
        }
    }
}
