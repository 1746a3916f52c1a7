package dev.unjank.trace.build;

import dev.unjank.trace.build.event.CounterEvent;
import dev.unjank.trace.build.event.FenceEvent;
import dev.unjank.trace.build.event.FutexEvent;
import dev.unjank.trace.build.event.PriorityInheritanceEvent;
import dev.unjank.trace.build.tracker.FutexTracker;
import dev.unjank.trace.model.FenceStage;

/**
 * Sink of kernel events that few traces contain: system calls, GPU fences, priority inheritance, CPU frequencies. Times
 * are in ns, strings are ids from {@link TraceBuilder#intern}.
 */
public final class RareKernelEventSink {
    private final EventLogs logs;

    RareKernelEventSink(EventLogs logs) {
        this.logs = logs;
    }

    /**
     * Adds a sys_enter. Only futex calls are kept; the number of futex depends on the architecture. The operation with
     * its flags is the second argument, the address the first one, 0 if unknown.
     */
    public void systemCall(long ts, int tid, long number, int operation, long address) {
        if (logs.accept(ts) && FutexTracker.mayBeFutex(number)) {
            FutexEvent.addEnter(logs.current(), ts, tid, number, operation, address);
        }
    }

    /** Adds a sys_exit. */
    public void systemCallReturns(long ts, int tid, long number, long result) {
        if (logs.accept(ts) && FutexTracker.mayBeFutex(number)) {
            FutexEvent.addExit(logs.current(), ts, tid, number, result);
        }
    }

    /**
     * Adds an event of a GPU fence, which signals the end of a job. The context is the number of its timeline, the
     * number its place on the timeline.
     */
    public void fence(long ts, FenceStage stage, int context, int timeline, long number) {
        FenceEvent.add(logs.at(ts), ts, stage, context, timeline, number);
    }

    /** Adds a sched_pi_setprio: a thread inherits the priority of a waiter, or returns to its own. */
    public void inheritedPriority(long ts, int tid, int from, int to) {
        PriorityInheritanceEvent.add(logs.at(ts), ts, tid, from, to);
    }

    /** Adds a counter value of the whole machine. */
    public void counter(long ts, int name, long value) {
        if (logs.accept(ts)) {
            CounterEvent.addOfCpu(logs.current(), ts, CounterEvent.NO_CPU, name, value);
        }
    }

    /** Adds a counter value of a CPU, such as its frequency. */
    public void cpuCounter(long ts, int cpu, int name, long value) {
        if (logs.accept(ts, cpu)) {
            CounterEvent.addOfCpu(logs.current(), ts, cpu, name, value);
        }
    }
}
