package dev.unjank.doctor.model;

/** The kind of root cause of a wait. */
public enum Verdict {
    /** Threads wait for each other in a cycle, and none of them ever continued. */
    DEADLOCK,
    /** The blocked thread waits for the garbage collector, which waits for a thread in a JNI critical section. */
    GC_BLOCKED_BY_CRITICAL,
    /** The thread waits for the garbage collector. */
    GC_BLOCKED,
    /**
     * The runtime suspended threads, or waited for all of them to stop, for an operation other than garbage collection.
     */
    SAFEPOINT_BLOCKED,
    /** An owner of lower priority than the blocked thread was runnable but had no CPU. */
    PRIORITY_INVERSION,
    /** Many threads wait for one lock one after another. */
    LOCK_CONVOY,
    /** An owner of equal or higher priority was runnable but had no CPU: a lack of CPU time, no inversion. */
    RUNNABLE_OWNER,
    /** The owner was running: its critical section is too long. */
    LONG_HOLD,
    /** The owner slept or did I/O while it held the lock or served the call. */
    SLEEPING_OWNER,
    /** The server thread of a call was running: the call takes too long for a caller that waits. */
    SLOW_REPLY,
    /** Messages wait longer for their looper than they run. */
    QUEUE_BACKLOG,
    /** No owner: the thread itself was runnable while other threads had the CPUs. */
    NO_CPU,
    /** No owner: the thread itself was in uninterruptible sleep, for a disk, a page or a device. */
    BLOCKING_IO,
    /** All permits, pooled objects or items of a resource were taken. */
    RESOURCE_EXHAUSTED,
    /** The thread waits for a result or a signal of another thread, which takes long. */
    WAITED_FOR_RESULT,
    /** No owner: the thread itself slept in the middle of its work. */
    SLEPT,
    /** No owner: the thread itself waited for a socket or a file, as the runtime recorded it. */
    SLOW_IO,
    /** A virtual thread waited while it was pinned, and so kept its carrier from other virtual threads. */
    PINNED,
    /** A handler on an event thread ran for long; the events after it waited. */
    LONG_HANDLER,
    /** The process, or the owner, was stopped from outside by a signal or a debugger. */
    STOPPED,
    /** The trace lacks the data for a verdict. */
    UNKNOWN
}
