package dev.unjank.doctor.model;

import dev.unjank.trace.model.ThreadStates;
import org.jspecify.annotations.Nullable;

/**
 * A thread at a moment; or all threads of a process, for a pause of a virtual machine.
 *
 * @param utid its row in the trace's threads, {@value #NOT_IN_TRACE} for a thread that the trace names only, and for
 *     all threads of a process
 * @param tid the kernel's thread id, {@value #NOT_IN_TRACE} if unknown
 * @param name its whole name if the runtime recorded one, otherwise the kernel's, which is cut to 15 bytes; null if
 *     unknown
 * @param upid the row of its process in the trace's processes, {@value #NOT_IN_TRACE} if unknown
 * @param process the name of the process, null if unknown
 * @param main whether it is the main thread of its process
 * @param priority the kernel's priority: 100 to 139 of ordinary threads, below 100 of real-time threads, the lower the
 *     more important; {@link ThreadStates#NO_PRIORITY} if unknown
 * @param inheritedPriority the priority inherited through a mutex, {@link ThreadStates#NO_PRIORITY} if none. If it is
 *     real-time, {@code priority} equals it; an ordinary one has no effect, since the weight of an ordinary thread
 *     depends on its nice value alone, and {@code priority} is the thread's own
 * @param origin the origin of its code
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
    /** The utid, tid or upid of an unknown thread. */
    public static final int NOT_IN_TRACE = -1;

    /** Replaces an empty process name, which some programs set, by null. */
    public ThreadRef {
        process = process == null || process.isEmpty() ? null : process;
    }

    /** {@return whether the priority is known} */
    public boolean hasPriority() {
        return priority != ThreadStates.NO_PRIORITY;
    }

    /** {@return whether the trace contains this thread, and may contain its states} */
    public boolean isInTrace() {
        return utid != NOT_IN_TRACE;
    }

    /** {@return whether the name or the tid is known} */
    public boolean isKnown() {
        return tid != NOT_IN_TRACE || name != null;
    }

    /** {@return whether this represents all threads of a process} */
    public boolean isAllOfProcess() {
        return utid == NOT_IN_TRACE && upid != NOT_IN_TRACE;
    }

    /**
     * {@return whether both priorities are known and this one is lower: a greater number}
     *
     * @param other another thread
     */
    public boolean isLessImportantThan(ThreadRef other) {
        return hasPriority() && other.hasPriority() && priority > other.priority;
    }

    /** {@return whether the thread inherited a priority, effective or not} */
    public boolean hasInherited() {
        return inheritedPriority != ThreadStates.NO_PRIORITY;
    }

    /**
     * {@return this thread in another's process}
     *
     * @param other a thread of the process
     */
    public ThreadRef withProcessOf(ThreadRef other) {
        return new ThreadRef(
                utid, tid, name, other.upid, other.process, false, priority, inheritedPriority, other.origin);
    }

    /**
     * {@return this thread with other priorities}
     *
     * @param other the priority
     * @param otherInherited the inherited priority
     */
    public ThreadRef withPriority(int other, int otherInherited) {
        return other == priority && otherInherited == inheritedPriority
                ? this
                : new ThreadRef(utid, tid, name, upid, process, main, other, otherInherited, origin);
    }
}
