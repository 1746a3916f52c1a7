package dev.unjank.record.agent;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * A function table of the JVM's native interfaces (JNI, JVMTI): an object whose first word points to a table of
 * functions, each of which takes the object as its first argument. Handles and other pointers are passed as longs,
 * which 64-bit calling conventions treat the same way.
 */
@SuppressWarnings("restricted") // the layout is that of jni.h and jvmti.h
final class FunctionTable {
    private static final Linker LINKER = Linker.nativeLinker();

    private final MemorySegment object;
    private final MemorySegment functions;

    /** Wraps an object. */
    FunctionTable(MemorySegment object, int size) {
        this.object = object;
        functions = object.reinterpret(ADDRESS.byteSize()).get(ADDRESS, 0).reinterpret(size * ADDRESS.byteSize());
    }

    /** The function at an index, bound to the object. The descriptor includes the object. */
    MethodHandle function(int index, FunctionDescriptor descriptor) {
        MethodHandle handle = LINKER.downcallHandle(functions.getAtIndex(ADDRESS, index), descriptor);
        return MethodHandles.insertArguments(handle, 0, object);
    }
}
