package dev.unjank.doctor;

import dev.unjank.trace.Threads;
import dev.unjank.trace.Trace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the waits for one lock that followed one another before a wait was over. A trace does not tell which lock it is, and its
 * address would not: the garbage collector moves it. So waits of one process are for one lock if they are for a lock of the same
 * name or class, as far as that is told, overlap, and have an owner in common. Where the runtime names who had the lock when a wait
 * began, whoever got it is an owner from then on; where the owner is only inferred, it is the one that had it last, and whoever
 * that one got it from had it before.
 */
final class Convoys {
    private final Threads threads;
    private final Waits waits;
    private final Map<Integer, List<Stall>> lockWaits = new ConcurrentHashMap<>();

    Convoys(Trace trace, Waits waits) {
        this.threads = trace.threads();
        this.waits = waits;
    }

    /**
     * Finds the convoy in which a thread went.
     *
     * @param stall its wait
     * @param wait the same as a tree
     * @return the waits of others for the same lock that were over before; null if there are too few, or if they took less than
     *     half of the time
     */
    @Nullable
    Convoy of(Stall stall, Wait wait) {
        int upid = threads.upid(stall.utid());
        if (upid < 0 || !wait.kind().isLock() || isTooFewByCount(wait)) {
            return null;
        }
        List<Stall> before = before(stall, wait, lockWaits.computeIfAbsent(upid, this::lockWaitsOf));
        Claim last = stall.source().claims(stall).getLast();
        Row row = last.owner().evidence() == Evidence.WAKER_INFERRED
                ? Row.before(last, before)
                : Row.after(stall, before);
        return row.convoy(wait);
    }

    /** Of a monitor the runtime counts who waits already; those and the ones that had it meanwhile must be enough. */
    private static boolean isTooFewByCount(Wait wait) {
        return wait.kind() == WaitKind.MONITOR
                && wait.waiters() + wait.ownersTenures().size() < Rules.LEAST_CONVOY;
    }

    /** The waits of other threads for a lock of the same name that ended during this one, in order of their ends. */
    private static List<Stall> before(Stall stall, Wait wait, List<Stall> byEnd) {
        List<Stall> before = new ArrayList<>();
        for (int i = firstEndingAfter(byEnd, stall.startNs());
                i < byEnd.size() && byEnd.get(i).endNs() < stall.endNs();
                i++) {
            Stall other = byEnd.get(i);
            if (other.utid() != stall.utid() && !other.open()) {
                WaitSource.Reason reason = other.source().reason(other);
                if (reason.kind() == wait.kind() && reason.what().equals(wait.what())) {
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
        static Row after(Stall stall, List<Stall> others) {
            Row row = new Row();
            List<Claim> claims = stall.source().claims(stall);
            row.addOwner(claims.getFirst());
            row.firstOwners.addAll(row.owners);
            claims.forEach(row::addOwner);
            for (Stall other : others) {
                boolean inherits = row.owners.contains(other.utid()) || row.hasOwnerOf(other);
                if (inherits && !row.firstOwners.contains(other.utid())) {
                    row.owners.add(other.utid());
                    row.add(other);
                }
            }
            return row;
        }

        /** Follows the lock back from who had it last, through the waits that ended before, in order of their ends. */
        static Row before(Claim last, List<Stall> others) {
            Row row = new Row();
            row.addOwner(last);
            for (Stall other : others.reversed()) {
                if (row.owners.contains(other.utid())) {
                    other.source().claims(other).forEach(row::addOwner);
                    row.add(other);
                }
            }
            return row;
        }

        private void addOwner(Claim claim) {
            if (claim.owner().thread().isInTrace()) {
                owners.add(claim.owner().thread().utid());
            }
        }

        private boolean hasOwnerOf(Stall other) {
            return other.source().claims(other).stream()
                    .anyMatch(claim -> owners.contains(claim.owner().thread().utid()));
        }

        private void add(Stall other) {
            followed.add(other.utid());
            waits++;
            first = Math.min(first, other.endNs());
            last = Math.max(last, other.endNs());
        }

        @Nullable
        Convoy convoy(Wait wait) {
            boolean most = waits > 0 && wait.endNs() - first >= wait.durNs() / 2;
            return most && followed.size() >= Rules.LEAST_CONVOY
                    ? new Convoy(waits, followed.size(), first, last)
                    : null;
        }
    }

    private static int firstEndingAfter(List<Stall> byEnd, long ts) {
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
    private List<Stall> lockWaitsOf(int upid) {
        List<Stall> found = new ArrayList<>();
        for (int utid = 0; utid < threads.size(); utid++) {
            if (threads.upid(utid) == upid) {
                for (Stall stall : waits.outermost(utid)) {
                    if (stall.source().isForLock(stall)) {
                        found.add(stall);
                    }
                }
            }
        }
        found.sort(Order.ascending(Stall::endNs));
        return found;
    }
}
