package dev.unjank.trace.write;

/**
 * Values of {@code prev_state} in the kernel's {@code sched_switch} event: why a thread left its CPU. They are those of kernels
 * since 4.14; older ones have other bits above {@link #TRACED}, so a trace that uses these should name such a kernel.
 */
public final class PrevState {
    /** Still ready to run, gave way of its own accord. */
    public static final long RUNNABLE = 0x0;
    /** Waits for an event or a signal. */
    public static final long SLEEPING = 0x1;
    /** Waits inside the kernel, deaf to signals. */
    public static final long UNINTERRUPTIBLE = 0x2;
    /** Stopped by a signal. */
    public static final long STOPPED = 0x4;
    /** Stopped by a debugger. */
    public static final long TRACED = 0x8;
    /** Gone. */
    public static final long DEAD = 0x10;
    /** Gone, its parent has not asked yet. */
    public static final long ZOMBIE = 0x20;
    /** A per-CPU kernel thread put aside. */
    public static final long PARKED = 0x40;
    /** A kernel thread with nothing to do. */
    public static final long IDLE = 0x80;
    /** Still ready to run, but put off its CPU by the kernel. */
    public static final long PREEMPTED = 0x100;

    private PrevState() {}
}
