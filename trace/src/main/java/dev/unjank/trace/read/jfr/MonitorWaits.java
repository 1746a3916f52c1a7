package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.collections.LongRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The waits for monitors. They become slices named as Android's runtime names them, so that whoever reads a trace need know
 * only one kind of contention. What Android does not tell stands beside the name: {@link WaitDetails}.
 *
 * <p>The virtual machine names as owner the thread that gave the monitor up last before the waiting one got it. If others got
 * it meanwhile, having waited for it too, their events say until when each stretch lasted and, in the same way, who had the monitor at its end; a
 * profiler that names no owners still tells who got the monitor and when. Each such stretch becomes a slice within, as Android's
 * inner lock makes them.
 */
final class MonitorWaits {
    // A row's columns.
    private static final int THREAD = 0;
    private static final int START = 1;
    private static final int END = 2;
    private static final int ADDRESS = 3;
    private static final int OWNER = 4;
    private static final int SITE = 5;
    private static final int NOTE = 6;
    private static final int COLUMNS = 7;

    /** More changes of hands within one wait are not told apart. */
    private static final int MOST_STRETCHES = 16;

    private final LongRows rows = new LongRows(COLUMNS);

    /** The number of each site. */
    private final Map<String, Integer> siteNumbers = new LinkedHashMap<>();

    /** The same in order of their numbers, once all are known. */
    private List<String> sites = List.of();

    /**
     * Adds a wait.
     *
     * @param address of the monitor, 0 if unknown
     * @param site where the thread waited, as Android's runtime writes it; null if unknown
     */
    void add(int thread, long startNs, long endNs, long address, int owner, @Nullable String site, long note) {
        int number = site == null ? -1 : siteNumbers.computeIfAbsent(site, _ -> siteNumbers.size());
        rows.add(thread, startNs, endNs, address, owner, number, note);
    }

    int size() {
        return rows.size();
    }

    /** Makes slices of all waits. */
    void emitTo(SliceBuffer slices, JfrThreads threads, TraceBuilder builder) {
        sites = new ArrayList<>(siteNumbers.keySet());
        int[] byEnd = rows.sorted((a, b) -> compare(a, b, END));
        int[] waiters = countWaiters();
        Emission telling = new Emission(slices, threads, builder, new HashMap<>(), new HashMap<>());
        int from = 0;
        while (from < byEnd.length) {
            int to = from + 1;
            while (to < byEnd.length && rows.get(byEnd[to], ADDRESS) == rows.get(byEnd[from], ADDRESS)) {
                to++;
            }
            for (int i = from; i < to; i++) {
                emitWait(byEnd, from, i, waiters[byEnd[i]], telling);
            }
            from = to;
        }
    }

    private int compare(int a, int b, int column) {
        int byAddress = Long.compare(rows.get(a, ADDRESS), rows.get(b, ADDRESS));
        return byAddress != 0 ? byAddress : Long.compare(rows.get(a, column), rows.get(b, column));
    }

    /** For each row, how many were waiting already for the same monitor. */
    private int[] countWaiters() {
        int[] waiters = new int[rows.size()];
        PriorityQueue<Long> ends = new PriorityQueue<>();
        long address = 0;
        for (int row : rows.sorted((a, b) -> compare(a, b, START))) {
            if (rows.get(row, ADDRESS) != address) {
                address = rows.get(row, ADDRESS);
                ends.clear();
            }
            while (!ends.isEmpty() && ends.peek() <= rows.get(row, START)) {
                ends.poll();
            }
            if (address != 0) {
                waiters[row] = ends.size();
                ends.add(rows.get(row, END));
            }
        }
        return waiters;
    }

    /** What makes up the name of a slice. */
    private record Named(int owner, int waiters, int site) {}

    /** What is needed to tell of a wait, and the names that are known already. */
    private record Emission(
            SliceBuffer slices,
            JfrThreads threads,
            TraceBuilder builder,
            Map<Named, Integer> names,
            Map<Integer, Integer> innerNames) {}

    /** Tells of the wait at {@code index} of a monitor's waits, which begin at {@code first} and are in order of their ends. */
    private void emitWait(int[] byEnd, int first, int index, int waiters, Emission to) {
        int row = byEnd[index];
        int thread = (int) rows.get(row, THREAD);
        long start = rows.get(row, START);
        long end = rows.get(row, END);
        to.slices.add(thread, start, end, name(row, waiters, to), -1, rows.get(row, NOTE));
        if (rows.get(row, ADDRESS) == 0) {
            return;
        }
        int stretch = index;
        while (stretch > first && index - stretch < MOST_STRETCHES && rows.get(byEnd[stretch - 1], END) > start) {
            stretch--;
        }
        if (stretch == index) {
            return; // it did not change hands
        }
        int owner = JfrThreads.NONE;
        long from = start;
        for (int i = stretch; i <= index; i++) {
            long until = rows.get(byEnd[i], END);
            int named = (int) rows.get(byEnd[i], OWNER);
            owner = named != JfrThreads.NONE ? named : owner;
            if (until > from && owner != thread) {
                long back = named != JfrThreads.NONE ? until : backInLine(byEnd, i, owner, from, until);
                if (from < back) {
                    to.slices.add(thread, from, back, innerName(owner, to), -1);
                }
                if (back < until) {
                    to.slices.add(thread, back, until, innerName(JfrThreads.NONE, to), -1);
                }
            }
            from = Math.max(from, until);
            owner = (int) rows.get(byEnd[i], THREAD);
        }
    }

    /** When a thread that got the monitor waits for it again, so that somebody else must have it; {@code until} if it does not. */
    private long backInLine(int[] byEnd, int index, int thread, long from, long until) {
        for (int i = index; i < Math.min(byEnd.length, index + MOST_STRETCHES); i++) {
            int row = byEnd[i];
            if (rows.get(row, ADDRESS) != rows.get(byEnd[index], ADDRESS)) {
                break;
            }
            if (rows.get(row, THREAD) == thread && rows.get(row, START) >= from) {
                return Math.min(until, rows.get(row, START));
            }
        }
        return until;
    }

    private int name(int row, int waiters, Emission to) {
        Named named = new Named((int) rows.get(row, OWNER), waiters, (int) rows.get(row, SITE));
        return to.names.computeIfAbsent(named, _ -> to.builder.intern(text(named, to)));
    }

    /**
     * Perfetto's table of waits takes names with both methods alone, and a thread's name to end before {@code " ("}. Where the owner
     * was, Flight Recorder never tells.
     */
    private String text(Named named, Emission to) {
        int owner = named.owner;
        String name = owner < 0 ? "<unknown>" : to.threads.name(owner).replace(" (", "(");
        return "monitor contention with owner " + name + " (" + (owner < 0 ? 0 : to.threads.tid(owner)) + ") at "
                + JavaNames.UNKNOWN_SITE
                + " waiters=" + named.waiters
                + " blocking from " + (named.site < 0 ? JavaNames.UNKNOWN_SITE : sites.get(named.site));
    }

    private static int innerName(int owner, Emission to) {
        int tid = owner < 0 ? 0 : to.threads.tid(owner);
        return to.innerNames.computeIfAbsent(
                tid, _ -> to.builder.intern("Lock contention on a monitor lock (owner tid: " + tid + ")"));
    }
}
