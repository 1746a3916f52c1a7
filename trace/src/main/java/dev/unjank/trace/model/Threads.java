package dev.unjank.trace.model;

import dev.unjank.trace.collections.BinarySearch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a trace, in order of first appearance. A tid that the kernel reused has several rows. Utid 0 stands for
 * the idle threads of all CPUs ("swapper", tid 0), which have no states and are no one's culprit.
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

    /** Utids ordered by tid and then by start. */
    private final int[] byTid;

    private final long[] ownedFrom;

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

    /**
     * How many threads there are; utids run from 0.
     *
     * @return the count
     */
    public int size() {
        return tids.length;
    }

    /**
     * The kernel's number.
     *
     * @param utid a thread
     * @return its tid
     */
    public int tid(int utid) {
        return tids[utid];
    }

    /**
     * The process a thread belongs to.
     *
     * @param utid a thread
     * @return its upid, -1 if the trace never says
     */
    public int upid(int utid) {
        return upids[utid];
    }

    /**
     * What a thread is called: by its program if the trace holds that, else by the kernel ("comm", at most 15 bytes). The
     * last name if it changed.
     *
     * @param utid a thread
     * @return the name, null if unknown
     */
    public @Nullable String name(int utid) {
        return strings.getOrNull(names[utid]);
    }

    /**
     * Whether a thread is its process's main thread.
     *
     * @param utid a thread
     * @return true if its tid is its process's pid
     */
    public boolean isMain(int utid) {
        int upid = upids[utid];
        return upid >= 0 && processes.pid(upid) == tids[utid];
    }

    /**
     * When a thread was created.
     *
     * @param utid a thread
     * @return the time, {@link Long#MIN_VALUE} if it lived before the trace began or the trace does not say
     */
    public long startNs(int utid) {
        return starts[utid];
    }

    /**
     * When a thread ended: when the kernel forgot it, or, where the trace tells only of its exit, when it was last switched
     * away.
     *
     * @param utid a thread
     * @return the time, {@link Long#MAX_VALUE} if it outlived the trace or the trace does not say
     */
    public long endNs(int utid) {
        return ends[utid];
    }

    /**
     * The thread that had a tid at a moment.
     *
     * @param tid the kernel's number
     * @param ts the time in ns
     * @return its utid, -1 if no thread of that number is known to have lived then
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
     * When each thread of {@link #byTid} came to have its number: when it was created or, if unknown, when the
     * one before it ended. So the times of one number ascend.
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

    /** Rows of one tid are in order of time already: a new row replaces the last. */
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
