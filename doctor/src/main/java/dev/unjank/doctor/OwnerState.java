package dev.unjank.doctor;

/** What the owner of a lock was doing while somebody waited for that lock. */
public enum OwnerState {
    /** On a CPU: its critical section was doing its work. */
    RUNNING,
    /** Ready to run without running: put off its CPU, or woken and not yet given one. */
    PREEMPTED,
    /** Asleep because it waited for a further contended lock. */
    BLOCKED,
    /** Asleep for another reason that a signal or a wake-up can end: a binder reply, a condition, a timer, a pipe. */
    SLEEPING,
    /** In uninterruptible sleep, and the kernel counts it as waiting for I/O. */
    IO_WAIT,
    /** In uninterruptible sleep inside the kernel, not known to be I/O. */
    UNINTERRUPTIBLE,
    /** The trace does not say: the owner is not known, or its scheduling was not recorded. */
    UNKNOWN;

    /**
     * {@return whether the owner slept without waiting for a contended lock}
     */
    public boolean isAsleep() {
        return this == SLEEPING || this == IO_WAIT || this == UNINTERRUPTIBLE;
    }
}
