package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Args;

/**
 * What is told of a thread's wait beside its name: of what class the monitor is, which Android's names have no place for, and the
 * thread's stack. Until the slice's turn comes it is one number, as {@link SliceBuffer} carries it along: below the sign the numbers
 * of both texts, each one more than the builder has for it, 0 for what is not told.
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

    /**
     * The note of a wait.
     *
     * @param lockClass the builder's number of the class of the monitor, -1 if unknown
     * @param stack that of the stack, -1 if unknown
     */
    static long of(int lockClass, int stack) {
        return lockClass < 0 && stack < 0
                ? SliceBuffer.NO_NOTE
                : Long.MIN_VALUE | (lockClass + 1L) << TEXT_BITS | (stack + 1L);
    }

    /** Whether a note of a slice is one of a wait. */
    static boolean isOne(long note) {
        return note < SliceBuffer.NO_NOTE;
    }

    /** Tells it of the slice that was told last. */
    void emit(long ts, int track, long note) {
        int lockText = (int) ((note >>> TEXT_BITS) & TEXT) - 1;
        int stackText = (int) (note & TEXT) - 1;
        int ofLock = lockText < 0 ? -1 : builder.arg(lockClass, Args.Type.TEXT, lockText);
        int ofStack = stackText < 0 ? -1 : builder.arg(stack, Args.Type.TEXT, stackText);
        int count = (lockText < 0 ? 0 : 1) + (stackText < 0 ? 0 : 1);
        builder.trackArgs(ts, track, ofLock < 0 ? ofStack : ofLock, count);
    }
}
