package dev.unjank.workbench.lab.clib;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** A mutex of the C library. Only for platform threads, since its owner is the OS thread. */
public final class PthreadMutex implements AutoCloseable {
    /** An upper bound of the size of {@code pthread_mutex_t} and {@code pthread_mutexattr_t} on all platforms. */
    private static final int BYTES = 128;

    private static final int PTHREAD_PRIO_INHERIT = 1;

    private static final MethodHandle ATTR_INIT = CFunctions.of("pthread_mutexattr_init", ADDRESS);
    private static final MethodHandle SET_PROTOCOL = CFunctions.of("pthread_mutexattr_setprotocol", ADDRESS, JAVA_INT);
    private static final MethodHandle INIT = CFunctions.of("pthread_mutex_init", ADDRESS, ADDRESS);
    private static final MethodHandle LOCK = CFunctions.of("pthread_mutex_lock", ADDRESS);
    private static final MethodHandle UNLOCK = CFunctions.of("pthread_mutex_unlock", ADDRESS);

    private final Arena arena = Arena.ofShared();
    private final MemorySegment mutex = arena.allocate(BYTES, Long.BYTES);

    public PthreadMutex(boolean inherits) {
        MemorySegment attributes = arena.allocate(BYTES, Long.BYTES);
        try {
            check((int) ATTR_INIT.invokeExact(attributes));
            if (inherits) {
                check((int) SET_PROTOCOL.invokeExact(attributes, PTHREAD_PRIO_INHERIT));
            }
            check((int) INIT.invokeExact(mutex, attributes));
        } catch (Throwable t) {
            arena.close();
            throw CFunctions.unexpected(t);
        }
    }

    /** Acquires the mutex, waiting if necessary. */
    public void lock() {
        try {
            check((int) LOCK.invokeExact(mutex));
        } catch (Throwable t) {
            throw CFunctions.unexpected(t);
        }
    }

    public void unlock() {
        try {
            check((int) UNLOCK.invokeExact(mutex));
        } catch (Throwable t) {
            throw CFunctions.unexpected(t);
        }
    }

    private static void check(int error) {
        if (error != 0) {
            throw new IllegalStateException("a mutex call failed with error " + error);
        }
    }

    /** Destroys the mutex, which must not be used afterwards. */
    @Override
    public void close() {
        arena.close();
    }
}
