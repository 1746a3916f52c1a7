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
    private final Listing listing;

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
     * @param listing what only lists of processes contain
     */
    public Processes(
            Strings strings,
            int[] pids,
            int[] parents,
            int[] names,
            int[] lastNames,
            int[] mainThreads,
            int[] uids,
            boolean[] jvms,
            Listing listing) {
        this.strings = strings;
        this.pids = pids;
        this.parents = parents;
        this.names = names;
        this.lastNames = lastNames;
        this.mainThreads = mainThreads;
        this.uids = uids;
        this.jvms = jvms;
        this.listing = listing;
    }

    /**
     * Columns of what only lists of processes contain; arrays are not copied.
     *
     * @param commandLines the ids of whole command lines, -1 if unknown
     * @param starts start times in ns, {@link Long#MIN_VALUE} if unknown
     * @param kernelThreads 1 for kernel threads, -1 for other processes, 0 if the list does not distinguish them
     * @param childrenOfIdle whether the parent has pid 0
     */
    @SuppressWarnings("ArrayRecordComponent") // columns; two listings are never compared
    public record Listing(int[] commandLines, long[] starts, byte[] kernelThreads, boolean[] childrenOfIdle) {}

    /** {@return the number of processes; upids run from 0} */
    public int size() {
        return pids.length;
    }

    /**
     * {@return the pid of a process, which is also the tid of its main thread}
     *
     * @param upid a process
     */
    public int pid(int upid) {
        return pids[upid];
    }

    /**
     * {@return the upid of a process's parent, -1 if unknown}
     *
     * @param upid a process
     */
    public int parent(int upid) {
        return parents[upid];
    }

    /**
     * {@return whether the parent of a process has pid 0: the kernel itself started it}
     *
     * @param upid a process
     */
    public boolean isChildOfIdle(int upid) {
        return listing.childrenOfIdle[upid];
    }

    /**
     * {@return the whole command line of a process, with spaces between the words; null if unknown}
     *
     * @param upid a process
     */
    public @Nullable String commandLine(int upid) {
        return strings.getOrNull(listing.commandLines[upid]);
    }

    /**
     * {@return the start time of a process in ns, from a list of processes; {@link Long#MIN_VALUE} if unknown}
     *
     * @param upid a process
     */
    public long listedStartNs(int upid) {
        return listing.starts[upid];
    }

    /**
     * {@return whether a list of processes marks a process as kernel thread; null if the list does not distinguish
     * them}
     *
     * @param upid a process
     */
    public @Nullable Boolean isListedKernelThread(int upid) {
        int kind = listing.kernelThreads[upid];
        return kind == 0 ? null : kind > 0;
    }

    /**
     * {@return the first word of the command line, on Android the package name; null if unknown}
     *
     * @param upid a process
     */
    public @Nullable String name(int upid) {
        return strings.getOrNull(names[upid]);
    }

    /**
     * {@return the name of a process in Perfetto's trace processor, null if unknown} It comes from a list of processes
     * or, if later, is the last name of the main thread, which may describe that thread, such as "Shutdown thread",
     * instead of the program.
     *
     * @param upid a process
     */
    public @Nullable String lastName(int upid) {
        return strings.getOrNull(lastNames[upid]);
    }

    /**
     * {@return the utid of the main thread of a process, whose tid is the pid; -1 if the trace never mentions it}
     *
     * @param upid a process
     */
    public int mainThread(int upid) {
        return mainThreads[upid];
    }

    /**
     * {@return the uid of a process, {@link #NO_UID} if unknown} On Android each app has its own, from 10,000 on;
     * smaller numbers belong to the system.
     *
     * @param upid a process
     */
    public int uid(int upid) {
        return uids[upid];
    }

    /**
     * {@return whether a process runs a Java virtual machine, according to a Flight Recorder recording; false for
     * Android's processes} The thread whose tid equals the pid then only waits for the end of the JVM; the main thread
     * of the program is another one.
     *
     * @param upid a process
     */
    public boolean isJvm(int upid) {
        return jvms[upid];
    }
}
