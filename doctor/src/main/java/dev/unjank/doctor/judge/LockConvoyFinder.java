package dev.unjank.doctor.judge;

import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitIndex;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.LockConvoy;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the waits for one lock that followed one another before a wait was over. A trace does not record which lock it is, and its
 * address would not: the garbage collector moves it. So waits of one process are for one lock if they are for a lock of the same
 * name or class, as far as it is recorded, overlap, and have an owner in common. Where the runtime names who had the lock when a wait
 * began, each thread that got it is an owner from then on; where the owner is only inferred, it is the thread that had it last, and each thread that
 * that one got it from had it before.
 */
final class LockConvoyFinder {
    private final Threads threads;
    private final WaitIndex waits;
    private final Map<Integer, List<BlockedInterval>> lockWaits = new ConcurrentHashMap<>();

    LockConvoyFinder(Trace trace, WaitIndex waits) {
        this.threads = trace.threads();
        this.waits = waits;
    }

    /**
     * Finds the convoy in which a thread went.
     *
     * @return the waits of others for the same lock that were over before; null if there are too few, or if they took less than
     *     half of the time
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

    /** Of a monitor the runtime counts who waits already; those and the ones that had it meanwhile must be enough. */
    private static boolean isTooFewByCount(Wait wait) {
        return wait.kind() == WaitKind.MONITOR
                && wait.waiters() + wait.otherOwnersIntervals().size() < VerdictRules.MIN_CONVOY_THREADS;
    }

    /** The waits of other threads for a lock of the same name that ended during this one, in order of their ends. */
    private static List<BlockedInterval> before(BlockedInterval interval, Wait wait, List<BlockedInterval> byEnd) {
        List<BlockedInterval> before = new ArrayList<>();
        for (int i = firstEndingAfter(byEnd, interval.startNs());
                i < byEnd.size() && byEnd.get(i).endNs() < interval.endNs();
                i++) {
            BlockedInterval other = byEnd.get(i);
            if (other.utid() != interval.utid() && !other.open()) {
                WaitSource.Reason reason = other.source().reason(other);
                if (reason.kind() == wait.kind() && reason.target().equals(wait.target())) {
                    before.add(other);
                }
            }
        }
        return before;
    }

    /** The threads that got the lock one after the other. */
    private static final class Row {
        /** Who had the lock at some time. */
        private final Set<Integer> owners = new HashSet<>();

        /** Who had it already when the wait began: what such a one waits for is a further lock. */
        private final Set<Integer> firstOwners = new HashSet<>();

        private final Set<Integer> followed = new HashSet<>();
        private int waits;
        private long first = Long.MAX_VALUE;
        private long last = Long.MIN_VALUE;

        /** Follows the lock from who had it when a wait began, through the waits that ended during it, in order of their ends. */
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

        /** Follows the lock back from who had it last, through the waits that ended before, in order of their ends. */
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
        int low = 0;
        int high = byEnd.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (byEnd.get(middle).endNs() <= ts) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** In order of their ends: that is when the lock was handed over. */
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
