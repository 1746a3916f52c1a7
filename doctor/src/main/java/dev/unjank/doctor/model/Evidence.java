package dev.unjank.doctor.model;

/** The grade of evidence for the owner of a wait, best first. */
public enum Evidence {
    /** Events of the scheduler or the runtime on the waiter itself; the verdict does not depend on another thread. */
    WAITER_EVENTS,
    /** The runtime or the kernel recorded the owner's tid or name, and exactly one live thread matches. */
    OWNER_NAMED,
    /** The runtime recorded its internal id of the owner, not the tid; a nested lock slice contains the tid. */
    OWNER_FROM_CHILD,
    /** No owner was recorded; it is inferred to be the thread that woke the blocked one at the end. */
    WAKER_INFERRED,
    /**
     * No owner was recorded; it is inferred to be the thread that slept or did I/O in the method that takes the lock.
     */
    STACK_INFERRED,
    /**
     * Neither owner nor waker was recorded; the owner is inferred from the times of other threads' events and samples.
     */
    TIMING_INFERRED,
    /** Events were lost during the wait: its end, its owner and the owner's states may be wrong. */
    EVENTS_LOST,
    /** The owner is unknown. */
    UNKNOWN;

    /**
     * {@return the worse of two grades: a chain is as good as its weakest link}
     *
     * @param other another grade
     */
    public Evidence orWorse(Evidence other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
