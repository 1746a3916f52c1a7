package dev.unjank.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * A Linux system call, made by its number through syscall(2). The numbers are those of x86-64 and AArch64; on other
 * platforms {@link #obstacle} returns why no call is possible.
 *
 * <p>All calls are ordinary downcalls, not {@code critical} ones: some of them block, and a critical downcall delays
 * safepoints.
 *
 * <p>Memory is passed as segments, which cannot be freed during the call; passing a freed segment throws, as any access
 * to it does. Where a parameter is declared as an address, a number is passed as a segment with that address ({@link
 * #number}).
 */
final class SystemCall {
    private static final AddressLayout ADDRESS = ValueLayout.ADDRESS;
    private static final StructLayout ERRNO = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = ERRNO.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private static final String SYSTEM = System.getProperty("os.name");
    private static final boolean IS_X86 = System.getProperty("os.arch").equals("amd64");
    private static final boolean IS_ARM = System.getProperty("os.arch").equals("aarch64");

    static final SystemCall GETTID = new SystemCall("gettid", 186, 178);
    static final SystemCall GETCPU = new SystemCall("getcpu", 309, 168);
    static final SystemCall FUTEX = new SystemCall("futex", 202, 98);
    static final SystemCall SCHED_SETATTR = new SystemCall("sched_setattr", 314, 274);
    static final SystemCall SCHED_GETATTR = new SystemCall("sched_getattr", 315, 275);
    static final SystemCall SCHED_SETAFFINITY = new SystemCall("sched_setaffinity", 203, 122);
    static final SystemCall SCHED_GETAFFINITY = new SystemCall("sched_getaffinity", 204, 123);

    /**
     * Memory for the error and the timeout of a call. Allocated once per thread, so that calls do not allocate; the
     * garbage collector frees it.
     */
    private record Scratch(MemorySegment errno, MemorySegment timespec) {
        private static final ThreadLocal<Scratch> OF_THREAD = ThreadLocal.withInitial(() -> {
            Arena arena = Arena.ofAuto();
            return new Scratch(arena.allocate(ERRNO), arena.allocate(JAVA_LONG, 2));
        });
    }

    /**
     * The function syscall of the C library, linked on first use, so that {@link SystemCall} also loads on other
     * platforms.
     */
    private static final class Function {
        @SuppressWarnings("restricted") // checked manually against syscall(2): every argument is as wide as a register
        static final MethodHandle SYSCALL = Linker.nativeLinker()
                .downcallHandle(
                        Linker.nativeLinker().defaultLookup().find("syscall").orElseThrow(),
                        FunctionDescriptor.of(
                                JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG),
                        Linker.Option.firstVariadicArg(1),
                        Linker.Option.captureCallState("errno"));
    }

    private final String name;
    private final long number;

    private SystemCall(String name, int onX86, int onArm) {
        this.name = name;
        number = IS_X86 ? onX86 : onArm;
    }

    /**
     * Makes the call.
     *
     * @return the result of the call, or the negated error number
     */
    long call(MemorySegment a, long b, long c, MemorySegment d, MemorySegment e, long f) {
        MemorySegment errno = Scratch.OF_THREAD.get().errno;
        try {
            long result = (long) Function.SYSCALL.invokeExact(errno, number, a, b, c, d, e, f);
            return result == -1 ? -errno.get(JAVA_INT, ERRNO_OFFSET) : result;
        } catch (RuntimeException | Error unchecked) {
            throw unchecked;
        } catch (Throwable t) {
            throw new IllegalStateException(t); // a downcall throws no exceptions of its own
        }
    }

    /** Creates a call with three arguments. */
    long call(MemorySegment a, long b, long c) {
        return call(a, b, c, MemorySegment.NULL, MemorySegment.NULL, 0);
    }

    /** Passes a number where the call is declared with an address. */
    static MemorySegment number(long number) {
        return MemorySegment.ofAddress(number);
    }

    /** Returns the timeout for this thread's next call. */
    static MemorySegment timespec(long nanos) {
        MemorySegment timespec = Scratch.OF_THREAD.get().timespec;
        timespec.setAtIndex(JAVA_LONG, 0, nanos / NANOS_PER_SECOND);
        timespec.setAtIndex(JAVA_LONG, 1, nanos % NANOS_PER_SECOND);
        return timespec;
    }

    /** Returns the result of a call; throws if the call failed. */
    long checked(long result) {
        if (result < 0) {
            throw failure(result);
        }
        return result;
    }

    /** Returns the exception of a failed call. */
    SystemCallException failure(long result) {
        return new SystemCallException(name, (int) -result);
    }

    /** Returns why no call is possible on this platform, or null if calls can be tried. */
    static @Nullable String obstacle() {
        if (!SYSTEM.equals("Linux")) {
            return "this is " + SYSTEM + ", not Linux";
        }
        if (!IS_X86 && !IS_ARM) {
            return "the system call numbers of " + System.getProperty("os.arch") + " are unknown";
        }
        Module module = SystemCall.class.getModule();
        if (!module.isNativeAccessEnabled()) {
            return "native access is not enabled: give java --enable-native-access="
                    + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
        }
        return null;
    }
}
