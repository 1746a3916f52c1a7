package dev.unjank.locks.handoff;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.unjank.linux.Futex;
import dev.unjank.linux.Futex.Scope;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A wait slot on an off-heap futex word, which the garbage collector frees. */
final class FutexWaitSlot extends WaitSlot {
    /**
     * The alignment and size of a pair of cache lines. Some processors fetch lines in pairs, so the words of two
     * threads must not share a pair.
     */
    private static final long LINE_PAIR = 128;

    private static final VarHandle STATE = MethodHandles.insertCoordinates(JAVA_INT.varHandle(), 1, 0L);

    private final MemorySegment word = Arena.ofAuto().allocate(LINE_PAIR, LINE_PAIR);

    @Override
    int state() {
        return (int) STATE.getVolatile(word);
    }

    @Override
    int getAndSet(int state) {
        return (int) STATE.getAndSet(word, state);
    }

    @Override
    boolean compareAndSet(int expected, int state) {
        return STATE.compareAndSet(word, expected, state);
    }

    @Override
    void sleep(long end) {
        int ignored = Futex.await(word, ASLEEP, Scope.PROCESS, end); // the caller checks the state and the clock
    }

    @Override
    void wake() {
        Futex.wake(word, 1, Scope.PROCESS);
    }
}
