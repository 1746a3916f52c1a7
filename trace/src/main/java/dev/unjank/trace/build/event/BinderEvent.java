package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.IntPair;

/**
 * The layout of two events: a binder transaction or reply was sent; it was received.
 *
 * <pre>
 * header  bits 8..15: {@link #REPLY}, {@link #ONE_WAY}, {@link #FAILED}; only in the event of sending
 * A       tid | the kernel's number of the transaction
 * </pre>
 */
public final class BinderEvent {
    public static final int REPLY = 1;
    public static final int ONE_WAY = 2;
    /** The transaction of the thread failed: there will be no reply. */
    public static final int FAILED = 4;

    static final int WORDS = 3;
    static final int IDS = 0;

    private static final int FLAGS_SHIFT = 8;
    private static final int FLAGS_MASK = 0xff;

    private BinderEvent() {}

    public static void addSent(EventLog log, long ts, int tid, int number, boolean reply, boolean oneWay) {
        long flags = (reply ? REPLY : 0) | (oneWay ? ONE_WAY : 0);
        log.add(EventKind.BINDER_SENT | flags << FLAGS_SHIFT, ts, IntPair.pack(tid, number));
    }

    public static void addFailed(EventLog log, long ts, int tid) {
        log.add(EventKind.BINDER_SENT | (long) FAILED << FLAGS_SHIFT, ts, IntPair.pack(tid, 0));
    }

    public static void addReceived(EventLog log, long ts, int tid, int number) {
        log.add(EventKind.BINDER_RECEIVED, ts, IntPair.pack(tid, number));
    }

    public static int flags(long header) {
        return (int) (header >>> FLAGS_SHIFT) & FLAGS_MASK;
    }

    public static int tid(long[] words, int at) {
        return IntPair.high(words[at + EventKind.A]);
    }

    public static int number(long[] words, int at) {
        return IntPair.low(words[at + EventKind.A]);
    }
}
