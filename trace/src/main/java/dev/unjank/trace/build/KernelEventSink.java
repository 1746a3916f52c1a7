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

/** What the kernel tells: who ran, who woke whom, which threads and processes there are, binder. */
public abstract class KernelEventSink extends EventSink {
    /** Stands for a state that is not a set of the kernel's bits but the code of a {@link SchedState}. */
    private static final long STATE_IS_CODE = 0x8000;

    /** Whether the kernel is older than 4.14, where the numbers of states changed. */
    boolean before414;

    /** Whether a thread was woken by {@link #waking}. */
    boolean hasWaking;

    private boolean hasScheduling;

    KernelEventSink(BlockPool pool) {
        super(pool);
    }

    /**
     * Whether what a CPU did at some time may be told both here and elsewhere.
     *
     * @param other the events elsewhere
     * @param laterNs their times are to be made later by so much
     * @return true if both have switches, and of one CPU events of the same time
     */
    public final boolean schedulingOverlaps(KernelEventSink other, long laterNs) {
        return hasScheduling && other.hasScheduling && overlaps(other, laterNs);
    }

    /**
     * Notes which kernel wrote the scheduler's events, since the numbers of states changed over time.
     *
     * @param kernel its version
     */
    public final void kernel(Machine.Kernel kernel) {
        before414 = kernel.isOlder(4, 14);
    }

    /**
     * A CPU switched from one thread to another, with the state as the kernel writes it.
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
     * A CPU switched from one thread to another.
     *
     * @param ts the time in ns
     * @param cpu the CPU
     * @param prevTid the thread that leaves the CPU
     * @param prevComm its name
     * @param prevPriority its priority
     * @param prevState what it does from now
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
     * A CPU switched to a thread, from the one that the CPU's last switch named.
     *
     * @param ts the time in ns
     * @param cpu the CPU
     * @param prevState the kernel's bits for what the other does from now
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
     * A thread begins to wake another.
     *
     * @param ts the time in ns
     * @param cpu the CPU
     * @param wakerTid who wakes it, -1 for whoever runs on that CPU
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
     * An interrupt begins to wake a thread.
     *
     * @param ts the time in ns
     * @param cpu the CPU
     * @param interruptedTid who was interrupted and has no part in it, -1 for whoever runs on that CPU
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
     * A thread has been woken. Counts only in a trace that holds no {@link #waking} at all: that comes first and from the
     * waker, whereas this may come from the CPU on which the thread will run.
     *
     * @param ts the time in ns
     * @param cpu the CPU
     * @param tid the thread that is woken
     * @param priority its priority
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
     * Why a thread slept, told when it wakes.
     *
     * @param ts the time in ns
     * @param tid who slept
     * @param ioWait whether for I/O
     * @param function the kernel function in which, -1 if unknown
     */
    public final void blockedReason(long ts, int tid, boolean ioWait, int function) {
        addEvent(EventKind.BLOCKED_REASON | (ioWait ? 0x100 : 0), ts, tid, function);
    }

    /**
     * A thread created another.
     *
     * @param ts the time in ns
     * @param creatorTid who
     * @param tid the new thread's number
     * @param comm its name
     * @param cloneFlags the flags of the system call, which tell a thread from a process
     */
    public final void taskNew(long ts, int creatorTid, int tid, int comm, int cloneFlags) {
        if (accept(ts)) {
            currentLog.add(EventKind.TASK_NEW, ts, IntPair.pack(tid, comm), IntPair.pack(creatorTid, cloneFlags));
        }
    }

    /**
     * A thread changed its name.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param comm the new name
     */
    public final void taskRename(long ts, int tid, int comm) {
        addEvent(EventKind.TASK_RENAME, ts, tid, comm);
    }

    /**
     * A thread ends. It still has to be switched away, and its number is not free before {@link #taskEnd}, which need not be
     * told of.
     *
     * @param ts the time in ns
     * @param tid the thread
     */
    public final void taskExit(long ts, int tid) {
        addEvent(EventKind.TASK_END | EventKind.EXIT_ONLY, ts, tid, 0);
    }

    /**
     * A thread is gone for good; its number may be given to another.
     *
     * @param ts the time in ns
     * @param tid the thread
     */
    public final void taskEnd(long ts, int tid) {
        addEvent(EventKind.TASK_END, ts, tid, 0);
    }

    /**
     * There is a process, as a listing at some moment says.
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
     * There is a process, as a listing at some moment says.
     *
     * @param ts the time in ns
     * @param pid its number
     * @param parentPid its parent process
     * @param name the first word of its command line, -1 if unknown
     * @param uid the number of the user that it runs as, {@link Processes#NO_UID} if unknown
     */
    public final void process(long ts, int pid, int parentPid, int name, int uid) {
        addProcess(EventKind.PROCESS | (long) name << 32, ts, pid, parentPid, uid);
    }

    /**
     * There is a process that runs a Java virtual machine.
     *
     * @param ts the time in ns
     * @param pid its number
     * @param name what it runs, -1 if unknown
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
     * There is a thread, as a listing at some moment says.
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
     * A program says what it calls one of its threads. That is better than the kernel's name, which has 15 bytes at most.
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
     * A thread sends a binder transaction to another process, or the answer to one.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param number the kernel's number of the transaction
     * @param reply whether it is an answer
     * @param oneWay whether no answer is expected
     */
    public final void binderTransaction(long ts, int tid, int number, boolean reply, boolean oneWay) {
        int kind = (reply ? BinderTracker.REPLY : 0) | (oneWay ? BinderTracker.ONE_WAY : 0);
        addEvent(EventKind.BINDER_SENT | (long) kind << 8, ts, tid, number);
    }

    /**
     * A thread takes up a binder transaction, or the answer to its own.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param number the kernel's number of the transaction
     */
    public final void binderReceived(long ts, int tid, int number) {
        addEvent(EventKind.BINDER_RECEIVED, ts, tid, number);
    }

    /** As {@link #appendEvents}, with what is known of them. */
    final void appendKernelEvents(KernelEventSink part, IdRemapping numbers) {
        appendEvents(part, numbers);
        before414 |= part.before414;
        hasScheduling |= part.hasScheduling;
        hasWaking |= part.hasWaking;
    }
}
