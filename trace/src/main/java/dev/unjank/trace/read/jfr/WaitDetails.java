package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.collections.IntList;
import dev.unjank.trace.collections.LongRows;
import dev.unjank.trace.model.Args;

/**
 * The details of a wait beside its name, which become args of its slice. Until the slice is emitted, they are rows of a
 * table; the note in {@link SliceBuffer} is the row with the sign bit set.
 */
final class WaitDetails {
    /** An unknown string or thread. */
    private static final int UNKNOWN = -1;

    // The columns of a row.
    private static final int LOCK_CLASS = 0;
    private static final int STACK = 1;
    private static final int WAKER = 2;
    private static final int CARRIER = 3;
    private static final int TIMED_OUT = 4;
    private static final int COLUMNS = 5;

    private final TraceBuilder builder;
    private final LongRows rows = new LongRows(COLUMNS);
    private final int lockClassKey;
    private final int stackKey;
    private final int wakerKey;
    private final int carrierKey;
    private final int timedOutKey;

    WaitDetails(TraceBuilder builder) {
        this.builder = builder;
        lockClassKey = key(JfrChunks.LOCK_CLASS);
        stackKey = key(JfrChunks.STACK);
        wakerKey = key(JfrChunks.WAKER);
        carrierKey = key(JfrChunks.CARRIER);
        timedOutKey = key(JfrChunks.TIMED_OUT);
    }

    private int key(String name) {
        return builder.intern("debug." + name);
    }

    /** Adds the string ids of the monitor's class and of the stack, -1 if unknown; returns the note. */
    long ofMonitor(int lockClass, int stack) {
        return add(lockClass, stack, UNKNOWN, UNKNOWN, false);
    }

    /** Adds the string id of the stack, -1 if unknown; returns the note. */
    long ofStack(int stack) {
        return add(UNKNOWN, stack, UNKNOWN, UNKNOWN, false);
    }

    /** Adds a wait with the thread that ended it, {@link JfrThreads#NONE} if unknown; returns the note. */
    long ofWait(int stack, int waker, boolean timedOut) {
        return add(UNKNOWN, stack, waker, UNKNOWN, timedOut);
    }

    /** Adds a wait of a virtual thread with its carrier, {@link JfrThreads#NONE} if unknown; returns the note. */
    long ofPinned(int stack, int carrier) {
        return add(UNKNOWN, stack, UNKNOWN, carrier, false);
    }

    private long add(int lockClass, int stack, int waker, int carrier, boolean timedOut) {
        boolean isEmpty = lockClass < 0 && stack < 0 && waker < 0 && carrier < 0 && !timedOut;
        return isEmpty
                ? SliceBuffer.NO_NOTE
                : Long.MIN_VALUE | rows.add(lockClass, stack, waker, carrier, timedOut ? 1 : 0);
    }

    /** Whether a note of a slice contains the details of a wait. */
    static boolean isOne(long note) {
        return note < SliceBuffer.NO_NOTE;
    }

    /** Adds the details to the last slice. */
    void emit(long ts, int track, long note, JfrThreads threads) {
        int row = (int) note;
        IntList args = new IntList();
        addText(lockClassKey, rows.get(row, LOCK_CLASS), args);
        addText(stackKey, rows.get(row, STACK), args);
        addTid(wakerKey, (int) rows.get(row, WAKER), threads, args);
        addTid(carrierKey, (int) rows.get(row, CARRIER), threads, args);
        if (rows.get(row, TIMED_OUT) != 0) {
            args.add(builder.tracks().arg(timedOutKey, Args.Type.BOOL, 1));
        }
        builder.tracks().trackArgs(ts, track, args.get(0), args.size());
    }

    private void addText(int key, long text, IntList args) {
        if (text >= 0) {
            args.add(builder.tracks().arg(key, Args.Type.TEXT, text));
        }
    }

    private void addTid(int key, int thread, JfrThreads threads, IntList args) {
        if (thread >= 0) {
            args.add(builder.tracks().arg(key, Args.Type.INT, threads.tid(thread)));
        }
    }
}
