package dev.unjank.workbench.lab.clib;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Functions of the C library that return an int. */
final class CFunctions {
    private CFunctions() {}

    /** A function by name and parameter types. */
    @SuppressWarnings("restricted") // the signatures were checked by hand against the manual pages of the functions
    static MethodHandle of(String name, MemoryLayout... parameters) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters));
    }

    /** Wraps a throwable from a method handle call. */
    static IllegalStateException unexpected(Throwable t) {
        if (t instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(t);
    }
}
