package dev.unjank.doctor.model;

/** The kinds of blocked time. */
public enum BlockedKind {
    /** A lock: a monitor, a lock of {@code java.util.concurrent}, of the runtime or of native code. */
    LOCK,
    /** A permit, a pooled object or an item of a queue. */
    RESOURCE,
    /** The result, the reply or the signal of another thread. */
    RESULT,
    /** A socket, a file, a disk; uninterruptible sleep. */
    IO,
    /** The end of its own sleep in the middle of its work. */
    SLEEP,
    /** The end of a safepoint or a garbage collection. */
    PAUSE,
    /** The continuation of a thread or process that was stopped from outside. */
    STOPPED,
    /** A CPU: the thread was runnable. */
    NO_CPU,
    /** Something for which a virtual thread waited while it was pinned to its carrier. */
    PINNED,
    /** A wait for the next work; listed, but not ranked. */
    IDLE,
    /** Something that the trace does not record. */
    UNKNOWN;

    /**
     * {@return the kind of the blocked time of a wait}
     *
     * @param kind the kind of the wait
     */
    public static BlockedKind of(WaitKind kind) {
        return switch (kind) {
            case MONITOR, RUNTIME_LOCK, MUTEX, PARK, FUTEX -> LOCK;
            case RESOURCE -> RESOURCE;
            case RESULT, BINDER -> RESULT;
            case IO, KERNEL -> IO;
            case SLEEP -> SLEEP;
            case GC, SAFEPOINT -> PAUSE;
            case STOP -> STOPPED;
            case CPU -> NO_CPU;
            case PINNED, CARRIER -> PINNED;
            case QUEUE, HANDLER -> throw new IllegalArgumentException("the thread is not blocked: " + kind);
        };
    }
}
