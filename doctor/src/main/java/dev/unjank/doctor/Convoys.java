package dev.unjank.doctor;

import dev.unjank.trace.Threads;
import dev.unjank.trace.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the waits for one lock that followed one another before a wait was over. A trace does not tell which lock it is, and its
 * address would not: the garbage collector moves it. So waits of one process are for one lock if they overlap and have an owner
 * in common, where a thread that got the lock is an owner from then on.
 */
final class Convoys {
    private final Threads threads;
    private final Waits waits;
    private final Map<Integer, List<Stall>> lockWaits = new HashMap<>();

    Convoys(Trace trace, Waits waits) {
        this.threads = trace.threads();
        this.waits = waits;
    }

    /**
     * Finds the convoy in which a thread went.
     *
     * @param wait its wait
     * @return the waits of others for the same lock that were over before; null if there are too few, or if they took less than
     *     half of the time
     */
    @Nullable
    Convoy of(Wait wait) {
        int hands = wait.ownersTenures().size();
        if (!wait.kind().isLock() || wait.waiters() + hands < Rules.LEAST_CONVOY) {
            return null;
        }
        int upid = threads.upid(wait.thread().utid());
        if (upid < 0) {
            return null;
        }
        Set<Integer> owners = new HashSet<>();
        wait.ownersTenures()
                .forEach(tenure -> owners.add(tenure.owner().thread().utid()));
        Set<Integer> followed = new HashSet<>();
        int count = 0;
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        List<Stall> byEnd = lockWaits.computeIfAbsent(upid, this::lockWaitsOf);
        for (int i = firstEndingAfter(byEnd, wait.startNs());
                i < byEnd.size() && byEnd.get(i).endNs() < wait.endNs();
                i++) {
            Stall other = byEnd.get(i);
            if (other.utid() != wait.thread().utid()
                    && !other.open()
                    && (owners.contains(other.utid()) || hasOwnerIn(other, owners))) {
                owners.add(other.utid());
                followed.add(other.utid());
                count++;
                first = Math.min(first, other.endNs());
                last = Math.max(last, other.endNs());
            }
        }
        boolean most = count > 0 && wait.endNs() - first >= wait.durNs() / 2;
        return most && followed.size() >= Rules.LEAST_CONVOY ? new Convoy(count, followed.size(), first, last) : null;
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

    private static boolean hasOwnerIn(Stall stall, Set<Integer> owners) {
        for (Claim claim : stall.source().claims(stall)) {
            if (owners.contains(claim.owner().thread().utid())) {
                return true;
            }
        }
        return false;
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
        found.sort(Comparator.comparingLong(Stall::endNs));
        return found;
    }
}
