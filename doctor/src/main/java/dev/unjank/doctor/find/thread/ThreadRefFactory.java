package dev.unjank.doctor.find.thread;

import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.model.CodeOrigin;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.trace.model.InheritedPriorities;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import org.jspecify.annotations.Nullable;

/** Names the threads of a trace, with the priorities that they have at each moment. */
public final class ThreadRefFactory {
    /** What a runtime calls the first thread of a process, which bears the process's name in the kernel. */
    private static final String MAIN = "main";

    /** Smaller priorities are real-time ones. */
    private static final int BEST_ORDINARY = 100;

    private final Threads threads;
    private final Processes processes;
    private final ThreadStates states;
    private final InheritedPriorities inherited;
    private final CodeOriginClassifier makers;

    public ThreadRefFactory(Trace trace) {
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.states = trace.threadStates();
        this.inherited = trace.inheritedPriorities();
        this.makers = new CodeOriginClassifier(trace);
    }

    /**
     * Names a thread in an interval.
     *
     * @param utid the thread
     * @param from when the interval begins: the priority is that of this moment
     * @param to when it ends: if the trace does not tell the priority at the beginning, the first in the interval will do
     * @param name its whole name, null to use the kernel's
     */
    public ThreadRef during(int utid, long from, long to, @Nullable String name) {
        ThreadRef ref = ref(utid, name, ThreadStates.NO_PRIORITY);
        int row = firstWithPriority(utid, from, to);
        return row < 0 ? ref : at(ref, row);
    }

    /** A thread with the priorities that it has in one of its states. */
    public ThreadRef at(ThreadRef thread, int row) {
        int utid = thread.utid();
        int shown = states.priority(row);
        int loan = inherited.size() == 0 ? -1 : inherited.at(utid, states.ts(row));
        boolean lent = loan >= 0 && inherited.boostedPriority(loan) == shown;
        return thread.withPriority(
                lent ? effectivePriority(loan) : shown,
                lent ? inherited.boostedPriority(loan) : ThreadStates.NO_PRIORITY);
    }

    /** What counts of the priority that the scheduler's events show of a thread from a moment on. */
    public int effectivePriority(int utid, long ts, int shown) {
        int loan = inherited.size() == 0 ? -1 : inherited.at(utid, ts);
        return loan >= 0 && inherited.boostedPriority(loan) == shown ? effectivePriority(loan) : shown;
    }

    private int effectivePriority(int loan) {
        return inherited.boostedPriority(loan) < BEST_ORDINARY
                ? inherited.boostedPriority(loan)
                : inherited.basePriority(loan);
    }

    /** Names a thread whose priority is known. */
    public ThreadRef withPriority(int utid, int priority) {
        return ref(utid, null, priority);
    }

    /** Whether a thread is one of the kernel's own. */
    public boolean isKernels(int utid) {
        return makers.of(utid) == CodeOrigin.KERNEL;
    }

    /** Whether a thread of the trace may be the one that a runtime gives a whole name. */
    public boolean canHaveName(@Nullable String name, int utid) {
        return ThreadNameMatcher.agree(name, threads.name(utid)) || (MAIN.equals(name) && threads.isMain(utid));
    }

    /** The only thread of a process but one that lived at a moment and may bear a name; -1 if there is none, or several. */
    public int onlyThreadNamed(@Nullable String name, int upid, int otherThan, long ts) {
        int found = -1;
        for (int utid = 0; upid >= 0 && utid < threads.size(); utid++) {
            if (utid != otherThan
                    && threads.upid(utid) == upid
                    && threads.startNs(utid) <= ts
                    && ts <= threads.endNs(utid)
                    && canHaveName(name, utid)) {
                if (found >= 0) {
                    return -1;
                }
                found = utid;
            }
        }
        return found;
    }

    /** Names a thread that the trace does not show. */
    public static ThreadRef notInTrace(int tid, @Nullable String name) {
        return new ThreadRef(
                ThreadRef.NOT_IN_TRACE,
                tid,
                name,
                ThreadRef.NOT_IN_TRACE,
                null,
                false,
                ThreadStates.NO_PRIORITY,
                CodeOrigin.UNKNOWN);
    }

    /** All threads of a process. */
    public ThreadRef allOf(int upid) {
        return new ThreadRef(
                ThreadRef.NOT_IN_TRACE,
                ThreadRef.NOT_IN_TRACE,
                "all threads",
                upid,
                processes.name(upid),
                false,
                ThreadStates.NO_PRIORITY,
                CodeOrigin.PROGRAM);
    }

    /** The thread that waits as its own owner: nobody else was in its way. */
    public Owner ownerItself(BlockedInterval interval) {
        return ownerItself(interval.utid(), interval.startNs(), interval.endNs());
    }

    /** A thread as its own owner. */
    public Owner ownerItself(int utid, long from, long to) {
        return new Owner(during(utid, from, to, null), null, Evidence.SCHEDULER);
    }

    /** Who woke a thread, for want of anybody named; -1 for nobody. */
    public Owner ownerByWaker(int waker, long from, long to) {
        return waker < 0
                ? new Owner(notInTrace(ThreadRef.NOT_IN_TRACE, null), null, Evidence.UNKNOWN)
                : new Owner(during(waker, from, to, null), null, Evidence.WAKER_INFERRED);
    }

    private ThreadRef ref(int utid, @Nullable String name, int priority) {
        int upid = threads.upid(utid);
        return new ThreadRef(
                utid,
                threads.tid(utid),
                name != null ? name : threads.name(utid),
                upid,
                upid < 0 ? null : processes.name(upid),
                threads.isMain(utid),
                priority,
                makers.of(utid));
    }

    /** The first state in an interval that tells the priority; -1 if none does. */
    private int firstWithPriority(int utid, long from, long to) {
        for (int row = Math.max(states.at(utid, from), states.first(utid));
                row < states.end(utid) && states.ts(row) < to;
                row++) {
            if (states.endNs(row) > from && states.priority(row) != ThreadStates.NO_PRIORITY) {
                return row;
            }
        }
        return -1;
    }
}
