package dev.unjank.looper.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.stream.Stream;

/**
 * The system call futex(2) on words of this process only (FUTEX_PRIVATE_FLAG): wait with a relative timeout, and wake
 * one thread.
 *
 * <p>This class duplicates part of {@code dev.unjank.linux.Futex} for two reasons. First, looper-linux depends only on
 * looper: users add one jar and enable native access for one module. Second, {@code dev.unjank.linux.Futex} allocates
 * native memory for the error and the timeout in the first call of each thread. Here the waker preallocates both, and a
 * wake does not capture the error, so that the first post of a thread, even of a virtual one, allocates nothing.
 *
 * <p>Both calls are ordinary downcalls, even the short one that wakes. {@code Linker.Option.critical} would save a few
 * nanoseconds per call, but would defeat the purpose of this package: inside a critical downcall a thread counts as
 * running Java code, so a safepoint waits for it. A sender preempted there would stop the whole JVM.
 */
final class PrivateFutex {
    /** The relative timeout of a wait: {@code struct timespec}, on 64-bit systems. */
    static final StructLayout TIMESPEC =
            MemoryLayout.structLayout(JAVA_LONG.withName("tv_sec"), JAVA_LONG.withName("tv_nsec"));

    /** The captured call state, with the error of a wait. */
    static final StructLayout ERRNO = Linker.Option.captureStateLayout();

    // the same numbers as in dev.unjank.linux.Errno, which this jar does without
    static final int SUCCESS = 0;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int ETIMEDOUT = 110;

    private static final int WAIT_PRIVATE = 128;
    private static final int WAKE_PRIVATE = 129;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long ERRNO_OFFSET = ERRNO.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private static final long NUMBER =
            FutexWakerProvider.systemCall(System.getProperty("os.name"), System.getProperty("os.arch"));
    private static final Linker.Option CAPTURE_ERRNO = Linker.Option.captureCallState("errno");
    /** Arguments: number, word, operation, expected value, timeout. */
    private static final MethodHandle WAIT =
            syscall(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS), CAPTURE_ERRNO);
    /** Arguments: number, word, operation, the number of threads to wake. */
    private static final FunctionDescriptor WAKE_DESCRIPTOR =
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);

    private static final MethodHandle WAKE = syscall(WAKE_DESCRIPTOR);

    private PrivateFutex() {}

    /** Links the function syscall(2), with every argument as wide as a register. */
    @SuppressWarnings("restricted") // checked manually against syscall(2) and futex(2)
    private static MethodHandle syscall(FunctionDescriptor descriptor, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        MemorySegment function = linker.defaultLookup()
                .find("syscall")
                .orElseThrow(() -> new IllegalStateException("the C library has no function syscall"));
        return linker.downcallHandle(
                function,
                descriptor,
                Stream.concat(Stream.of(Linker.Option.firstVariadicArg(1)), Stream.of(options))
                        .toArray(Linker.Option[]::new));
    }

    /**
     * Sleeps if the word has the expected value, until another thread wakes this one, the timeout has elapsed, or a
     * signal arrives.
     *
     * @param nanos the longest time to sleep, or Long.MAX_VALUE for no limit
     * @param timespec memory for a {@link #TIMESPEC}
     * @param errno memory for an {@link #ERRNO}
     * @return {@link #SUCCESS}, {@link #EAGAIN} if the word has another value, {@link #EINTR} or {@link #ETIMEDOUT}
     * @throws IllegalStateException on any other error
     */
    static int await(MemorySegment word, int expected, long nanos, MemorySegment timespec, MemorySegment errno) {
        MemorySegment timeout = MemorySegment.NULL;
        if (nanos != Long.MAX_VALUE) {
            timespec.set(JAVA_LONG, 0, nanos / NANOS_PER_SECOND);
            timespec.set(JAVA_LONG, JAVA_LONG.byteSize(), nanos % NANOS_PER_SECOND);
            timeout = timespec;
        }
        long result;
        try {
            result = (long) WAIT.invokeExact(errno, NUMBER, word, (long) WAIT_PRIVATE, (long) expected, timeout);
        } catch (Throwable t) {
            throw unexpected(t);
        }
        if (result == 0) {
            return SUCCESS;
        }
        int error = errno.get(JAVA_INT, ERRNO_OFFSET);
        return switch (error) {
            case EAGAIN, EINTR, ETIMEDOUT -> error;
            default -> throw failure("wait", error);
        };
    }

    /**
     * Wakes the thread that sleeps on the word, if there is one.
     *
     * @throws IllegalStateException on an error
     */
    static void wake(MemorySegment word) {
        try {
            if ((long) WAKE.invokeExact(NUMBER, word, (long) WAKE_PRIVATE, 1L) < 0) {
                wakeAgain(word);
            }
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** Repeats a failed wake with capture of the error, so that successful wakes need no memory for it. */
    private static void wakeAgain(MemorySegment word) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO);
            MethodHandle wake = syscall(WAKE_DESCRIPTOR, CAPTURE_ERRNO);
            if ((long) wake.invokeExact(errno, NUMBER, word, (long) WAKE_PRIVATE, 1L) < 0) {
                throw failure("wake", errno.get(JAVA_INT, ERRNO_OFFSET));
            }
        }
    }

    private static IllegalStateException failure(String operation, int error) {
        return new IllegalStateException("futex " + operation + ": errno " + error);
    }

    /**
     * Rethrows unchecked exceptions. A downcall throws no others, but {@code invokeExact} declares {@code Throwable}.
     */
    private static RuntimeException unexpected(Throwable t) {
        if (t instanceof RuntimeException runtime) {
            return runtime;
        }
        if (t instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(t);
    }
}
