package dev.unjank.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Calls Linux by number, as syscall(2) does. The numbers are those of x86-64 and AArch64; on any other machine, and on any other
 * system, {@link #obstacle} says that there are none.
 *
 * <p>All are plain downcalls: inside a {@code critical} one the thread would hold up every safepoint, and some of these wait.
 */
final class SystemCall {
    static final int EPERM = 1;
    static final int ESRCH = 3;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int EFAULT = 14;
    static final int EINVAL = 22;
    static final int EDEADLK = 35;
    static final int ENOSYS = 38;
    static final int ETIMEDOUT = 110;
    static final int EOWNERDEAD = 130;

    private static final Map<Integer, String> ERRORS = Map.ofEntries(
            Map.entry(EPERM, "EPERM"),
            Map.entry(ESRCH, "ESRCH"),
            Map.entry(EINTR, "EINTR"),
            Map.entry(EAGAIN, "EAGAIN"),
            Map.entry(13, "EACCES"),
            Map.entry(EFAULT, "EFAULT"),
            Map.entry(EINVAL, "EINVAL"),
            Map.entry(EDEADLK, "EDEADLK"),
            Map.entry(ENOSYS, "ENOSYS"),
            Map.entry(ETIMEDOUT, "ETIMEDOUT"),
            Map.entry(EOWNERDEAD, "EOWNERDEAD"));

    private static final StructLayout ERRNO = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = ERRNO.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private static final boolean IS_LINUX = System.getProperty("os.name").equals("Linux");
    private static final boolean IS_X86 = System.getProperty("os.arch").equals("amd64");
    private static final boolean IS_ARM = System.getProperty("os.arch").equals("aarch64");

    static final SystemCall GETTID = new SystemCall("gettid", 186, 178);
    static final SystemCall FUTEX = new SystemCall("futex", 202, 98);
    static final SystemCall SCHED_SETATTR = new SystemCall("sched_setattr", 314, 274);
    static final SystemCall SCHED_GETATTR = new SystemCall("sched_getattr", 315, 275);
    static final SystemCall SCHED_SETAFFINITY = new SystemCall("sched_setaffinity", 203, 122);
    static final SystemCall SCHED_GETAFFINITY = new SystemCall("sched_getaffinity", 204, 123);

    /** The function of the C library; made at the first call, so that a machine without it has none of this. */
    private static final class Function {
        @SuppressWarnings("restricted") // checked by hand against syscall(2): every argument is as wide as a register
        static final MethodHandle SYSCALL = Linker.nativeLinker()
                .downcallHandle(
                        Linker.nativeLinker().defaultLookup().find("syscall").orElseThrow(),
                        FunctionDescriptor.of(
                                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
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
     * Makes the call. Memory is handed over as an address: the caller keeps it alive until this returns.
     *
     * @return what the call gives, or the negative of its error number
     */
    long call(long a, long b, long c, long d, long e, long f) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO);
            long result = (long) Function.SYSCALL.invokeExact(errno, number, a, b, c, d, e, f);
            return result == -1 ? -errno.get(JAVA_INT, ERRNO_OFFSET) : result;
        } catch (RuntimeException | Error e2) {
            throw e2;
        } catch (Throwable t) {
            throw new IllegalStateException(t); // a downcall throws nothing of its own
        }
    }

    /** The same of a call with three arguments. */
    long call(long a, long b, long c) {
        return call(a, b, c, 0, 0, 0);
    }

    /** What a failed call says. */
    IllegalStateException failure(long result) {
        return new IllegalStateException(name + ": " + error((int) -result));
    }

    /** Why nothing can be called here; null if it can be tried. */
    static @Nullable String obstacle() {
        if (!IS_LINUX) {
            return "this is not Linux";
        }
        if (!IS_X86 && !IS_ARM) {
            return "the numbers of the system calls of " + System.getProperty("os.arch") + " are not known";
        }
        if (!SystemCall.class.getModule().isNativeAccessEnabled()) {
            return "native access is not enabled: give java --enable-native-access="
                    + (SystemCall.class.getModule().isNamed()
                            ? SystemCall.class.getModule().getName()
                            : "ALL-UNNAMED");
        }
        return null;
    }

    /** The name of an error number. */
    static String error(int number) {
        return ERRORS.getOrDefault(number, "error " + number);
    }
}
