package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.IntPair;

/**
 * The layout of a sched_pi_setprio.
 *
 * <pre>
 * header  32..63 tid
 * A       old priority | new priority
 * </pre>
 */
public final class PriorityInheritanceEvent {
    static final int WORDS = 3;
    static final int IDS = 0;

    private PriorityInheritanceEvent() {}

    public static void add(EventLog log, long ts, int tid, int from, int to) {
        log.add(EventKind.PRIORITY_INHERITED | (long) tid << 32, ts, IntPair.pack(from, to));
    }

    public static int tid(long header) {
        return IntPair.high(header);
    }

    public static int from(long[] words, int at) {
        return IntPair.high(words[at + EventKind.A]);
    }

    public static int to(long[] words, int at) {
        return IntPair.low(words[at + EventKind.A]);
    }
}
