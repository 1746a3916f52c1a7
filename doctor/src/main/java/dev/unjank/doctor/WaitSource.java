package dev.unjank.doctor;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One way in which threads wait: it finds the waits, says what they were for, and whose fault they were. All that is built on
 * waits (the tree, the verdicts, the reports) knows no more of where they come from than this. Several threads may
 * ask at once.
 */
interface WaitSource {

    /** Finds the waits of a thread, in order of time, an enclosing one before those in it. They are not empty. */
    void find(int utid, Consumer<Stall> found);

    /** What a wait was for. */
    Reason reason(Stall stall);

    /**
     * Whose fault a wait was, in order of time, at least one; the first from the wait's beginning, or before. The waiting
     * thread's own delay at the end is nobody's claim: the tree finds it.
     */
    List<Claim> claims(Stall stall);

    /** Whether a wait is for a lock: what {@link #reason} says, at less cost. */
    default boolean isForLock(Stall stall) {
        return false;
    }

    /** The least time that a wait must take to be an incident, whatever is asked for, in ns. */
    default long leastNs() {
        return Rules.LEAST_WAIT_NS;
    }

    /**
     * What a wait was for.
     *
     * @param kind what kind of thing
     * @param what the thing
     * @param site where in its code the thread waits, null if unknown
     * @param waiters how many others were waiting already
     */
    record Reason(WaitKind kind, String what, @Nullable Site site, int waiters) {
        Reason(WaitKind kind, String what) {
            this(kind, what, null, 0);
        }
    }
}
