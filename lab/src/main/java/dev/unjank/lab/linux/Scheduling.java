package dev.unjank.lab.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.BitSet;

/** On which processors the calling thread may run, and in which class. What it has, threads that it starts inherit. */
public final class Scheduling {

    /** Room for 1,024 processors, as in the C library's own {@code cpu_set_t}. */
    private static final int SET_BYTES = 128;

    private static final int SELF = 0;
    private static final int SCHED_OTHER = 0;
    private static final int SCHED_RR = 2;

    private static final boolean IS_AVAILABLE = System.getProperty("os.name").equals("Linux")
            && ADDRESS.byteSize() == Long.BYTES
            && Scheduling.class.getModule().isNativeAccessEnabled();

    private Scheduling() {}

    private static final class Calls {
        static final MethodHandle GET = LibraryCall.of("sched_getaffinity", JAVA_INT, JAVA_LONG, ADDRESS);
        static final MethodHandle SET = LibraryCall.of("sched_setaffinity", JAVA_INT, JAVA_LONG, ADDRESS);
        static final MethodHandle TID = LibraryCall.of("gettid");
        static final MethodHandle SCHEDULER = LibraryCall.of("sched_setscheduler", JAVA_INT, JAVA_INT, ADDRESS);
    }

    /**
     * Tells whether any of this can be had.
     *
     * @return true on 64-bit Linux with native access; else nothing here may be called
     */
    public static boolean isAvailable() {
        return IS_AVAILABLE;
    }

    /**
     * On which processors the calling thread may run.
     *
     * @return their numbers
     */
    public static BitSet processors() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate(SET_BYTES, Long.BYTES);
            if ((int) Calls.GET.invokeExact(SELF, (long) SET_BYTES, set) < 0) {
                throw new IllegalStateException("sched_getaffinity failed");
            }
            return BitSet.valueOf(set.toArray(JAVA_LONG));
        } catch (Throwable t) {
            throw LibraryCall.unexpected(t);
        }
    }

    /**
     * Confines the calling thread to the first of its processors.
     *
     * @param count to how many
     */
    public static void confine(int count) {
        BitSet processors = processors();
        BitSet first = new BitSet();
        processors.stream().limit(count).forEach(first::set);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate(SET_BYTES, Long.BYTES);
            MemorySegment.copy(first.toLongArray(), 0, set, JAVA_LONG, 0, first.toLongArray().length);
            if ((int) Calls.SET.invokeExact(SELF, (long) SET_BYTES, set) != 0) {
                throw new IllegalStateException("sched_setaffinity failed");
            }
        } catch (Throwable t) {
            throw LibraryCall.unexpected(t);
        }
    }

    /**
     * The calling thread's number for the kernel.
     *
     * @return its tid
     */
    public static int tid() {
        try {
            return (int) Calls.TID.invokeExact();
        } catch (Throwable t) {
            throw LibraryCall.unexpected(t);
        }
    }

    /**
     * Makes the calling thread a real-time one of the lowest such priority, or an ordinary one again.
     *
     * @param on whether it is to be one
     * @return whether it is in force; without privileges there is none
     */
    public static boolean setRealTime(boolean on) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment priority = arena.allocateFrom(JAVA_INT, on ? 1 : 0);
            return (int) Calls.SCHEDULER.invokeExact(SELF, on ? SCHED_RR : SCHED_OTHER, priority) == 0;
        } catch (Throwable t) {
            throw LibraryCall.unexpected(t);
        }
    }
}
