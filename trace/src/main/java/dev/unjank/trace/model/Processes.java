package dev.unjank.trace.model;

import org.jspecify.annotations.Nullable;

/** The processes of a trace, in order of first appearance. A pid that the kernel reused has several rows. */
public final class Processes {
    /** The {@link #uid} of a process of which it is not known. */
    public static final int NO_UID = -1;

    /** On Android each person who uses the device has so many uids; the remainder tells the app. */
    public static final int UIDS_PER_USER = 100_000;

    private final Strings strings;
    private final int[] pids;
    private final int[] parents;
    private final int[] names;
    private final int[] lastNames;
    private final int[] mainThreads;
    private final int[] uids;
    private final boolean[] jvms;

    public Processes(
            Strings strings,
            int[] pids,
            int[] parents,
            int[] names,
            int[] lastNames,
            int[] mainThreads,
            int[] uids,
            boolean[] jvms) {
        this.strings = strings;
        this.pids = pids;
        this.parents = parents;
        this.names = names;
        this.lastNames = lastNames;
        this.mainThreads = mainThreads;
        this.uids = uids;
        this.jvms = jvms;
    }

    /**
     * How many processes there are; upids run from 0.
     *
     * @return the count
     */
    public int size() {
        return pids.length;
    }

    /**
     * The kernel's number.
     *
     * @param upid a process
     * @return its pid, which is also the tid of its main thread
     */
    public int pid(int upid) {
        return pids[upid];
    }

    /**
     * The process that started this one.
     *
     * @param upid a process
     * @return the parent's upid, -1 if unknown
     */
    public int parent(int upid) {
        return parents[upid];
    }

    /**
     * The command line's first word; on Android the package name.
     *
     * @param upid a process
     * @return the name, null if unknown
     */
    public @Nullable String name(int upid) {
        return strings.getOrNull(names[upid]);
    }

    /**
     * What Perfetto's trace processor calls a process: as a listing did or, if that came later, as its main thread called itself last,
     * which may name what that thread does, such as "Shutdown thread", rather than the program.
     *
     * @param upid a process
     * @return the name, null if unknown
     */
    public @Nullable String lastName(int upid) {
        return strings.getOrNull(lastNames[upid]);
    }

    /**
     * The thread whose tid is the process's pid.
     *
     * @param upid a process
     * @return its main thread's utid, -1 if the trace never mentions it
     */
    public int mainThread(int upid) {
        return mainThreads[upid];
    }

    /**
     * The user that a process runs as. On Android an app is a user of its own, from 10,000 on, and smaller numbers are the system's.
     *
     * @param upid a process
     * @return the user's number, {@link #NO_UID} if unknown
     */
    public int uid(int upid) {
        return uids[upid];
    }

    /**
     * Whether a process is known to run a Java virtual machine. The thread whose tid is its pid then merely waits for the end
     * of the machine, and what the program calls its main thread is another one.
     *
     * @param upid a process
     * @return true if a recording of the machine says so; Android's processes are not meant
     */
    public boolean isJvm(int upid) {
        return jvms[upid];
    }
}
