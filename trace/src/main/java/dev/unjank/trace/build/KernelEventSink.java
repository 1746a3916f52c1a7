package dev.unjank.trace.build;

import dev.unjank.trace.build.event.EventKind;
import dev.unjank.trace.build.event.IdRemapping;
import dev.unjank.trace.build.tracker.BinderTracker;
import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.model.Machine;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStateBits;

/** Sink of kernel events: scheduling, wakeups, threads and processes, binder. */
public abstract class KernelEventSink extends EventSink {
    /** Marks a state that is the code of a {@link SchedState}, not a set of the kernel's bits. */
    private static final long STATE_IS_CODE = 0x8000;

    /** Whether the kernel is older than 4.14, which changed the numbers of states. */
    boolean before414;

    /** Whether there was a {@link #waking} event. */
    boolean hasWaking;

    private boolean hasScheduling;

    KernelEventSink(BlockPool pool) {
        super(pool);
    }

    /**
     * Whether both sinks contain scheduling events of the same CPU and time.
     *
     * @param other the other sink
     * @param shiftNs is added to the times of the other sink
     * @return true if both have switches, and their events overlap in time on a CPU
     */
    public final boolean schedulingOverlaps(KernelEventSink other, long shiftNs) {
        return hasScheduling && other.hasScheduling && overlaps(other, shiftNs);
    }

    /**
     * Sets the version of the kernel, on which the numbers of states depend.
     *
     * @param kernel its version
     */
    public final void kernel(Machine.Kernel kernel) {
        before414 = kernel.isOlder(4, 14);
    }

    /**
     * Adds a sched_switch with the state as the kernel writes it.
     *
     * @param ts the time in ns
     * @param cpu the CPU
     * @param prevTid the thread that leaves the CPU
     * @param prevComm its name
     * @param prevPriority its priority
     * @param prevState the kernel's bits
     * @param nextTid the thread that is put on the CPU
     * @param nextComm its name
     * @param nextPriority its priority
     */
    public final void schedSwitch(
            long ts,
            int cpu,
            int prevTid,
            int prevComm,
            int prevPriority,
            long prevState,
            int nextTid,
            int nextComm,
            int nextPriority) {
        if (accept(ts, cpu)) {
            hasScheduling = true;
            log(cpu).add(
                            EventKind.SWITCH
                                    | (prevState & 0x7fff) << 8
                                    | (ThreadStateBits.validPriority(prevPriority) & 0xffffL) << 24
                                    | (ThreadStateBits.validPriority(nextPriority) & 0xffffL) << 40,
                            ts,
                            IntPair.pack(nextTid, nextComm),
                            IntPair.pack(prevTid, prevComm));
        }
    }

    /**
     * Adds a sched_switch.
     *
     * @param ts the time in ns
     * @param cpu the CPU
     * @param prevTid the thread that leaves the CPU
     * @param prevComm its name
     * @param prevPriority its priority
     * @param prevState its new state
     * @param nextTid the thread that is put on the CPU
     * @param nextComm its name
     * @param nextPriority its priority
     */
    public final void schedSwitch(
            long ts,
            int cpu,
            int prevTid,
            int prevComm,
            int prevPriority,
            SchedState prevState,
            int nextTid,
            int nextComm,
            int nextPriority) {
        if (accept(ts, cpu)) {
            hasScheduling = true;
            log(cpu).add(
                            EventKind.SWITCH
                                    | (STATE_IS_CODE | prevState.code()) << 8
                                    | (ThreadStateBits.validPriority(prevPriority) & 0xffffL) << 24
                                    | (ThreadStateBits.validPriority(nextPriority) & 0xffffL) << 40,
                            ts,
                            IntPair.pack(nextTid, nextComm),
                            IntPair.pack(prevTid, prevComm));
        }
    }

    /**
     * Adds a sched_switch in compact form; the previous thread is the one that the last switch on the CPU put there.
     *
     * @param ts the time in ns
     * @param cpu the CPU
     * @param prevState the kernel's bits of the previous thread's new state
     * @param nextTid the thread that is put on the CPU
     * @param nextComm its name
     * @param nextPriority its priority
     */
    public final void compactSwitch(long ts, int cpu, long prevState, int nextTid, int nextComm, int nextPriority) {
        if (accept(ts, cpu)) {
            hasScheduling = true;
            log(cpu).add(
                            EventKind.COMPACT_SWITCH
                                    | (prevState & 0x7fff) << 8
                                    | (ThreadStateBits.validPriority(nextPriority) & 0xffffL) << 40,
                            ts,
                            IntPair.pack(nextTid, nextComm));
        }
    }

    /**
     * Adds a sched_waking.
     *
     * @param ts the time in ns
     * @param cpu the CPU
     * @param wakerTid the waker, -1 for the thread that runs on that CPU
     * @param tid the thread that is woken
     * @param priority its priority
     */
    public final void waking(long ts, int cpu, int wakerTid, int tid, int priority) {
        if (accept(ts, cpu)) {
            hasWaking = true;
            log(cpu).add(
                            EventKind.WAKING | (ThreadStateBits.validPriority(priority) & 0xffffL) << 8,
                            ts,
                            IntPair.pack(tid, wakerTid));
        }
    }

    /**
     * Adds a sched_waking by an interrupt.
     *
     * @param ts the time in ns
     * @param cpu the CPU
     * @param interruptedTid the interrupted thread, which is not the waker; -1 for the thread that runs on that CPU
     * @param tid the thread that is woken
     * @param priority its priority
     */
    public final void wakingFromInterrupt(long ts, int cpu, int interruptedTid, int tid, int priority) {
        if (accept(ts, cpu)) {
            hasWaking = true;
            log(cpu).add(
                            EventKind.WAKING
                                    | EventKind.FROM_INTERRUPT
                                    | (ThreadStateBits.validPriority(priority) & 0xffffL) << 8,
                            ts,
                            IntPair.pack(tid, interruptedTid));
        }
    }

    /**
     * Adds a sched_wakeup. It is used only in traces without any {@link #waking}, which is earlier and recorded by
     * the waker, whereas a wakeup may be recorded on the CPU where the thread is enqueued.
     */
    public final void wakeup(long ts, int cpu, int tid, int priority) {
        if (accept(ts, cpu)) {
            log(cpu).add(
                            EventKind.WAKEUP | (ThreadStateBits.validPriority(priority) & 0xffffL) << 8,
                            ts,
                            IntPair.pack(tid, -1));
        }
    }

    /**
     * Adds a sched_blocked_reason, which is recorded when the thread wakes.
     *
     * @param ts the time in ns
     * @param tid the thread that slept
     * @param ioWait whether it waited for I/O
     * @param function the blocked function, -1 if unknown
     */
    public final void blockedReason(long ts, int tid, boolean ioWait, int function) {
        addEvent(EventKind.BLOCKED_REASON | (ioWait ? 0x100 : 0), ts, tid, function);
    }

    /**
     * Adds a task_newtask.
     *
     * @param ts the time in ns
     * @param creatorTid the thread that created it
     * @param tid the new thread
     * @param comm its name
     * @param cloneFlags the flags of the system call, which distinguish threads from processes
     */
    public final void taskNew(long ts, int creatorTid, int tid, int comm, int cloneFlags) {
        if (accept(ts)) {
            currentLog.add(EventKind.TASK_NEW, ts, IntPair.pack(tid, comm), IntPair.pack(creatorTid, cloneFlags));
        }
    }

    /**
     * Adds a task_rename.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param comm the new name
     */
    public final void taskRename(long ts, int tid, int comm) {
        addEvent(EventKind.TASK_RENAME, ts, tid, comm);
    }

    /**
     * Adds a sched_process_exit. The thread will still be switched out; its tid is in use until {@link #taskEnd},
     * which is optional.
     */
    public final void taskExit(long ts, int tid) {
        addEvent(EventKind.TASK_END | EventKind.EXIT_ONLY, ts, tid, 0);
    }

    /**
     * Adds a sched_process_free: the tid may be reused from now on.
     *
     * @param ts the time in ns
     * @param tid the thread
     */
    public final void taskEnd(long ts, int tid) {
        addEvent(EventKind.TASK_END, ts, tid, 0);
    }

    /**
     * Adds a process from a list of processes.
     *
     * @param ts the time in ns
     * @param pid its number
     * @param parentPid its parent process
     * @param name the first word of its command line, -1 if unknown
     */
    public final void process(long ts, int pid, int parentPid, int name) {
        process(ts, pid, parentPid, name, Processes.NO_UID);
    }

    /**
     * Adds a process from a list of processes.
     *
     * @param ts the time in ns
     * @param pid its number
     * @param parentPid its parent process
     * @param name the first word of its command line, -1 if unknown
     * @param uid its user id, {@link Processes#NO_UID} if unknown
     */
    public final void process(long ts, int pid, int parentPid, int name, int uid) {
        addProcess(EventKind.PROCESS | (long) name << 32, ts, pid, parentPid, uid);
    }

    /**
     * Adds a process that runs a Java virtual machine.
     *
     * @param ts the time in ns
     * @param pid its number
     * @param name its name, -1 if unknown
     */
    public final void javaProcess(long ts, int pid, int name) {
        addProcess(EventKind.PROCESS | EventKind.IS_JVM | (long) name << 32, ts, pid, 0, Processes.NO_UID);
    }

    private void addProcess(long header, long ts, int pid, int parentPid, int uid) {
        if (accept(ts)) {
            currentLog.add(header, ts, IntPair.pack(pid, parentPid), uid);
        }
    }

    /**
     * Adds a thread from a list of threads.
     *
     * @param ts the time in ns
     * @param tid its number
     * @param pid the number of its process
     * @param comm its name, -1 if unknown
     */
    public final void thread(long ts, int tid, int pid, int comm) {
        addEvent(EventKind.THREAD | (long) comm << 32, ts, tid, pid);
    }

    /**
     * Adds a thread name set by the program. It is preferred to the kernel's name, which has at most 15 bytes.
     *
     * @param ts the time in ns
     * @param tid the thread's number
     * @param pid the number of its process
     * @param name its name, -1 if unknown
     */
    public final void nameThread(long ts, int tid, int pid, int name) {
        addEvent(EventKind.THREAD | 0x100 | (long) name << 32, ts, tid, pid);
    }

    /**
     * Adds a binder transaction or a reply.
     *
     * @param ts the time in ns
     * @param tid the sending thread
     * @param number the kernel's number of the transaction
     * @param reply whether it is a reply
     * @param oneWay whether no reply is expected
     */
    public final void binderTransaction(long ts, int tid, int number, boolean reply, boolean oneWay) {
        int kind = (reply ? BinderTracker.REPLY : 0) | (oneWay ? BinderTracker.ONE_WAY : 0);
        addEvent(EventKind.BINDER_SENT | (long) kind << 8, ts, tid, number);
    }

    /**
     * Adds the receipt of a binder transaction or of a reply.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param number the kernel's number of the transaction
     */
    public final void binderReceived(long ts, int tid, int number) {
        addEvent(EventKind.BINDER_RECEIVED, ts, tid, number);
    }

    /** Appends the events and state of another sink. */
    final void appendKernelEvents(KernelEventSink part, IdRemapping numbers) {
        appendEvents(part, numbers);
        before414 |= part.before414;
        hasScheduling |= part.hasScheduling;
        hasWaking |= part.hasWaking;
    }
}
