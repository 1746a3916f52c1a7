package dev.unjank.doctor.judge;

import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Wait;
import dev.unjank.trace.collections.LongOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lock of several waits, as far as the trace identifies it. Locks of one class in one
 * process count as one: other identities, such as an address, which a collector changes, are not kept.
 *
 * @param longest the longest of these waits, which has the lock and the process
 * @param waits how many there were, at least two
 * @param durNs for how long in all, in ns; threads that waited at the same time count each
 * @param longestOwner the longest owner; null if no owner is recorded
 * @param longestOwnerNs for how much of it, in ns
 * @param explainedNs the time of which the trace records why the threads did not continue: the owner, or that the lock
 *     was free and they lacked a CPU; in ns
 */
public record LockWaitTotal(
        Incident longest,
        int waits,
        long durNs,
        @Nullable ThreadRef longestOwner,
        long longestOwnerNs,
        long explainedNs) {

    /** Sums the waits for each lock. */
    public static List<LockWaitTotal> of(List<Incident> incidents) {
        Map<List<Object>, Sum> sums = new LinkedHashMap<>();
        for (Incident incident : incidents) {
            Wait wait = incident.rootWait();
            if (wait.isLockIdentified()) {
                List<Object> lock = List.of(wait.thread().upid(), wait.kind(), wait.target());
                sums.computeIfAbsent(lock, _ -> new Sum(incident)).add(incident);
            }
        }
        List<LockWaitTotal> totals = new ArrayList<>();
        for (Sum sum : sums.values()) {
            if (sum.waits > 1) {
                totals.add(sum.total());
            }
        }
        totals.sort(LongOrder.descending(LockWaitTotal::durNs));
        return totals;
    }

    private static final class Sum {
        private final Map<Object, long[]> behind = new HashMap<>(); // by owner
        private Incident longest;
        private @Nullable ThreadRef holder;
        private long heldNs;
        private long explainedNs;
        private long durNs;
        private int waits;

        Sum(Incident first) {
            longest = first;
        }

        void add(Incident incident) {
            Wait wait = incident.rootWait();
            waits++;
            durNs += wait.durNs();
            explainedNs += wait.wakeDelayNs();
            if (wait.durNs() > longest.rootWait().durNs()) {
                longest = incident;
            }
            for (OwnerInterval ownerInterval : wait.otherOwnersIntervals()) {
                ThreadRef owner = ownerInterval.owner().thread();
                if (owner.isKnown()) {
                    Object who = owner.isInTrace() ? owner.utid() : owner.tid() + " " + owner.name();
                    long[] its = behind.computeIfAbsent(who, _ -> new long[1]);
                    its[0] += ownerInterval.durNs();
                    explainedNs += ownerInterval.durNs();
                    if (its[0] > heldNs) {
                        heldNs = its[0];
                        holder = owner;
                    }
                }
            }
        }

        LockWaitTotal total() {
            return new LockWaitTotal(longest, waits, durNs, holder, heldNs, explainedNs);
        }
    }
}
