package dev.unjank.doctor.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What to look for. Immutable; the methods that change something return a changed copy.
 *
 * @param thread whose waits count: {@value #MAIN_THREADS}, {@value #ALL_THREADS}, a tid in decimal, or a thread's name; null if
 *     nobody asked: then those of main threads whose programs draw, and of all threads of a Java virtual machine
 * @param process a process's name or its pid in decimal; null for all processes
 * @param minDuration how long a wait must be at least
 */
public record DoctorOptions(
        @Nullable String thread, @Nullable String process, Duration minDuration) {
    /** Stands for the main thread of each process; of a Java virtual machine, whose first thread only starts it, for the one of this name. */
    public static final String MAIN_THREADS = "main";

    /** Stands for every thread. */
    public static final String ALL_THREADS = "all";

    private static final DoctorOptions DEFAULTS = new DoctorOptions(null, null, Duration.ofMillis(1));

    /** Checks the values. */
    public DoctorOptions {
        if (minDuration.isNegative()) {
            throw new IllegalArgumentException("a duration cannot be negative: " + minDuration);
        }
    }

    /**
     * {@return whether threads were asked for by their name or number, main threads among them}
     */
    public boolean isThreadNamed() {
        return thread != null && !isAllThreads();
    }

    /**
     * {@return whether every thread was asked for}
     */
    public boolean isAllThreads() {
        return ALL_THREADS.equals(thread);
    }

    /**
     * {@return whether main threads were asked for}
     */
    public boolean isMainThreads() {
        return MAIN_THREADS.equals(thread);
    }

    /**
     * {@return what is looked at if nobody asks for anything else: waits of at least a millisecond}
     */
    public static DoctorOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Chooses threads.
     *
     * @param which {@value #MAIN_THREADS}, {@value #ALL_THREADS}, a tid, or a name; the kernel's, which is cut to 15 bytes,
     *     or the whole one; null for those that are looked at unasked
     * @return the changed options
     */
    public DoctorOptions withThread(@Nullable String which) {
        return new DoctorOptions(which, process, minDuration);
    }

    /**
     * Chooses a process.
     *
     * @param which its name or pid, null for all
     * @return the changed options
     */
    public DoctorOptions withProcess(@Nullable String which) {
        return new DoctorOptions(thread, which, minDuration);
    }

    /**
     * Leaves short waits out.
     *
     * @param least the shortest wait of interest
     * @return the changed options
     */
    public DoctorOptions withMinDuration(Duration least) {
        return new DoctorOptions(thread, process, least);
    }
}
