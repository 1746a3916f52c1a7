package dev.unjank.locks.futex;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.unjank.linux.Futex;
import dev.unjank.linux.Futex.Scope;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A word that threads change, and sleep on. */
final class Word {
    /** Without a coordinate for the offset, which is always 0: one check less at each access. */
    private static final VarHandle VALUE = MethodHandles.insertCoordinates(JAVA_INT.varHandle(), 1, 0L);

    /** A word that shares its cache line with no other of this package. */
    private static final long LINE = 64;

    final MemorySegment memory;
    final Scope scope;

    /**
     * A word of somebody's memory.
     *
     * @throws IllegalArgumentException if no lock can lie there
     * @throws UnsupportedOperationException if there is an obstacle
     */
    Word(MemorySegment memory, Scope scope, @Nullable String obstacle) {
        if (obstacle != null) {
            throw new UnsupportedOperationException(obstacle);
        }
        if (!memory.isNative() || memory.isReadOnly()) {
            throw new IllegalArgumentException("a word has to lie outside the heap, and be writable: " + memory);
        }
        if (memory.byteSize() < JAVA_INT.byteSize() || memory.address() % JAVA_INT.byteSize() != 0) {
            throw new IllegalArgumentException("a word has 4 bytes, and an address that 4 divides: " + memory);
        }
        if (!memory.isAccessibleBy(Thread.ofPlatform().unstarted(() -> {}))) {
            throw new IllegalArgumentException("a word has to be accessible to every thread: " + memory);
        }
        this.memory = memory.asSlice(0, JAVA_INT);
        this.scope = scope;
    }

    /** A new word for the threads of this process, which the collector frees. */
    static Word ofProcess(@Nullable String obstacle) {
        return new Word(Arena.ofAuto().allocate(LINE, LINE), Scope.PROCESS, obstacle);
    }

    /**
     * Refuses a virtual thread.
     *
     * @throws UnsupportedOperationException if the calling thread is one
     */
    static void requirePlatformThread() {
        if (Thread.currentThread().isVirtual()) {
            throw new UnsupportedOperationException("a virtual thread cannot own or wait for a futex lock");
        }
    }

    int volatileValue() {
        return (int) VALUE.getVolatile(memory);
    }

    boolean cas(int expected, int replacement) {
        return VALUE.compareAndSet(memory, expected, replacement);
    }

    int getAndSet(int replacement) {
        return (int) VALUE.getAndSet(memory, replacement);
    }

    int getAndAdd(int difference) {
        return (int) VALUE.getAndAdd(memory, difference);
    }

    /** Sleeps as {@link Futex#await(MemorySegment, int, Scope, long)} does. */
    int await(int expected, long deadline) {
        return Futex.await(memory, expected, scope, deadline);
    }

    /** Wakes one. */
    void wakeOne() {
        Futex.wake(memory, 1, scope);
    }

    @Override
    public String toString() {
        return "0x" + Integer.toHexString(volatileValue());
    }
}
