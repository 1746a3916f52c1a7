package dev.unjank.trace.build.tracker;

import dev.unjank.trace.build.event.EventKind;
import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStateBits;

/**
 * The layout of an operation on the states of threads, which {@link SchedOperations} passes to the {@link
 * ThreadStateTracker}: three longs. Its kinds are those of the events in {@link EventKind}.
 *
 * <pre>
 * first    the time; nothing of a blocked reason
 * second   a thread | another thread, or the blocked function
 * third    0..7 kind   8..12 state of the thread that leaves   13..23 CPU   24..39 priority of the first thread
 *          40..55 priority of the second thread   56 whether the thread waited for I/O
 * </pre>
 */
final class SchedOperation {
    static final int WORDS = 3;

    private static final int TIME = 0;
    private static final int THREADS = 1;
    private static final int HEADER = 2;

    private static final int STATE_SHIFT = 8;
    private static final int STATE_MASK = 0x1f;
    private static final int CPU_SHIFT = 13;
    private static final int CPU_MASK = 0x7ff;
    private static final int FIRST_PRIORITY_SHIFT = 24;
    private static final int SECOND_PRIORITY_SHIFT = 40;
    private static final long PRIORITY_MASK = 0xffff;
    private static final long IO_WAIT = 1L << 56;

    private SchedOperation() {}

    static long threads(int first, int second) {
        return IntPair.pack(first, second);
    }

    /** The third word of a switch. */
    static long switched(int kind, int cpu, SchedState state, int prevPriority, int nextPriority) {
        return kind
                | (long) state.code() << STATE_SHIFT
                | (long) cpu << CPU_SHIFT
                | priority(prevPriority) << FIRST_PRIORITY_SHIFT
                | priority(nextPriority) << SECOND_PRIORITY_SHIFT;
    }

    /** The third word of a wakeup, with the priority of the thread that was woken. */
    static long woken(int kind, int priority) {
        return kind | priority(priority) << FIRST_PRIORITY_SHIFT;
    }

    /** The third word of a blocked reason. */
    static long blocked(boolean ioWait) {
        return EventKind.BLOCKED_REASON | (ioWait ? IO_WAIT : 0);
    }

    private static long priority(int priority) {
        return ThreadStateBits.validPriority(priority) & PRIORITY_MASK;
    }

    static long ts(long[] batch, int at) {
        return batch[at + TIME];
    }

    static int first(long[] batch, int at) {
        return IntPair.high(batch[at + THREADS]);
    }

    static int second(long[] batch, int at) {
        return IntPair.low(batch[at + THREADS]);
    }

    static long header(long[] batch, int at) {
        return batch[at + HEADER];
    }

    static SchedState state(long header) {
        return SchedState.ofCode((int) (header >>> STATE_SHIFT) & STATE_MASK);
    }

    static int cpu(long header) {
        return (int) (header >>> CPU_SHIFT) & CPU_MASK;
    }

    static int firstPriority(long header) {
        return (short) (header >>> FIRST_PRIORITY_SHIFT);
    }

    static int secondPriority(long header) {
        return (short) (header >>> SECOND_PRIORITY_SHIFT);
    }

    static boolean isIoWait(long header) {
        return (header & IO_WAIT) != 0;
    }
}
