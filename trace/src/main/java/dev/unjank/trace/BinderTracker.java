package dev.unjank.trace;

/**
 * Turns the kernel's binder events into slices: a thread that calls another process is in a "binder transaction" until the
 * reply is there, and the thread that serves it in a "binder reply" until it has answered. One-way calls are marks at either
 * side. The names are Perfetto's.
 */
final class BinderTracker {
    static final int REPLY = 1;
    static final int ONE_WAY = 2;

    private final ProcessTracker processes;
    private final SliceFeed slices;
    private final int transaction;
    private final int reply;
    private final int asyncTransaction;
    private final int asyncReceived;

    /** The kind of each transaction that was sent and not yet received, by its number. */
    private final PairMap outstanding = new PairMap();

    BinderTracker(ProcessTracker processes, SliceFeed slices, StringPool strings) {
        this.processes = processes;
        this.slices = slices;
        transaction = strings.intern("binder transaction");
        reply = strings.intern("binder reply");
        asyncTransaction = strings.intern("binder transaction async");
        asyncReceived = strings.intern("binder async rcv");
    }

    void sent(long ts, int tid, int number, int kind) {
        int utid = processes.thread(tid);
        int track = slices.threadTrack(utid);
        if ((kind & REPLY) != 0) {
            slices.end(ts, track);
        } else if ((kind & ONE_WAY) != 0) {
            slices.instant(ts, track, asyncTransaction);
        } else {
            slices.begin(ts, track, transaction);
        }
        outstanding.put(number, 0, kind);
    }

    void received(long ts, int tid, int number) {
        int kind = outstanding.get(number, 0);
        if (kind == PairMap.NONE) {
            return; // sent before the trace began: what it was is not told
        }
        outstanding.put(number, 0, PairMap.NONE);
        int utid = processes.thread(tid);
        int track = slices.threadTrack(utid);
        if ((kind & REPLY) != 0) {
            slices.end(ts, track);
        } else if ((kind & ONE_WAY) != 0) {
            slices.instant(ts, track, asyncReceived);
        } else {
            slices.begin(ts, track, reply);
        }
    }
}
