package dev.unjank.trace;

/**
 * Turns calls of futex into slices named "sys_futex", with the address, the operation and the result where these are told. The
 * name is Perfetto's.
 */
final class FutexTracker {
    private final ProcessTracker processes;
    private final SliceFeed slices;
    private final ArgTable args;
    private final int call;
    private final int address;
    private final int operation;
    private final int result;

    /** The threads that are in a call: 1 for those. */
    private final PairMap inCall = new PairMap();

    FutexTracker(ProcessTracker processes, SliceFeed slices, StringPool strings, ArgTable args) {
        this.processes = processes;
        this.slices = slices;
        this.args = args;
        call = strings.intern("sys_futex");
        address = strings.intern("uaddr");
        operation = strings.intern("op");
        result = strings.intern("ret");
    }

    void entered(long ts, int tid, int op, long uaddr) {
        int utid = processes.thread(tid);
        int track = slices.threadTrack(utid);
        if (inCall.get(utid, 0) >= 0) {
            slices.end(ts, track); // its return was lost
        }
        slices.begin(ts, track, call);
        if (uaddr != 0) {
            int row = args.add(address, Args.Type.POINTER, uaddr);
            args.add(operation, Args.Type.INT, op);
            slices.args(track, row, 2);
        }
        inCall.put(utid, 0, 1);
    }

    void left(long ts, int tid, long ret) {
        int utid = processes.thread(tid);
        if (inCall.get(utid, 0) < 0) {
            return; // it began before the trace did, or is another call
        }
        inCall.put(utid, 0, PairMap.NONE);
        int track = slices.threadTrack(utid);
        slices.end(ts, track);
        slices.args(track, args.add(result, Args.Type.INT, ret), 1);
    }
}
