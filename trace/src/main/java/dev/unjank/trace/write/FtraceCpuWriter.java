package dev.unjank.trace.write;

import dev.unjank.trace.proto.FtraceFields.FtraceEvent;
import dev.unjank.trace.proto.FtraceFields.FtraceEventBundle;
import dev.unjank.trace.proto.FtraceFields.Print;
import dev.unjank.trace.proto.FtraceFields.SchedBlockedReason;
import dev.unjank.trace.proto.FtraceFields.SchedPiSetprio;
import dev.unjank.trace.proto.FtraceFields.SchedProcessExit;
import dev.unjank.trace.proto.FtraceFields.SchedProcessFree;
import dev.unjank.trace.proto.FtraceFields.SchedSwitch;
import dev.unjank.trace.proto.FtraceFields.SchedWaking;
import dev.unjank.trace.proto.FtraceFields.SysEnter;
import dev.unjank.trace.proto.FtraceFields.SysExit;
import dev.unjank.trace.proto.FtraceFields.TaskNewtask;
import dev.unjank.trace.proto.FtraceFields.TaskRename;
import dev.unjank.trace.proto.ProtoWriter;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the kernel events of one CPU: takes them in time order and passes them to the {@link TraceWriter} bundle by
 * bundle. Events of different CPUs need not be in order; readers sort them.
 *
 * <p>Every method throws {@link IllegalArgumentException} if its time is before that of an earlier event of this CPU,
 * and {@link IOException} if the stream of a full bundle fails.
 */
public final class FtraceCpuWriter {
    /** The size of a bundle, which bounds the memory per CPU. */
    private static final int BUNDLE_BYTES = 32 * 1024;

    /** The thread that runs before the first switch: unknown to readers. */
    private static final int UNKNOWN = -1;

    /** The thread that runs after a loss: readers assume the one from before it. */
    private static final int LOST = -2;

    private static final int CLONE_THREAD = 0x10000;
    private static final int IN_HARD_IRQ = 0x8;

    private final TraceWriter writer;
    private final int cpu;
    private final boolean compactSched;

    private final ProtoWriter events = new ProtoWriter(BUNDLE_BYTES);
    private final CompactSchedColumns columns = new CompactSchedColumns();
    private final Set<String> kernelSymbols = new LinkedHashSet<>();
    private boolean lostEvents;
    private long lastTs = Long.MIN_VALUE;

    // The marks of the open event and its message.
    private int event;
    private int body;

    /**
     * The thread that readers assume to be running here. The compact form does not contain it; if another thread is
     * running, that form is not used.
     */
    private int running = UNKNOWN;

    FtraceCpuWriter(TraceWriter writer, int cpu, boolean compactSched) {
        this.writer = writer;
        this.cpu = cpu;
        this.compactSched = compactSched;
    }

    /**
     * Writes a sched_switch.
     *
     * @param ts the time in ns
     * @param prev the thread that leaves the CPU
     * @param prevState its new state, a value of {@link PrevState}
     * @param next the thread that is put on the CPU
     * @throws IOException if the stream fails
     */
    public void schedSwitch(long ts, Task prev, long prevState, Task next) throws IOException {
        boolean asTaken = isTakenToRun(prev.tid());
        running = next.tid();
        if (compactSched && asTaken) {
            advanceTo(ts);
            columns.schedSwitch(ts, prevState, next);
            flushIfFull();
            return;
        }
        beginEvent(ts, prev.tid(), FtraceEvent.SCHED_SWITCH);
        events.string(SchedSwitch.PREV_COMM, prev.comm());
        events.varint(SchedSwitch.PREV_PID, prev.tid());
        events.varint(SchedSwitch.PREV_PRIO, prev.priority());
        events.varint(SchedSwitch.PREV_STATE, prevState);
        events.string(SchedSwitch.NEXT_COMM, next.comm());
        events.varint(SchedSwitch.NEXT_PID, next.tid());
        events.varint(SchedSwitch.NEXT_PRIO, next.priority());
        endEvent();
    }

    private boolean isTakenToRun(int tid) {
        return running == UNKNOWN || running == tid;
    }

    /**
     * Writes a sched_waking by the running thread.
     *
     * @param ts the time in ns
     * @param wakerTid the thread that runs on this CPU
     * @param woken the thread that becomes runnable
     * @param targetCpu the CPU it last ran on
     * @throws IOException if the stream fails
     */
    public void schedWaking(long ts, int wakerTid, Task woken, int targetCpu) throws IOException {
        schedWaking(ts, wakerTid, woken, targetCpu, 0);
    }

    /**
     * Writes a sched_waking by an interrupt; the interrupted thread is not the waker.
     *
     * @param ts the time in ns
     * @param interruptedTid the thread that runs on this CPU
     * @param woken the thread that becomes runnable
     * @param targetCpu the CPU it last ran on
     * @throws IOException if the stream fails
     */
    public void schedWakingInIrq(long ts, int interruptedTid, Task woken, int targetCpu) throws IOException {
        schedWaking(ts, interruptedTid, woken, targetCpu, IN_HARD_IRQ);
    }

    /**
     * Writes a sched_waking.
     *
     * @param ts the time in ns
     * @param runningTid the thread that runs on this CPU
     * @param woken the thread that becomes runnable
     * @param targetCpu the CPU it last ran on
     * @param commonFlags the kernel's flags of the event, such as those of interrupts
     * @throws IOException if the stream fails
     */
    public void schedWaking(long ts, int runningTid, Task woken, int targetCpu, int commonFlags) throws IOException {
        if (compactSched && isTakenToRun(runningTid)) {
            advanceTo(ts);
            columns.schedWaking(ts, woken, targetCpu, commonFlags);
            flushIfFull();
            return;
        }
        wake(FtraceEvent.SCHED_WAKING, ts, runningTid, woken, targetCpu, commonFlags);
    }

    /**
     * Writes a sched_wakeup: a woken thread is on a CPU's run queue. Kernels record it in addition to sched_waking
     * or, before 4.4, instead.
     *
     * @param ts the time in ns
     * @param wakerTid the thread that runs on this CPU
     * @param woken the thread that becomes runnable
     * @param targetCpu the CPU of its run queue
     * @throws IOException if the stream fails
     */
    public void schedWakeup(long ts, int wakerTid, Task woken, int targetCpu) throws IOException {
        wake(FtraceEvent.SCHED_WAKEUP, ts, wakerTid, woken, targetCpu, 0);
    }

    /**
     * Writes a sched_wakeup_new: a new thread is on a CPU's run queue.
     *
     * @param ts the time in ns
     * @param parentTid the thread that created it, running on this CPU
     * @param woken the new thread
     * @param targetCpu the CPU of its run queue
     * @throws IOException if the stream fails
     */
    public void schedWakeupNew(long ts, int parentTid, Task woken, int targetCpu) throws IOException {
        wake(FtraceEvent.SCHED_WAKEUP_NEW, ts, parentTid, woken, targetCpu, 0);
    }

    private void wake(int field, long ts, int wakerTid, Task woken, int targetCpu, int commonFlags) throws IOException {
        beginEvent(ts, wakerTid, field, commonFlags);
        events.string(SchedWaking.COMM, woken.comm());
        events.varint(SchedWaking.PID, woken.tid());
        events.varint(SchedWaking.PRIO, woken.priority());
        events.varint(SchedWaking.SUCCESS, 1);
        events.varint(SchedWaking.TARGET_CPU, targetCpu);
        endEvent();
    }

    /**
     * Writes a sched_blocked_reason: why a thread that is woken was in uninterruptible sleep. The kernel records it
     * right after sched_waking.
     *
     * @param ts the time in ns
     * @param wakerTid the thread that runs on this CPU
     * @param blockedTid the thread that slept
     * @param ioWait whether it waited for I/O
     * @param function the blocked function, null for a kernel without visible symbols
     * @throws IOException if the stream fails
     */
    public void schedBlockedReason(long ts, int wakerTid, int blockedTid, boolean ioWait, @Nullable String function)
            throws IOException {
        beginEvent(ts, wakerTid, FtraceEvent.SCHED_BLOCKED_REASON);
        events.varint(SchedBlockedReason.PID, blockedTid);
        if (function != null) {
            events.varint(SchedBlockedReason.CALLER, writer.kernelSymbolId(function));
            kernelSymbols.add(function);
        }
        events.bool(SchedBlockedReason.IO_WAIT, ioWait);
        endEvent();
    }

    /**
     * Writes a sched_pi_setprio: a thread inherits the priority of a waiter, or returns to its own.
     *
     * @param ts the time in ns
     * @param byTid the thread that runs on this CPU
     * @param task the thread, with its new priority
     * @param oldPriority its old priority
     * @throws IOException if the stream fails
     */
    public void schedPiSetprio(long ts, int byTid, Task task, int oldPriority) throws IOException {
        beginEvent(ts, byTid, FtraceEvent.SCHED_PI_SETPRIO);
        events.string(SchedPiSetprio.COMM, task.comm());
        events.varint(SchedPiSetprio.NEWPRIO, task.priority());
        events.varint(SchedPiSetprio.OLDPRIO, oldPriority);
        events.varint(SchedPiSetprio.PID, task.tid());
        endEvent();
    }

    /**
     * Writes a sys_enter of the running thread.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param number the call's number on this architecture
     * @param args its arguments
     * @throws IOException if the stream fails
     */
    public void sysEnter(long ts, int tid, long number, long... args) throws IOException {
        beginEvent(ts, tid, FtraceEvent.SYS_ENTER);
        events.varint(SysEnter.ID, number);
        for (long arg : args) {
            events.varint(SysEnter.ARGS, arg);
        }
        endEvent();
    }

    /**
     * Writes a sys_exit of the running thread.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param number the call's number on this architecture
     * @param result its result
     * @throws IOException if the stream fails
     */
    public void sysExit(long ts, int tid, long number, long result) throws IOException {
        beginEvent(ts, tid, FtraceEvent.SYS_EXIT);
        events.varint(SysExit.ID, number);
        events.varint(SysExit.RET, result);
        endEvent();
    }

    /**
     * Writes a task_newtask: a thread creates another thread, or a process.
     *
     * @param ts the time in ns
     * @param parentTid the thread that creates it, running on this CPU
     * @param child the new thread; it first has its parent's name
     * @param sameProcess whether it belongs to its parent's process; otherwise it is the main thread of a new one
     * @throws IOException if the stream fails
     */
    public void taskNewtask(long ts, int parentTid, Task child, boolean sameProcess) throws IOException {
        beginEvent(ts, parentTid, FtraceEvent.TASK_NEWTASK);
        events.varint(TaskNewtask.PID, child.tid());
        events.string(TaskNewtask.COMM, child.comm());
        events.varint(TaskNewtask.CLONE_FLAGS, sameProcess ? CLONE_THREAD : 0);
        endEvent();
    }

    /**
     * Writes a task_rename.
     *
     * @param ts the time in ns
     * @param byTid the thread that runs on this CPU, usually the same
     * @param tid the thread that is renamed
     * @param oldComm its old name
     * @param newComm its new name
     * @throws IOException if the stream fails
     */
    public void taskRename(long ts, int byTid, int tid, String oldComm, String newComm) throws IOException {
        beginEvent(ts, byTid, FtraceEvent.TASK_RENAME);
        events.varint(TaskRename.PID, tid);
        events.string(TaskRename.OLDCOMM, oldComm);
        events.string(TaskRename.NEWCOMM, newComm);
        endEvent();
    }

    /**
     * Writes a sched_process_exit of the running thread. (The event is recorded for every thread, not only for
     * processes.)
     *
     * @param ts the time in ns
     * @param task the thread
     * @param pid its process
     * @throws IOException if the stream fails
     */
    public void schedProcessExit(long ts, Task task, int pid) throws IOException {
        beginEvent(ts, task.tid(), FtraceEvent.SCHED_PROCESS_EXIT);
        events.string(SchedProcessExit.COMM, task.comm());
        events.varint(SchedProcessExit.PID, task.tid());
        events.varint(SchedProcessExit.TGID, pid);
        events.varint(SchedProcessExit.PRIO, task.priority());
        endEvent();
    }

    /**
     * Writes a sched_process_free: the tid of an ended thread may be reused.
     *
     * @param ts the time in ns
     * @param byTid the thread that runs on this CPU
     * @param task the ended thread
     * @throws IOException if the stream fails
     */
    public void schedProcessFree(long ts, int byTid, Task task) throws IOException {
        beginEvent(ts, byTid, FtraceEvent.SCHED_PROCESS_FREE);
        events.string(SchedProcessFree.COMM, task.comm());
        events.varint(SchedProcessFree.PID, task.tid());
        events.varint(SchedProcessFree.PRIO, task.priority());
        endEvent();
    }

    /**
     * Writes a string of the running thread to the trace marker.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param text the string, usually from {@link AtraceMarks}; a line feed is added, as the kernel does
     * @throws IOException if the stream fails
     */
    public void print(long ts, int tid, String text) throws IOException {
        beginEvent(ts, tid, FtraceEvent.PRINT);
        events.string(Print.BUF, text + "\n");
        endEvent();
    }

    /**
     * Writes any other event; {@link KernelEvent} encodes some.
     *
     * @param ts the time in ns
     * @param tid the thread that runs on this CPU
     * @param field the event's field number in Perfetto's {@code FtraceEvent}
     * @param content its encoded message
     * @throws IOException if the stream fails
     */
    public void event(long ts, int tid, int field, byte[] content) throws IOException {
        beginEvent(ts, tid, field);
        events.raw(content, 0, content.length);
        endEvent();
    }

    /**
     * Marks a data loss: events between the last one and the next one are missing.
     *
     * @throws IOException if the stream fails
     */
    public void lostEvents() throws IOException {
        flush(); // the flag refers to the time before a bundle's first event
        lostEvents = true;
        running = LOST;
    }

    /** Writes the buffered events as one packet, if there are any. */
    void flush() throws IOException {
        if (events.size() == 0 && columns.size() == 0) {
            return;
        }
        ProtoWriter bundle = new ProtoWriter(events.size() + columns.size() + 64);
        bundle.varint(FtraceEventBundle.CPU, cpu);
        bundle.append(events);
        if (lostEvents) {
            bundle.bool(FtraceEventBundle.LOST_EVENTS, true);
        }
        columns.flush(FtraceEventBundle.COMPACT_SCHED, bundle);
        writer.bundle(bundle, kernelSymbols);
        events.clear();
        kernelSymbols.clear();
        lostEvents = false;
    }

    private void flushIfFull() throws IOException {
        if (events.size() + columns.size() >= BUNDLE_BYTES) {
            flush();
        }
    }

    private void beginEvent(long ts, int tid, int kind) {
        beginEvent(ts, tid, kind, 0);
    }

    private void beginEvent(long ts, int tid, int kind, int commonFlags) {
        advanceTo(ts);
        event = events.begin(FtraceEventBundle.EVENT);
        events.varint(FtraceEvent.TIMESTAMP, ts);
        events.varint(FtraceEvent.PID, tid);
        if (commonFlags != 0) {
            events.varint(FtraceEvent.COMMON_FLAGS, commonFlags);
        }
        body = events.begin(kind);
    }

    private void endEvent() throws IOException {
        events.end(body);
        events.end(event);
        flushIfFull();
    }

    private void advanceTo(long ts) {
        if (ts < lastTs) {
            throw new IllegalArgumentException("event of cpu " + cpu + " at " + ts + " after one at " + lastTs);
        }
        lastTs = ts;
    }
}
