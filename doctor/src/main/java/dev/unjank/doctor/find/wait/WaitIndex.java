package dev.unjank.doctor.find.wait;

import dev.unjank.doctor.find.coverage.TraceCoverage;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All waits of each thread, whatever their source. A wait within another one is part of it: only outermost waits are
 * incidents, and only they split what an owner did. Any number of
 * threads may ask.
 *
 * <p>Some waits are for another thread; these the tree follows. Others are the thread's own, for a CPU, the kernel or its
 * messages; they are incidents of a thread of interest, and leaves of anybody else.
 */
public final class WaitIndex {
    private static final Comparator<BlockedInterval> IN_ORDER = (a, b) ->
            a.startNs() != b.startNs() ? Long.compare(a.startNs(), b.startNs()) : Long.compare(b.endNs(), a.endNs());

    private final Slices slices;
    private final List<WaitSource> ownedWaits;
    private final List<WaitSource> ownerlessWaits;
    private final TraceCoverage coverage;
    private final Map<Integer, BlockedInterval[]> byThread = new ConcurrentHashMap<>();
    private final Map<Integer, BlockedInterval[]> outermost = new ConcurrentHashMap<>();

    public WaitIndex(Trace trace, List<WaitSource> forOthers, List<WaitSource> own, TraceCoverage known) {
        this.coverage = known;
        this.slices = trace.slices();
        this.ownedWaits = List.copyOf(forOthers);
        this.ownerlessWaits = List.copyOf(own);
    }

    /**
     * {@return the waits of a thread of interest, also its own, that are not within another one; ascending in time}
     */
    public BlockedInterval[] includingOwnWaits(int utid) {
        BlockedInterval[] others = outermost(utid);
        List<BlockedInterval> all = new ArrayList<>(List.of(others));
        ownerlessWaits.forEach(source -> source.find(utid, all::add));
        if (all.size() == others.length) {
            return others;
        }
        BlockedInterval[] sorted = all.toArray(BlockedInterval[]::new);
        Arrays.sort(sorted, IN_ORDER);
        return withoutInner(sorted, 0, Long.MAX_VALUE);
    }

    /**
     * {@return the waits of a thread for others that are not within another one, ascending in time; they do not overlap}
     */
    public BlockedInterval[] outermost(int utid) {
        return outermost.computeIfAbsent(utid, thread -> withoutInner(all(thread), 0, Long.MAX_VALUE));
    }

    /**
     * {@return the outermost waits of a thread within one of its slices; all outermost ones for -1}
     */
    public BlockedInterval[] within(int utid, int slice) {
        if (slice < 0) {
            return outermost(utid);
        }
        BlockedInterval[] all = all(utid);
        int from = firstAt(all, slices.ts(slice));
        long end = coverage.sliceEndNs(slice);
        while (from < all.length && all[from].startNs() == slices.ts(slice) && all[from].endNs() >= end) {
            from++; // around the slice rather than in it
        }
        return withoutInner(all, from, end);
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

    /** Those from an index on and until a moment; what begins in one and goes on after it counts from its end. */
    private static BlockedInterval[] withoutInner(BlockedInterval[] all, int from, long until) {
        List<BlockedInterval> outer = new ArrayList<>();
        long end = Long.MIN_VALUE;
        for (int i = from; i < all.length && all[i].startNs() < until; i++) {
            BlockedInterval interval = all[i];
            if (interval.endNs() > end) {
                outer.add(interval.startNs() >= end ? interval : interval.from(end));
                end = interval.endNs();
            }
        }
        return outer.toArray(BlockedInterval[]::new);
    }

    private static int firstAt(BlockedInterval[] intervals, long ts) {
        int low = 0;
        int high = intervals.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (intervals[middle].startNs() < ts) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * {@return the index in {@code intervals}, which do not overlap, of the first that ends after a moment}
     */
    public static int firstEndingAfter(BlockedInterval[] intervals, long ts) {
        int low = 0;
        int high = intervals.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (intervals[middle].endNs() <= ts) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
