package dev.unjank.trace.write;

/**
 * The strings that Android's tracing ({@code android.os.Trace}, {@code ATRACE_*}) writes into the kernel's print
 * events. Pass them to {@link FtraceCpuWriter#print}.
 */
public final class AtraceMarks {
    private AtraceMarks() {}

    /**
     * {@return {@code B|pid|name}, which begins a slice on the printing thread}
     *
     * @param pid the thread's process
     * @param name the slice's name
     */
    public static String begin(int pid, String name) {
        return "B|" + pid + "|" + name;
    }

    /**
     * {@return {@code E|pid}, which ends the innermost open slice of the printing thread}
     *
     * @param pid the thread's process
     */
    public static String end(int pid) {
        return "E|" + pid;
    }

    /**
     * {@return {@code S|pid|name|cookie}, which begins an asynchronous slice of a process; it may end on another
     * thread}
     *
     * @param pid the process
     * @param name the slice's name
     * @param cookie distinguishes open slices with the same name
     */
    public static String asyncBegin(int pid, String name, int cookie) {
        return "S|" + pid + "|" + name + "|" + cookie;
    }

    /**
     * {@return {@code F|pid|name|cookie}, which ends an asynchronous slice of a process}
     *
     * @param pid the process
     * @param name the slice's name
     * @param cookie as at its begin
     */
    public static String asyncEnd(int pid, String name, int cookie) {
        return "F|" + pid + "|" + name + "|" + cookie;
    }

    /**
     * {@return {@code I|pid|name}, a mark on the printing thread}
     *
     * @param pid the thread's process
     * @param name the mark's name
     */
    public static String instant(int pid, String name) {
        return "I|" + pid + "|" + name;
    }

    /**
     * {@return {@code N|pid|track|name}, a mark on a named track of a process}
     *
     * @param pid the process
     * @param track the track's name
     * @param name the mark's name
     */
    public static String instantOnTrack(int pid, String track, String name) {
        return "N|" + pid + "|" + track + "|" + name;
    }

    /**
     * {@return {@code C|pid|name|value}, a counter value of a process}
     *
     * @param pid the process
     * @param name the counter's name
     * @param value the new value
     */
    public static String counter(int pid, String name, long value) {
        return "C|" + pid + "|" + name + "|" + value;
    }
}
