package dev.unjank.record.agent;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Detects whether threads of the process other than the agent's have run: a thread that has not run has not started to
 * wait, so an idle program does not have to be sampled. It compares the CPU-time clocks of the process and of the
 * agent's thread. Used only by the agent's thread.
 */
@SuppressWarnings("restricted") // clock_gettime(2)
final class ProcessActivity {
    /**
     * The threshold of CPU time: the JVM's own threads use less from time to time, and no thread can reach a lock in
     * less.
     */
    private static final long LEAST_NANOS = 20_000;

    private static final int CLOCK_PROCESS_CPUTIME_ID = 2;
    private static final int CLOCK_THREAD_CPUTIME_ID = 3;

    private final MethodHandle clock;
    private final MemorySegment time = Arena.ofAuto().allocate(2L * Long.BYTES, Long.BYTES);
    private long seen = Long.MIN_VALUE / 2;

    private ProcessActivity(MethodHandle clock) {
        this.clock = clock;
    }

    /** Creates a detector; null on systems other than Linux. */
    static @Nullable ProcessActivity create() {
        if (!System.getProperty("os.name").equals("Linux")) {
            return null;
        }
        Linker linker = Linker.nativeLinker();
        FunctionDescriptor call = FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS);
        return linker.defaultLookup()
                .find("clock_gettime")
                .map(address -> new ProcessActivity(linker.downcallHandle(address, call)))
                .orElse(null);
    }

    /** Whether other threads have run since this was last true, for at least {@link #LEAST_NANOS}. */
    boolean isThere() {
        long others = nanos(CLOCK_PROCESS_CPUTIME_ID) - ownNanos();
        if (others - seen < LEAST_NANOS) {
            return false;
        }
        seen = others;
        return true;
    }

    /** The CPU time of the calling thread, which is the agent's. */
    long ownNanos() {
        return nanos(CLOCK_THREAD_CPUTIME_ID);
    }

    private long nanos(int which) {
        try {
            int _ = (int) clock.invokeExact(which, time);
            return time.getAtIndex(JAVA_LONG, 0) * 1_000_000_000 + time.getAtIndex(JAVA_LONG, 1);
        } catch (Throwable e) {
            throw Jvmti.failed(e);
        }
    }
}
