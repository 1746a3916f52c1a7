package dev.unjank.trace.write;

/**
 * The texts that Android's tracing ({@code android.os.Trace}, {@code ATRACE_*}) writes into the kernel's print events. Give them
 * to {@link FtraceCpuWriter#print}.
 */
public final class AtraceMarks {
    private AtraceMarks() {}

    /**
     * A slice begins on the printing thread.
     *
     * @param pid the thread's process
     * @param name the slice's name
     * @return {@code B|pid|name}
     */
    public static String begin(int pid, String name) {
        return "B|" + pid + "|" + name;
    }

    /**
     * The innermost open slice of the printing thread ends.
     *
     * @param pid the thread's process
     * @return {@code E|pid}
     */
    public static String end(int pid) {
        return "E|" + pid;
    }

    /**
     * A slice of a process begins, which may end on another thread.
     *
     * @param pid the process
     * @param name the slice's name
     * @param cookie tells open slices of one name apart
     * @return {@code S|pid|name|cookie}
     */
    public static String asyncBegin(int pid, String name, int cookie) {
        return "S|" + pid + "|" + name + "|" + cookie;
    }

    /**
     * A slice of a process ends.
     *
     * @param pid the process
     * @param name the slice's name
     * @param cookie as given at its begin
     * @return {@code F|pid|name|cookie}
     */
    public static String asyncEnd(int pid, String name, int cookie) {
        return "F|" + pid + "|" + name + "|" + cookie;
    }

    /**
     * Something happens at one moment on the printing thread.
     *
     * @param pid the thread's process
     * @param name what happens
     * @return {@code I|pid|name}
     */
    public static String instant(int pid, String name) {
        return "I|" + pid + "|" + name;
    }

    /**
     * Something happens at one moment on a named track of a process.
     *
     * @param pid the process
     * @param track the track's name
     * @param name what happens
     * @return {@code N|pid|track|name}
     */
    public static String instantOnTrack(int pid, String track, String name) {
        return "N|" + pid + "|" + track + "|" + name;
    }

    /**
     * A counter of a process has a new value.
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
