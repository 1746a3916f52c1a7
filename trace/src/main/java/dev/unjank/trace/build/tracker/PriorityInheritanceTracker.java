package dev.unjank.trace.build.tracker;

import dev.unjank.trace.collections.IntList;
import dev.unjank.trace.collections.IntPairMap;
import dev.unjank.trace.collections.LongList;
import dev.unjank.trace.model.InheritedPriorities;

/**
 * Pairs the boosts of threads by priority inheritance with their ends. Events that change nothing are ignored, since
 * the kernel repeats them. If the first event of a thread lowers its priority, the thread was boosted before.
 */
public final class PriorityInheritanceTracker {
    private static final int NONE = -1;

    private final IntList utids = new IntList();
    private final LongList starts = new LongList();
    private final LongList ends = new LongList();
    private final IntList base = new IntList();
    private final IntList boosted = new IntList();

    /** The last row of each thread that has one. */
    private final IntPairMap lastRow = new IntPairMap();

    /** Applies a change of a thread's priority by inheritance. */
    public void changed(long ts, int utid, int from, int to) {
        int last = lastRow.get(utid, 0);
        boolean open = last != NONE && ends.get(last) == Long.MAX_VALUE;
        if (open && to != boosted.get(last)) {
            ends.set(last, ts);
            if (to < base.get(last)) {
                lend(ts, utid, base.get(last), to);
            }
        } else if (!open && to < from) {
            lend(ts, utid, from, to);
        } else if (last == NONE && to > from) {
            lend(Long.MIN_VALUE, utid, to, from);
            ends.set(utids.size() - 1, ts);
        }
    }

    private void lend(long ts, int utid, int from, int to) {
        utids.add(utid);
        starts.add(ts);
        ends.add(Long.MAX_VALUE);
        base.add(from);
        boosted.add(to);
        lastRow.put(utid, 0, utids.size() - 1);
    }

    /** The table; the rows of a thread came in time order. */
    public InheritedPriorities table(int threads, long traceStart, long traceEnd) {
        int rows = utids.size();
        int[] firsts = new int[threads + 1];
        for (int row = 0; row < rows; row++) {
            firsts[utids.get(row) + 1]++;
        }
        for (int utid = 0; utid < threads; utid++) {
            firsts[utid + 1] += firsts[utid];
        }
        int[] next = firsts.clone();
        long[] start = new long[rows];
        long[] end = new long[rows];
        int[] before = new int[rows];
        int[] then = new int[rows];
        for (int row = 0; row < rows; row++) {
            int at = next[utids.get(row)]++;
            start[at] = Math.max(traceStart, starts.get(row));
            end[at] = Math.min(traceEnd, ends.get(row));
            before[at] = base.get(row);
            then[at] = boosted.get(row);
        }
        return new InheritedPriorities(firsts, start, end, before, then);
    }
}
