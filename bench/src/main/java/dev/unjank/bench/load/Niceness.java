package dev.unjank.bench.load;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The nice value of a thread: from -20, the most important, to 19. Anybody may raise it, only root may lower it.
 *
 * <p>Java's own priorities do not reach Linux's scheduler, so this calls {@code setpriority(2)} there. On Linux a nice value
 * belongs to a thread and 0 names the caller; elsewhere it belongs to the process, and the call would lower the UI loop too.
 */
public final class Niceness {

    /** The lowest priority an ordinary thread can have. */
    public static final int LOWEST = 19;

    private static final int PRIO_PROCESS = 0;

    private Niceness() {}

    /**
     * Tells whether this system gives each thread a nice value of its own.
     *
     * @return true on Linux
     */
    public static boolean isPerThread() {
        return System.getProperty("os.name").equals("Linux");
    }

    /**
     * Sets the calling thread to nice {@value #LOWEST}, for good: without privileges there is no way back.
     *
     * @return whether it is in force; what stands in the way (another system, no native access) is no failure
     */
    static boolean lowerCurrentThread() {
        return setCurrentThread(LOWEST);
    }

    /**
     * Gives the calling thread another nice value, which threads that it starts from then on inherit.
     *
     * @param nice the value, -20 to {@value #LOWEST}
     * @return whether it is in force; what stands in the way (no permission, another system, no native access) is no failure
     */
    @SuppressWarnings("restricted") // the signature below is setpriority's: three ints, one int back
    public static boolean setCurrentThread(int nice) {
        if (!isPerThread()) {
            return false;
        }
        try {
            Linker linker = Linker.nativeLinker();
            MemorySegment setpriority =
                    linker.defaultLookup().find("setpriority").orElseThrow();
            MethodHandle call = linker.downcallHandle(
                    setpriority,
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            return (int) call.invokeExact(PRIO_PROCESS, 0, nice) == 0;
        } catch (Throwable t) {
            return false; // whoever asks goes on with ordinary priority, and says so
        }
    }
}
