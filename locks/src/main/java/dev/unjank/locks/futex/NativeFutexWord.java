package dev.unjank.locks.futex;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.unjank.linux.Futex;
import dev.unjank.linux.Futex.Scope;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A futex word in native memory. */
final class NativeFutexWord extends FutexWord {
    /** Accesses the word; without the offset coordinate, which is always 0. */
    private static final VarHandle VALUE = MethodHandles.insertCoordinates(JAVA_INT.varHandle(), 1, 0L);

    /** The alignment of a word, so that no two words of this package share a cache line. */
    private static final long LINE = 64;

    private final MemorySegment memory;
    private final Scope scope;

    /**
     * Creates a word over the caller's memory.
     *
     * @throws IllegalArgumentException if the memory cannot hold a lock
     * @throws UnsupportedOperationException if there is an obstacle
     */
    NativeFutexWord(MemorySegment memory, Scope scope, @Nullable String obstacle) {
        if (obstacle != null) {
            throw new UnsupportedOperationException(obstacle);
        }
        if (!memory.isNative() || memory.isReadOnly()) {
            throw new IllegalArgumentException("the word must be writable off-heap memory: " + memory);
        }
        if (memory.byteSize() < JAVA_INT.byteSize() || memory.address() % JAVA_INT.byteSize() != 0) {
            throw new IllegalArgumentException("the word must have 4 bytes and an address divisible by 4: " + memory);
        }
        if (!memory.isAccessibleBy(Thread.ofPlatform().unstarted(() -> {}))) {
            throw new IllegalArgumentException("the word must be accessible to every thread: " + memory);
        }
        this.memory = memory.asSlice(0, JAVA_INT);
        this.scope = scope;
    }

    /** Creates a word for the threads of this process; the garbage collector frees it. */
    static NativeFutexWord ofProcess(@Nullable String obstacle) {
        return new NativeFutexWord(Arena.ofAuto().allocate(LINE, LINE), Scope.PROCESS, obstacle);
    }

    MemorySegment memory() {
        return memory;
    }

    @Override
    Scope scope() {
        return scope;
    }

    @Override
    int volatileValue() {
        return (int) VALUE.getVolatile(memory);
    }

    @Override
    boolean cas(int expected, int replacement) {
        return VALUE.compareAndSet(memory, expected, replacement);
    }

    @Override
    int getAndSet(int replacement) {
        return (int) VALUE.getAndSet(memory, replacement);
    }

    @Override
    int getAndAdd(int difference) {
        return (int) VALUE.getAndAdd(memory, difference);
    }

    @Override
    void await(int expected, long deadline, int bits) {
        int ignored = Futex.await(memory, expected, scope, deadline, bits); // the caller checks the word
    }

    @Override
    int wake(int most, int bits) {
        return Futex.wake(memory, most, scope, bits);
    }

    @Override
    boolean moveSleepers(int expected, FutexWord to) {
        return Futex.requeue(memory, expected, ((NativeFutexWord) to).memory, scope) >= 0;
    }
}
