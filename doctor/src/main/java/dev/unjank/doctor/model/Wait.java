package dev.unjank.doctor.model;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread's wait, whatever for, and what those it waited for were doing meanwhile: a node of the blame tree. Someone who
 * waits in turn has a wait of its own below it, so the tree goes on until somebody runs, sleeps for another reason, or is
 * unknown. Its leaves add up to the wait, to the nanosecond.
 *
 * @param kind what kind of thing it waited for
 * @param thread who waits, with its priority when it began to
 * @param target the thing: {@code monitor}, the class of the object that is locked, the name of one of the runtime's own locks, a
 *     phase of the garbage collector, a kernel function, a message
 * @param location where in its code the thread waits; null if the trace does not say
 * @param waiters how many others were waiting already; of a {@link WaitKind#QUEUE}, how many messages were in the way
 * @param startNs when the wait, or the part of it that matters here, began, on the trace's clock
 * @param durNs how long it lasted, in ns
 * @param unfinished whether it was not over when what tells of it ended
 * @param ownerIntervals whose fault it was, in order of time, without gaps and overlaps; mostly one. The last is the waiting thread's
 *     own where it had been woken and had no CPU yet
 */
public record Wait(
        WaitKind kind,
        ThreadRef thread,
        String target,
        @Nullable CodeLocation location,
        int waiters,
        long startNs,
        long durNs,
        boolean unfinished,
        List<OwnerInterval> ownerIntervals) {
    /** The name of a monitor whose class is not known. */
    public static final String MONITOR_LOCK = "monitor";

    /** The name of a binder call whose interface is not known. */
    public static final String BINDER_CALL = "binder transaction";

    /** The name of a sleep in the kernel whose blocked function is not known. */
    public static final String KERNEL_SLEEP = "the kernel";

    /** The name of a sleep in the kernel for I/O whose blocked function is not known. */
    public static final String IO = "I/O";

    /** Keeps its own copy of the list. */
    public Wait {
        ownerIntervals = List.copyOf(ownerIntervals);
    }

    /**
     * {@return whether this is no wait of one thread: a virtual machine held all threads of a process still}
     */
    public boolean isProcessPause() {
        return thread.isAllOfProcess();
    }

    /**
     * {@return whether the class of the lock is known}
     */
    public boolean hasLockClass() {
        return kind == WaitKind.PARK || (kind == WaitKind.MONITOR && !target.equals(MONITOR_LOCK));
    }

    /**
     * {@return whether the trace identifies the lock, by its class or its name}
     */
    public boolean isLockIdentified() {
        return hasLockClass() || (kind == WaitKind.RUNTIME_LOCK && !isOneOfMany());
    }

    /**
     * {@return whether the runtime gives all locks of this kind one name, such as {@code a monitor lock}}
     */
    public boolean isOneOfMany() {
        return target.startsWith("a ") || target.startsWith("an ");
    }

    /**
     * {@return when the wait ended, on the trace's clock}
     */
    public long endNs() {
        return startNs + durNs;
    }

    /**
     * {@return from when on what it waited for was there, so that nobody but the thread itself was late; the end if it was not
     * there before}
     */
    public long wokenNs() {
        return endNs() - wakeDelayNs();
    }

    /**
     * {@return for how long, at its end, the thread was awake again and waited for a CPU itself, in ns}
     */
    public long wakeDelayNs() {
        OwnerInterval last = ownerIntervals.getLast();
        return ownerIntervals.size() > 1 && isOwn(last) ? last.durNs() : 0;
    }

    /**
     * {@return whose fault it was, without the thread's own time at the end}
     */
    public List<OwnerInterval> otherOwnersIntervals() {
        return wakeDelayNs() == 0 ? ownerIntervals : ownerIntervals.subList(0, ownerIntervals.size() - 1);
    }

    private boolean isOwn(OwnerInterval ownerInterval) {
        return ownerInterval.owner().thread().utid() == thread.utid();
    }

    /**
     * {@return the tenure that was in the way for longest, the first of equals; the thread's own only if there is no other}
     */
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
     * Visits the leaves of the tree in order of time.
     *
     * @param visitor takes each part in which nobody further is to blame
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
