package dev.unjank.doctor.judge;

import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitIndex;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.LockConvoy;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.collections.BinarySearch;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds lock convoys: the waits of other threads for the same lock that ended one after another while a given thread
 * still waited.
 *
 * <p>A trace does not identify the lock, and a recorded address would not help, since the garbage collector moves
 * objects. So two waits count as waits for the same lock if they are in one process, overlap, have an owner in common,
 * and the recorded name or class of the lock, if any, is the same.
 *
 * <p>Android's runtime records the methods of the owner and of the waiter of a monitor, and how many threads wait
 * already. The methods differ even for one lock, but waits whose methods have no package in common count as waits for
 * different locks; and a wait that began during the given one, with no thread waiting before it, is for another lock.
 *
 * <p>If the runtime recorded the owner at the start of the wait, the search follows the lock forwards from it: each
 * thread that acquires the lock becomes an owner. If the owner is only inferred, it is the last one, so the search
 * follows the lock backwards: from each owner to the thread that it got the lock from.
 */
final class LockConvoyFinder {
    private final Threads threads;
    private final Processes processes;
    private final WaitIndex waits;
    private final Map<Integer, List<BlockedInterval>> lockWaits = new ConcurrentHashMap<>();

    LockConvoyFinder(Trace trace, WaitIndex waits) {
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.waits = waits;
    }

    /**
     * Finds the convoy that a wait was part of.
     *
     * @return the waits of other threads for the same lock that ended before this one; null if there are too few such
     *     threads, or if the first of these waits ended in the second half of this wait
     */
    @Nullable
    LockConvoy of(BlockedInterval interval, Wait wait) {
        int upid = threads.upid(interval.utid());
        if (upid < 0 || !wait.kind().isLock() || isTooFewByCount(wait)) {
            return null;
        }
        List<BlockedInterval> before = before(interval, wait, lockWaits.computeIfAbsent(upid, this::lockWaitsOf));
        BlameInterval last = interval.source().blameIntervals(interval).getLast();
        Row row = last.owner().evidence() == Evidence.WAKER_INFERRED
                ? Row.before(last, before)
                : Row.after(interval, before);
        return row.convoy(wait);
    }

    /**
     * For a monitor, the runtime records how many threads already wait. Returns true if these, plus the owners during
     * the wait, are too few for a convoy.
     */
    private static boolean isTooFewByCount(Wait wait) {
        return wait.kind() == WaitKind.MONITOR
                && wait.waiters() + wait.otherOwnersIntervals().size() < VerdictRules.MIN_CONVOY_THREADS;
    }

    /**
     * Returns the waits of other threads for a lock of the same name that ended during this wait, sorted by end time.
     */
    private List<BlockedInterval> before(BlockedInterval interval, Wait wait, List<BlockedInterval> byEnd) {
        List<BlockedInterval> before = new ArrayList<>();
        Set<String> packages = packages(interval);
        for (int i = firstEndingAfter(byEnd, interval.startNs());
                i < byEnd.size() && byEnd.get(i).endNs() < interval.endNs();
                i++) {
            BlockedInterval other = byEnd.get(i);
            if (other.utid() != interval.utid() && !other.open()) {
                WaitSource.Reason reason = other.source().reason(other);
                if (reason.kind() == wait.kind()
                        && reason.target().equals(wait.target())
                        && !isForAnotherMonitor(other, reason, interval, packages)) {
                    before.add(other);
                }
            }
        }
        return before;
    }

    private boolean isForAnotherMonitor(
            BlockedInterval other, WaitSource.Reason reason, BlockedInterval interval, Set<String> packages) {
        if (reason.kind() != WaitKind.MONITOR) {
            return false;
        }
        return (other.startNs() > interval.startNs() && reason.waiters() == 0)
                || (!packages.isEmpty() && isDisjoint(packages, packages(other)));
    }

    private static boolean isDisjoint(Set<String> some, Set<String> others) {
        return !others.isEmpty() && Collections.disjoint(some, others);
    }

    /** The packages of the methods of a wait's owner and waiter that Android's runtime recorded. */
    private Set<String> packages(BlockedInterval interval) {
        Set<String> packages = new HashSet<>();
        int upid = threads.upid(interval.utid());
        if (upid >= 0 && !processes.isJvm(upid)) {
            addPackage(interval.source().reason(interval).location(), packages);
            addPackage(
                    interval.source()
                            .blameIntervals(interval)
                            .getFirst()
                            .owner()
                            .location(),
                    packages);
        }
        return packages;
    }

    private static void addPackage(@Nullable CodeLocation location, Set<String> packages) {
        int end = location == null ? -1 : location.method().lastIndexOf('.');
        int dot = end < 0 || location == null ? -1 : location.method().lastIndexOf('.', end - 1);
        if (location != null && dot > 0) {
            packages.add(location.method().substring(0, dot));
        }
    }

    /** The threads that acquired the lock one after another. */
    private static final class Row {
        /** All threads that owned the lock at some time, by utid. */
        private final Set<Integer> owners = new HashSet<>();

        /**
         * The owners when the wait began. If one of them waits, it waits for a different lock, because it already holds
         * this one.
         */
        private final Set<Integer> firstOwners = new HashSet<>();

        private final Set<Integer> followed = new HashSet<>();
        private int waits;
        private long first = Long.MAX_VALUE;
        private long last = Long.MIN_VALUE;

        /**
         * Follows the lock forwards: from its owner at the start of a wait, through the other waits that ended during
         * this wait, by end time.
         */
        static Row after(BlockedInterval interval, List<BlockedInterval> others) {
            Row row = new Row();
            List<BlameInterval> blames = interval.source().blameIntervals(interval);
            row.addOwner(blames.getFirst());
            row.firstOwners.addAll(row.owners);
            blames.forEach(row::addOwner);
            for (BlockedInterval other : others) {
                boolean inherits = row.owners.contains(other.utid()) || row.hasOwnerOf(other);
                if (inherits && !row.firstOwners.contains(other.utid())) {
                    row.owners.add(other.utid());
                    row.add(other);
                }
            }
            return row;
        }

        /**
         * Follows the lock backwards: from its last owner, through the other waits, latest end first ({@code others} is
         * sorted by end time).
         */
        static Row before(BlameInterval last, List<BlockedInterval> others) {
            Row row = new Row();
            row.addOwner(last);
            for (BlockedInterval other : others.reversed()) {
                if (row.owners.contains(other.utid())) {
                    other.source().blameIntervals(other).forEach(row::addOwner);
                    row.add(other);
                }
            }
            return row;
        }

        private void addOwner(BlameInterval blame) {
            if (blame.owner().thread().isInTrace()) {
                owners.add(blame.owner().thread().utid());
            }
        }

        private boolean hasOwnerOf(BlockedInterval other) {
            return other.source().blameIntervals(other).stream()
                    .anyMatch(blame -> owners.contains(blame.owner().thread().utid()));
        }

        private void add(BlockedInterval other) {
            followed.add(other.utid());
            waits++;
            first = Math.min(first, other.endNs());
            last = Math.max(last, other.endNs());
        }

        @Nullable
        LockConvoy convoy(Wait wait) {
            boolean most = waits > 0 && wait.endNs() - first >= wait.durNs() / 2;
            return most && followed.size() >= VerdictRules.MIN_CONVOY_THREADS
                    ? new LockConvoy(waits, followed.size(), first, last)
                    : null;
        }
    }

    private static int firstEndingAfter(List<BlockedInterval> byEnd, long ts) {
        return BinarySearch.first(0, byEnd.size(), wait -> byEnd.get(wait).endNs() > ts);
    }

    /** Returns the lock waits of a process, sorted by end time, since the lock is handed over when a wait ends. */
    private List<BlockedInterval> lockWaitsOf(int upid) {
        List<BlockedInterval> found = new ArrayList<>();
        for (int utid = 0; utid < threads.size(); utid++) {
            if (threads.upid(utid) == upid) {
                for (BlockedInterval interval : waits.outermost(utid)) {
                    if (interval.source().isForLock(interval)) {
                        found.add(interval);
                    }
                }
            }
        }
        found.sort(LongOrder.ascending(BlockedInterval::endNs));
        return found;
    }
}
