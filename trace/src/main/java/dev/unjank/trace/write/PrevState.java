package dev.unjank.trace.write;

/**
 * Values of {@code prev_state} in the kernel's {@code sched_switch} event: the new state of the thread that leaves
 * the CPU. They are those of kernels since 4.14; older ones have other bits above {@link #TRACED}, so a trace with
 * these values should name such a kernel.
 */
public final class PrevState {
    /** Runnable; the thread yielded. */
    public static final long RUNNABLE = 0x0;
    /** Sleeping until an event or a signal. */
    public static final long SLEEPING = 0x1;
    /** Uninterruptible sleep. */
    public static final long UNINTERRUPTIBLE = 0x2;
    /** Stopped by a signal. */
    public static final long STOPPED = 0x4;
    /** Stopped by a debugger. */
    public static final long TRACED = 0x8;
    /** Dead. */
    public static final long DEAD = 0x10;
    /** Dead, not yet reaped by its parent. */
    public static final long ZOMBIE = 0x20;
    /** A parked per-CPU kernel thread. */
    public static final long PARKED = 0x40;
    /** An idle kernel thread. */
    public static final long IDLE = 0x80;
    /** Runnable; the thread was preempted. */
    public static final long PREEMPTED = 0x100;

    private PrevState() {}
}
