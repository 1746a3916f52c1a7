package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.collections.LongRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Collects monitor waits. They become slices with the names that Android's runtime uses, so that readers need to
 * support one form of contention only. Further details are args: {@link WaitDetails}.
 *
 * <p>The JVM names as owner the thread that released the monitor last before the waiter got it. If other waiters got
 * it meanwhile, their events show how long each of them waited and, again, the owner at the end; async-profiler
 * records no owners, but still which thread got the monitor and when. Each such segment becomes a nested slice, like
 * that of Android's inner lock.
 */
final class MonitorWaits {
    // The columns of a row.
    private static final int THREAD = 0;
    private static final int START = 1;
    private static final int END = 2;
    private static final int ADDRESS = 3;
    private static final int OWNER = 4;
    private static final int SITE = 5;
    private static final int NOTE = 6;
    private static final int COLUMNS = 7;

    /** The maximum number of segments of a wait. */
    private static final int MAX_SEGMENTS = 16;

    private final LongRows rows = new LongRows(COLUMNS);

    /** The number of each code location. */
    private final Map<String, Integer> siteNumbers = new LinkedHashMap<>();

    /** The code locations by number, once all are known. */
    private List<String> sites = List.of();

    /**
     * Adds a wait. The address of the monitor is 0 if unknown; the site is the code location, as Android's runtime
     * writes it.
     */
    void add(int thread, long startNs, long endNs, long address, int owner, @Nullable String site, long note) {
        int number = site == null ? -1 : siteNumbers.computeIfAbsent(site, _ -> siteNumbers.size());
        rows.add(thread, startNs, endNs, address, owner, number, note);
    }

    int size() {
        return rows.size();
    }

    /** Adds slices for all waits. */
    void emitTo(SliceBuffer slices, JfrThreads threads, TraceBuilder builder) {
        sites = new ArrayList<>(siteNumbers.keySet());
        int[] byEnd = rows.sorted((a, b) -> compare(a, b, END));
        int[] waiters = countWaiters();
        Emission emission = new Emission(slices, threads, builder, new HashMap<>(), new HashMap<>());
        int from = 0;
        while (from < byEnd.length) {
            int to = from + 1;
            while (to < byEnd.length && rows.get(byEnd[to], ADDRESS) == rows.get(byEnd[from], ADDRESS)) {
                to++;
            }
            for (int i = from; i < to; i++) {
                emitWait(byEnd, from, i, waiters[byEnd[i]], emission);
            }
            from = to;
        }
    }

    private int compare(int a, int b, int column) {
        int byAddress = Long.compare(rows.get(a, ADDRESS), rows.get(b, ADDRESS));
        return byAddress != 0 ? byAddress : Long.compare(rows.get(a, column), rows.get(b, column));
    }

    /** The number of earlier waiters for the same monitor, per row. */
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

    /** The parts of the name of a slice. */
    private record Named(int owner, int waiters, int site) {}

    /** The targets of the slices, and a cache of names. */
    private record Emission(
            SliceBuffer slices,
            JfrThreads threads,
            TraceBuilder builder,
            Map<Named, Integer> names,
            Map<Integer, Integer> innerNames) {}

    /**
     * Adds the wait at {@code index} of a monitor's waits, which begin at {@code first} and are ordered by their
     * ends.
     */
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
        while (stretch > first && index - stretch < MAX_SEGMENTS && rows.get(byEnd[stretch - 1], END) > start) {
            stretch--;
        }
        if (stretch == index) {
            return; // the owner did not change
        }
        int owner = JfrThreads.NONE;
        long from = start;
        for (int i = stretch; i <= index; i++) {
            long until = rows.get(byEnd[i], END);
            int named = (int) rows.get(byEnd[i], OWNER);
            owner = named != JfrThreads.NONE ? named : owner;
            if (until > from && owner != thread) {
                long back = named != JfrThreads.NONE ? until : nextWaitOf(byEnd, i, owner, from, until);
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

    /**
     * The time at which a thread that got the monitor waits for it again, so that another thread must own it; {@code
     * until} if it does not.
     */
    private long nextWaitOf(int[] byEnd, int index, int thread, long from, long until) {
        for (int i = index; i < Math.min(byEnd.length, index + MAX_SEGMENTS); i++) {
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
     * Perfetto's table of contention accepts only names with both methods, and a thread's name that ends before
     * {@code " ("}. Flight Recorder does not record the owner's method.
     */
    private String text(Named named, Emission to) {
        int owner = named.owner;
        return text(
                owner < 0 ? "<unknown>" : to.threads.name(owner),
                owner < 0 ? 0 : to.threads.tid(owner),
                null,
                named.waiters,
                named.site < 0 ? null : sites.get(named.site));
    }

    /** The name of a slice; a site that is null is unknown. */
    static String text(String owner, int ownerTid, @Nullable String ownerSite, int waiters, @Nullable String site) {
        return "monitor contention with owner " + owner.replace(" (", "(") + " (" + ownerTid + ") at "
                + Objects.requireNonNullElse(ownerSite, JavaNames.UNKNOWN_SITE)
                + " waiters=" + waiters
                + " blocking from " + Objects.requireNonNullElse(site, JavaNames.UNKNOWN_SITE);
    }

    private static int innerName(int owner, Emission to) {
        int tid = owner < 0 ? 0 : to.threads.tid(owner);
        return to.innerNames.computeIfAbsent(tid, _ -> to.builder.intern(innerText(tid)));
    }

    /** The name of a nested slice. */
    static String innerText(int ownerTid) {
        return "Lock contention on a monitor lock (owner tid: " + ownerTid + ")";
    }
}
