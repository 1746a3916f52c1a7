package dev.unjank.doctor;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread's wait for a contended lock, and what the lock's owner was doing meanwhile: a node of the blame tree. An owner
 * that waits for a further lock has a wait of its own below it, so the tree goes on until somebody runs, sleeps for another
 * reason, or is unknown. Its leaves add up to the wait, to the nanosecond.
 *
 * @param thread who waits, with its priority when it began to
 * @param lock the lock: {@code monitor}, or the name of one of the runtime's own
 * @param site where in its code the thread wants the lock; null if the trace does not say
 * @param waiters how many others were waiting already
 * @param startNs when the wait, or the part of it that matters here, began, on the trace's clock
 * @param durNs how long it lasted, in ns
 * @param wokenNs when the thread was woken for the last time before it got the lock: from then on the lock was free and the
 *     thread itself waited for a CPU; the end of the wait if it did not sleep or did not get the lock
 * @param unfinished whether the thread never got the lock within the trace
 * @param holds who had the lock, in order of time, without gaps and overlaps; mostly one
 */
public record LockWait(
        ThreadRef thread,
        String lock,
        @Nullable Site site,
        int waiters,
        long startNs,
        long durNs,
        long wokenNs,
        boolean unfinished,
        List<Hold> holds) {
    /** Keeps its own copy of the list. */
    public LockWait {
        holds = List.copyOf(holds);
    }

    /**
     * {@return when the wait ended, on the trace's clock}
     */
    public long endNs() {
        return startNs + durNs;
    }

    /**
     * {@return for how long the thread was awake again, but without the lock: it waited for a CPU itself, in ns}
     */
    public long wakeDelayNs() {
        return endNs() - wokenNs;
    }

    /**
     * {@return the stretch of the owner that was in the way for longest, the first of equals}
     */
    public Hold longestHold() {
        Hold longest = holds.getFirst();
        for (Hold hold : holds) {
            if (hold.durNs() > longest.durNs()) {
                longest = hold;
            }
        }
        return longest;
    }

    /**
     * Visits the leaves of the tree in order of time.
     *
     * @param part takes each part in which an owner did not wait for a further lock
     * @param deadlock takes each hold that closes a circle of waits
     */
    public void forEachLeaf(Consumer<Part> part, Consumer<Hold> deadlock) {
        for (Hold hold : holds) {
            if (hold.deadlock()) {
                deadlock.accept(hold);
            }
            for (Part one : hold.parts()) {
                LockWait further = one.further();
                if (further == null) {
                    part.accept(one);
                } else {
                    further.forEachLeaf(part, deadlock);
                }
            }
        }
    }
}
