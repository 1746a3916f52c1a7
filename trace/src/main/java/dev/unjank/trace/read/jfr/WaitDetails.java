package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Args;

/**
 * The details of a wait beside its name: the class of the monitor, which Android's slice names do not contain, and
 * the thread's stack. Until the slice is emitted they are packed into one long, the note in {@link SliceBuffer}: a
 * flag in the sign bit, and both string ids plus one, 0 for unknown.
 */
final class WaitDetails {
    private static final int TEXT_BITS = 31;
    private static final long TEXT = (1L << TEXT_BITS) - 1;

    private final TraceBuilder builder;
    private final int lockClass;
    private final int stack;

    WaitDetails(TraceBuilder builder) {
        this.builder = builder;
        lockClass = builder.intern("debug." + JfrChunks.LOCK_CLASS);
        stack = builder.intern("debug." + JfrChunks.STACK);
    }

    /** Packs the string ids of the monitor's class and of the stack, -1 if unknown. */
    static long of(int lockClass, int stack) {
        return lockClass < 0 && stack < 0
                ? SliceBuffer.NO_NOTE
                : Long.MIN_VALUE | (lockClass + 1L) << TEXT_BITS | (stack + 1L);
    }

    /** Whether a note of a slice contains the details of a wait. */
    static boolean isOne(long note) {
        return note < SliceBuffer.NO_NOTE;
    }

    /** Adds the details to the last slice. */
    void emit(long ts, int track, long note) {
        int lockText = (int) ((note >>> TEXT_BITS) & TEXT) - 1;
        int stackText = (int) (note & TEXT) - 1;
        int ofLock = lockText < 0 ? -1 : builder.tracks().arg(lockClass, Args.Type.TEXT, lockText);
        int ofStack = stackText < 0 ? -1 : builder.tracks().arg(stack, Args.Type.TEXT, stackText);
        int count = (lockText < 0 ? 0 : 1) + (stackText < 0 ? 0 : 1);
        builder.tracks().trackArgs(ts, track, ofLock < 0 ? ofStack : ofLock, count);
    }
}
