package dev.unjank.record.agent;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes the stack of a thread. Only that thread is stopped, at most while its frames are walked.
 *
 * <p>JVMTI needs a JNI reference to the thread, and Java code cannot create JNI references. So the agent's own thread
 * holds the thread in a field, and JNI reads it from there.
 */
final class StackSampler {
    /** Deeper stacks are cut at their outer end. */
    private static final int DEEPEST = 48;

    private static final int MOST_METHODS = 4096;

    private static final String THREAD = "Ljava/lang/Thread;";

    private final Arena arena = Arena.ofAuto();
    private final Jvmti jvmti;
    private final Carrier carrier;
    private final long self;
    private final long ownerField;
    private final MemorySegment frames = arena.allocate(2L * Long.BYTES * DEEPEST, Long.BYTES);

    private final Map<Long, Method> methods = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Method> eldest) {
            return size() > MOST_METHODS;
        }
    };

    private int count;

    /** The agent's thread, with a field for the thread whose stack is taken. */
    abstract static class Carrier extends Thread {
        @Nullable
        Thread owner;

        Carrier(String name) {
            super(null, null, name, 0, false);
        }
    }

    /** A method's names and lines. */
    static final class Method {
        /** An unloaded method. */
        static final Method UNKNOWN = new Method("", "", "", "", new long[0]);

        final String type;
        final String name;
        final String descriptor;
        final String file;

        /** Pairs of a bytecode index and the line that begins there. */
        private final long[] lines;

        Method(String type, String name, String descriptor, String file, long[] lines) {
            this.type = type;
            this.name = name;
            this.descriptor = descriptor;
            this.file = file;
            this.lines = lines;
        }

        private int line(long position) {
            int line = -1;
            long from = -1;
            for (int i = 0; i < lines.length; i += 2) {
                if (lines[i] <= position && lines[i] >= from) {
                    from = lines[i];
                    line = (int) lines[i + 1];
                }
            }
            return line;
        }
    }

    StackSampler(Jvmti jvmti, Carrier carrier) {
        this.jvmti = jvmti;
        this.carrier = carrier;
        Jni jni = jvmti.jni();
        jni.warmUp();
        for (int i = 0; i < Jni.WARM; i++) {
            jvmti.currentThread();
        }
        self = jni.keep(jvmti.currentThread());
        for (int i = 0; i < Jni.WARM; i++) {
            jni.type(self);
        }
        long type = jni.keep(jni.type(self));
        ownerField = jni.field(type, "owner", THREAD);
        jni.drop(type);
        for (int i = 0; i < Jni.WARM; i++) {
            jni.value(self, ownerField);
        }
        jvmti.stack(self, frames);
        long method = frames.get(ValueLayout.JAVA_LONG, 0);
        for (int i = 0; i < Jni.WARM; i++) {
            jvmti.declaringClass(method);
        }
    }

    void take(Thread owner) {
        Jni jni = jvmti.jni();
        carrier.owner = owner;
        long handle = jni.keep(jni.value(self, ownerField));
        count = jvmti.stack(handle, frames);
        jni.drop(handle);
        carrier.owner = null;
    }

    /** Deletes the reference to the agent's thread. */
    void close() {
        jvmti.jni().drop(self);
    }

    /** The number of frames. */
    int count() {
        return count;
    }

    /** The method of a frame, the innermost being 0. */
    Method method(int frame) {
        return methods.computeIfAbsent(frames.getAtIndex(ValueLayout.JAVA_LONG, 2L * frame), this::read);
    }

    /** The line of a frame; -1 if unknown, -2 in native code, as in Android. */
    int line(int frame) {
        long position = frames.getAtIndex(ValueLayout.JAVA_LONG, 2L * frame + 1);
        return position < 0 ? -2 : method(frame).line(position);
    }

    private Method read(long id) {
        String[] names = jvmti.method(id);
        long type = names == null ? 0 : jvmti.jni().keep(jvmti.declaringClass(id));
        if (names == null || type == 0) {
            return Method.UNKNOWN;
        }
        Method method = new Method(jvmti.signature(type), names[0], names[1], jvmti.sourceFile(type), jvmti.lines(id));
        jvmti.jni().drop(type);
        return method;
    }
}
