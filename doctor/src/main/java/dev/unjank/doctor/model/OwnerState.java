package dev.unjank.doctor.model;

import dev.unjank.trace.model.ThreadStates;

/** The state of a thread while another thread waited for it. */
public enum OwnerState {
    /** Running on a CPU. */
    RUNNING,
    /** Runnable (waiting for a CPU): preempted, or woken and not yet scheduled. */
    RUNNABLE,
    /** Waiting for another owner: for a lock, a reply, the garbage collector. */
    BLOCKED,
    /** As {@link #BLOCKED}, in a cycle of waits that never ended. */
    DEADLOCKED,
    /** Interruptible sleep without a further owner: on a condition, a timer, a pipe. */
    SLEEPING,
    /** Uninterruptible sleep that the kernel counts as I/O wait. */
    IO_WAIT,
    /** Uninterruptible sleep that is not known to be I/O wait. */
    UNINTERRUPTIBLE,
    /** Stopped from outside: by a signal such as SIGSTOP, or by a debugger. */
    STOPPED,
    /** Stopped with all threads of its process for a GC pause. */
    GC_PAUSE,
    /** Stopped, or about to stop, until all threads of its process had reached the safepoint. */
    REACHING_SAFEPOINT,
    /** Stopped with all threads of its process for another safepoint operation than GC. */
    SAFEPOINT,
    /** In a JNI critical section, running or sleeping, which blocks the garbage collector. */
    JNI_CRITICAL,
    /** In a native call without safepoint polls, running or sleeping, which blocks safepoints. */
    CRITICAL_CALL,
    /** Unknown: the thread is not known, or its scheduling was not recorded. */
    UNKNOWN;

    /** {@return whether the thread sleeps without waiting for another owner} */
    public boolean isAsleep() {
        return this == SLEEPING || this == IO_WAIT || this == UNINTERRUPTIBLE || isCritical();
    }

    /** {@return whether the thread blocks the collector or a safepoint, whatever its scheduler state} */
    public boolean isCritical() {
        return this == JNI_CRITICAL || this == CRITICAL_CALL;
    }

    /** {@return whether all threads of the process, or the process itself, were stopped} */
    public boolean isPause() {
        return this == GC_PAUSE || this == REACHING_SAFEPOINT || this == SAFEPOINT || this == STOPPED;
    }

    /**
     * {@return the state by the scheduler's events alone}
     *
     * @param states the table of thread states
     * @param row a row
     */
    public static OwnerState of(ThreadStates states, int row) {
        return switch (states.state(row)) {
            case RUNNING -> RUNNING;
            case RUNNABLE, RUNNABLE_PREEMPTED -> RUNNABLE;
            case SLEEPING, IDLE, PARKED -> SLEEPING;
            case STOPPED, TRACED -> STOPPED;
            case UNINTERRUPTIBLE, KILLABLE -> states.ioWait(row) ? IO_WAIT : UNINTERRUPTIBLE;
            case DEAD, ZOMBIE, UNKNOWN -> UNKNOWN;
        };
    }
}
