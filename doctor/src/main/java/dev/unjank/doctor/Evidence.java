package dev.unjank.doctor;

/** How the owner of a lock is known, the best grade first. */
public enum Evidence {
    /** The runtime named the owner, by its number or its name, and exactly one thread that lived then fits. */
    OWNER_NAMED,
    /** The number that the runtime gave is its own; its inner lock slice gives the kernel's number of the owner. */
    OWNER_FROM_CHILD,
    /** Nobody named the owner; it is inferred to be the thread that woke the blocked one at the end. */
    WAKER_INFERRED,
    /** The owner is not known. */
    UNKNOWN
}
