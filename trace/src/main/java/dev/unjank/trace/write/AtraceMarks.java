package dev.unjank.trace.write;

/**
 * The strings that Android's tracing ({@code android.os.Trace}, {@code ATRACE_*}) writes into the kernel's print
 * events. Pass them to {@link FtraceCpuWriter#print}.
 */
public final class AtraceMarks {
    private AtraceMarks() {}

    /**
     * Begins a slice on the printing thread.
     *
     * @param pid the thread's process
     * @param name the slice's name
     * @return {@code B|pid|name}
     */
    public static String begin(int pid, String name) {
        return "B|" + pid + "|" + name;
    }

    /**
     * Ends the innermost open slice of the printing thread.
     *
     * @param pid the thread's process
     * @return {@code E|pid}
     */
    public static String end(int pid) {
        return "E|" + pid;
    }

    /**
     * Begins an asynchronous slice of a process, which may end on another thread.
     *
     * @param pid the process
     * @param name the slice's name
     * @param cookie distinguishes open slices with the same name
     * @return {@code S|pid|name|cookie}
     */
    public static String asyncBegin(int pid, String name, int cookie) {
        return "S|" + pid + "|" + name + "|" + cookie;
    }

    /**
     * Ends an asynchronous slice of a process.
     *
     * @param pid the process
     * @param name the slice's name
     * @param cookie as at its begin
     * @return {@code F|pid|name|cookie}
     */
    public static String asyncEnd(int pid, String name, int cookie) {
        return "F|" + pid + "|" + name + "|" + cookie;
    }

    /**
     * A mark on the printing thread.
     *
     * @param pid the thread's process
     * @param name the mark's name
     * @return {@code I|pid|name}
     */
    public static String instant(int pid, String name) {
        return "I|" + pid + "|" + name;
    }

    /**
     * A mark on a named track of a process.
     *
     * @param pid the process
     * @param track the track's name
     * @param name the mark's name
     * @return {@code N|pid|track|name}
     */
    public static String instantOnTrack(int pid, String track, String name) {
        return "N|" + pid + "|" + track + "|" + name;
    }

    /**
     * A counter value of a process.
     *
     * @param pid the process
     * @param name the counter's name
     * @param value the new value
     * @return {@code C|pid|name|value}
     */
    public static String counter(int pid, String name, long value) {
        return "C|" + pid + "|" + name + "|" + value;
    }
}
