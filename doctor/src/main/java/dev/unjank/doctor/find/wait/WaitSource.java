package dev.unjank.doctor.find.wait;

import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.WaitKind;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One way in which threads wait: it finds the waits, says what they were for, and whose fault they were. All that is built on
 * waits (the tree, the verdicts, the reports) knows no more of where they come from than this. Several threads may
 * ask at once.
 */
public interface WaitSource {
    /**
     * The shortest wait for a reply, a CPU or the kernel that is an incident, whatever the options say. Shorter ones are the ordinary
     * cost of a call, of scheduling and of a disk.
     */
    long MIN_WAIT_NS = 1_000_000;

    /** Finds the waits of a thread, in order of time, an enclosing one before those in it. They are not empty. */
    void find(int utid, Consumer<BlockedInterval> found);

    /** What a wait was for. */
    Reason reason(BlockedInterval interval);

    /**
     * Whose fault a wait was, in order of time, at least one; the first from the wait's beginning, or before. The waiting
     * thread's own delay at the end is nobody's claim: the tree finds it.
     */
    List<BlameInterval> blameIntervals(BlockedInterval interval);

    /** Whether a wait is for a lock: what {@link #reason} says, at less cost. */
    default boolean isForLock(BlockedInterval interval) {
        return false;
    }

    /** The least time that a wait must take to be an incident, whatever is asked for, in ns. */
    default long minNs() {
        return MIN_WAIT_NS;
    }

    /**
     * What a wait was for.
     *
     * @param kind what kind of thing
     * @param target the thing
     * @param location where in its code the thread waits, null if unknown
     * @param waiters how many others were waiting already
     */
    record Reason(WaitKind kind, String target, @Nullable CodeLocation location, int waiters) {
        public Reason(WaitKind kind, String what) {
            this(kind, what, null, 0);
        }
    }
}
