package dev.unjank.doctor;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What to look for. Immutable; the methods that change something return a changed copy.
 *
 * @param thread whose waits count: {@value #MAIN_THREADS}, {@value #ALL_THREADS}, a tid in decimal, or a thread's name
 * @param process a process's name or its pid in decimal; null for all processes
 * @param minDuration how long a wait must be at least
 */
public record DoctorOptions(String thread, @Nullable String process, Duration minDuration) {
    /** Stands for the main thread of each process. */
    public static final String MAIN_THREADS = "main";

    /** Stands for every thread. */
    public static final String ALL_THREADS = "all";

    private static final DoctorOptions DEFAULTS = new DoctorOptions(MAIN_THREADS, null, Duration.ofMillis(1));

    /** Checks the values. */
    public DoctorOptions {
        Objects.requireNonNull(thread, "thread");
        if (minDuration.isNegative()) {
            throw new IllegalArgumentException("a duration cannot be negative: " + minDuration);
        }
    }

    /**
     * {@return whether threads were asked for by their name or number}
     */
    public boolean isThreadNamed() {
        return !thread.equals(MAIN_THREADS) && !thread.equals(ALL_THREADS);
    }

    /**
     * {@return the main threads of all processes, waits of at least a millisecond}
     */
    public static DoctorOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Chooses threads.
     *
     * @param which {@value #MAIN_THREADS}, {@value #ALL_THREADS}, a tid, or a name; the kernel's, which is cut to 15 bytes,
     *     or the whole one
     * @return the changed options
     */
    public DoctorOptions withThread(String which) {
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
