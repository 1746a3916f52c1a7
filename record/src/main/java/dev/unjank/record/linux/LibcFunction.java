package dev.unjank.record.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.unjank.linux.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.Collections;

/**
 * A function of the C library that takes words (numbers or addresses) and reports failure with -1 and {@code errno}.
 * Every parameter is passed as 64 bits, which x86-64 and AArch64 also allow for narrower integers. Thread-safe.
 */
@SuppressWarnings("restricted") // checked by hand against the manual pages of the functions
final class LibcFunction {
    private static final StructLayout ERRNO = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = ERRNO.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private final String name;
    private final MethodHandle handle;

    /** A function with a fixed number of parameters. */
    LibcFunction(String name, int parameters) {
        this(name, parameters, new Linker.Option[0]);
    }

    private LibcFunction(String name, int parameters, Linker.Option... options) {
        this.name = name;
        FunctionDescriptor descriptor = FunctionDescriptor.of(
                JAVA_LONG, Collections.nCopies(parameters, JAVA_LONG).toArray(MemoryLayout[]::new));
        handle = handle(name, descriptor, options).asSpreader(1, long[].class, parameters);
    }

    /** A function with variadic parameters after a number of fixed ones. */
    static LibcFunction variadic(String name, int parameters, int firstVariadic) {
        return new LibcFunction(name, parameters, Linker.Option.firstVariadicArg(firstVariadic));
    }

    static MethodHandle handle(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        Linker.Option[] all = new Linker.Option[options.length + 1];
        System.arraycopy(options, 0, all, 0, options.length);
        all[options.length] = Linker.Option.captureCallState("errno");
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor, all);
    }

    /**
     * Calls a function that returns an {@code int}; repeats the call if a signal interrupts it. {@code what} is the
     * object of the call, for the message.
     */
    int call(String what, long... arguments) throws LibcException {
        return (int) callLong(true, what, arguments);
    }

    /** Calls a function that returns a {@code ssize_t}, like {@link #call}. */
    long callLong(String what, long... arguments) throws LibcException {
        return callLong(false, what, arguments);
    }

    private long callLong(boolean isInt, String what, long... arguments) throws LibcException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO);
            while (true) {
                long result = (long) handle.invokeExact(errno, arguments);
                if ((isInt ? (int) result : result) != -1) {
                    return result;
                }
                int error = errno.get(JAVA_INT, ERRNO_OFFSET);
                if (error != Errno.EINTR) {
                    throw new LibcException(what.isEmpty() ? name : what, error, text(error));
                }
            }
        } catch (LibcException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new IllegalStateException(t); // a downcall does not throw checked exceptions
        }
    }

    /** The C library's table of error messages. */
    private static final class Texts {
        static final MethodHandle STRERROR = handle(
                "strerror",
                FunctionDescriptor.of(ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(256, JAVA_BYTE)), JAVA_INT));
    }

    /** The C library's message for an error number. */
    static String text(int error) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = (MemorySegment) Texts.STRERROR.invokeExact(arena.allocate(ERRNO), error);
            return text.getString(0);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }
}
