package dev.unjank.trace.model;

import dev.unjank.trace.collections.BinarySearch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a trace, in order of first appearance. A reused tid has several rows. Utid 0 stands for the idle
 * threads of all CPUs ("swapper", tid 0), which have no states.
 */
public final class Threads {
    /** The utid of the idle threads. */
    public static final int IDLE = 0;

    private final Strings strings;
    private final Processes processes;
    private final int[] tids;
    private final int[] upids;
    private final int[] names;
    private final long[] starts;
    private final long[] ends;

    /** Utids ordered by tid and start. */
    private final int[] byTid;

    private final long[] ownedFrom;

    /**
     * Creates the table from its columns; arrays are not copied.
     *
     * @param strings the strings of the trace
     * @param processes the processes
     * @param tids the tid of each thread, by utid
     * @param upids their processes, -1 if unknown
     * @param names the ids of their names, -1 if unknown
     * @param starts their creation times in ns, {@link Long#MIN_VALUE} if unknown
     * @param ends their end times in ns, {@link Long#MAX_VALUE} if unknown
     */
    public Threads(
            Strings strings, Processes processes, int[] tids, int[] upids, int[] names, long[] starts, long[] ends) {
        this.strings = strings;
        this.processes = processes;
        this.tids = tids;
        this.upids = upids;
        this.names = names;
        this.starts = starts;
        this.ends = ends;
        this.byTid = orderByTid(tids);
        this.ownedFrom = ownedFrom();
    }

    /** {@return the number of threads; utids run from 0} */
    public int size() {
        return tids.length;
    }

    /**
     * {@return the tid of a thread}
     *
     * @param utid a thread
     */
    public int tid(int utid) {
        return tids[utid];
    }

    /**
     * {@return the upid of a thread's process, -1 if unknown}
     *
     * @param utid a thread
     */
    public int upid(int utid) {
        return upids[utid];
    }

    /**
     * {@return the last name of a thread: the one that its program set, otherwise the kernel's ("comm", at most 15
     * bytes); null if unknown}
     *
     * @param utid a thread
     */
    public @Nullable String name(int utid) {
        return strings.getOrNull(names[utid]);
    }

    /**
     * {@return whether a thread is its process's main thread: its tid is the pid}
     *
     * @param utid a thread
     */
    public boolean isMain(int utid) {
        int upid = upids[utid];
        return upid >= 0 && processes.pid(upid) == tids[utid];
    }

    /**
     * {@return the creation time of a thread in ns, {@link Long#MIN_VALUE} if it existed before the trace or the time
     * is unknown}
     *
     * @param utid a thread
     */
    public long startNs(int utid) {
        return starts[utid];
    }

    /**
     * {@return the end time of a thread in ns, {@link Long#MAX_VALUE} if it outlived the trace or the time is unknown}
     * It is the time at which the kernel released the thread or, if only its exit was recorded, at which it was last
     * switched out.
     *
     * @param utid a thread
     */
    public long endNs(int utid) {
        return ends[utid];
    }

    /**
     * {@return the utid of the thread that had a tid at a time, -1 if no thread with that tid is known at that time}
     *
     * @param tid the tid
     * @param ts the time in ns
     */
    public int find(int tid, long ts) {
        int next = BinarySearch.first(0, byTid.length, i -> {
            int other = tids[byTid[i]];
            return other > tid || (other == tid && ownedFrom[i] > ts);
        });
        int utid = next == 0 ? -1 : byTid[next - 1];
        return utid >= 0 && tids[utid] == tid && ts <= ends[utid] ? utid : -1;
    }

    /**
     * The time from which each thread of {@link #byTid} owned its tid: its creation or, if unknown, the end of the
     * previous owner. So the times of one tid ascend.
     */
    private long[] ownedFrom() {
        long[] from = new long[byTid.length];
        for (int i = 0; i < from.length; i++) {
            int utid = byTid[i];
            from[i] = starts[utid];
            if (i > 0 && tids[byTid[i - 1]] == tids[utid]) {
                long end = ends[byTid[i - 1]];
                from[i] = Math.max(from[i], Math.max(from[i - 1], end == Long.MAX_VALUE ? Long.MIN_VALUE : end));
            }
        }
        return from;
    }

    /** Rows of one tid are in time order already: a new row replaces the last. */
    private static int[] orderByTid(int[] tids) {
        long[] keys = new long[tids.length];
        for (int utid = 0; utid < keys.length; utid++) {
            keys[utid] = ((long) tids[utid] << 32) | utid;
        }
        Arrays.sort(keys);
        int[] order = new int[keys.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = (int) keys[i];
        }
        return order;
    }
}
