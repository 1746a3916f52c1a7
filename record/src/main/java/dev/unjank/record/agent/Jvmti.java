package dev.unjank.record.agent;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The JVM Tool Interface, called through the foreign function API: the monitor contention event and stack traces of
 * other threads. The numbers of functions, events and capabilities are those of JVMTI's specification and {@code
 * jvmti.h}, which never change.
 *
 * <p>All methods must be called by the thread that created this object.
 */
@SuppressWarnings("restricted") // checked by hand against jvmti.h
final class Jvmti implements AutoCloseable {
    // Function indexes, counted from 1 as in the specification.
    private static final int SET_EVENT_NOTIFICATION_MODE = 2;
    private static final int GET_CURRENT_THREAD = 18;
    private static final int DEALLOCATE = 47;
    private static final int GET_CLASS_SIGNATURE = 48;
    private static final int GET_SOURCE_FILE_NAME = 50;
    private static final int GET_METHOD_NAME = 64;
    private static final int GET_METHOD_DECLARING_CLASS = 65;
    private static final int GET_LINE_NUMBER_TABLE = 70;
    private static final int GET_STACK_TRACE = 104;
    private static final int SET_EVENT_CALLBACKS = 122;
    private static final int DISPOSE_ENVIRONMENT = 127;
    private static final int GET_POTENTIAL_CAPABILITIES = 140;
    private static final int ADD_CAPABILITIES = 142;
    private static final int FUNCTIONS = 156;

    // Capabilities: bit indexes.
    private static final int CAN_GET_SOURCE_FILE_NAME = 11;
    private static final int CAN_GET_LINE_NUMBERS = 12;
    private static final int CAN_GENERATE_MONITOR_EVENTS = 28;
    private static final int CAPABILITIES_BYTES = 16;

    private static final int EVENT_MONITOR_CONTENDED_ENTER = 75;
    private static final int FIRST_EVENT = 50;
    private static final int CALLBACKS = 40;

    private static final int ENABLE = 1;
    private static final int DISABLE = 0;
    private static final int JVMTI_VERSION = 0x30010000;
    private static final int JNI_VERSION = 0x000a0000;

    // Functions of JNI's invocation interface and of JNI, counted from 0.
    private static final int GET_ENV = 6;
    private static final int INVOKE_FUNCTIONS = 8;

    private static final FunctionDescriptor LONG_TO_OUT = FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS);
    private static final FunctionDescriptor LONG_TO_TWO_OUT =
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
    private static final FunctionDescriptor OUT = FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS);

    private final Arena arena = Arena.ofShared();
    private final Jni jni;

    private final MethodHandle setEventNotificationMode;
    private final MethodHandle getCurrentThread;
    private final MethodHandle deallocate;
    private final MethodHandle getClassSignature;
    private final MethodHandle getSourceFileName;
    private final MethodHandle getMethodName;
    private final MethodHandle getMethodDeclaringClass;
    private final MethodHandle getLineNumberTable;
    private final MethodHandle getStackTrace;
    private final MethodHandle disposeEnvironment;

    /** Output parameters. */
    private final MemorySegment out = arena.allocate(3 * ADDRESS.byteSize());

    private final MemorySegment out2 = out.asSlice(ADDRESS.byteSize(), ADDRESS.byteSize());
    private final MemorySegment out3 = out.asSlice(2 * ADDRESS.byteSize(), ADDRESS.byteSize());

    /**
     * Opens the tool interface of this JVM; {@code alarm} is the callback for monitor contention events, null for none.
     */
    Jvmti(@Nullable MonitorContentionCallback alarm) {
        MemorySegment vm = virtualMachine();
        FunctionTable invoke = new FunctionTable(vm, INVOKE_FUNCTIONS);
        MethodHandle getEnv = invoke.function(GET_ENV, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
        jni = new Jni(environment(getEnv, JNI_VERSION));
        FunctionTable table = new FunctionTable(environment(getEnv, JVMTI_VERSION), FUNCTIONS);
        setEventNotificationMode = table.function(
                SET_EVENT_NOTIFICATION_MODE - 1,
                FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_LONG));
        getCurrentThread = table.function(GET_CURRENT_THREAD - 1, OUT);
        deallocate = table.function(DEALLOCATE - 1, FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
        getClassSignature = table.function(GET_CLASS_SIGNATURE - 1, LONG_TO_TWO_OUT);
        getSourceFileName = table.function(GET_SOURCE_FILE_NAME - 1, LONG_TO_OUT);
        getMethodName = table.function(
                GET_METHOD_NAME - 1, FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));
        getMethodDeclaringClass = table.function(GET_METHOD_DECLARING_CLASS - 1, LONG_TO_OUT);
        getLineNumberTable = table.function(GET_LINE_NUMBER_TABLE - 1, LONG_TO_TWO_OUT);
        getStackTrace = table.function(
                GET_STACK_TRACE - 1,
                FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
        disposeEnvironment = table.function(DISPOSE_ENVIRONMENT - 1, FunctionDescriptor.of(JAVA_INT, ADDRESS));
        addCapabilities(table);
        if (alarm != null) {
            setCallback(table, alarm);
        }
    }

    private static MemorySegment virtualMachine() {
        Path library = Path.of(System.getProperty("java.home"), "lib", "server", System.mapLibraryName("jvm"));
        SymbolLookup jvm = SymbolLookup.libraryLookup(library, Arena.global());
        MethodHandle created = Linker.nativeLinker()
                .downcallHandle(
                        jvm.find("JNI_GetCreatedJavaVMs").orElseThrow(),
                        FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));
        try (Arena temporary = Arena.ofConfined()) {
            MemorySegment vms = temporary.allocate(ADDRESS);
            MemorySegment count = temporary.allocate(JAVA_INT);
            check((int) created.invokeExact(vms, 1, count), "JNI_GetCreatedJavaVMs");
            if (count.get(JAVA_INT, 0) == 0) {
                throw new IllegalStateException("the JVM is still starting");
            }
            return vms.get(ADDRESS, 0);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    private MemorySegment environment(MethodHandle getEnv, int version) {
        try {
            check((int) getEnv.invokeExact(out, version), "GetEnv");
            return out.get(ADDRESS, 0);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    private void addCapabilities(FunctionTable table) {
        MethodHandle potential = table.function(GET_POTENTIAL_CAPABILITIES - 1, OUT);
        MethodHandle add = table.function(ADD_CAPABILITIES - 1, OUT);
        int[] wanted = {CAN_GET_SOURCE_FILE_NAME, CAN_GET_LINE_NUMBERS, CAN_GENERATE_MONITOR_EVENTS};
        try {
            MemorySegment possible = arena.allocate(CAPABILITIES_BYTES, Long.BYTES);
            MemorySegment chosen = arena.allocate(CAPABILITIES_BYTES, Long.BYTES);
            check((int) potential.invokeExact(possible), "GetPotentialCapabilities");
            for (int bit : wanted) {
                long word = bit / Long.SIZE;
                long mask = 1L << bit;
                if ((possible.getAtIndex(JAVA_LONG, word) & mask) == 0) {
                    throw new IllegalStateException("this JVM lacks capability " + bit);
                }
                chosen.setAtIndex(JAVA_LONG, word, chosen.getAtIndex(JAVA_LONG, word) | mask);
            }
            check((int) add.invokeExact(chosen), "AddCapabilities");
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    private void setCallback(FunctionTable table, MonitorContentionCallback alarm) {
        MethodHandle set =
                table.function(SET_EVENT_CALLBACKS - 1, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
        try {
            MemorySegment callbacks = arena.allocate(MemoryLayout.sequenceLayout(CALLBACKS, ADDRESS));
            callbacks.setAtIndex(ADDRESS, EVENT_MONITOR_CONTENDED_ENTER - FIRST_EVENT, alarm.code());
            check((int) set.invokeExact(callbacks, (int) callbacks.byteSize()), "SetEventCallbacks");
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    Jni jni() {
        return jni;
    }

    /** Enables or disables monitor contention events. */
    void watchMonitors(boolean on) {
        try {
            int error = (int)
                    setEventNotificationMode.invokeExact(on ? ENABLE : DISABLE, EVENT_MONITOR_CONTENDED_ENTER, 0L);
            check(error, "SetEventNotificationMode");
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /** The calling thread, as a local reference. */
    long currentThread() {
        try {
            check((int) getCurrentThread.invokeExact(out), "GetCurrentThread");
            return out.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /**
     * Takes a thread's stack trace, the innermost frame first, as pairs of a method and a position in it. Returns their
     * number; 0 if the thread has ended.
     */
    int stack(long thread, MemorySegment frames) {
        int most = (int) (frames.byteSize() / (2 * Long.BYTES));
        try {
            return (int) getStackTrace.invokeExact(thread, 0, most, frames, out) == 0 ? out.get(JAVA_INT, 0) : 0;
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /** A method's name and descriptor; null if it has been unloaded. */
    String @Nullable [] method(long method) {
        try {
            if ((int) getMethodName.invokeExact(method, out, out2, out3) != 0) {
                return null;
            }
            String name = text(out.get(JAVA_LONG, 0));
            String descriptor = text(out2.get(JAVA_LONG, 0));
            free(out3.get(JAVA_LONG, 0));
            return new String[] {name, descriptor};
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /** The class of a method, as a local reference; 0 if it has been unloaded. */
    long declaringClass(long method) {
        try {
            return (int) getMethodDeclaringClass.invokeExact(method, out) == 0 ? out.get(JAVA_LONG, 0) : 0;
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /** A class's name, such as {@code Ljava/lang/Object;}. */
    String signature(long type) {
        try {
            MemorySegment nothing = MemorySegment.NULL;
            check((int) getClassSignature.invokeExact(type, out, nothing), "GetClassSignature");
            return text(out.get(JAVA_LONG, 0));
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /** The name of a class's source file; empty if unknown. */
    String sourceFile(long type) {
        try {
            return (int) getSourceFileName.invokeExact(type, out) == 0 ? text(out.get(JAVA_LONG, 0)) : "";
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /** The line table of a method: pairs of the first bytecode index and the line; empty if unknown. */
    long[] lines(long method) {
        try {
            if ((int) getLineNumberTable.invokeExact(method, out, out2) != 0) {
                return new long[0];
            }
            int count = out.get(JAVA_INT, 0);
            long array = out2.get(JAVA_LONG, 0);
            MemorySegment entries = MemorySegment.ofAddress(array).reinterpret(2L * Long.BYTES * count);
            long[] lines = new long[2 * count];
            for (int i = 0; i < count; i++) {
                lines[2 * i] = entries.getAtIndex(JAVA_LONG, 2L * i);
                lines[2 * i + 1] = entries.get(JAVA_INT, (2L * i + 1) * Long.BYTES);
            }
            free(array);
            return lines;
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /** Copies and deallocates a string that the interface has allocated. */
    private String text(long address) throws Throwable {
        String text =
                MemorySegment.ofAddress(address).reinterpret(Short.MAX_VALUE).getString(0);
        free(address);
        return text;
    }

    private void free(long address) throws Throwable {
        if (address != 0) {
            check((int) deallocate.invokeExact(address), "Deallocate");
        }
    }

    /** Disables events and disposes of the environment. */
    @Override
    public void close() {
        try {
            watchMonitors(false);
            check((int) disposeEnvironment.invokeExact(), "DisposeEnvironment");
        } catch (Throwable e) {
            throw failed(e);
        } finally {
            arena.close();
        }
    }

    static void check(int error, String function) {
        if (error != 0) {
            throw new IllegalStateException(function + " failed with error " + error);
        }
    }

    static RuntimeException failed(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException known ? known : new IllegalStateException(e);
    }
}
