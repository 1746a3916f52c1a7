package dev.unjank.trace.model;

/**
 * The packed bits of a thread state, one int. Not API.
 *
 * <pre>
 * bits   0..3  state      code of SchedState
 *        4     doubtful   other events contradict this state: some were lost meanwhile
 *        5     last       no later row of this thread
 *        6     loss       events were lost between this row and the next of the thread
 *        7     I/O wait
 *        8..18 CPU + 1    0: unknown
 *       19     ignored    a wakeup that Perfetto's trace processor ignores
 *       20     reason     the kernel recorded why it slept: whether for I/O
 *       21..31 priority   signed
 * </pre>
 */
public final class ThreadStateBits {
    /** The limit of CPU numbers; greater numbers are damage. */
    public static final int MAX_CPUS = 1 << 10;

    /** The minimum of the priority's bits. */
    public static final int NO_PRIORITY = -(1 << 10);

    private static final int STATE_MASK = 0xf;
    private static final int DOUBTFUL = 1 << 4;
    private static final int LAST = 1 << 5;
    private static final int TORN = 1 << 6;
    private static final int IO_WAIT = 1 << 7;
    private static final int CPU_SHIFT = 8;
    private static final int CPU_MASK = 0x7ff;
    private static final int UNSEEN = 1 << 19;
    private static final int HAS_REASON = 1 << 20;
    private static final int PRIORITY_SHIFT = 21;

    private ThreadStateBits() {}

    /**
     * {@return the bits of a row}
     *
     * @param state the state
     * @param cpu the CPU, -1 if unknown
     * @param priority the priority; an impossible one counts as unknown
     */
    public static int of(SchedState state, int cpu, int priority) {
        return state.code() | ((cpu + 1) << CPU_SHIFT) | (validPriority(priority) << PRIORITY_SHIFT);
    }

    /**
     * {@return a priority if it is possible, otherwise {@link #NO_PRIORITY}}
     *
     * @param priority any number
     */
    public static int validPriority(int priority) {
        return priority < -1 || priority >= -NO_PRIORITY ? NO_PRIORITY : priority;
    }

    /**
     * {@return the state}
     *
     * @param info the bits
     */
    public static SchedState state(int info) {
        return SchedState.ofCode(code(info));
    }

    /** The code of the state. */
    static int code(int info) {
        return info & STATE_MASK;
    }

    /**
     * {@return the CPU, -1 if unknown}
     *
     * @param info the bits
     */
    public static int cpu(int info) {
        return ((info >>> CPU_SHIFT) & CPU_MASK) - 1;
    }

    /**
     * {@return the priority, {@link #NO_PRIORITY} if unknown}
     *
     * @param info the bits
     */
    public static int priority(int info) {
        return info >> PRIORITY_SHIFT;
    }

    static boolean isLast(int info) {
        return (info & LAST) != 0;
    }

    /**
     * {@return the bits with the mark of the last row of a thread}
     *
     * @param info the bits
     */
    public static int withLast(int info) {
        return info | LAST;
    }

    static boolean isBeforeLoss(int info) {
        return (info & TORN) != 0;
    }

    /**
     * {@return the bits with the mark of a row before a loss of events}
     *
     * @param info the bits
     */
    public static int withLossAfter(int info) {
        return info | TORN;
    }

    static boolean isDoubtful(int info) {
        return (info & (DOUBTFUL | TORN)) != 0;
    }

    /**
     * {@return the bits with the mark of a state during which events were lost}
     *
     * @param info the bits
     */
    public static int withDoubt(int info) {
        return info | DOUBTFUL;
    }

    /** The bits of a row with the end of another. */
    static int withEndOf(int info, int other) {
        return (info & ~(LAST | TORN)) | (other & (LAST | TORN | DOUBTFUL));
    }

    static boolean isIgnoredByTraceProcessor(int info) {
        return (info & UNSEEN) != 0;
    }

    /**
     * {@return the bits with the mark of a wakeup that Perfetto's trace processor ignores}
     *
     * @param info the bits
     */
    public static int withIgnoredByTraceProcessor(int info) {
        return info | UNSEEN;
    }

    static boolean ioWait(int info) {
        return (info & IO_WAIT) != 0;
    }

    static boolean hasReason(int info) {
        return (info & HAS_REASON) != 0;
    }

    /**
     * {@return the bits with the reason of a sleep}
     *
     * @param info the bits
     * @param ioWait whether the thread waited for I/O
     */
    public static int withReason(int info, boolean ioWait) {
        return HAS_REASON | (ioWait ? info | IO_WAIT : info & ~IO_WAIT);
    }
}
