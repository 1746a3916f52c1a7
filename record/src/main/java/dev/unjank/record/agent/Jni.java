package dev.unjank.record.agent;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The JNI functions that are needed for JVMTI's object references. Not thread-safe.
 *
 * <p><b>References.</b> A function returns a local reference, which is valid until the thread next returns from a
 * native method; there is no native frame that would keep it longer. So the very next call makes it a global reference
 * ({@link #keep}), which is deleted after use ({@link #drop}). Between the two calls no native method runs once the
 * method handles are linked and customized, which takes some hundred calls: {@link #warmUp} makes these with null
 * references.
 */
final class Jni {
    /** More calls than {@code java.lang.invoke} needs to customize a method handle. */
    static final int WARM = 300;

    private static final int NEW_GLOBAL_REF = 21;
    private static final int DELETE_GLOBAL_REF = 22;
    private static final int GET_OBJECT_CLASS = 31;
    private static final int GET_FIELD_ID = 94;
    private static final int GET_OBJECT_FIELD = 95;
    private static final int FUNCTIONS = 96;

    private final MethodHandle newGlobalRef;
    private final MethodHandle deleteGlobalRef;
    private final MethodHandle getObjectClass;
    private final MethodHandle getFieldId;
    private final MethodHandle getObjectField;

    Jni(MemorySegment environment) {
        FunctionTable table = new FunctionTable(environment, FUNCTIONS);
        newGlobalRef = table.function(NEW_GLOBAL_REF, FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG));
        deleteGlobalRef = table.function(DELETE_GLOBAL_REF, FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG));
        getObjectClass = table.function(GET_OBJECT_CLASS, FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG));
        getFieldId =
                table.function(GET_FIELD_ID, FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));
        getObjectField =
                table.function(GET_OBJECT_FIELD, FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG));
    }

    /** Links and customizes the method handles. Must be called before the first {@link #keep}. */
    void warmUp() {
        for (int i = 0; i < WARM; i++) {
            drop(keep(0));
        }
    }

    /** A global reference for a local one, which must be the result of the last call. */
    long keep(long local) {
        try {
            return (long) newGlobalRef.invokeExact(local);
        } catch (Throwable e) {
            throw Jvmti.failed(e);
        }
    }

    /** Deletes a global reference. */
    void drop(long global) {
        try {
            deleteGlobalRef.invokeExact(global);
        } catch (Throwable e) {
            throw Jvmti.failed(e);
        }
    }

    /** The class of an object, as a local reference. */
    long type(long object) {
        try {
            return (long) getObjectClass.invokeExact(object);
        } catch (Throwable e) {
            throw Jvmti.failed(e);
        }
    }

    /** The id of a field of a class. */
    long field(long type, String name, String descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment nameText = arena.allocateFrom(name);
            MemorySegment descriptorText = arena.allocateFrom(descriptor);
            return (long) getFieldId.invokeExact(type, nameText, descriptorText);
        } catch (Throwable e) {
            throw Jvmti.failed(e);
        }
    }

    /** The value of a field of an object, as a local reference; 0 for null. */
    long value(long object, long field) {
        try {
            return (long) getObjectField.invokeExact(object, field);
        } catch (Throwable e) {
            throw Jvmti.failed(e);
        }
    }
}
