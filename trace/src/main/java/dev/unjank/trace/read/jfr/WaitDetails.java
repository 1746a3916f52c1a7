package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.collections.IntList;
import dev.unjank.trace.collections.LongRows;
import dev.unjank.trace.model.Args;
import java.util.Arrays;

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
    private static final int OWNER_STACK = 5;
    private static final int SLEEP_TIME = 6;
    private static final int COLUMNS = 7;

    private final TraceBuilder builder;
    private final LongRows rows = new LongRows(COLUMNS);
    private final int lockClassKey;
    private final int stackKey;
    private final int ownerStackKey;
    private final int wakerKey;
    private final int carrierKey;
    private final int timedOutKey;
    private final int sleepTimeKey;

    WaitDetails(TraceBuilder builder) {
        this.builder = builder;
        lockClassKey = key(JfrChunks.LOCK_CLASS);
        stackKey = key(JfrChunks.STACK);
        ownerStackKey = key(JfrChunks.OWNER_STACK);
        wakerKey = key(JfrChunks.WAKER);
        carrierKey = key(JfrChunks.CARRIER);
        timedOutKey = key(JfrChunks.TIMED_OUT);
        sleepTimeKey = key(JfrChunks.SLEEP_TIME);
    }

    private int key(String name) {
        return builder.intern("debug." + name);
    }

    /** Adds the string ids of the monitor's class and of the stack, -1 if unknown; returns the note. */
    long ofMonitor(int lockClass, int stack) {
        long[] row = row(stack);
        row[LOCK_CLASS] = lockClass;
        return add(row);
    }

    /** Adds the string id of the stack, -1 if unknown; returns the note. */
    long ofStack(int stack) {
        return add(row(stack));
    }

    /** Adds the string ids of the stacks of the waiter, -1 if unknown, and of the lock's owner; returns the note. */
    long ofLock(int stack, int ownerStack) {
        long[] row = row(stack);
        row[OWNER_STACK] = ownerStack;
        return add(row);
    }

    /** Adds a sleep with the time that the thread asked for, in ns, at most 0 if unknown; returns the note. */
    long ofSleep(int stack, long askedNs) {
        long[] row = row(stack);
        row[SLEEP_TIME] = askedNs > 0 ? askedNs : UNKNOWN;
        return add(row);
    }

    /** Adds a wait with the thread that ended it, {@link JfrThreads#NONE} if unknown; returns the note. */
    long ofWait(int stack, int waker, boolean timedOut) {
        long[] row = row(stack);
        row[WAKER] = waker;
        row[TIMED_OUT] = timedOut ? 1 : UNKNOWN;
        return add(row);
    }

    /** Adds a wait of a virtual thread with its carrier, {@link JfrThreads#NONE} if unknown; returns the note. */
    long ofPinned(int stack, int carrier) {
        long[] row = row(stack);
        row[CARRIER] = carrier;
        return add(row);
    }

    private static long[] row(int stack) {
        long[] row = new long[COLUMNS];
        Arrays.fill(row, UNKNOWN);
        row[STACK] = stack;
        return row;
    }

    private long add(long[] row) {
        return Arrays.stream(row).allMatch(value -> value < 0) ? SliceBuffer.NO_NOTE : Long.MIN_VALUE | rows.add(row);
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
        addText(ownerStackKey, rows.get(row, OWNER_STACK), args);
        addTid(wakerKey, (int) rows.get(row, WAKER), threads, args);
        addTid(carrierKey, (int) rows.get(row, CARRIER), threads, args);
        if (rows.get(row, TIMED_OUT) > 0) {
            args.add(builder.tracks().arg(timedOutKey, Args.Type.BOOL, 1));
        }
        if (rows.get(row, SLEEP_TIME) > 0) {
            args.add(builder.tracks().arg(sleepTimeKey, Args.Type.INT, rows.get(row, SLEEP_TIME)));
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
