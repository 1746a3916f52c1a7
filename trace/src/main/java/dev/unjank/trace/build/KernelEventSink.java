package dev.unjank.trace.build;

import dev.unjank.trace.build.event.BinderEvent;
import dev.unjank.trace.build.event.BlockedReasonEvent;
import dev.unjank.trace.build.event.ProcessDetails;
import dev.unjank.trace.build.event.ProcessDetailsEvent;
import dev.unjank.trace.build.event.ProcessEvent;
import dev.unjank.trace.build.event.SwitchEvent;
import dev.unjank.trace.build.event.TaskEvent;
import dev.unjank.trace.build.event.WakingEvent;
import dev.unjank.trace.build.tracker.BinderTracker;
import dev.unjank.trace.model.Machine;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.SchedState;
import org.jspecify.annotations.Nullable;

/**
 * Sink of kernel events: scheduling, wakeups, threads and processes, binder. Times are in ns, strings are ids from
 * {@link TraceBuilder#intern}, -1 if unknown.
 */
public final class KernelEventSink {
    private final EventLogs logs;

    /** Whether the kernel is older than 4.14, which changed the numbers of states. */
    boolean before414;

    /** Whether there was a {@link #waking} event. */
    boolean hasWaking;

    final WakeupCoverage wakeups = new WakeupCoverage();

    private boolean hasScheduling;

    KernelEventSink(EventLogs logs) {
        this.logs = logs;
    }

    /**
     * Whether both sinks have switches, and their events overlap in time on a CPU when those of the other are shifted.
     */
    public boolean schedulingOverlaps(KernelEventSink other, long shiftNs) {
        return hasScheduling && other.hasScheduling && logs.overlaps(other.logs, shiftNs);
    }

    /** Sets the version of the kernel, on which the numbers of states depend. */
    public void kernelVersion(Machine.Kernel kernel) {
        before414 = kernel.isOlder(4, 14);
    }

    /** Adds a sched_switch with the state as the kernel writes it. */
    public void schedSwitch(
            long ts,
            int cpu,
            int prevTid,
            int prevComm,
            int prevPriority,
            long prevState,
            int nextTid,
            int nextComm,
            int nextPriority) {
        long state = SwitchEvent.state(prevState);
        if (acceptSwitch(ts, cpu)) {
            SwitchEvent.add(logs.log(cpu), ts, prevTid, prevComm, prevPriority, state, nextTid, nextComm, nextPriority);
        }
    }

    public void schedSwitch(
            long ts,
            int cpu,
            int prevTid,
            int prevComm,
            int prevPriority,
            SchedState prevState,
            int nextTid,
            int nextComm,
            int nextPriority) {
        long state = SwitchEvent.state(prevState);
        if (acceptSwitch(ts, cpu)) {
            SwitchEvent.add(logs.log(cpu), ts, prevTid, prevComm, prevPriority, state, nextTid, nextComm, nextPriority);
        }
    }

    private boolean acceptSwitch(long ts, int cpu) {
        boolean isAccepted = logs.accept(ts, cpu);
        hasScheduling |= isAccepted;
        return isAccepted;
    }

    /**
     * Adds a sched_switch in compact form; the previous thread is the one that the last switch on the CPU put there.
     */
    public void compactSwitch(long ts, int cpu, long prevState, int nextTid, int nextComm, int nextPriority) {
        if (acceptSwitch(ts, cpu)) {
            SwitchEvent.addCompact(logs.log(cpu), ts, SwitchEvent.state(prevState), nextTid, nextComm, nextPriority);
        }
    }

    /** Adds a sched_waking; a waker of -1 is the thread that runs on that CPU. */
    public void waking(long ts, int cpu, int wakerTid, int tid, int priority) {
        if (logs.accept(ts, cpu)) {
            hasWaking = true;
            WakingEvent.add(logs.log(cpu), ts, wakerTid, false, tid, priority);
        }
    }

    /**
     * Adds a sched_waking by an interrupt. The interrupted thread is not the waker; -1 is the thread that runs on that
     * CPU.
     */
    public void wakingFromInterrupt(long ts, int cpu, int interruptedTid, int tid, int priority) {
        if (logs.accept(ts, cpu)) {
            hasWaking = true;
            WakingEvent.add(logs.log(cpu), ts, interruptedTid, true, tid, priority);
        }
    }

    /**
     * Adds a sched_wakeup. It is used only in traces without any {@link #waking}, which is earlier and recorded by
     * the waker, whereas a wakeup may be recorded on the CPU where the thread is enqueued.
     */
    public void wakeup(long ts, int cpu, int tid, int priority) {
        if (logs.accept(ts, cpu)) {
            WakingEvent.addWakeup(logs.log(cpu), ts, tid, priority);
        }
    }

    /** Adds a sched_blocked_reason with the blocked function; it is recorded when the thread wakes. */
    public void blockedReason(long ts, int tid, boolean ioWait, int function) {
        BlockedReasonEvent.add(logs.at(ts), ts, tid, ioWait, function);
    }

    /** Adds a task_newtask; the flags of the system call distinguish threads from processes. */
    public void taskNew(long ts, int creatorTid, int tid, int comm, int cloneFlags) {
        TaskEvent.addNew(logs.at(ts), ts, creatorTid, tid, comm, cloneFlags);
    }

    public void taskRename(long ts, int tid, int comm) {
        TaskEvent.addRename(logs.at(ts), ts, tid, comm, false);
    }

    /** Adds a sched_process_exec: a process runs another program from now on. */
    public void processExec(long ts, int pid, int program) {
        TaskEvent.addRename(logs.at(ts), ts, pid, program, true);
    }

    /**
     * Adds a sched_process_exit. The thread will still be switched out; its tid is in use until {@link #taskEnd},
     * which is optional.
     */
    public void taskExit(long ts, int tid) {
        TaskEvent.addEnd(logs.at(ts), ts, tid, true);
    }

    /** Adds a sched_process_free: the tid may be reused from now on. */
    public void taskEnd(long ts, int tid) {
        TaskEvent.addEnd(logs.at(ts), ts, tid, false);
    }

    /**
     * Adds a process from a list of processes, which does not count for the start and end of the trace. Its name is the
     * first word of its command line.
     */
    public void process(long ts, int pid, int parentPid, int name) {
        process(ts, pid, parentPid, name, Processes.NO_UID);
    }

    /** As {@link #process(long, int, int, int)}, with a uid that may be {@link Processes#NO_UID}. */
    public void process(long ts, int pid, int parentPid, int name, int uid) {
        addProcess(ts, pid, parentPid, name, uid, false);
    }

    /**
     * Adds details of a process from a list of processes, after the process itself: its whole command line, its start,
     * {@link Long#MIN_VALUE} if unknown, whether it is a kernel thread, null if unknown, and whether its parent has pid
     * 0.
     */
    public void processDetails(
            long ts, int pid, int commandLine, long startNs, @Nullable Boolean isKernelThread, boolean isChildOfIdle) {
        ProcessDetails details = new ProcessDetails(pid, commandLine, startNs, isKernelThread, isChildOfIdle);
        ProcessDetailsEvent.add(logs.forFact(ts), ts, details);
    }

    /** Adds a process that runs a Java virtual machine. */
    public void javaProcess(long ts, int pid, int name) {
        addProcess(ts, pid, 0, name, Processes.NO_UID, true);
    }

    private void addProcess(long ts, int pid, int parentPid, int name, int uid, boolean isJvm) {
        ProcessEvent.add(logs.forFact(ts), ts, pid, parentPid, name, uid, isJvm);
    }

    /**
     * A recorder of one process wrote the trace: wakeups of threads of other processes are recorded only in part, and
     * all losses that the kernel counts are recorded.
     */
    public void wakeupsOnlyOf(int pid) {
        wakeups.addProcess(pid);
    }

    /** Adds a thread from a list of threads. */
    public void thread(long ts, int tid, int pid, int comm) {
        ProcessEvent.addThread(logs.forFact(ts), ts, tid, pid, comm, false);
    }

    /** Adds a thread name set by the program. It is preferred to the kernel's name, which has at most 15 bytes. */
    public void nameThread(long ts, int tid, int pid, int name) {
        ProcessEvent.addThread(logs.forFact(ts), ts, tid, pid, name, true);
    }

    /** Adds the start of a thread as its program reports it, with the name that the program set. */
    public void threadStart(long ts, int tid, int pid, int name) {
        ProcessEvent.addStart(logs.forFact(ts), ts, tid, pid, name);
    }

    /**
     * Adds the end of a thread as its program reports it. The kernel may record the exit of the same thread, later or,
     * in another file, slightly earlier.
     */
    public void threadEnd(long ts, int tid, int pid) {
        ProcessEvent.addEnd(logs.forFact(ts), ts, tid, pid);
    }

    public void binderTransaction(long ts, int tid, int number, boolean reply, boolean oneWay) {
        BinderEvent.addSent(logs.at(ts), ts, tid, number, reply, oneWay);
    }

    /** Adds a return from the binder driver; one that reports a failure or a dead process ends the thread's call. */
    public void binderReturn(long ts, int tid, long command) {
        if (BinderTracker.isFailure(command)) {
            BinderEvent.addFailed(logs.at(ts), ts, tid);
        } else if (logs.accept(ts)) {
            logs.current().addOther(ts);
        }
    }

    /** Adds the receipt of a binder transaction or of a reply. */
    public void binderReceived(long ts, int tid, int number) {
        BinderEvent.addReceived(logs.at(ts), ts, tid, number);
    }

    /** Adds the state of the sink of a part of the same file. */
    void append(KernelEventSink part) {
        add(part);
        wakeups.append(part.wakeups);
    }

    /** Adds the state of the sink of another file, whose times are shifted. */
    void appendFile(KernelEventSink file, long shiftNs) {
        add(file);
        if (file.hasScheduling) {
            wakeups.appendFile(file.wakeups, file.logs.startNs() + shiftNs, file.logs.endNs() + shiftNs);
        }
    }

    private void add(KernelEventSink part) {
        before414 |= part.before414;
        hasScheduling |= part.hasScheduling;
        hasWaking |= part.hasWaking;
    }
}
