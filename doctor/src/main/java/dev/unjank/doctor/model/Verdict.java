package dev.unjank.doctor.model;

/** Why a thread had to wait, in one word. The rules of the package {@code judge} say when each applies. */
public enum Verdict {
    /** The threads wait for each other in a circle and none of them ever went on. */
    DEADLOCK,
    /** The garbage collector waits for a thread inside a JNI critical section, and this thread for the collector. */
    GC_BLOCKED_BY_CRITICAL,
    /** The garbage collector is in the way. */
    GC_BLOCKED,
    /** The runtime held threads still, or waited until all of them had stopped, for another operation than collecting garbage. */
    SAFEPOINT_BLOCKED,
    /** An owner of lower priority than the blocked thread was ready to run and did not get a CPU. */
    PRIORITY_INVERSION,
    /** Many threads follow one another on one lock. */
    LOCK_CONVOY,
    /** As an inversion at equal or better priority of the owner: a lack of CPU time, and no inversion. */
    PREEMPTED_OWNER,
    /** The owner was running: its critical section is too long. */
    LONG_HOLD,
    /** The owner slept or did I/O while it held the lock, or while it owed the reply. */
    SLEEPING_OWNER,
    /** The thread that serves the call was running: the call is too much work for one that somebody waits for. */
    SLOW_REPLY,
    /** Messages wait longer for their looper than they run. */
    QUEUE_BACKLOG,
    /** Nobody was in the way: the thread itself was ready to run and others had the CPUs. */
    NO_CPU,
    /** Nobody was in the way: the thread itself slept inside the kernel, for a disk, a page or a device. */
    BLOCKING_IO,
    /** The process was stopped from outside, by a signal or a debugger, or whoever was in the way was. */
    STOPPED,
    /** The trace lacks the data for a verdict. */
    UNKNOWN
}
