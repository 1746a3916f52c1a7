package dev.unjank.doctor.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The selection of incidents. Immutable.
 *
 * @param thread the threads: {@value #MAIN_THREADS}, {@value #ALL_THREADS}, a tid in decimal, or a thread's name; null
 *     for the default, main threads whose programs render frames, other threads that draw these, and all threads of a
 *     Java virtual machine
 * @param process a process's name or its pid in decimal; null for all processes
 * @param minDuration the shortest wait to report
 * @param maxHandler the longest time that a handler on an event thread may take
 * @param idle corrections of the decision which waits are idle
 * @param app the prefix of the names of the program's classes, to find its code in stacks; null to guess
 */
public record DoctorOptions(
        @Nullable String thread,
        @Nullable String process,
        Duration minDuration,
        Duration maxHandler,
        IdleMethods idle,
        @Nullable String app) {
    /**
     * The main thread of each process; in a Java virtual machine the thread of this name, since the first thread only
     * starts it.
     */
    public static final String MAIN_THREADS = "main";

    /** All threads. */
    public static final String ALL_THREADS = "all";

    /** The default of {@link #maxHandler}. */
    private static final Duration MAX_HANDLER = Duration.ofMillis(50);

    private static final DoctorOptions DEFAULTS = new DoctorOptions(null, null, Duration.ofMillis(1));

    /**
     * Options with the defaults of the others.
     *
     * @param thread the threads, as above
     * @param process the process, as above
     * @param minDuration the shortest wait to report
     */
    public DoctorOptions(@Nullable String thread, @Nullable String process, Duration minDuration) {
        this(thread, process, minDuration, MAX_HANDLER, IdleMethods.NONE, null);
    }

    /** Checks the values. */
    public DoctorOptions {
        if (minDuration.isNegative()) {
            throw new IllegalArgumentException("a duration cannot be negative: " + minDuration);
        }
    }

    /** {@return whether the options select threads by name or tid, or main threads} */
    public boolean isThreadNamed() {
        return thread != null && !isAllThreads();
    }

    /** {@return whether the options select all threads} */
    public boolean isAllThreads() {
        return ALL_THREADS.equals(thread);
    }

    /** {@return whether the options select main threads} */
    public boolean isMainThreads() {
        return MAIN_THREADS.equals(thread);
    }

    /** {@return the default options: waits of at least 1 ms} */
    public static DoctorOptions defaults() {
        return DEFAULTS;
    }

    /**
     * {@return these options with other threads}
     *
     * @param which {@value #MAIN_THREADS}, {@value #ALL_THREADS}, a tid, or a name, whole or cut to the kernel's 15
     *     bytes; null for the default
     */
    public DoctorOptions withThread(@Nullable String which) {
        return new DoctorOptions(which, process, minDuration, maxHandler, idle, app);
    }

    /**
     * {@return these options with another process}
     *
     * @param which its name or pid, null for all processes
     */
    public DoctorOptions withProcess(@Nullable String which) {
        return new DoctorOptions(thread, which, minDuration, maxHandler, idle, app);
    }

    /**
     * {@return these options with another minimum duration}
     *
     * @param least the shortest wait to report
     */
    public DoctorOptions withMinDuration(Duration least) {
        return new DoctorOptions(thread, process, least, maxHandler, idle, app);
    }

    /**
     * {@return these options with another limit for handlers}
     *
     * @param most the longest time that a handler on an event thread may take
     */
    public DoctorOptions withMaxHandler(Duration most) {
        return new DoctorOptions(thread, process, minDuration, most, idle, app);
    }

    /**
     * {@return these options with other corrections of which waits are idle}
     *
     * @param methods the corrections
     */
    public DoctorOptions withIdle(IdleMethods methods) {
        return new DoctorOptions(thread, process, minDuration, maxHandler, methods, app);
    }

    /**
     * {@return these options with another prefix of the program's classes}
     *
     * @param prefix the prefix, such as {@code com.example.}; null to guess
     */
    public DoctorOptions withApp(@Nullable String prefix) {
        return new DoctorOptions(thread, process, minDuration, maxHandler, idle, prefix);
    }
}
