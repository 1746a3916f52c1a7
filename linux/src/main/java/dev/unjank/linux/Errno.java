package dev.unjank.linux;

import java.util.Map;

/** The Linux error numbers that this project uses, with their names. They are the same on x86-64 and AArch64. */
public final class Errno {
    /** Not permitted. */
    public static final int EPERM = 1;

    /** No such file or folder. */
    public static final int ENOENT = 2;

    /** No such process or thread. */
    public static final int ESRCH = 3;

    /** Interrupted by a signal. */
    public static final int EINTR = 4;

    /** No such device, or a pipe without a reader. */
    public static final int ENXIO = 6;

    /** Try again: a word has another value than expected, a lock is held, a read would wait. */
    public static final int EAGAIN = 11;

    /** Permission denied. */
    public static final int EACCES = 13;

    /** Bad address: the memory is not mapped, or not writable. */
    public static final int EFAULT = 14;

    /** The file exists. */
    public static final int EEXIST = 17;

    /** A name in the path is not a folder. */
    public static final int ENOTDIR = 20;

    /** Invalid argument, or invalid futex word. */
    public static final int EINVAL = 22;

    /** No free space, or no free inodes. */
    public static final int ENOSPC = 28;

    /** Deadlock: the calling thread already owns the lock, or would wait for itself. */
    public static final int EDEADLK = 35;

    /** The kernel does not implement the call. */
    public static final int ENOSYS = 38;

    /** Timed out. */
    public static final int ETIMEDOUT = 110;

    /** No process listens at the socket. */
    public static final int ECONNREFUSED = 111;

    /** The user's disk quota is used up. */
    public static final int EDQUOT = 122;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(EPERM, "EPERM"),
            Map.entry(ENOENT, "ENOENT"),
            Map.entry(ESRCH, "ESRCH"),
            Map.entry(EINTR, "EINTR"),
            Map.entry(ENXIO, "ENXIO"),
            Map.entry(EAGAIN, "EAGAIN"),
            Map.entry(12, "ENOMEM"),
            Map.entry(EACCES, "EACCES"),
            Map.entry(EFAULT, "EFAULT"),
            Map.entry(EEXIST, "EEXIST"),
            Map.entry(ENOTDIR, "ENOTDIR"),
            Map.entry(EINVAL, "EINVAL"),
            Map.entry(ENOSPC, "ENOSPC"),
            Map.entry(EDEADLK, "EDEADLK"),
            Map.entry(ENOSYS, "ENOSYS"),
            Map.entry(ETIMEDOUT, "ETIMEDOUT"),
            Map.entry(ECONNREFUSED, "ECONNREFUSED"),
            Map.entry(EDQUOT, "EDQUOT"));

    private Errno() {}

    /**
     * Returns the name of an error.
     *
     * @param error its number
     * @return for example {@code EPERM}
     */
    public static String name(int error) {
        return NAMES.getOrDefault(error, "error " + error);
    }
}
