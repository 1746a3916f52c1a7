package dev.unjank.trace.model;

/**
 * What the kernel's scheduler says of a thread. The short texts are those that Perfetto's {@code thread_state} table and
 * systrace use.
 */
public enum SchedState {
    /** On a CPU. */
    RUNNING("Running"),
    /** Ready to run, woken by somebody or by giving way of its own accord, and waiting for a CPU. */
    RUNNABLE("R"),
    /** Ready to run and put off its CPU by the kernel in favour of another thread. */
    RUNNABLE_PREEMPTED("R+"),
    /** Asleep until somebody wakes it or a signal arrives: a lock, a queue, a timer, a socket. */
    SLEEPING("S"),
    /** Asleep inside the kernel, deaf to signals: disk I/O, page faults, kernel locks. */
    UNINTERRUPTIBLE("D"),
    /** As {@link #UNINTERRUPTIBLE}, but a fatal signal ends it. */
    KILLABLE("DK"),
    /** A kernel thread with nothing to do; not counted into the load average. */
    IDLE("I"),
    /** Stopped by a signal. */
    STOPPED("T"),
    /** Stopped by a debugger. */
    TRACED("t"),
    /** Gone, its parent has been told. */
    DEAD("X"),
    /** Gone, its parent has not asked yet. */
    ZOMBIE("Z"),
    /** A per-CPU kernel thread put aside. */
    PARKED("P"),
    /** The trace does not say. */
    UNKNOWN("?");

    private static final SchedState[] VALUES = values();

    private final String text;

    SchedState(String text) {
        this.text = text;
    }

    /**
     * The short text: {@code Running}, {@code R}, {@code R+}, {@code S}, {@code D}, ...
     *
     * @return the text that Perfetto prints
     */
    public String text() {
        return text;
    }

    /**
     * Whether the thread could use a CPU: it is running or waiting for nothing else.
     *
     * @return true for the runnable states, false for {@link #RUNNING} and every kind of sleep
     */
    public boolean isRunnable() {
        return this == RUNNABLE || this == RUNNABLE_PREEMPTED;
    }

    /** A number for packing; it lives in memory only, so that reordering the constants breaks nothing. */
    @SuppressWarnings("EnumOrdinal")
    public int code() {
        return ordinal();
    }

    public static SchedState ofCode(int code) {
        return VALUES[code];
    }

    /**
     * The state behind the bits of a {@code sched_switch} event's {@code prev_state}. The bits below 0x40 never changed. Of
     * those above, each kernel has one that says "preempted" (0x400 before 4.2, 0x800 before 4.8, 0x1000 before 4.14, 0x100
     * since) and reports it alone, while the other meanings of that bit never occur alone; so of the kernel's version only
     * one thing must be known.
     *
     * @param bits as in the event
     * @param before414 whether the kernel is older than 4.14, where 0x40 is a dead task and no parked one
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
