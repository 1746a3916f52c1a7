package dev.unjank.trace.build.tracker;

import dev.unjank.trace.build.event.BinderEvent;
import dev.unjank.trace.collections.IntPairMap;
import dev.unjank.trace.collections.StringPool;

/**
 * Turns the kernel's binder events into slices: the calling thread is in a "binder transaction" until the reply
 * arrives, and the serving thread in a "binder reply" until it has replied. One-way calls are marks on both sides.
 * Names and flows are Perfetto's.
 */
public final class BinderTracker {
    /** Keeps the flows of transactions apart from those that programs number. */
    private static final long FLOW = 0x62696e64L << 32;

    private static final long DEAD_REPLY = 0x7205;
    private static final long FAILED_REPLY = 0x7211;
    private static final long FROZEN_REPLY = 0x7212;

    private final ProcessTracker processes;
    private final SliceOperations slices;
    private final int transaction;
    private final int reply;
    private final int asyncTransaction;
    private final int asyncReceived;

    /** The flags of each transaction that was sent and not yet received, by number. */
    private final IntPairMap outstanding = new IntPairMap();

    /** The number of calls of each thread that wait for a reply. */
    private final IntPairMap calls = new IntPairMap();

    public BinderTracker(ProcessTracker processes, SliceOperations slices, StringPool strings) {
        this.processes = processes;
        this.slices = slices;
        transaction = strings.intern("binder transaction");
        reply = strings.intern("binder reply");
        asyncTransaction = strings.intern("binder transaction async");
        asyncReceived = strings.intern("binder async rcv");
    }

    public void sent(long ts, int tid, int number, int flags) {
        int utid = processes.thread(tid);
        int track = slices.threadTrack(utid);
        if ((flags & BinderEvent.FAILED) != 0) {
            if (calls.get(utid, 0) > 0) {
                endCall(ts, utid, track);
            }
            return;
        } else if ((flags & BinderEvent.REPLY) != 0) {
            slices.end(ts, track);
        } else if ((flags & BinderEvent.ONE_WAY) != 0) {
            slices.instant(ts, track, asyncTransaction);
            slices.flow(track, flow(number), false);
        } else {
            slices.begin(ts, track, transaction);
            calls.put(utid, 0, Math.max(0, calls.get(utid, 0)) + 1);
            slices.flow(track, flow(number), false);
        }
        outstanding.put(number, 0, flags);
    }

    public void received(long ts, int tid, int number) {
        int flags = outstanding.get(number, 0);
        if (flags == IntPairMap.NONE) {
            return; // sent before the trace began: its kind is unknown
        }
        outstanding.put(number, 0, IntPairMap.NONE);
        int utid = processes.thread(tid);
        int track = slices.threadTrack(utid);
        if ((flags & BinderEvent.REPLY) != 0) {
            endCall(ts, utid, track);
        } else if ((flags & BinderEvent.ONE_WAY) != 0) {
            slices.instant(ts, track, asyncReceived);
            slices.flow(track, flow(number), true);
        } else {
            slices.begin(ts, track, reply);
            slices.flow(track, flow(number), true);
        }
    }

    private void endCall(long ts, int utid, int track) {
        slices.end(ts, track);
        calls.put(utid, 0, Math.max(0, calls.get(utid, 0) - 1));
    }

    /** Whether a command of the driver reports that there will be no reply. */
    public static boolean isFailure(long command) {
        return command == DEAD_REPLY || command == FAILED_REPLY || command == FROZEN_REPLY;
    }

    /** Whether a flow is one of transactions. */
    static boolean isFlow(long id) {
        return (id & 0xffff_ffff_0000_0000L) == FLOW;
    }

    private static long flow(int number) {
        return FLOW | (number & 0xffff_ffffL);
    }
}
