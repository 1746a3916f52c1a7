package dev.unjank.linux;

import java.util.Map;

/** The error numbers of Linux that matter here, by their names. They are the same on x86-64 and AArch64. */
public final class Errno {
    /** Not permitted. */
    public static final int EPERM = 1;

    /** There is no such thread. */
    public static final int ESRCH = 3;

    /** A signal came. */
    public static final int EINTR = 4;

    /** Not now: a word has another value than expected. */
    public static final int EAGAIN = 11;

    /** Permission denied. */
    public static final int EACCES = 13;

    /** The memory is not there, or may not be written. */
    public static final int EFAULT = 14;

    /** An argument, or a word in memory, is not what it must be. */
    public static final int EINVAL = 22;

    /** The calling thread owns it already, or would wait for itself. */
    public static final int EDEADLK = 35;

    /** This kernel does not have the call. */
    public static final int ENOSYS = 38;

    /** The time is over. */
    public static final int ETIMEDOUT = 110;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(EPERM, "EPERM"),
            Map.entry(ESRCH, "ESRCH"),
            Map.entry(EINTR, "EINTR"),
            Map.entry(EAGAIN, "EAGAIN"),
            Map.entry(12, "ENOMEM"),
            Map.entry(EACCES, "EACCES"),
            Map.entry(EFAULT, "EFAULT"),
            Map.entry(EINVAL, "EINVAL"),
            Map.entry(EDEADLK, "EDEADLK"),
            Map.entry(ENOSYS, "ENOSYS"),
            Map.entry(ETIMEDOUT, "ETIMEDOUT"));

    private Errno() {}

    /**
     * The name of an error.
     *
     * @param error its number
     * @return such as {@code EPERM}
     */
    public static String name(int error) {
        return NAMES.getOrDefault(error, "error " + error);
    }
}
