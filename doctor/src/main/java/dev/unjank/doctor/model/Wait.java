package dev.unjank.doctor.model;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A wait of a thread with its owners: a node of the blame tree. An owner that waits itself has a wait of its own below,
 * down to owners that run, sleep or are unknown. The leaves add up to the wait, to the nanosecond.
 *
 * @param kind the kind of resource
 * @param thread the waiting thread, with its priority at the start
 * @param target the resource: {@code monitor}, the class of the locked object, the name of a runtime lock, a phase of
 *     the garbage collector, a kernel function, a message
 * @param location the code that waits; null if unknown
 * @param stack the call stack that waits
 * @param waiters number of threads that waited already; of a {@link WaitKind#QUEUE}, number of messages before this one
 * @param startNs start of the wait, or of its part in the tree, on the trace's clock, ns
 * @param durNs duration, ns
 * @param unfinished whether it was not over when its recording ended
 * @param ownerIntervals its owners, by time, without gaps and overlaps; mostly one. The last is the waiting thread's
 *     own if it was woken and waited for a CPU
 */
public record Wait(
        WaitKind kind,
        ThreadRef thread,
        String target,
        @Nullable CodeLocation location,
        CallStack stack,
        int waiters,
        long startNs,
        long durNs,
        boolean unfinished,
        List<OwnerInterval> ownerIntervals) {
    /** The target of a wait for a monitor of an unknown class. */
    public static final String MONITOR_LOCK = "monitor";

    /** The target of a wait for the reply of an unknown interface. */
    public static final String BINDER_CALL = "binder transaction";

    /** The target of an I/O wait in an unknown function. */
    public static final String IO = "I/O";

    /** Copies the list. */
    public Wait {
        ownerIntervals = List.copyOf(ownerIntervals);
    }

    /**
     * Creates a wait without a recorded stack.
     *
     * @param kind the kind of resource
     * @param thread the waiting thread
     * @param target the resource
     * @param location the code that waits; null if unknown
     * @param waiters number of threads that waited already
     * @param startNs start, ns
     * @param durNs duration, ns
     * @param unfinished whether it was not over when its recording ended
     * @param ownerIntervals its owners
     */
    public Wait(
            WaitKind kind,
            ThreadRef thread,
            String target,
            @Nullable CodeLocation location,
            int waiters,
            long startNs,
            long durNs,
            boolean unfinished,
            List<OwnerInterval> ownerIntervals) {
        this(kind, thread, target, location, CallStack.NONE, waiters, startNs, durNs, unfinished, ownerIntervals);
    }

    /** {@return whether this is a pause of all threads of a process} */
    public boolean isProcessPause() {
        return thread.isAllOfProcess();
    }

    /** {@return whether the class of the lock is known} */
    public boolean hasLockClass() {
        return kind == WaitKind.PARK || (kind == WaitKind.MONITOR && !target.equals(MONITOR_LOCK));
    }

    /** {@return whether the trace identifies the lock, by its class or its name} */
    public boolean isLockIdentified() {
        return hasLockClass() || (kind == WaitKind.RUNTIME_LOCK && !hasGenericTarget());
    }

    /** {@return whether the runtime gives all locks of this kind one name, such as {@code a monitor lock}} */
    public boolean hasGenericTarget() {
        return target.startsWith("a ") || target.startsWith("an ");
    }

    /** {@return the end on the trace's clock, ns} */
    public long endNs() {
        return startNs + durNs;
    }

    /** {@return the time of the wake-up that ended the wait, on the trace's clock, ns; the end if none is recorded} */
    public long wokenNs() {
        return endNs() - wakeDelayNs();
    }

    /** {@return the time at its end in which the thread had been woken: it waited for a CPU, and ran; ns} */
    public long wakeDelayNs() {
        OwnerInterval last = ownerIntervals.getLast();
        return ownerIntervals.size() > 1 && isOwn(last) ? last.durNs() : 0;
    }

    /** {@return what the thread did after its wake-up, by time; empty if it was not woken before the end} */
    public List<Segment> afterWakeUp() {
        return wakeDelayNs() == 0 ? List.of() : ownerIntervals.getLast().segments();
    }

    /** {@return the owners without the thread's own wake-up delay at the end} */
    public List<OwnerInterval> otherOwnersIntervals() {
        return wakeDelayNs() == 0 ? ownerIntervals : ownerIntervals.subList(0, ownerIntervals.size() - 1);
    }

    private boolean isOwn(OwnerInterval ownerInterval) {
        return ownerInterval.owner().thread().utid() == thread.utid();
    }

    /** {@return the longest interval, the first of equals; the thread's own only if there is no other} */
    public OwnerInterval longestOwnerInterval() {
        OwnerInterval longest = ownerIntervals.getFirst();
        for (OwnerInterval ownerInterval : ownerIntervals) {
            if (!isOwn(ownerInterval) && (isOwn(longest) || ownerInterval.durNs() > longest.durNs())) {
                longest = ownerInterval;
            }
        }
        return longest;
    }

    /**
     * Visits the leaves of the tree by time.
     *
     * @param visitor takes each segment in which an owner has no wait of its own
     */
    public void forEachLeaf(Consumer<Segment> visitor) {
        for (OwnerInterval ownerInterval : ownerIntervals) {
            for (Segment part : ownerInterval.segments()) {
                Wait further = part.nextWait();
                if (further == null) {
                    visitor.accept(part);
                } else {
                    further.forEachLeaf(visitor);
                }
            }
        }
    }
}
