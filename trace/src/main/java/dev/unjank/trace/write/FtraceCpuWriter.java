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
 * The kernel's event buffer of one CPU: takes the events that happen on it, in the order of time, and hands them to the {@link
 * TraceWriter} a bundle at a time. Other CPUs' events may be ahead of it or behind it by any time; a reader sorts.
 *
 * <p>Every method throws {@link IllegalArgumentException} if its time lies before that of an earlier event of this CPU, and
 * {@link IOException} if the stream fails that a full bundle is written to.
 */
public final class FtraceCpuWriter {
    /** A bundle is written once it holds about this many bytes: the bound on what a CPU keeps in memory. */
    private static final int BUNDLE_BYTES = 32 * 1024;

    /** Who runs before the first switch: a reader knows that it does not know. */
    private static final int NOT_TOLD = -1;

    /** Who runs after a loss: a reader takes the one from before it. */
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

    /** The thread that a reader takes to run here. The compact form does not tell who: where it is another, that form is not used. */
    private int running = NOT_TOLD;

    FtraceCpuWriter(TraceWriter writer, int cpu, boolean compactSched) {
        this.writer = writer;
        this.cpu = cpu;
        this.compactSched = compactSched;
    }

    /**
     * This CPU stops running one thread and starts another.
     *
     * @param ts the time in ns
     * @param prev the thread that leaves the CPU
     * @param prevState why it leaves, a value of {@link PrevState}
     * @param next the thread that runs from now on
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
        int event = beginEvent(ts, prev.tid());
        int body = events.begin(FtraceEvent.SCHED_SWITCH);
        events.string(SchedSwitch.PREV_COMM, prev.comm());
        events.varint(SchedSwitch.PREV_PID, prev.tid());
        events.varint(SchedSwitch.PREV_PRIO, prev.priority());
        events.varint(SchedSwitch.PREV_STATE, prevState);
        events.string(SchedSwitch.NEXT_COMM, next.comm());
        events.varint(SchedSwitch.NEXT_PID, next.tid());
        events.varint(SchedSwitch.NEXT_PRIO, next.priority());
        endEvent(event, body);
    }

    private boolean isTakenToRun(int tid) {
        return running == NOT_TOLD || running == tid;
    }

    /**
     * The thread that runs here starts to wake another.
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
     * An interrupt on this CPU starts to wake a thread; the thread that it interrupts has nothing to do with it.
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
     * A thread starts to be woken.
     *
     * @param ts the time in ns
     * @param runningTid the thread that runs on this CPU
     * @param woken the thread that becomes runnable
     * @param targetCpu the CPU it last ran on
     * @param commonFlags the kernel's flags of the event, which tell whether an interrupt wakes
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
     * A thread has been woken and waits on a CPU's run queue. Kernels record it beside or, before 4.4, in place of the waking.
     *
     * @param ts the time in ns
     * @param wakerTid the thread that runs on this CPU
     * @param woken who is ready to run
     * @param targetCpu the CPU whose run queue it is on
     * @throws IOException if the stream fails
     */
    public void schedWakeup(long ts, int wakerTid, Task woken, int targetCpu) throws IOException {
        wake(FtraceEvent.SCHED_WAKEUP, ts, wakerTid, woken, targetCpu, 0);
    }

    /**
     * A new thread waits on a CPU's run queue for the first time.
     *
     * @param ts the time in ns
     * @param parentTid the thread that made it, running on this CPU
     * @param woken the new thread
     * @param targetCpu the CPU whose run queue it is on
     * @throws IOException if the stream fails
     */
    public void schedWakeupNew(long ts, int parentTid, Task woken, int targetCpu) throws IOException {
        wake(FtraceEvent.SCHED_WAKEUP_NEW, ts, parentTid, woken, targetCpu, 0);
    }

    private void wake(int field, long ts, int wakerTid, Task woken, int targetCpu, int commonFlags) throws IOException {
        int event = beginEvent(ts, wakerTid);
        if (commonFlags != 0) {
            events.varint(FtraceEvent.COMMON_FLAGS, commonFlags);
        }
        int body = events.begin(field);
        events.string(SchedWaking.COMM, woken.comm());
        events.varint(SchedWaking.PID, woken.tid());
        events.varint(SchedWaking.PRIO, woken.priority());
        events.varint(SchedWaking.SUCCESS, 1);
        events.varint(SchedWaking.TARGET_CPU, targetCpu);
        endEvent(event, body);
    }

    /**
     * Why a thread that is being woken was in an uninterruptible sleep. The kernel records it right after the waking.
     *
     * @param ts the time in ns
     * @param wakerTid the thread that runs on this CPU
     * @param blockedTid the thread that slept
     * @param ioWait whether it waited for I/O
     * @param function the kernel's function in which it slept, or null for a kernel whose symbols are hidden
     * @throws IOException if the stream fails
     */
    public void schedBlockedReason(long ts, int wakerTid, int blockedTid, boolean ioWait, @Nullable String function)
            throws IOException {
        int event = beginEvent(ts, wakerTid);
        int body = events.begin(FtraceEvent.SCHED_BLOCKED_REASON);
        events.varint(SchedBlockedReason.PID, blockedTid);
        if (function != null) {
            events.varint(SchedBlockedReason.CALLER, writer.kernelSymbolId(function));
            kernelSymbols.add(function);
        }
        events.bool(SchedBlockedReason.IO_WAIT, ioWait);
        endEvent(event, body);
    }

    /**
     * The kernel lends a thread another priority because it holds a lock that a more important one waits for, or takes it back.
     *
     * @param ts the time in ns
     * @param byTid the thread that runs on this CPU
     * @param task the thread, with the priority it has from now on
     * @param oldPriority the one it had
     * @throws IOException if the stream fails
     */
    public void schedPiSetprio(long ts, int byTid, Task task, int oldPriority) throws IOException {
        int event = beginEvent(ts, byTid);
        int body = events.begin(FtraceEvent.SCHED_PI_SETPRIO);
        events.string(SchedPiSetprio.COMM, task.comm());
        events.varint(SchedPiSetprio.NEWPRIO, task.priority());
        events.varint(SchedPiSetprio.OLDPRIO, oldPriority);
        events.varint(SchedPiSetprio.PID, task.tid());
        endEvent(event, body);
    }

    /**
     * The thread that runs here makes a system call.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param number the call's number on this machine
     * @param args its arguments
     * @throws IOException if the stream fails
     */
    public void sysEnter(long ts, int tid, long number, long... args) throws IOException {
        int event = beginEvent(ts, tid);
        int body = events.begin(FtraceEvent.SYS_ENTER);
        events.varint(SysEnter.ID, number);
        for (long arg : args) {
            events.varint(SysEnter.ARGS, arg);
        }
        endEvent(event, body);
    }

    /**
     * A system call of the thread that runs here returns.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param number the call's number on this machine
     * @param result what it returns
     * @throws IOException if the stream fails
     */
    public void sysExit(long ts, int tid, long number, long result) throws IOException {
        int event = beginEvent(ts, tid);
        int body = events.begin(FtraceEvent.SYS_EXIT);
        events.varint(SysExit.ID, number);
        events.varint(SysExit.RET, result);
        endEvent(event, body);
    }

    /**
     * A thread makes another thread, or a process.
     *
     * @param ts the time in ns
     * @param parentTid the thread that makes it, running on this CPU
     * @param child the new thread; at first it has its parent's name
     * @param sameProcess whether it belongs to its parent's process, rather than being the main thread of a new one
     * @throws IOException if the stream fails
     */
    public void taskNewtask(long ts, int parentTid, Task child, boolean sameProcess) throws IOException {
        int event = beginEvent(ts, parentTid);
        int body = events.begin(FtraceEvent.TASK_NEWTASK);
        events.varint(TaskNewtask.PID, child.tid());
        events.string(TaskNewtask.COMM, child.comm());
        events.varint(TaskNewtask.CLONE_FLAGS, sameProcess ? CLONE_THREAD : 0);
        endEvent(event, body);
    }

    /**
     * A thread gets another short name.
     *
     * @param ts the time in ns
     * @param byTid the thread that runs on this CPU, mostly the same
     * @param tid the thread that is renamed
     * @param oldComm its name so far
     * @param newComm its name from now on
     * @throws IOException if the stream fails
     */
    public void taskRename(long ts, int byTid, int tid, String oldComm, String newComm) throws IOException {
        int event = beginEvent(ts, byTid);
        int body = events.begin(FtraceEvent.TASK_RENAME);
        events.varint(TaskRename.PID, tid);
        events.string(TaskRename.OLDCOMM, oldComm);
        events.string(TaskRename.NEWCOMM, newComm);
        endEvent(event, body);
    }

    /**
     * The thread that runs here ends. (The kernel's name of the event says process; it is every thread's.)
     *
     * @param ts the time in ns
     * @param task the thread
     * @param pid its process
     * @throws IOException if the stream fails
     */
    public void schedProcessExit(long ts, Task task, int pid) throws IOException {
        int event = beginEvent(ts, task.tid());
        int body = events.begin(FtraceEvent.SCHED_PROCESS_EXIT);
        events.string(SchedProcessExit.COMM, task.comm());
        events.varint(SchedProcessExit.PID, task.tid());
        events.varint(SchedProcessExit.TGID, pid);
        events.varint(SchedProcessExit.PRIO, task.priority());
        endEvent(event, body);
    }

    /**
     * The kernel forgets a thread that has ended; its tid may be used again.
     *
     * @param ts the time in ns
     * @param byTid the thread that runs on this CPU
     * @param task the ended thread
     * @throws IOException if the stream fails
     */
    public void schedProcessFree(long ts, int byTid, Task task) throws IOException {
        int event = beginEvent(ts, byTid);
        int body = events.begin(FtraceEvent.SCHED_PROCESS_FREE);
        events.string(SchedProcessFree.COMM, task.comm());
        events.varint(SchedProcessFree.PID, task.tid());
        events.varint(SchedProcessFree.PRIO, task.priority());
        endEvent(event, body);
    }

    /**
     * The thread that runs here writes to the trace.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param text what it writes, mostly a mark of {@link AtraceMarks}; a line feed is added, as the kernel has it
     * @throws IOException if the stream fails
     */
    public void print(long ts, int tid, String text) throws IOException {
        int event = beginEvent(ts, tid);
        int body = events.begin(FtraceEvent.PRINT);
        events.string(Print.BUF, text + "\n");
        endEvent(event, body);
    }

    /**
     * Any event that has no method here; {@link KernelEvent} makes some.
     *
     * @param ts the time in ns
     * @param tid the thread that runs on this CPU
     * @param field the event's field number in Perfetto's {@code FtraceEvent}
     * @param content its message, encoded
     * @throws IOException if the stream fails
     */
    public void event(long ts, int tid, int field, byte[] content) throws IOException {
        int event = beginEvent(ts, tid);
        int body = events.begin(field);
        events.raw(content, 0, content.length);
        endEvent(event, body);
    }

    /**
     * The kernel's buffer of this CPU overflowed: events between the last one and the next one are missing.
     *
     * @throws IOException if the stream fails
     */
    public void lostEvents() throws IOException {
        flush(); // the flag is true of the time before a bundle's first event
        lostEvents = true;
        running = LOST;
    }

    /** Writes what is kept as one packet, if there is anything. */
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

    private int beginEvent(long ts, int tid) {
        advanceTo(ts);
        int event = events.begin(FtraceEventBundle.EVENT);
        events.varint(FtraceEvent.TIMESTAMP, ts);
        events.varint(FtraceEvent.PID, tid);
        return event;
    }

    private void endEvent(int event, int body) throws IOException {
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
