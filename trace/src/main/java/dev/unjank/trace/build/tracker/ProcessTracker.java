package dev.unjank.trace.build.tracker;

import dev.unjank.trace.build.event.ProcessDetails;
import dev.unjank.trace.collections.SmallNumberMap;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Strings;
import dev.unjank.trace.model.Threads;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Assigns a utid to every thread and a upid to every process of the trace. The kernel reuses tids and pids: a
 * creation or an end separates two owners, and so does a tid that appears in another process.
 */
public final class ProcessTracker {
    /** The number of earlier owners of a tid to search; more would make every lookup slow in a damaged trace. */
    private static final int MAX_OWNERS = 4;

    private static final int UNKNOWN = -1;
    private static final int INIT = 1;
    private static final int CLONE_THREAD = 0x10000;

    /** The limit of Linux; greater tids and pids are from damaged traces. */
    private static final int MAX_TIDS = 1 << 22;

    // The source of a thread's name, 0 for none; a weaker source does not replace a stronger one.
    private static final byte NAME_OF_KERNEL = 1;
    private static final byte NAME_OF_PROGRAM = 2;

    private int threads;
    private int[] tids = new int[256];
    private int[] upids = new int[256];
    private int[] threadNames = new int[256];
    private byte[] nameSources = new byte[256];
    private long[] starts = new long[256];
    private long[] ends = new long[256];

    /** The starts that programs report of their threads; {@link Long#MIN_VALUE} if there is none. */
    private long[] reportedStarts = new long[256];

    /** Whether a thread's tid is free again. A thread that has exited may still own its tid. */
    private boolean[] gone = new boolean[256];

    /** The thread that had the same tid before. */
    private int[] previousOwners = new int[256];

    /** Threads that share a process which is not known yet: a chain towards the creator. */
    private int[] siblings = new int[256];

    private int processes;
    private int[] pids = new int[64];
    private int[] parents = new int[64];
    private int[] processNames = new int[64];
    private int[] lastProcessNames = new int[64];
    private boolean[] hasCommandLine = new boolean[64];
    private int[] uids = new int[64];
    private boolean[] jvms = new boolean[64];
    private @Nullable ProcessDetails[] details = new ProcessDetails[64];

    /** Whether a process's pid is free or belongs to another process now. */
    private boolean[] replaced = new boolean[64];

    private final SmallNumberMap threadOfTid = new SmallNumberMap(MAX_TIDS, Integer.MAX_VALUE);
    private final SmallNumberMap processOfPid = new SmallNumberMap(MAX_TIDS, Integer.MAX_VALUE);

    public ProcessTracker(int idleName) {
        int idle = startThread(Long.MIN_VALUE, 0);
        threadNames[idle] = idleName;
        nameSources[idle] = NAME_OF_KERNEL;
    }

    /** The thread that owns a tid now. */
    public int thread(int tid) {
        int utid = owner(tid, UNKNOWN);
        return utid >= 0 ? utid : startThread(earliestStart(tid), tid);
    }

    /** The thread that owns a tid now and belongs to a process. */
    public int thread(int tid, int pid) {
        int utid = owner(tid, pid);
        if (utid < 0) {
            utid = startThread(earliestStart(tid), tid);
        }
        if (upids[utid] < 0) {
            upids[utid] = process(pid);
        }
        return utid;
    }

    private int owner(int tid, int pid) {
        int utid = threadOfTid.get(tid);
        for (int i = 0; utid >= 0 && i < MAX_OWNERS; i++) {
            int upid = upids[utid];
            if (!gone[utid] && (upid < 0 || (!replaced[upid] && (pid == UNKNOWN || pids[upid] == pid)))) {
                return utid;
            }
            utid = previousOwners[utid];
        }
        return UNKNOWN;
    }

    /** A thread without a recorded start began after the tid's last owner ended. */
    private long earliestStart(int tid) {
        int last = threadOfTid.get(tid);
        return last >= 0 && gone[last] ? ends[last] : Long.MIN_VALUE;
    }

    /** The number of threads. */
    public int threadCount() {
        return threads;
    }

    private int startThread(long ts, int tid) {
        int utid = threads++;
        if (utid == tids.length) {
            growThreads();
        }
        tids[utid] = tid;
        upids[utid] = UNKNOWN;
        threadNames[utid] = UNKNOWN;
        starts[utid] = ts;
        ends[utid] = Long.MAX_VALUE;
        reportedStarts[utid] = Long.MIN_VALUE;
        siblings[utid] = UNKNOWN;
        previousOwners[utid] = threadOfTid.get(tid);
        threadOfTid.put(tid, utid);
        return utid;
    }

    private void growThreads() {
        int capacity = threads * 2;
        tids = Arrays.copyOf(tids, capacity);
        upids = Arrays.copyOf(upids, capacity);
        threadNames = Arrays.copyOf(threadNames, capacity);
        nameSources = Arrays.copyOf(nameSources, capacity);
        starts = Arrays.copyOf(starts, capacity);
        ends = Arrays.copyOf(ends, capacity);
        reportedStarts = Arrays.copyOf(reportedStarts, capacity);
        gone = Arrays.copyOf(gone, capacity);
        previousOwners = Arrays.copyOf(previousOwners, capacity);
        siblings = Arrays.copyOf(siblings, capacity);
    }

    /** The process that owns a pid now. */
    public int process(int pid) {
        int upid = processOfPid.get(pid);
        return upid >= 0 ? upid : startProcess(pid);
    }

    private int startProcess(int pid) {
        int upid = processes++;
        if (upid == pids.length) {
            int capacity = processes * 2;
            pids = Arrays.copyOf(pids, capacity);
            parents = Arrays.copyOf(parents, capacity);
            processNames = Arrays.copyOf(processNames, capacity);
            lastProcessNames = Arrays.copyOf(lastProcessNames, capacity);
            hasCommandLine = Arrays.copyOf(hasCommandLine, capacity);
            uids = Arrays.copyOf(uids, capacity);
            jvms = Arrays.copyOf(jvms, capacity);
            details = Arrays.copyOf(details, capacity);
            replaced = Arrays.copyOf(replaced, capacity);
        }
        pids[upid] = pid;
        parents[upid] = UNKNOWN;
        processNames[upid] = UNKNOWN;
        lastProcessNames[upid] = UNKNOWN;
        uids[upid] = Processes.NO_UID;
        processOfPid.put(pid, upid);
        thread(pid, pid);
        return upid;
    }

    /** Adds a process from a list of processes, in which kernel threads are processes of their own. */
    public void describeProcess(int pid, int parentPid, int name, int uid) {
        int upid = process(pid);
        if (parentPid > 0 && !isAdoptedByInit(upid, parentPid)) {
            parents[upid] = process(parentPid);
        }
        if (name >= 0) {
            processNames[upid] = name;
            lastProcessNames[upid] = name;
            hasCommandLine[upid] = true;
        }
        if (uid != Processes.NO_UID) {
            uids[upid] = uid;
        }
    }

    /** Whether the parent of a process has ended, so that init is its parent now: the first parent started it. */
    private boolean isAdoptedByInit(int upid, int parentPid) {
        return parentPid == INIT && parents[upid] >= 0;
    }

    /** Adds details of a process from a list of processes. */
    public void describeProcess(ProcessDetails its) {
        details[process(its.pid())] = its;
    }

    /** Marks a process that runs a Java virtual machine. */
    public void runsJvm(int pid) {
        jvms[process(pid)] = true;
    }

    /** Adds a thread from a list of threads, or one named by its program. */
    public void describeThread(int tid, int pid, int name, boolean byProgram) {
        nameThread(thread(tid, pid), name, byProgram ? NAME_OF_PROGRAM : NAME_OF_KERNEL);
    }

    /** Sets the kernel's name of a thread. */
    public void nameThread(int utid, int name) {
        nameThread(utid, name, NAME_OF_KERNEL);
    }

    private void nameThread(int utid, int name, byte source) {
        if (name >= 0 && source >= nameSources[utid] && utid != Threads.IDLE) {
            threadNames[utid] = name;
            nameSources[utid] = source;
        }
    }

    /** A process executes another program, which gives it a new name. */
    public void execute(int pid, int name) {
        int upid = process(pid);
        processNames[upid] = name;
        lastProcessNames[upid] = name;
        hasCommandLine[upid] = false;
    }

    /** Whether a process was listed before it had a name of its own: between fork and exec. */
    private boolean hasNameOfParent(int upid) {
        int parent = parents[upid];
        return parent >= 0 && parent != upid && processNames[upid] == processNames[parent];
    }

    /** Renames a thread, and its process if it is the main thread and there is no better name. */
    public void renameThread(int tid, int name) {
        int utid = thread(tid);
        nameThread(utid, name);
        int upid = upids[utid];
        if (upid >= 0 && pids[upid] == tid) {
            lastProcessNames[upid] = name;
            if (!hasCommandLine[upid] || hasNameOfParent(upid)) {
                processNames[upid] = name;
            }
        }
    }

    /** A thread created another, in its own process or as the first thread of a new process. */
    public int created(long ts, int creatorTid, int tid, int name, int cloneFlags) {
        int creator = thread(creatorTid);
        int utid;
        if ((cloneFlags & CLONE_THREAD) == 0) {
            utid = startThread(ts, tid);
            replaceProcess(tid);
            int upid = process(tid);
            upids[utid] = upid;
            processNames[upid] = name;
            lastProcessNames[upid] = name;
            parents[upid] = upids[creator];
        } else {
            utid = startThread(ts, tid);
            upids[utid] = upids[creator];
            siblings[utid] = upids[creator] < 0 ? creator : UNKNOWN;
        }
        nameThread(utid, name);
        return utid;
    }

    /** A thread exits. It keeps its tid, since it will still be switched out. */
    public void exit(long ts, int tid) {
        int utid = thread(tid);
        if (utid != Threads.IDLE) {
            ends[utid] = ts;
        }
    }

    /** A thread starts: one that had its tid and has ended by then is another one. */
    public void releaseEnded(long ts, int tid, int pid) {
        int utid = owner(tid, pid);
        if (utid >= 0 && ends[utid] <= ts) {
            gone[utid] = true;
        }
    }

    /** A program reports the start of one of its threads. */
    public void reportStart(long ts, int tid, int pid) {
        reportedStarts[thread(tid, pid)] = ts;
    }

    /** A program reports the end of one of its threads, which the kernel may have recorded already. */
    public void reportEnd(long ts, int tid, int pid) {
        int utid = owner(tid, pid);
        if (utid >= 0 && ends[utid] == Long.MAX_VALUE) {
            ends[utid] = ts;
        }
    }

    /**
     * Threads with a recorded exit and no end of their tid end with their last switch. A reported start counts unless
     * the kernel has recorded the thread before.
     */
    public void settleLives(ThreadStateTracker sched) {
        for (int utid = 0; utid < threads; utid++) {
            if (reportedStarts[utid] <= sched.firstChange(utid)) {
                starts[utid] = Math.max(starts[utid], reportedStarts[utid]);
            }
            if (!gone[utid] && ends[utid] != Long.MAX_VALUE) {
                ends[utid] = Math.max(ends[utid], sched.lastChange(utid));
            }
        }
    }

    /** A thread has ended; later events with its tid refer to another thread. */
    public void end(long ts, int tid) {
        int utid = thread(tid);
        if (utid == Threads.IDLE) {
            return;
        }
        ends[utid] = ts;
        gone[utid] = true;
        int upid = upids[utid];
        if (upid >= 0 && pids[upid] == tid && processOfPid.get(tid) == upid) {
            replaceProcess(tid);
        }
    }

    private void replaceProcess(int pid) {
        int upid = processOfPid.get(pid);
        if (upid >= 0) {
            replaced[upid] = true;
            processOfPid.put(pid, UNKNOWN);
        }
    }

    /**
     * When the tid of each thread became free, {@link Long#MAX_VALUE} if unknown. A thread is dead until then, as in
     * Perfetto's tables.
     */
    public long[] freed() {
        long[] freed = Arrays.copyOf(ends, threads);
        for (int utid = 0; utid < threads; utid++) {
            if (!gone[utid]) {
                freed[utid] = Long.MAX_VALUE;
            }
        }
        return freed;
    }

    public Processes processes(Strings strings) {
        int[] mainThreads = new int[processes];
        Arrays.fill(mainThreads, UNKNOWN);
        for (int utid = 0; utid < threads; utid++) {
            resolveSibling(utid);
            int upid = upids[utid];
            if (upid >= 0 && pids[upid] == tids[utid] && mainThreads[upid] < 0) {
                mainThreads[upid] = utid;
            }
        }
        return new Processes(
                strings,
                Arrays.copyOf(pids, processes),
                Arrays.copyOf(parents, processes),
                Arrays.copyOf(processNames, processes),
                Arrays.copyOf(lastProcessNames, processes),
                mainThreads,
                Arrays.copyOf(uids, processes),
                Arrays.copyOf(jvms, processes),
                listing());
    }

    private Processes.Listing listing() {
        int[] commandLines = new int[processes];
        long[] started = new long[processes];
        byte[] kernelThreads = new byte[processes];
        boolean[] childrenOfIdle = new boolean[processes];
        for (int upid = 0; upid < processes; upid++) {
            ProcessDetails its = details[upid];
            commandLines[upid] = its == null ? UNKNOWN : its.commandLine();
            started[upid] = its == null ? Long.MIN_VALUE : its.startNs();
            kernelThreads[upid] =
                    (byte) (its == null || its.isKernelThread() == null ? 0 : its.isKernelThread() ? 1 : -1);
            childrenOfIdle[upid] = its != null && its.isChildOfIdle();
        }
        return new Processes.Listing(commandLines, started, kernelThreads, childrenOfIdle);
    }

    /** Creators precede the threads they created, so their process is resolved already. */
    private void resolveSibling(int utid) {
        if (upids[utid] < 0 && siblings[utid] >= 0) {
            upids[utid] = upids[siblings[utid]];
        }
    }

    public Threads threads(Strings strings, Processes processTable) {
        return new Threads(
                strings,
                processTable,
                Arrays.copyOf(tids, threads),
                Arrays.copyOf(upids, threads),
                Arrays.copyOf(threadNames, threads),
                Arrays.copyOf(starts, threads),
                Arrays.copyOf(ends, threads));
    }
}
