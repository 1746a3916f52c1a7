package dev.unjank.doctor.model;

/** How it is known who was in the way, the best grade first. */
public enum Evidence {
    /** The scheduler's own account of the waiting thread itself; nobody else is needed. */
    SCHEDULER,
    /** The runtime or the kernel named the owner, by its number or its name, and exactly one thread that lived then fits. */
    OWNER_NAMED,
    /** The number that the runtime gave is its own; its inner lock slice gives the kernel's number of the owner. */
    OWNER_FROM_CHILD,
    /** Nobody named the owner; it is inferred to be the thread that woke the blocked one at the end. */
    WAKER_INFERRED,
    /** The owner is not known. */
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
