package dev.unjank.doctor;

import dev.unjank.trace.Processes;
import dev.unjank.trace.ThreadStates;
import dev.unjank.trace.Threads;
import dev.unjank.trace.Trace;
import org.jspecify.annotations.Nullable;

/** Names the threads of a trace. */
final class ThreadRefs {
    private final Threads threads;
    private final Processes processes;
    private final ThreadStates states;

    ThreadRefs(Trace trace) {
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.states = trace.threadStates();
    }

    /**
     * Names a thread in an interval.
     *
     * @param utid the thread
     * @param from when the interval begins: the priority is that of this moment
     * @param to when it ends: if the trace does not tell the priority at the beginning, the first in the interval will do
     * @param name its whole name, null to use the kernel's
     */
    ThreadRef during(int utid, long from, long to, @Nullable String name) {
        return ref(utid, name, priority(utid, from, to));
    }

    /** Names a thread whose priority is known. */
    ThreadRef withPriority(int utid, int priority) {
        return ref(utid, null, priority);
    }

    /** Names a thread that the trace does not show. */
    static ThreadRef unseen(int tid, @Nullable String name) {
        return new ThreadRef(ThreadRef.NOWHERE, tid, name, null, false, ThreadStates.NO_PRIORITY);
    }

    private ThreadRef ref(int utid, @Nullable String name, int priority) {
        int upid = threads.upid(utid);
        return new ThreadRef(
                utid,
                threads.tid(utid),
                name != null ? name : threads.name(utid),
                upid < 0 ? null : processes.name(upid),
                threads.isMain(utid),
                priority);
    }

    private int priority(int utid, long from, long to) {
        for (int row = Math.max(states.at(utid, from), states.first(utid));
                row < states.end(utid) && states.ts(row) < to;
                row++) {
            if (states.endNs(row) > from && states.priority(row) != ThreadStates.NO_PRIORITY) {
                return states.priority(row);
            }
        }
        return ThreadStates.NO_PRIORITY;
    }
}
