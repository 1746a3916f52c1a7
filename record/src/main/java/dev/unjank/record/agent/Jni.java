package dev.unjank.record.agent;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The few functions of the Java Native Interface without which JVMTI's handles of objects are of no use. For one thread.
 *
 * <p><b>Handles.</b> What a function returns is a local handle, which is good until the thread next returns from a native method
 * of Java's; there is no native frame that would keep it longer. So it is made a global one, {@link #keep}, by the very next call,
 * and {@link #drop}ped after use. Nothing that lies between the two calls is native once the method handles are linked and customized, which
 * takes a hundred-odd calls: {@link #warmUp} makes these where nothing can go wrong.
 */
final class Jni {
    /** More than {@code java.lang.invoke} waits until it makes code for a handle of its own. */
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

    /** To be called before the first {@link #keep} of anything. */
    void warmUp() {
        for (int i = 0; i < WARM; i++) {
            drop(keep(0));
        }
    }

    /** A global handle of what a local one is of; the local one must come from the last call. */
    long keep(long local) {
        try {
            return (long) newGlobalRef.invokeExact(local);
        } catch (Throwable e) {
            throw Jvmti.failed(e);
        }
    }

    /** Lets a global handle go. */
    void drop(long global) {
        try {
            deleteGlobalRef.invokeExact(global);
        } catch (Throwable e) {
            throw Jvmti.failed(e);
        }
    }

    /** The class of an object, as a local handle. */
    long type(long object) {
        try {
            return (long) getObjectClass.invokeExact(object);
        } catch (Throwable e) {
            throw Jvmti.failed(e);
        }
    }

    /** The number of a field of a class. */
    long field(long type, String name, String descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment nameText = arena.allocateFrom(name);
            MemorySegment descriptorText = arena.allocateFrom(descriptor);
            return (long) getFieldId.invokeExact(type, nameText, descriptorText);
        } catch (Throwable e) {
            throw Jvmti.failed(e);
        }
    }

    /** What a field of an object refers to, as a local handle; 0 for null. */
    long value(long object, long field) {
        try {
            return (long) getObjectField.invokeExact(object, field);
        } catch (Throwable e) {
            throw Jvmti.failed(e);
        }
    }
}
