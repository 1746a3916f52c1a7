package dev.unjank.trace.model;

/**
 * The scheduling state of a thread. The short names are those of Perfetto's {@code thread_state} table and of
 * systrace.
 */
public enum SchedState {
    /** On a CPU. */
    RUNNING("Running"),
    /** Runnable: waiting for a CPU after a wakeup or after it yielded. */
    RUNNABLE("R"),
    /** Runnable: waiting for a CPU after the kernel preempted it. */
    RUNNABLE_PREEMPTED("R+"),
    /** Sleeping until a wakeup or a signal: lock, queue, timer, socket. */
    SLEEPING("S"),
    /** Uninterruptible sleep: disk I/O, page faults, kernel locks. */
    UNINTERRUPTIBLE("D"),
    /** As {@link #UNINTERRUPTIBLE}, but a fatal signal ends it. */
    KILLABLE("DK"),
    /** An idle kernel thread; not counted into the load average. */
    IDLE("I"),
    /** Stopped by a signal. */
    STOPPED("T"),
    /** Stopped by a debugger. */
    TRACED("t"),
    /** Dead. */
    DEAD("X"),
    /** Dead, not yet reaped by its parent. */
    ZOMBIE("Z"),
    /** A parked per-CPU kernel thread. */
    PARKED("P"),
    /** Unknown. */
    UNKNOWN("?");

    private static final SchedState[] VALUES = values();

    private final String text;

    SchedState(String text) {
        this.text = text;
    }

    /**
     * {@return the short name that Perfetto prints: {@code Running}, {@code R}, {@code R+}, {@code S}, {@code D}, ...}
     */
    public String text() {
        return text;
    }

    /** {@return whether the thread is waiting for a CPU; false for {@link #RUNNING} and every kind of sleep} */
    public boolean isRunnable() {
        return this == RUNNABLE || this == RUNNABLE_PREEMPTED;
    }

    /** {@return the number of the state, for packing in memory} */
    @SuppressWarnings("EnumOrdinal")
    public int code() {
        return ordinal();
    }

    /**
     * {@return the state with a number from {@link #code}}
     *
     * @param code from {@link #code}
     */
    public static SchedState ofCode(int code) {
        return VALUES[code];
    }

    /**
     * The state for the bits of a {@code sched_switch} event's {@code prev_state}. The bits below 0x40 are the same
     * in all kernels. Above, each kernel uses one bit for "preempted" (0x400 before 4.2, 0x800 before 4.8, 0x1000
     * before 4.14, 0x100 since) and sets it alone; the other meanings of that bit never occur alone. So the only fact
     * needed about the kernel is {@code before414}.
     *
     * @param bits as in the event
     * @param before414 whether the kernel is older than 4.14, where 0x40 means dead, not parked
     * @return the state, {@link #UNKNOWN} for bits without a meaning
     */
    public static SchedState ofKernel(int bits, boolean before414) {
        if (bits == 0) {
            return RUNNABLE;
        } else if ((bits & 0x1) != 0) {
            return SLEEPING;
        } else if ((bits & 0x2) != 0) {
            return (bits & 0x400) != 0 ? IDLE : (bits & 0x80) != 0 ? KILLABLE : UNINTERRUPTIBLE;
        } else if ((bits & 0x4) != 0) {
            return STOPPED;
        } else if ((bits & 0x8) != 0) {
            return TRACED;
        } else if ((bits & 0x10) != 0) {
            return DEAD;
        } else if ((bits & 0x20) != 0) {
            return ZOMBIE;
        } else if ((bits & 0x40) != 0) {
            return before414 ? DEAD : PARKED;
        } else if ((bits & 0x80) != 0) {
            return IDLE;
        } else if ((bits & 0x1d00) != 0) {
            return RUNNABLE_PREEMPTED;
        }
        return (bits & 0x200) != 0 ? PARKED : UNKNOWN;
    }
}
