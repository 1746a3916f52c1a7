package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.IntPair;

/**
 * The kinds of records in an {@link EventLog}. A record consists of the header, with the kind in its low byte, the
 * time, and up to two words, A and B. The class of each kind, such as {@link SwitchEvent}, declares the rest: it is
 * the only one with the bits. There {@code x | y} is x in the upper and y in the lower 32 bits of a word, and
 * the header's bits are numbered from the lowest.
 */
public final class EventKind {
    public static final int SWITCH = 1;
    /** A switch without the previous thread, which follows from the previous switch on the CPU. */
    public static final int COMPACT_SWITCH = 2;

    public static final int WAKING = 3;
    /** As WAKING, but recorded on the CPU where the thread is enqueued. */
    public static final int WAKEUP = 4;

    public static final int BLOCKED_REASON = 5;
    public static final int TASK_NEW = 6;
    public static final int TASK_RENAME = 7;
    public static final int TASK_END = 8;
    public static final int PROCESS = 9;
    public static final int THREAD = 10;
    public static final int BEGIN = 11;
    public static final int END = 12;
    public static final int INSTANT = 13;
    public static final int ASYNC_BEGIN = 14;
    public static final int ASYNC_END = 15;
    public static final int ASYNC_INSTANT = 16;
    public static final int COUNTER = 17;
    public static final int FRAME = 18;
    public static final int BINDER_SENT = 19;
    public static final int BINDER_RECEIVED = 20;
    public static final int TRACK_BEGIN = 21;
    public static final int TRACK_END = 22;
    public static final int TRACK_INSTANT = 23;
    public static final int TRACK_FLOW = 24;
    public static final int TRACK_MESSAGE = 25;
    public static final int TRACK_COUNTER = 26;
    public static final int SAMPLE = 27;
    public static final int TRACK_ARGS = 28;
    public static final int FUTEX_ENTER = 29;
    public static final int FUTEX_EXIT = 30;
    public static final int FENCE = 31;
    public static final int CPU_COUNTER = 32;
    public static final int PRIORITY_INHERITED = 33;
    public static final int PROCESS_DETAILS = 34;
    public static final int THREAD_END = 35;
    /** An event that the model does not contain; {@link EventMerger} needs its position. */
    public static final int OTHER = 36;

    // The words of a record after the header.
    static final int TIME = 1;
    static final int A = 2;
    static final int B = 3;

    // The ids in a record that IdRemapping changes: names are in the upper half of the header and in the lower half of
    // words; tracks, counters, frames and calls in the upper half of a word; messages and args in the lower half.
    static final int NAME_IN_HEADER = 1;
    static final int NAME_IN_A = 1 << 1;
    static final int NAME_IN_B = 1 << 2;
    static final int NAMES = NAME_IN_HEADER | NAME_IN_A | NAME_IN_B;
    static final int TRACK_IN_A = 1 << 3;
    static final int COUNTER_IN_A = 1 << 4;
    static final int FRAME_IN_A = 1 << 5;
    static final int MESSAGE_IN_A = 1 << 6;
    static final int ARGS_IN_A = 1 << 7;
    static final int CALL_IN_B = 1 << 8;

    /** The header of a record without words; no log contains one. */
    static final long NO_WORDS = 0;

    private static final int[] WORDS = new int[OTHER + 1];
    private static final int[] IDS = new int[OTHER + 1];

    static {
        declare(SWITCH, SwitchEvent.WORDS, SwitchEvent.IDS);
        declare(COMPACT_SWITCH, SwitchEvent.COMPACT_WORDS, SwitchEvent.COMPACT_IDS);
        declare(WAKING, WakingEvent.WORDS, WakingEvent.IDS);
        declare(WAKEUP, WakingEvent.WORDS, WakingEvent.IDS);
        declare(BLOCKED_REASON, BlockedReasonEvent.WORDS, BlockedReasonEvent.IDS);
        declare(TASK_NEW, TaskEvent.NEW_WORDS, TaskEvent.NEW_IDS);
        declare(TASK_RENAME, TaskEvent.RENAME_WORDS, TaskEvent.RENAME_IDS);
        declare(TASK_END, TaskEvent.END_WORDS, TaskEvent.END_IDS);
        declare(PROCESS, ProcessEvent.WORDS, ProcessEvent.IDS);
        declare(PROCESS_DETAILS, ProcessDetailsEvent.WORDS, ProcessDetailsEvent.IDS);
        declare(THREAD, ProcessEvent.THREAD_WORDS, ProcessEvent.THREAD_IDS);
        declare(THREAD_END, ProcessEvent.THREAD_WORDS, 0);
        declare(BEGIN, ThreadSliceEvent.WORDS, ThreadSliceEvent.IDS);
        declare(END, ThreadSliceEvent.WORDS, ThreadSliceEvent.END_IDS);
        declare(INSTANT, ThreadSliceEvent.WORDS, ThreadSliceEvent.IDS);
        declare(ASYNC_BEGIN, AsyncSliceEvent.WORDS, AsyncSliceEvent.IDS);
        declare(ASYNC_END, AsyncSliceEvent.WORDS, AsyncSliceEvent.END_IDS);
        declare(ASYNC_INSTANT, AsyncSliceEvent.INSTANT_WORDS, AsyncSliceEvent.IDS);
        declare(COUNTER, CounterEvent.WORDS, CounterEvent.IDS);
        declare(FRAME, FrameEvent.WORDS, FrameEvent.IDS);
        declare(BINDER_SENT, BinderEvent.WORDS, BinderEvent.IDS);
        declare(BINDER_RECEIVED, BinderEvent.WORDS, BinderEvent.IDS);
        declare(TRACK_BEGIN, TrackSliceEvent.WORDS, TrackSliceEvent.IDS);
        declare(TRACK_END, TrackSliceEvent.WORDS, TrackSliceEvent.END_IDS);
        declare(TRACK_INSTANT, TrackSliceEvent.WORDS, TrackSliceEvent.IDS);
        declare(TRACK_FLOW, TrackSliceEvent.FLOW_WORDS, TrackSliceEvent.FLOW_IDS);
        declare(TRACK_MESSAGE, TrackSliceEvent.WORDS, TrackSliceEvent.MESSAGE_IDS);
        declare(TRACK_COUNTER, CounterEvent.WORDS, CounterEvent.TRACK_IDS);
        declare(SAMPLE, SampleEvent.WORDS, SampleEvent.IDS);
        declare(TRACK_ARGS, TrackSliceEvent.WORDS, TrackSliceEvent.ARGS_IDS);
        declare(FUTEX_ENTER, FutexEvent.WORDS, FutexEvent.IDS);
        declare(FUTEX_EXIT, FutexEvent.WORDS, FutexEvent.IDS);
        declare(FENCE, FenceEvent.WORDS, FenceEvent.IDS);
        declare(CPU_COUNTER, CounterEvent.WORDS, CounterEvent.IDS);
        declare(PRIORITY_INHERITED, PriorityInheritanceEvent.WORDS, PriorityInheritanceEvent.IDS);
        declare(OTHER, 2, 0);
    }

    private EventKind() {}

    private static void declare(int kind, int words, int ids) {
        WORDS[kind] = words;
        IDS[kind] = ids;
    }

    public static int of(long header) {
        return (int) header & 0xff;
    }

    /** A header with a name in its upper half. */
    static long withName(int kind, int name) {
        return kind | (long) name << 32;
    }

    /** The name in the upper half of a header. */
    public static int name(long header) {
        return IntPair.high(header);
    }

    public static long time(long[] words, int at) {
        return words[at + TIME];
    }

    /** The length of a record. */
    static int words(long header) {
        return WORDS[of(header)];
    }

    /** The ids in a record, as flags. */
    static int ids(long header) {
        return IDS[of(header)];
    }

    /** Whether the event is in compact form, which lacks what can be derived from the switches of the CPU. */
    static boolean isCompact(long[] words, int at) {
        int kind = of(words[at]);
        return kind == COMPACT_SWITCH || (kind == WAKING && WakingEvent.wakerTid(words, at) == WakingEvent.RUNNING);
    }
}
