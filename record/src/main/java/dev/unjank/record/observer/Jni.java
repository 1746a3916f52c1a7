package dev.unjank.record.observer;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The few functions of the Java Native Interface without which JVMTI's handles of objects are of no use. For one thread. */
final class Jni {
    private static final int PUSH_LOCAL_FRAME = 19;
    private static final int POP_LOCAL_FRAME = 20;
    private static final int GET_OBJECT_CLASS = 31;
    private static final int GET_FIELD_ID = 94;
    private static final int GET_OBJECT_FIELD = 95;
    private static final int FUNCTIONS = 96;

    private final MethodHandle pushLocalFrame;
    private final MethodHandle popLocalFrame;
    private final MethodHandle getObjectClass;
    private final MethodHandle getFieldId;
    private final MethodHandle getObjectField;

    Jni(MemorySegment environment) {
        FunctionTable table = new FunctionTable(environment, FUNCTIONS);
        pushLocalFrame = table.function(PUSH_LOCAL_FRAME, FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
        popLocalFrame = table.function(POP_LOCAL_FRAME, FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG));
        getObjectClass = table.function(GET_OBJECT_CLASS, FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG));
        getFieldId =
                table.function(GET_FIELD_ID, FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));
        getObjectField =
                table.function(GET_OBJECT_FIELD, FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG));
    }

    /** From here on handles are remembered, so many at least. */
    void pushFrame(int capacity) {
        try {
            Jvmti.check((int) pushLocalFrame.invokeExact(capacity), "PushLocalFrame");
        } catch (Throwable e) {
            throw Jvmti.failed(e);
        }
    }

    /** All handles since {@link #pushFrame} are let go. */
    void popFrame() {
        try {
            long ignored = (long) popLocalFrame.invokeExact(0L);
        } catch (Throwable e) {
            throw Jvmti.failed(e);
        }
    }

    /** The number of a field of an object's class. */
    long field(long object, String name, String descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            long type = (long) getObjectClass.invokeExact(object);
            MemorySegment nameText = arena.allocateFrom(name);
            MemorySegment descriptorText = arena.allocateFrom(descriptor);
            long id = (long) getFieldId.invokeExact(type, nameText, descriptorText);
            if (id == 0) {
                throw new IllegalStateException("no field " + name);
            }
            return id;
        } catch (Throwable e) {
            throw Jvmti.failed(e);
        }
    }

    /** What a field of an object refers to; 0 for null. */
    long value(long object, long field) {
        try {
            return (long) getObjectField.invokeExact(object, field);
        } catch (Throwable e) {
            throw Jvmti.failed(e);
        }
    }
}
