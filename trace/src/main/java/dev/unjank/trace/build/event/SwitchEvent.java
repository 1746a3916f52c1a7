package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStateBits;

/**
 * The layout of a sched_switch: a thread leaves a CPU, and the next one is put there. The compact form lacks the
 * thread that leaves, which follows from the previous switch on the CPU.
 *
 * <pre>
 * header  8..23 state of the thread that leaves   24..39 its priority   40..55 priority of the next thread
 * A       tid of the next thread | its name
 * B       tid of the thread that leaves | its name; not in the compact form
 * </pre>
 *
 * <p>The state is the kernel's bits, or a code of {@link SchedState} with a flag.
 */
public final class SwitchEvent {
    static final int WORDS = 4;
    static final int IDS = EventKind.NAME_IN_A | EventKind.NAME_IN_B;
    static final int COMPACT_WORDS = 3;
    static final int COMPACT_IDS = EventKind.NAME_IN_A;

    private static final int STATE_SHIFT = 8;
    private static final int PREV_PRIORITY_SHIFT = 24;
    private static final int NEXT_PRIORITY_SHIFT = 40;
    private static final long PRIORITY_MASK = 0xffff;

    private static final int STATE_MASK = 0xffff;
    private static final int STATE_IS_CODE = 0x8000;

    private SwitchEvent() {}

    /** The encoding of a state in the kernel's bits. */
    public static long state(long kernelBits) {
        return kernelBits & (STATE_IS_CODE - 1);
    }

    /** The encoding of a state whose meaning is known. */
    public static long state(SchedState state) {
        return STATE_IS_CODE | state.code();
    }

    public static void add(
            EventLog log,
            long ts,
            int prevTid,
            int prevName,
            int prevPriority,
            long prevState,
            int nextTid,
            int nextName,
            int nextPriority) {
        log.add(
                header(EventKind.SWITCH, prevState, prevPriority, nextPriority),
                ts,
                IntPair.pack(nextTid, nextName),
                IntPair.pack(prevTid, prevName));
    }

    /** Adds a switch in compact form. */
    public static void addCompact(EventLog log, long ts, long prevState, int nextTid, int nextName, int nextPriority) {
        log.add(header(EventKind.COMPACT_SWITCH, prevState, 0, nextPriority), ts, IntPair.pack(nextTid, nextName));
    }

    private static long header(int kind, long state, int prevPriority, int nextPriority) {
        return kind
                | state << STATE_SHIFT
                | (ThreadStateBits.validPriority(prevPriority) & PRIORITY_MASK) << PREV_PRIORITY_SHIFT
                | (ThreadStateBits.validPriority(nextPriority) & PRIORITY_MASK) << NEXT_PRIORITY_SHIFT;
    }

    /** The state of the thread that leaves. */
    public static SchedState state(long header, boolean before414) {
        int bits = (int) (header >>> STATE_SHIFT) & STATE_MASK;
        return (bits & STATE_IS_CODE) != 0
                ? SchedState.ofCode(bits & ~STATE_IS_CODE)
                : SchedState.ofKernel(bits, before414);
    }

    public static int prevPriority(long header) {
        return (short) (header >>> PREV_PRIORITY_SHIFT);
    }

    public static int nextPriority(long header) {
        return (short) (header >>> NEXT_PRIORITY_SHIFT);
    }

    public static int nextTid(long[] words, int at) {
        return IntPair.high(words[at + EventKind.A]);
    }

    public static int nextName(long[] words, int at) {
        return IntPair.low(words[at + EventKind.A]);
    }

    public static int prevTid(long[] words, int at) {
        return IntPair.high(words[at + EventKind.B]);
    }

    public static int prevName(long[] words, int at) {
        return IntPair.low(words[at + EventKind.B]);
    }
}
