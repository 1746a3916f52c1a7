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
 * A device whose read blocks for a given time: a timerfd of Linux. It stands for a scanner on a serial line. For one thread.
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
     * Reads into an array of Java's, in a critical call: as a mistake, since the virtual machine cannot stop this thread until the
     * data is there, and so none.
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

    /** Reads into memory outside the heap and copies it, in an ordinary call: it delays no garbage collection. */
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

    /** With a {@code struct itimerspec} of an interval, none, and the first end. */
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
