package dev.unjank.doctor.model;

import dev.unjank.trace.model.ThreadStates;
import org.jspecify.annotations.Nullable;

/**
 * A thread as a verdict names it; or all threads of a process, where a virtual machine held all of them still.
 *
 * @param utid its row in the trace's threads, {@value #NOT_IN_TRACE} for a thread that the trace names but does not show, and for all
 *     threads of a process
 * @param tid the kernel's number, {@value #NOT_IN_TRACE} if unknown
 * @param name its whole name where the runtime gave one, else the kernel's, which is cut to 15 bytes; null if unknown
 * @param upid the row of its process in the trace's processes, {@value #NOT_IN_TRACE} if unknown
 * @param process that process's name, null if unknown
 * @param main whether it is its process's main thread
 * @param priority the kernel's number at the moment in question: 100 to 139 are ordinary threads, below 100 real-time ones,
 *     smaller is better; {@link ThreadStates#NO_PRIORITY} if unknown
 * @param inheritedPriority the priority that it was lent at that moment by a mutex with priority inheritance, {@link
 *     ThreadStates#NO_PRIORITY} if none. A real-time one counts, and is the {@code priority}; an ordinary one changes nothing,
 *     since the weight of an ordinary thread comes from its nice value alone, and the {@code priority} is the thread's own
 * @param origin who made what it runs
 */
public record ThreadRef(
        int utid,
        int tid,
        @Nullable String name,
        int upid,
        @Nullable String process,
        boolean main,
        int priority,
        int inheritedPriority,
        CodeOrigin origin) {
    /** The row or number of a thread that is not known. */
    public static final int NOT_IN_TRACE = -1;

    /** Some programs write their processes' names as nothing: such a one is not known. */
    public ThreadRef {
        process = process == null || process.isEmpty() ? null : process;
    }

    /** A thread that was lent no priority. */
    public ThreadRef(
            int utid,
            int tid,
            @Nullable String name,
            int upid,
            @Nullable String process,
            boolean main,
            int priority,
            CodeOrigin maker) {
        this(utid, tid, name, upid, process, main, priority, ThreadStates.NO_PRIORITY, maker);
    }

    /**
     * {@return whether the trace tells the priority}
     */
    public boolean hasPriority() {
        return priority != ThreadStates.NO_PRIORITY;
    }

    /**
     * {@return whether the trace shows this thread, so that it can tell what the thread was doing}
     */
    public boolean isInTrace() {
        return utid != NOT_IN_TRACE;
    }

    /**
     * {@return whether anything is known by which to call this thread}
     */
    public boolean isKnown() {
        return tid != NOT_IN_TRACE || name != null;
    }

    /**
     * {@return whether this stands for all threads of a process}
     */
    public boolean isAllOfProcess() {
        return utid == NOT_IN_TRACE && upid != NOT_IN_TRACE;
    }

    /**
     * Compares priorities.
     *
     * @param other another thread
     * @return true if both priorities are known and this one is worse: a greater number
     */
    public boolean isLessImportantThan(ThreadRef other) {
        return hasPriority() && other.hasPriority() && priority > other.priority;
    }

    /**
     * {@return whether it was lent a priority, be it one that counts or not}
     */
    public boolean hasInherited() {
        return inheritedPriority != ThreadStates.NO_PRIORITY;
    }

    /** The same thread, of which only this tells that it is of another's process. */
    public ThreadRef withProcessOf(ThreadRef other) {
        return new ThreadRef(
                utid, tid, name, other.upid, other.process, false, priority, inheritedPriority, other.origin);
    }

    /** The same thread at a moment when it had other priorities. */
    public ThreadRef withPriority(int other, int otherInherited) {
        return other == priority && otherInherited == inheritedPriority
                ? this
                : new ThreadRef(utid, tid, name, upid, process, main, other, otherInherited, origin);
    }
}
