package dev.unjank.record.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.unjank.linux.Errno;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/**
 * The C library functions that the recorder needs. All calls are plain (non-critical) downcalls.
 *
 * <p>Available only on 64-bit Linux, see {@link #isAvailable}.
 */
public final class Libc {
    /** Nanoseconds since 1970. */
    public static final int CLOCK_REALTIME = 0;

    /** Nanoseconds since boot, sleep included. */
    public static final int CLOCK_BOOTTIME = 7;

    /** The result of {@link #read} if no bytes are available at the moment. */
    public static final int NOTHING_YET = -1;

    private static final int O_RDONLY = 0;
    private static final int O_WRONLY = 1;
    private static final int O_NONBLOCK = 0x800;
    private static final int O_CLOEXEC = 0x80000;

    private static final StructLayout ERRNO = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = ERRNO.byteOffset(MemoryLayout.PathElement.groupElement("errno"));
    private static final boolean IS_AVAILABLE = System.getProperty("os.name").equals("Linux")
            && ADDRESS.byteSize() == Long.BYTES
            && Libc.class.getModule().isNativeAccessEnabled();

    private Libc() {}

    /**
     * Whether the functions can be called: on Linux, with native access for this module. Otherwise every other method
     * fails.
     */
    public static boolean isAvailable() {
        return IS_AVAILABLE;
    }

    /** The functions; looked up at the first call. */
    private static final class C {
        static final LibcFunction OPEN = LibcFunction.variadic("open", 2, 2);
        static final LibcFunction MOUNT = new LibcFunction("mount", 5);
        static final LibcFunction UMOUNT = new LibcFunction("umount2", 2);

        // called often: without the allocations of a LibcFunction
        static final MethodHandle READ =
                LibcFunction.handle("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
        static final MethodHandle CLOCK =
                LibcFunction.handle("clock_gettime", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    }

    /** Opens a file for non-blocking reads. */
    public static int openForReading(String path) throws IOException {
        return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    }

    /** Opens a file that is used only for the effect of closing it. */
    public static int openForWriting(String path) throws IOException {
        return open(path, O_WRONLY | O_CLOEXEC);
    }

    private static int open(String path, int flags) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            return C.OPEN.call(path, arena.allocateFrom(path).address(), flags);
        } catch (LibcException e) {
            throw failure(path, e.error());
        }
    }

    /** Allocates memory for the errors of {@link #read}, for one thread. */
    public static MemorySegment errnoPlace(Arena arena) {
        return arena.allocate(ERRNO);
    }

    /**
     * Reads the available bytes.
     *
     * @param descriptor of {@link #openForReading}
     * @param errno a place for the error, see {@link #errnoPlace}
     * @return the number of bytes, 0 at the end, {@link #NOTHING_YET}
     */
    public static long read(int descriptor, MemorySegment into, MemorySegment errno) throws IOException {
        long count;
        try {
            count = (long) C.READ.invokeExact(errno, descriptor, into, into.byteSize());
        } catch (Throwable t) {
            throw unexpected(t);
        }
        if (count >= 0) {
            return count;
        }
        int error = errno.get(JAVA_INT, ERRNO_OFFSET);
        if (error == Errno.EAGAIN || error == Errno.EINTR) {
            return NOTHING_YET;
        }
        throw failure("descriptor " + descriptor, error);
    }

    /** Reads a clock, in nanoseconds. */
    public static long clock(int clock) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(JAVA_LONG, 2);
            MemorySegment errno = arena.allocate(ERRNO);
            int result = (int) C.CLOCK.invokeExact(errno, clock, time);
            if (result != 0) {
                throw new IllegalStateException(failure("clock " + clock, errno.get(JAVA_INT, ERRNO_OFFSET))
                        .getMessage());
            }
            return time.getAtIndex(JAVA_LONG, 0) * 1_000_000_000 + time.getAtIndex(JAVA_LONG, 1);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** Mounts a file system without a device; {@code source} takes the device's place in the table of mounts. */
    public static void mount(String source, String type, String where) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            C.MOUNT.call(
                    where,
                    arena.allocateFrom(source).address(),
                    arena.allocateFrom(where).address(),
                    arena.allocateFrom(type).address(),
                    0,
                    0);
        } catch (LibcException e) {
            throw failure("mount " + where, e.error());
        }
    }

    /** Unmounts a file system, unless it is in use; false if it is still mounted. */
    public static boolean unmount(String where) {
        try (Arena arena = Arena.ofConfined()) {
            C.UMOUNT.call(where, arena.allocateFrom(where).address(), 0);
            return true;
        } catch (LibcException e) {
            return false;
        }
    }

    private static IOException failure(String what, int error) {
        String text = LibcFunction.text(error);
        return new IOException(what + ": " + text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1));
    }

    /**
     * Rethrows errors of the JVM. A downcall throws no other exceptions, but its method handle declares {@link
     * Throwable}.
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
