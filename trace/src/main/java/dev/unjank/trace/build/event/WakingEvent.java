package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.model.ThreadStateBits;

/**
 * The layout of a sched_waking and of a sched_wakeup. The header alone is also passed to the tracker of thread states.
 *
 * <pre>
 * header  8..23 priority of the woken thread   24 the waker's tid is that of the interrupted thread
 * A       tid of the woken thread | tid of the waker, {@link #RUNNING} for the thread that runs on the CPU
 * </pre>
 */
public final class WakingEvent {
    /** In place of the waker's tid: the thread that runs on the CPU. */
    public static final int RUNNING = -1;

    static final int WORDS = 3;
    static final int IDS = 0;

    private static final int PRIORITY_SHIFT = 8;
    private static final long FROM_INTERRUPT = 1L << 24;

    private WakingEvent() {}

    /** Adds a sched_waking. */
    public static void add(EventLog log, long ts, int wakerTid, boolean fromInterrupt, int tid, int priority) {
        log.add(
                header(EventKind.WAKING, priority) | (fromInterrupt ? FROM_INTERRUPT : 0),
                ts,
                IntPair.pack(tid, wakerTid));
    }

    /** Adds a sched_wakeup. */
    public static void addWakeup(EventLog log, long ts, int tid, int priority) {
        log.add(header(EventKind.WAKEUP, priority), ts, IntPair.pack(tid, RUNNING));
    }

    private static long header(int kind, int priority) {
        return kind | (ThreadStateBits.validPriority(priority) & 0xffffL) << PRIORITY_SHIFT;
    }

    public static int priority(long header) {
        return (short) (header >>> PRIORITY_SHIFT);
    }

    public static boolean isFromInterrupt(long header) {
        return (header & FROM_INTERRUPT) != 0;
    }

    public static int tid(long[] words, int at) {
        return IntPair.high(words[at + EventKind.A]);
    }

    public static int wakerTid(long[] words, int at) {
        return IntPair.low(words[at + EventKind.A]);
    }
}
