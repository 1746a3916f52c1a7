package dev.unjank.doctor.find.runtime;

import dev.unjank.doctor.find.runtime.RuntimeWaitTable.Entry;
import dev.unjank.trace.collections.BinarySearch;
import dev.unjank.trace.collections.LongList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The holders of a resource's permits or objects, inferred from the waits for it. A thread holds one from the end of
 * its wait. When another thread's wait ends, a holder has returned one: the one that waits again at that moment,
 * otherwise the one that had it for longest, if it had it for at least nine tenths of the shortest usual time between
 * two waits of a thread. If the other thread was woken in vain, the holder took the permit again at once: a new hold
 * begins. Other holds without a wait before them are not recorded.
 */
final class ResourceHolders {
    /** A thread that waits for the resource again this shortly before or after another one got it has returned it. */
    private static final long RETURN_NS = 5_000_000;

    /** A thread that waits again this soon was woken in vain: another thread had got the permit before. */
    private static final long IN_VAIN_NS = 1_000_000;

    /** The holders at one time are looked for among so many. */
    private static final int MOST_AT_ONCE = 64;

    /** The usual shortest time between two waits of a thread is that of one in so many pairs. */
    private static final int USUAL_SHARE = 10;

    private final List<Hold> holds;
    private final int atOnce;

    /**
     * A time in which a thread had a permit.
     *
     * @param utid the thread
     * @param fromNs when its wait ended, ns
     * @param toNs when another thread got the permit, ns
     */
    record Hold(int utid, long fromNs, long toNs) {
        long durNs() {
            return toNs - fromNs;
        }
    }

    private ResourceHolders(List<Hold> holds, int atOnce) {
        this.holds = holds;
        this.atOnce = atOnce;
    }

    /** {@return the holders by the waits for a resource that it ended, in order of their ends} */
    static ResourceHolders of(List<Entry> all) {
        Map<Integer, List<Entry>> byThread = new HashMap<>();
        all.forEach(wait ->
                byThread.computeIfAbsent(wait.utid(), key -> new ArrayList<>()).add(wait));
        long leastNs = usualShortestNs(byThread) / 10 * 9;
        Deque<Hold> open = new ArrayDeque<>(); // those who got it first come first; their ends are not known
        List<Hold> holds = new ArrayList<>();
        LongList counts = new LongList();
        for (Entry wait : all) {
            long now = wait.endNs();
            open.removeIf(hold -> hold.utid == wait.utid() || nextStart(byThread, hold) < now - RETURN_NS);
            boolean isInVain = nextStart(byThread, wait.utid(), now) - now <= IN_VAIN_NS;
            Hold returned = isInVain ? longest(open, now, leastNs) : returned(open, byThread, now, leastNs);
            if (returned != null) {
                open.remove(returned);
                holds.add(new Hold(returned.utid, returned.fromNs, now));
            }
            if (!isInVain) {
                open.addLast(new Hold(wait.utid(), now, Long.MAX_VALUE));
                counts.add(open.size());
            } else if (returned != null) {
                open.addLast(new Hold(returned.utid, now, Long.MAX_VALUE));
            }
        }
        long[] sorted = counts.toArray();
        Arrays.sort(sorted);
        return new ResourceHolders(holds, sorted.length == 0 ? 0 : (int) sorted[sorted.length / 2]);
    }

    private static @Nullable Hold returned(
            Deque<Hold> open, Map<Integer, List<Entry>> byThread, long now, long leastNs) {
        Hold nearest = null;
        long nearestNs = RETURN_NS;
        for (Hold hold : open) {
            long distanceNs = Math.abs(nextStart(byThread, hold) - now);
            if (distanceNs <= nearestNs) {
                nearest = hold;
                nearestNs = distanceNs;
            }
        }
        if (nearest != null) {
            return nearest;
        }
        return longest(open, now, leastNs);
    }

    private static @Nullable Hold longest(Deque<Hold> open, long now, long leastNs) {
        Hold longest = open.peekFirst();
        return longest != null && now - longest.fromNs >= leastNs ? longest : null;
    }

    private static long usualShortestNs(Map<Integer, List<Entry>> byThread) {
        LongList times = new LongList();
        for (List<Entry> own : byThread.values()) {
            for (int i = 1; i < own.size(); i++) {
                long between = own.get(i).startNs() - own.get(i - 1).endNs();
                if (between > IN_VAIN_NS) {
                    times.add(between);
                }
            }
        }
        long[] sorted = times.toArray();
        Arrays.sort(sorted);
        return sorted.length == 0 ? 0 : sorted[sorted.length / USUAL_SHARE];
    }

    /** The time from which the thread of a hold waits for the resource again. */
    private static long nextStart(Map<Integer, List<Entry>> byThread, Hold hold) {
        return nextStart(byThread, hold.utid, hold.fromNs);
    }

    private static long nextStart(Map<Integer, List<Entry>> byThread, int utid, long ns) {
        List<Entry> own = byThread.getOrDefault(utid, List.of());
        int next = BinarySearch.first(0, own.size(), i -> own.get(i).startNs() >= ns);
        return next < own.size() ? own.get(next).startNs() : Long.MAX_VALUE;
    }

    /** {@return the holds, by their ends} */
    List<Hold> holds() {
        return holds;
    }

    /** {@return the hold at a time that is the first to end, of another thread; null if there is none} */
    @Nullable
    Hold at(long ns, int exceptUtid) {
        int first = BinarySearch.first(0, holds.size(), i -> holds.get(i).toNs > ns);
        for (int i = first; i < holds.size() && i < first + MOST_AT_ONCE; i++) {
            Hold hold = holds.get(i);
            if (hold.fromNs <= ns && hold.utid != exceptUtid) {
                return hold;
            }
        }
        return null;
    }

    /** {@return how many threads had a permit at once, usually} */
    int atOnce() {
        return atOnce;
    }

    /** {@return the number of threads that had a permit} */
    int threads() {
        Set<Integer> threads = new HashSet<>();
        holds.forEach(hold -> threads.add(hold.utid));
        return threads.size();
    }
}
