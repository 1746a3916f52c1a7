package dev.unjank.doctor;

import dev.unjank.trace.ThreadStates;
import org.jspecify.annotations.Nullable;

/**
 * A thread as a verdict names it.
 *
 * @param utid its row in the trace's threads, {@value #NOWHERE} for a thread that the trace names but does not show
 * @param tid the kernel's number, {@value #NOWHERE} if unknown
 * @param name its whole name where the runtime gave one, else the kernel's, which is cut to 15 bytes; null if unknown
 * @param process its process's name, null if unknown
 * @param main whether it is its process's main thread
 * @param priority the kernel's number at the moment in question: 100 to 139 are ordinary threads, below 100 real-time ones,
 *     smaller is better; {@link ThreadStates#NO_PRIORITY} if unknown
 */
public record ThreadRef(
        int utid, int tid, @Nullable String name, @Nullable String process, boolean main, int priority) {
    /** The row or number of a thread that is not known. */
    public static final int NOWHERE = -1;

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
        return utid != NOWHERE;
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

    /** The same thread at a moment when it had another priority. */
    ThreadRef withPriority(int other) {
        return other == priority ? this : new ThreadRef(utid, tid, name, process, main, other);
    }
}
