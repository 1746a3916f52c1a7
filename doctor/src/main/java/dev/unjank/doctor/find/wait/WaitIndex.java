package dev.unjank.doctor.find.wait;

import dev.unjank.doctor.find.coverage.TraceCoverage;
import dev.unjank.trace.collections.BinarySearch;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The waits of each thread from all sources. A wait within another one is part of it: only outermost waits are
 * incidents, and only they split the time of an owner. Thread-safe.
 *
 * <p>A wait with another owner ends when the thread runs again for good, which may be long before the end of the slice
 * that records it. A run with a further sleep after it, such as a short spin, is part of the wait; so is a run of less
 * than {@link #LEAST_RUN_NS} at its end.
 *
 * <p>Waits with another owner continue the blame tree. Waits without one, for a CPU, the kernel or a looper's messages,
 * are incidents of a selected thread and leaves of the trees of other threads.
 */
public final class WaitIndex {
    private static final Comparator<BlockedInterval> IN_ORDER = (a, b) ->
            a.startNs() != b.startNs() ? Long.compare(a.startNs(), b.startNs()) : Long.compare(b.endNs(), a.endNs());

    /**
     * The shortest time from the waiter's run to the end of the slice that is no part of the wait, ns: less is the
     * ordinary cost of acquiring a lock.
     */
    public static final long LEAST_RUN_NS = 200_000;

    private final Slices slices;
    private final ThreadStates states;
    private final WakeUps wakeUps;
    private final List<WaitSource> ownedWaits;
    private final List<WaitSource> ownerlessWaits;
    private final TraceCoverage coverage;
    private final Map<Integer, BlockedInterval[]> byThread = new ConcurrentHashMap<>();
    private final Map<Integer, BlockedInterval[]> outermost = new ConcurrentHashMap<>();

    public WaitIndex(
            Trace trace, List<WaitSource> ownedWaits, List<WaitSource> ownerlessWaits, TraceCoverage coverage) {
        this.slices = trace.slices();
        this.states = trace.threadStates();
        this.wakeUps = new WakeUps(trace);
        this.ownedWaits = List.copyOf(ownedWaits);
        this.ownerlessWaits = List.copyOf(ownerlessWaits);
        this.coverage = coverage;
    }

    /** {@return the outermost waits of a thread, also those without an owner; by time} */
    public BlockedInterval[] withOwnerless(int utid) {
        return withOwnerless(utid, ownerlessWaits);
    }

    /** {@return the outermost waits of a thread, of those without an owner the ones from some sources; by time} */
    public BlockedInterval[] withOwnerless(int utid, List<WaitSource> sources) {
        BlockedInterval[] others = outermost(utid);
        List<BlockedInterval> all = new ArrayList<>(List.of(others));
        sources.forEach(source -> source.find(utid, all::add));
        if (all.size() == others.length) {
            return others;
        }
        BlockedInterval[] sorted = all.toArray(BlockedInterval[]::new);
        Arrays.sort(sorted, IN_ORDER);
        return withoutInner(sorted, 0, Long.MAX_VALUE).toArray(BlockedInterval[]::new);
    }

    /** {@return the outermost waits of a thread with an owner, by time, without overlaps} */
    public BlockedInterval[] outermost(int utid) {
        return outermost.computeIfAbsent(utid, thread -> blocked(all(thread), 0, Long.MAX_VALUE));
    }

    /** {@return the outermost waits of a thread within one of its slices; all for -1} */
    public BlockedInterval[] within(int utid, int slice) {
        if (slice < 0) {
            return outermost(utid);
        }
        BlockedInterval[] all = all(utid);
        long start = slices.ts(slice);
        int from = BinarySearch.first(0, all.length, i -> all[i].startNs() >= start);
        long end = coverage.sliceEndNs(slice);
        while (from < all.length && all[from].startNs() == start && all[from].endNs() >= end) {
            from++; // around the slice rather than in it
        }
        return blocked(all, from, end);
    }

    private BlockedInterval[] all(int utid) {
        return byThread.computeIfAbsent(utid, this::find);
    }

    private BlockedInterval[] find(int utid) {
        List<BlockedInterval> found = new ArrayList<>();
        int filled = 0;
        for (WaitSource source : ownedWaits) {
            int before = found.size();
            source.find(utid, interval -> add(interval, found));
            filled += found.size() > before ? 1 : 0;
        }
        BlockedInterval[] all = found.toArray(BlockedInterval[]::new);
        if (filled > 1) {
            Arrays.sort(all, IN_ORDER);
        }
        return all;
    }

    private void add(BlockedInterval interval, List<BlockedInterval> found) {
        BlockedInterval ended = interval.endingBy(coverage);
        if (ended.durNs() > 0) {
            found.add(ended);
        }
    }

    /** The blocked time of the outermost waits from an index on and until a time. */
    private BlockedInterval[] blocked(BlockedInterval[] all, int from, long until) {
        return withoutInner(all, from, until).stream()
                .map(interval -> interval.until(blockedUntil(interval)))
                .toArray(BlockedInterval[]::new);
    }

    /**
     * The time at which a thread ran again, after its last sleep in a wait and until the end of the wait; that end if
     * it did not, or if its states are not known throughout. A sleep without a duration is none.
     */
    private long blockedUntil(BlockedInterval interval) {
        long to = interval.endNs();
        long end = interval.open() ? to : runsAgain(interval.utid(), interval.startNs(), to);
        while (end < to) {
            to = end;
            end = runsAgain(interval.utid(), interval.startNs(), to);
        }
        return end;
    }

    private long runsAgain(int utid, long from, long to) {
        long woken = wakeUps.lastWakeUp(utid, from, to);
        long ran = to;
        long known = woken;
        for (int row = states.at(utid, woken); known < to; row++) {
            if (row < 0 || row >= states.end(utid) || states.ts(row) > known) {
                return to;
            }
            SchedState state = states.state(row);
            if (coverage.endNs(row) <= states.ts(row)) {
                continue; // a state without a duration
            }
            if (state == SchedState.RUNNING) {
                ran = Math.min(ran, states.ts(row));
            } else if (!state.isRunnable()) {
                return to;
            }
            known = coverage.endNs(row);
        }
        return to - ran < LEAST_RUN_NS ? to : ran;
    }

    /**
     * The waits from an index on and until a time; one that begins in another and ends after it counts from the other's
     * end.
     */
    private static List<BlockedInterval> withoutInner(BlockedInterval[] all, int from, long until) {
        List<BlockedInterval> outer = new ArrayList<>();
        long end = Long.MIN_VALUE;
        for (int i = from; i < all.length && all[i].startNs() < until; i++) {
            BlockedInterval interval = all[i];
            if (interval.endNs() > end) {
                outer.add(interval.startNs() >= end ? interval : interval.from(end));
                end = interval.endNs();
            }
        }
        return outer;
    }

    /** {@return the index of the first of {@code intervals}, sorted and without overlaps, that ends after a time} */
    public static int firstEndingAfter(BlockedInterval[] intervals, long ts) {
        return BinarySearch.first(0, intervals.length, i -> intervals[i].endNs() > ts);
    }
}
