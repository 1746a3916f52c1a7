package dev.unjank.doctor.model;

import dev.unjank.trace.model.ThreadStates;

/** What a thread was doing while somebody waited for it. */
public enum OwnerState {
    /** On a CPU: it was doing its work. */
    RUNNING,
    /** Ready to run without running: put off its CPU, or woken and not yet given one. */
    PREEMPTED,
    /** Waiting in turn: for a further lock, a reply, the garbage collector. */
    BLOCKED,
    /** As {@link #BLOCKED}, but for a thread that waits, directly or through others, for this one, and none of them went on. */
    DEADLOCKED,
    /** Asleep for another reason that a signal or a wake-up can end: a condition, a timer, a pipe. */
    SLEEPING,
    /** In uninterruptible sleep, and the kernel counts it as waiting for I/O. */
    IO_WAIT,
    /** In uninterruptible sleep inside the kernel, not known to be I/O. */
    UNINTERRUPTIBLE,
    /** Stopped from outside: by a signal such as SIGSTOP, or by a debugger. */
    STOPPED,
    /** Stopped, as all threads of its program were, for a pause of the garbage collector. */
    GC_PAUSE,
    /** Stopped, or about to be, until all threads of its program had stopped for a safepoint. */
    REACHING_SAFEPOINT,
    /** Stopped, as all threads of its program were, for an operation of the virtual machine other than collecting garbage. */
    SAFEPOINT,
    /** In native code with Java objects pinned (a JNI critical section), asleep or at work, so that the garbage collector cannot go on. */
    JNI_CRITICAL,
    /** In a native call in which it does not notice that all threads are to stand still, asleep or at work. */
    CRITICAL_CALL,
    /** The trace does not say: who it was is not known, or its scheduling was not recorded. */
    UNKNOWN;

    /**
     * {@return whether it slept, not waiting for anything that the doctor follows}
     */
    public boolean isAsleep() {
        return this == SLEEPING || this == IO_WAIT || this == UNINTERRUPTIBLE || isCritical();
    }

    /** Whether all that it does counts as this state: the collector waits meanwhile. */
    public boolean isCritical() {
        return this == JNI_CRITICAL || this == CRITICAL_CALL;
    }

    /**
     * What a row of thread states says that a thread did, as far as the scheduler alone can tell.
     *
     * @param states the table
     * @param row a row
     * @return the state
     */
    public static OwnerState of(ThreadStates states, int row) {
        return switch (states.state(row)) {
            case RUNNING -> RUNNING;
            case RUNNABLE, RUNNABLE_PREEMPTED -> PREEMPTED;
            case SLEEPING, IDLE, PARKED -> SLEEPING;
            case STOPPED, TRACED -> STOPPED;
            case UNINTERRUPTIBLE, KILLABLE -> states.ioWait(row) ? IO_WAIT : UNINTERRUPTIBLE;
            case DEAD, ZOMBIE, UNKNOWN -> UNKNOWN;
        };
    }
}
