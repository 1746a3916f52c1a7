package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.IntPair;

/**
 * The kinds of records in an {@link EventLog}: the low byte of the header. The comment of each kind lists the words
 * after the header and the time; {@code x|y} is x in the upper and y in the lower 32 bits, {@code [8..23]} are bits
 * of the header.
 */
public final class EventKind {
    /** next tid|comm, prev tid|comm; [8..23] state, [24..39] prev priority, [40..55] next priority. */
    public static final int SWITCH = 1;
    /**
     * next tid|comm; [8..23] state, [40..55] next priority. The previous thread follows from the previous switch on
     * the CPU.
     */
    public static final int COMPACT_SWITCH = 2;
    /** tid|waker's tid, -1 for the thread that runs on the CPU; [8..23] priority, [24] from an interrupt. */
    public static final int WAKING = 3;
    /** As WAKING, but recorded on the CPU where the thread is enqueued. */
    public static final int WAKEUP = 4;
    /** tid|function; [8] I/O wait. */
    public static final int BLOCKED_REASON = 5;
    /** tid|comm, creator's tid|clone flags. */
    public static final int TASK_NEW = 6;
    /** tid|comm. */
    public static final int TASK_RENAME = 7;
    /** tid|0; [8] EXIT_ONLY. */
    public static final int TASK_END = 8;
    /** pid|parent's pid, uid; [32..63] name, [8] IS_JVM. */
    public static final int PROCESS = 9;
    /** tid|pid; [32..63] name, [8] set by the program itself. */
    public static final int THREAD = 10;
    /** tid|pid; [32..63] name. */
    public static final int BEGIN = 11;
    /** tid|pid. */
    public static final int END = 12;
    /** tid|pid; [32..63] name. */
    public static final int INSTANT = 13;
    /** pid|track, cookie; [32..63] name. */
    public static final int ASYNC_BEGIN = 14;
    /** pid|track, cookie. */
    public static final int ASYNC_END = 15;
    /** pid|track; [32..63] name. */
    public static final int ASYNC_INSTANT = 16;
    /** pid|name, value. */
    public static final int COUNTER = 17;
    /** row of the frame log|0. */
    public static final int FRAME = 18;
    /** tid|number; [8..15] kind, as in BinderTracker. */
    public static final int BINDER_SENT = 19;
    /** tid|number. */
    public static final int BINDER_RECEIVED = 20;
    /** track|category; [32..63] name. */
    public static final int TRACK_BEGIN = 21;
    /** track|0. */
    public static final int TRACK_END = 22;
    /** track|category; [32..63] name. */
    public static final int TRACK_INSTANT = 23;
    /** track|0, flow; [8] FLOW_ENDS. Refers to the track's record before it. */
    public static final int TRACK_FLOW = 24;
    /** track|row of the queue events. Refers to the track's record before it. */
    public static final int TRACK_MESSAGE = 25;
    /** counter track|0, value. */
    public static final int TRACK_COUNTER = 26;
    /** tid|pid, call|0; [8] SAMPLE_RUNNING, [16..31] CPU + 1. */
    public static final int SAMPLE = 27;

    /** track|first row of the args; [32..63] count. Refers to the track's record before it. */
    public static final int TRACK_ARGS = 28;
    /** tid|second argument, first argument; [8..23] number of a system call that may be futex. */
    public static final int FUTEX_ENTER = 29;
    /** tid|0, result; [8..23] number of the call that returns. */
    public static final int FUTEX_EXIT = 30;
    /** context|timeline's name, number; [8..15] stage, as in FenceTracker. */
    public static final int FENCE = 31;
    /** cpu|name, value. */
    public static final int CPU_COUNTER = 32;
    /** old priority|new priority; [32..63] tid. */
    public static final int PRIORITY_INHERITED = 33;
    /** An event that the model does not contain; {@link EventMerger} needs its position. */
    public static final int OTHER = 34;

    /** Header bit of WAKING: the waker's tid is the interrupted thread. */
    public static final long FROM_INTERRUPT = 1L << 24;

    /** Header bit of TASK_END: the thread exits; it will still be switched out, and its tid is still in use. */
    public static final long EXIT_ONLY = 1L << 8;

    /** Header bit of PROCESS: it runs a Java virtual machine. */
    public static final long IS_JVM = 1L << 8;

    /** Header bit of SAMPLE: the thread was executing code. */
    public static final long SAMPLE_RUNNING = 1L << 8;

    /** Header bit of TRACK_FLOW: the flow ends here. */
    public static final long FLOW_ENDS = 1L << 8;

    /** The header of a record without words; no log contains one. */
    static final long NO_WORDS = 0;

    private static final int[] WORDS = {
        0, 4, 3, 3, 3, 3, 4, 3, 3, 4, 3, 3, 3, 3, 4, 4, 3, 4, 3, 3, 3, 3, 3, 3, 4, 3, 4, 4, 3, 4, 4, 4, 4, 3, 2
    };

    // Positions of string ids in a record.
    static final int NAME_IN_HEADER = 1;
    static final int NAME_IN_A = 2;
    static final int NAME_IN_B = 4;

    private static final int[] NAMES = new int[WORDS.length];

    static {
        NAMES[SWITCH] = NAME_IN_A | NAME_IN_B;
        NAMES[COMPACT_SWITCH] = NAME_IN_A;
        NAMES[BLOCKED_REASON] = NAME_IN_A;
        NAMES[TASK_NEW] = NAME_IN_A;
        NAMES[TASK_RENAME] = NAME_IN_A;
        NAMES[PROCESS] = NAME_IN_HEADER;
        NAMES[THREAD] = NAME_IN_HEADER;
        NAMES[BEGIN] = NAME_IN_HEADER;
        NAMES[INSTANT] = NAME_IN_HEADER;
        NAMES[ASYNC_BEGIN] = NAME_IN_HEADER | NAME_IN_A;
        NAMES[ASYNC_END] = NAME_IN_A;
        NAMES[ASYNC_INSTANT] = NAME_IN_HEADER | NAME_IN_A;
        NAMES[COUNTER] = NAME_IN_A;
        NAMES[CPU_COUNTER] = NAME_IN_A;
        NAMES[TRACK_BEGIN] = NAME_IN_HEADER | NAME_IN_A;
        NAMES[FENCE] = NAME_IN_A;
        NAMES[TRACK_INSTANT] = NAME_IN_HEADER | NAME_IN_A;
    }

    private EventKind() {}

    public static int of(long header) {
        return (int) header & 0xff;
    }

    /** The length of a record. */
    static int words(long header) {
        return WORDS[of(header)];
    }

    /** The positions of string ids: the header's upper half, or the lower half of words. */
    static int names(long header) {
        return NAMES[of(header)];
    }

    /** Whether the event is in compact form, which lacks what can be derived from the switches of the CPU. */
    static boolean isCompact(long[] words, int at) {
        int kind = of(words[at]);
        return kind == COMPACT_SWITCH || (kind == WAKING && IntPair.low(words[at + 2]) == -1);
    }
}
