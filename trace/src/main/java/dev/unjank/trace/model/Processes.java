package dev.unjank.trace.model;

import org.jspecify.annotations.Nullable;

/** The processes of a trace, in order of first appearance. A reused pid has several rows. */
public final class Processes {
    /** An unknown {@link #uid}. */
    public static final int NO_UID = -1;

    /** The number of uids of each Android user; the remainder identifies the app. */
    public static final int UIDS_PER_USER = 100_000;

    private final Strings strings;
    private final int[] pids;
    private final int[] parents;
    private final int[] names;
    private final int[] lastNames;
    private final int[] mainThreads;
    private final int[] uids;
    private final boolean[] jvms;

    /**
     * Creates the table from its columns; arrays are not copied.
     *
     * @param strings the strings of the trace
     * @param pids the pid of each process, by upid
     * @param parents the upids of their parents, -1 if unknown
     * @param names the ids of their names, -1 if unknown
     * @param lastNames the ids of their names in Perfetto's trace processor, -1 if unknown
     * @param mainThreads the utids of their main threads, -1 if unknown
     * @param uids their users, {@link #NO_UID} if unknown
     * @param jvms whether each is a Java virtual machine
     */
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
     * The number of processes; upids run from 0.
     *
     * @return the count
     */
    public int size() {
        return pids.length;
    }

    /**
     * The pid of a process.
     *
     * @param upid a process
     * @return its pid, which is also the tid of its main thread
     */
    public int pid(int upid) {
        return pids[upid];
    }

    /**
     * The parent of a process.
     *
     * @param upid a process
     * @return the parent's upid, -1 if unknown
     */
    public int parent(int upid) {
        return parents[upid];
    }

    /**
     * The first word of the command line; on Android the package name.
     *
     * @param upid a process
     * @return the name, null if unknown
     */
    public @Nullable String name(int upid) {
        return strings.getOrNull(names[upid]);
    }

    /**
     * The name of a process in Perfetto's trace processor: from a list of processes or, if later, the last name of
     * its main thread, which may describe that thread, such as "Shutdown thread", instead of the program.
     *
     * @param upid a process
     * @return the name, null if unknown
     */
    public @Nullable String lastName(int upid) {
        return strings.getOrNull(lastNames[upid]);
    }

    /**
     * The main thread of a process: its tid is the pid.
     *
     * @param upid a process
     * @return its main thread's utid, -1 if the trace never mentions it
     */
    public int mainThread(int upid) {
        return mainThreads[upid];
    }

    /**
     * The uid of a process. On Android each app has its own, from 10,000 on; smaller numbers belong to the system.
     *
     * @param upid a process
     * @return the uid, {@link #NO_UID} if unknown
     */
    public int uid(int upid) {
        return uids[upid];
    }

    /**
     * Whether a process runs a Java virtual machine, according to a Flight Recorder recording. The thread with the tid
     * equals its pid then only waits for the end of the JVM; the main thread of the program is another one.
     *
     * @param upid a process
     * @return true if it was recorded as a JVM; always false for Android's processes
     */
    public boolean isJvm(int upid) {
        return jvms[upid];
    }
}
