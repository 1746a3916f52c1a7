package dev.unjank.trace.model;

import dev.unjank.trace.collections.BinarySearch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The scheduling states of every thread. The rows of a thread are adjacent, {@link #first} to {@link #end}, in time
 * order and without gaps: each lasts until the next begins. The first begins with the first event that mentions the
 * thread; the last is open and ends with the thread or, if that is unknown, with the trace. The kernel's idle threads
 * (swapper) have no rows.
 *
 * <p>Threads without scheduler events have empty ranges.
 */
public final class ThreadStates {
    /** An unknown priority. It is not -1, which is the kernel's priority of deadline threads. */
    public static final int NO_PRIORITY = ThreadStateBits.NO_PRIORITY;

    private final Strings strings;
    private final int[] firsts;
    private final Columns columns;
    private final int ignoredWakeups;
    private final LongColumn times;
    private final IntColumn infos;
    private final long[] threadEnds;

    /** Rows with a blocked function, ascending; they are few. */
    private final int[] blockedRows;

    private final int[] blockedFunctions;

    /**
     * The columns of thread states; a row number is the state's.
     *
     * @param ts start times in ns
     * @param info state, CPU, priority and more, packed; the table's methods unpack them
     * @param waker the utid of the waker, -1 if there is none or it is unknown
     */
    public record Columns(LongColumn ts, IntColumn info, IntColumn waker) {}

    /**
     * Creates the table from its columns; arrays are not copied.
     *
     * @param strings the strings of the trace
     * @param firsts the first row of each thread, by utid, and the number of rows behind them
     * @param columns the columns
     * @param unseen the number of wakeups that Perfetto's trace processor ignores
     * @param threadEnds the end of the last state of each thread, in ns, by utid
     * @param blockedRows the rows with a blocked function, ascending
     * @param blockedFunctions the ids of the names of these functions
     */
    public ThreadStates(
            Strings strings,
            int[] firsts,
            Columns columns,
            int unseen,
            long[] threadEnds,
            int[] blockedRows,
            int[] blockedFunctions) {
        this.strings = strings;
        this.firsts = firsts;
        this.columns = columns;
        this.ignoredWakeups = unseen;
        this.times = columns.ts;
        this.infos = columns.info;
        this.threadEnds = threadEnds;
        this.blockedRows = blockedRows;
        this.blockedFunctions = blockedFunctions;
    }

    /**
     * These states without the wakeups that Perfetto's trace processor ignores. In the result the sleep continues until
     * the thread runs. Trace processor ignores:
     *
     * <ul>
     *   <li>{@code sched_wakeup}, which this table contains if the trace has no {@code sched_waking};
     *   <li>a wakeup that it processes before the sleep, although the wakeup ended the sleep;
     *   <li>a wakeup that it processes after the run, although the wakeup led to the run.
     * </ul>
     *
     * @return the states as in the trace processor, a table with rows of its own; this table if there are no such
     *     wakeups
     */
    public ThreadStates withoutIgnoredWakeups() {
        if (ignoredWakeups == 0) {
            return this;
        }
        int rows = size() - ignoredWakeups;
        LongColumn.Filler seenTimes = new LongColumn.Filler(rows);
        IntColumn.Filler seenInfos = new IntColumn.Filler(rows);
        IntColumn.Filler seenWakers = new IntColumn.Filler(rows);
        int[] seenFirsts = new int[firsts.length];
        int[] seenBlocked = blockedRows.clone();
        int passed = 0;
        int blocked = 0;
        for (int utid = 0; utid + 1 < firsts.length; utid++) {
            seenFirsts[utid] = first(utid) - passed;
            for (int row = first(utid); row < end(utid); row++) {
                int info = infos.get(row);
                if (ThreadStateBits.isIgnoredByTraceProcessor(info)) {
                    passed++;
                    continue;
                }
                if (blocked < blockedRows.length && blockedRows[blocked] == row) {
                    seenBlocked[blocked++] = row - passed;
                }
                boolean goesOn = row + 1 < end(utid) && ThreadStateBits.isIgnoredByTraceProcessor(infos.get(row + 1));
                seenTimes.add(times.get(row));
                seenInfos.add(goesOn ? ThreadStateBits.withEndOf(info, infos.get(row + 1)) : info);
                seenWakers.add(columns.waker.get(row));
            }
        }
        seenFirsts[firsts.length - 1] = rows;
        Columns seen = new Columns(seenTimes.column(), seenInfos.column(), seenWakers.column());
        return new ThreadStates(strings, seenFirsts, seen, 0, threadEnds, seenBlocked, blockedFunctions);
    }

    /** {@return the number of rows, for all threads} */
    public int size() {
        return times.size();
    }

    /** {@return the columns of this table, all of {@link #size} rows, for reading many rows at once} */
    public Columns columns() {
        return columns;
    }

    /**
     * {@return the first row of a thread, equal to {@link #end} if the thread has none}
     *
     * @param utid a thread
     */
    public int first(int utid) {
        return firsts[utid];
    }

    /**
     * {@return one past the last row of a thread}
     *
     * @param utid a thread
     */
    public int end(int utid) {
        return firsts[utid + 1];
    }

    /**
     * {@return the row of a thread with {@code ts(row) <= ts < ts(row) + dur(row)}, -1 if there is none}
     *
     * @param utid a thread
     * @param ts the time in ns
     */
    public int at(int utid, long ts) {
        int first = first(utid);
        int row = times.lastNotAbove(ts, first, end(utid));
        return row >= first && ts < endNs(row) ? row : -1;
    }

    /**
     * {@return the start time of a state in ns}
     *
     * @param row a row
     */
    public long ts(int row) {
        return times.get(row);
    }

    /**
     * {@return the duration of a state in ns; for the last row of a thread until the thread's or the trace's end}
     *
     * @param row a row
     */
    public long dur(int row) {
        return endNs(row) - times.get(row);
    }

    /**
     * {@return the end time of a state in ns; for the last row of a thread the thread's or the trace's end}
     *
     * @param row a row
     */
    public long endNs(int row) {
        return ThreadStateBits.isLast(infos.get(row)) ? threadEnds[utid(row)] : times.get(row + 1);
    }

    /**
     * {@return the time in ns until which scheduler events were recorded; {@link Long#MIN_VALUE} if the table is empty}
     * Later times of this table are uncertain, since other sources may go on longer.
     */
    public long recordedUntilNs() {
        long last = Long.MIN_VALUE;
        for (int utid = 0; utid + 1 < firsts.length; utid++) {
            if (first(utid) < end(utid)) {
                last = Math.max(last, times.get(end(utid) - 1));
            }
        }
        return last;
    }

    /**
     * {@return whether the end of a state is unknown, so that its duration is an upper bound} True for the last row of
     * a thread, and if events were lost before the next row.
     *
     * @param row a row
     */
    public boolean isOpen(int row) {
        int info = infos.get(row);
        return ThreadStateBits.isLast(info) || ThreadStateBits.isBeforeLoss(info);
    }

    /**
     * {@return whether scheduler events of the thread were lost during a state} True if other events contradict the
     * state: the thread left a CPU on which it had not been put, was put on one while it was on another, was woken
     * twice in a row, or continued after a sleep without being woken.
     *
     * @param row a row
     */
    public boolean isDoubtful(int row) {
        return ThreadStateBits.isDoubtful(infos.get(row));
    }

    /**
     * {@return the utid of a row's thread, by binary search}
     *
     * @param row a row
     */
    public int utid(int row) {
        // Threads without rows share their first row with the next one that has rows: take the last.
        return BinarySearch.first(1, firsts.length, utid -> firsts[utid] > row) - 1;
    }

    /**
     * {@return the state of a thread}
     *
     * @param row a row
     */
    public SchedState state(int row) {
        return ThreadStateBits.state(infos.get(row));
    }

    /**
     * {@return the CPU that the thread runs on or, if it does not run, the CPU on which it ran last; -1 if unknown}
     *
     * @param row a row
     */
    public int cpu(int row) {
        return ThreadStateBits.cpu(infos.get(row));
    }

    /**
     * {@return the kernel's number for the thread's priority when the state began, smaller is better, {@link
     * #NO_PRIORITY} if unknown}
     *
     * @param row a row
     */
    public int priority(int row) {
        return ThreadStateBits.priority(infos.get(row));
    }

    /**
     * {@return the utid of the thread's waker; -1 if the row does not begin with a wakeup or the waker is unknown}
     *
     * @param row a row
     */
    public int waker(int row) {
        return columns.waker.get(row);
    }

    /**
     * {@return whether the kernel recorded that a sleep waited for I/O}
     *
     * @param row a row
     */
    public boolean ioWait(int row) {
        return ThreadStateBits.ioWait(infos.get(row));
    }

    /**
     * {@return whether the kernel recorded why a thread slept: whether {@link #ioWait for I/O}, and possibly the
     * blocked function}
     *
     * @param row a row
     */
    public boolean hasReason(int row) {
        return ThreadStateBits.hasReason(infos.get(row));
    }

    /**
     * {@return the blocked function: the kernel function in which a thread slept, or its address in hexadecimal; null
     * if unknown}
     *
     * @param row a row
     */
    public @Nullable String blockedFunction(int row) {
        int i = Arrays.binarySearch(blockedRows, row);
        return i < 0 ? null : strings.getOrNull(blockedFunctions[i]);
    }
}
