package dev.unjank.doctor;

/** Why a thread had to wait for a lock, in one word. {@link Rules} says when each applies. */
public enum Verdict {
    /** The threads wait for each other in a circle and none of them ever went on. */
    DEADLOCK,
    /** An owner of lower priority than the blocked thread was ready to run and did not get a CPU. */
    PRIORITY_INVERSION,
    /** The same at equal or better priority of the owner: a lack of CPU time, and no inversion. */
    PREEMPTED_OWNER,
    /** The owner was running: its critical section is too long. */
    LONG_HOLD,
    /** The owner slept or did I/O while it held the lock. */
    SLEEPING_OWNER,
    /** The trace lacks the data for a verdict. */
    UNKNOWN
}
