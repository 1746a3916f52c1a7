package dev.unjank.doctor.find.wait;

import dev.unjank.doctor.model.CallStack;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.WaitKind;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds one kind of waits, with their reasons and owners. The blame tree, the verdicts and the reports depend on waits
 * only through this interface. Thread-safe.
 */
public interface WaitSource {
    /**
     * The shortest wait for a reply, a CPU or the kernel that is an incident, independent of the options, ns. Shorter
     * ones are the normal cost of a call, of scheduling and of a disk.
     */
    long MIN_WAIT_NS = 1_000_000;

    /** Finds the waits of a thread, by time, an outer one before those in it. Their durations are positive. */
    void find(int utid, Consumer<BlockedInterval> found);

    /** {@return the resource that a thread waited for} */
    Reason reason(BlockedInterval interval);

    /**
     * {@return the owners of a wait by time, at least one; the first starts with the wait or before. The wake-up delay
     * of the waiting thread is not among them: the blame tree finds it}
     */
    List<BlameInterval> blameIntervals(BlockedInterval interval);

    /** {@return whether {@link #reason} is a lock; cheaper than the reason} */
    default boolean isForLock(BlockedInterval interval) {
        return false;
    }

    /** {@return the shortest wait that is an incident, independent of the options, ns} */
    default long minNs() {
        return MIN_WAIT_NS;
    }

    /**
     * The resource that a thread waited for.
     *
     * @param kind its kind
     * @param target its name
     * @param location the code that waits, null if unknown
     * @param stack the call stack that waits
     * @param waiters number of threads that waited already
     */
    record Reason(WaitKind kind, String target, @Nullable CodeLocation location, CallStack stack, int waiters) {
        public Reason(WaitKind kind, String target, @Nullable CodeLocation location, int waiters) {
            this(kind, target, location, CallStack.NONE, waiters);
        }

        public Reason(WaitKind kind, String target) {
            this(kind, target, null, 0);
        }
    }
}
