package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.IntPair;

/**
 * The layout of the begin and the end of a system call that may be futex.
 *
 * <pre>
 * header       8..23 number of the call
 * FUTEX_ENTER  A tid | second argument   B first argument
 * FUTEX_EXIT   A tid | 0                 B result
 * </pre>
 */
public final class FutexEvent {
    static final int WORDS = 4;
    static final int IDS = 0;

    private static final int NUMBER_SHIFT = 8;
    private static final int NUMBER_MASK = 0xffff;

    private FutexEvent() {}

    public static void addEnter(EventLog log, long ts, int tid, long number, int operation, long address) {
        log.add(EventKind.FUTEX_ENTER | number << NUMBER_SHIFT, ts, IntPair.pack(tid, operation), address);
    }

    public static void addExit(EventLog log, long ts, int tid, long number, long result) {
        log.add(EventKind.FUTEX_EXIT | number << NUMBER_SHIFT, ts, IntPair.pack(tid, 0), result);
    }

    public static int number(long header) {
        return (int) (header >>> NUMBER_SHIFT) & NUMBER_MASK;
    }

    public static int tid(long[] words, int at) {
        return IntPair.high(words[at + EventKind.A]);
    }

    public static int operation(long[] words, int at) {
        return IntPair.low(words[at + EventKind.A]);
    }

    public static long address(long[] words, int at) {
        return words[at + EventKind.B];
    }

    public static long result(long[] words, int at) {
        return words[at + EventKind.B];
    }
}
