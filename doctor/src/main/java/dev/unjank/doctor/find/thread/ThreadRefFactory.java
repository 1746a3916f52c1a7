package dev.unjank.doctor.find.thread;

import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WakeUps;
import dev.unjank.doctor.model.CodeOrigin;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.GenericTerm;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.trace.model.InheritedPriorities;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import org.jspecify.annotations.Nullable;

/** Creates references to the threads of a trace, with their priorities at a time. */
public final class ThreadRefFactory {
    /** A runtime's name of the main thread, which has the process's name in the kernel. */
    private static final String MAIN = "main";

    /** Lower priorities are real-time. */
    private static final int BEST_ORDINARY = 100;

    private final Threads threads;
    private final Processes processes;
    private final ThreadStates states;
    private final InheritedPriorities inherited;
    private final CodeOriginClassifier origins;

    public ThreadRefFactory(Trace trace) {
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.states = trace.threadStates();
        this.inherited = trace.inheritedPriorities();
        this.origins = new CodeOriginClassifier(trace);
    }

    /**
     * A thread in an interval, with its first known priority there.
     *
     * @param name its whole name, null to use the kernel's
     */
    public ThreadRef during(int utid, long from, long to, @Nullable String name) {
        ThreadRef ref = ref(utid, name, ThreadStates.NO_PRIORITY);
        int row = firstWithPriority(utid, from, to);
        return row < 0 ? ref : at(ref, row);
    }

    /** A thread with its priorities in one of its states. */
    public ThreadRef at(ThreadRef thread, int row) {
        int recorded = states.priority(row);
        int boost = boost(thread.utid(), states.ts(row), recorded);
        return boost < 0
                ? thread.withPriority(recorded, ThreadStates.NO_PRIORITY)
                : thread.withPriority(effectivePriority(boost), inherited.boostedPriority(boost));
    }

    /** {@return the effective priority of a thread, by the one that the scheduler's events record from a time on} */
    public int effectivePriority(int utid, long ts, int recorded) {
        int boost = boost(utid, ts, recorded);
        return boost < 0 ? recorded : effectivePriority(boost);
    }

    /** The row of a thread's inherited priority at a time, if it is the recorded one; -1 otherwise. */
    private int boost(int utid, long ts, int recorded) {
        int row = inherited.size() == 0 ? -1 : inherited.at(utid, ts);
        return row >= 0 && inherited.boostedPriority(row) == recorded ? row : -1;
    }

    private int effectivePriority(int boost) {
        return inherited.boostedPriority(boost) < BEST_ORDINARY
                ? inherited.boostedPriority(boost)
                : inherited.basePriority(boost);
    }

    /** A thread with a known priority. */
    public ThreadRef withPriority(int utid, int priority) {
        return ref(utid, null, priority);
    }

    /** {@return whether a thread is a kernel thread} */
    public boolean isKernelThread(int utid) {
        return origins.of(utid) == CodeOrigin.KERNEL;
    }

    /** {@return whether a thread of the trace may have the whole name that a runtime recorded} */
    public boolean canHaveName(@Nullable String name, int utid) {
        return ThreadNameMatcher.agree(name, threads.name(utid)) || (MAIN.equals(name) && threads.isMain(utid));
    }

    /** {@return the only live thread of a process that may have a name, except one; -1 if there is none, or several} */
    public int onlyThreadNamed(@Nullable String name, int upid, int except, long ts) {
        int found = -1;
        for (int utid = 0; upid >= 0 && utid < threads.size(); utid++) {
            if (utid != except
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

    /** A thread that is not in the trace. */
    public static ThreadRef notInTrace(int tid, @Nullable String name) {
        return new ThreadRef(
                ThreadRef.NOT_IN_TRACE,
                tid,
                name,
                ThreadRef.NOT_IN_TRACE,
                null,
                false,
                ThreadStates.NO_PRIORITY,
                ThreadStates.NO_PRIORITY,
                CodeOrigin.UNKNOWN);
    }

    /** All threads of a process. */
    public ThreadRef allOf(int upid) {
        return new ThreadRef(
                ThreadRef.NOT_IN_TRACE,
                ThreadRef.NOT_IN_TRACE,
                GenericTerm.ALL_THREADS.text(),
                upid,
                processes.name(upid),
                false,
                ThreadStates.NO_PRIORITY,
                ThreadStates.NO_PRIORITY,
                CodeOrigin.PROGRAM);
    }

    /** The waiting thread as its own owner, for a wait without another. */
    public Owner ownerItself(BlockedInterval interval) {
        return ownerItself(interval.utid(), interval.startNs(), interval.endNs());
    }

    /** A thread as its own owner. */
    public Owner ownerItself(int utid, long from, long to) {
        return new Owner(during(utid, from, to, null), null, Evidence.WAITER_EVENTS);
    }

    /** A recorded owner. */
    public Owner namedOwner(int utid, long from, long to) {
        return new Owner(during(utid, from, to, null), null, Evidence.OWNER_NAMED);
    }

    /** An unknown owner. */
    public static Owner unknownOwner() {
        return new Owner(notInTrace(ThreadRef.NOT_IN_TRACE, null), null, Evidence.UNKNOWN);
    }

    /** The waker as the owner, if no owner was recorded; unknown for -1. */
    public Owner ownerByWaker(int waker, long from, long to) {
        return waker < 0 ? unknownOwner() : new Owner(during(waker, from, to, null), null, Evidence.WAKER_INFERRED);
    }

    /** The last waker in the process as the owner of a wait, if no owner was recorded. */
    public BlameInterval blameWaker(BlockedInterval interval, WakeUps wakeUps) {
        long from = interval.startNs();
        long to = interval.endNs();
        int waker = interval.open() ? -1 : wakeUps.lastWakerInProcess(interval.utid(), from, to);
        return new BlameInterval(from, ownerByWaker(waker, from, to));
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
                ThreadStates.NO_PRIORITY,
                origins.of(utid));
    }

    /** The first state in an interval with a priority; -1 if there is none. */
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
