package dev.unjank.workbench.lab.clib;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;

/**
 * A simulated device whose read blocks for a given time, such as a scanner on a serial line: a Linux timerfd. For one
 * thread.
 */
public final class TimerFd {
    private static final int CLOCK_MONOTONIC = 1;
    private static final int DATA_BYTES = Long.BYTES;

    private static final MethodHandle CREATE = CFunctions.of("timerfd_create", JAVA_INT, JAVA_INT);
    private static final MethodHandle SET = CFunctions.of("timerfd_settime", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle READ = read();
    private static final MethodHandle CRITICAL_READ = read(Linker.Option.critical(true));

    private final int descriptor;

    public TimerFd() {
        try {
            descriptor = (int) CREATE.invokeExact(CLOCK_MONOTONIC, 0);
        } catch (Throwable t) {
            throw CFunctions.unexpected(t);
        }
        if (descriptor < 0) {
            throw new IllegalStateException("timerfd_create failed");
        }
    }

    @SuppressWarnings("restricted") // ssize_t read(int, void *, size_t)
    private static MethodHandle read(Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("read"),
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG),
                options);
    }

    /**
     * Reads into a Java array in a critical call. This is the bug under test: the JVM cannot reach a safepoint until
     * the data arrives.
     */
    public void readCritically(long nanos) {
        arm(nanos);
        byte[] data = new byte[DATA_BYTES];
        try {
            check((long) CRITICAL_READ.invokeExact(descriptor, MemorySegment.ofArray(data), (long) DATA_BYTES));
        } catch (Throwable t) {
            throw CFunctions.unexpected(t);
        }
    }

    /** Reads into off-heap memory and copies it, in an ordinary call, which does not delay garbage collection. */
    public void readAndCopy(long nanos) {
        arm(nanos);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment data = arena.allocate(DATA_BYTES, Long.BYTES);
            check((long) READ.invokeExact(descriptor, data, (long) DATA_BYTES));
            byte[] copy = new byte[DATA_BYTES];
            MemorySegment.copy(data, 0, MemorySegment.ofArray(copy), 0, DATA_BYTES);
        } catch (Throwable t) {
            throw CFunctions.unexpected(t);
        }
    }

    /** Arms the timer with a {@code struct itimerspec}: no interval, and the first expiration. */
    private void arm(long nanos) {
        long second = TimeUnit.SECONDS.toNanos(1);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment spec = arena.allocateFrom(JAVA_LONG, 0, 0, nanos / second, nanos % second);
            if ((int) SET.invokeExact(descriptor, 0, spec, MemorySegment.NULL) != 0) {
                throw new IllegalStateException("timerfd_settime failed");
            }
        } catch (Throwable t) {
            throw CFunctions.unexpected(t);
        }
    }

    private static void check(long read) {
        if (read != DATA_BYTES) {
            throw new IllegalStateException("the read was interrupted");
        }
    }
}
