package dev.unjank.doctor.judge;

import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The times in which threads held locks or resources that others waited for. A sleep or I/O of such a thread in that
 * time is what it did meanwhile: a part of the root cause of these waits, not another one.
 */
final class OwnersSleeps {
    // The divisors of a sleep for the least part of it in which others waited.
    private static final int LEAST_OF_OWNER = 2;
    private static final int LEAST_OF_HOLDER = 4;

    private final Map<Integer, List<Held>> byThread = new HashMap<>();

    /** An interval in which a thread held a lock or a resource of a root cause while another thread waited for it. */
    private record Held(long fromNs, long toNs, CauseGroup group) {}

    OwnersSleeps(Collection<CauseGroup> groups) {
        for (CauseGroup group : groups) {
            if (group.key().kind().isLock() || group.key().kind() == WaitKind.RESOURCE) {
                group.members().forEach(member -> add(member.incident().rootWait(), group));
            }
        }
        byThread.values().forEach(held -> held.sort(Comparator.comparingLong(Held::fromNs)));
    }

    private void add(Wait wait, CauseGroup group) {
        wait.forEachLeaf(leaf -> {
            if (leaf.thread().isInTrace()
                    && leaf.thread().utid() != wait.thread().utid()) {
                byThread.computeIfAbsent(leaf.thread().utid(), _ -> new ArrayList<>())
                        .add(new Held(leaf.startNs(), leaf.startNs() + leaf.durNs(), group));
            }
        });
    }

    /** {@return whether an incident is a sleep or I/O of a thread} */
    static boolean isOwn(Incident incident) {
        WaitKind kind = incident.rootWait().kind();
        return kind == WaitKind.SLEEP || kind == WaitKind.IO;
    }

    /**
     * The divisor of a sleep for its least part: of several holders of a resource, waiters wait for the next one to
     * return it.
     */
    static int leastShare(CauseGroup group) {
        return group.key().kind() == WaitKind.RESOURCE ? LEAST_OF_HOLDER : LEAST_OF_OWNER;
    }

    /**
     * {@return the root cause of the lock that others waited for during at least half of a sleep, or of the resource
     * during a quarter; null if there is none}
     */
    @Nullable
    CauseGroup causeOf(Incident sleep) {
        Wait wait = sleep.rootWait();
        Map<CauseGroup, Long> sums = new HashMap<>();
        Map<CauseGroup, Long> ends = new HashMap<>();
        for (Held held : byThread.getOrDefault(wait.thread().utid(), List.of())) {
            long from = Math.max(Math.max(held.fromNs, wait.startNs()), ends.getOrDefault(held.group, Long.MIN_VALUE));
            long to = Math.min(held.toNs, wait.endNs());
            if (from < to) {
                sums.merge(held.group, to - from, Long::sum);
                ends.put(held.group, to);
            }
        }
        return sums.entrySet().stream()
                .filter(sum -> leastShare(sum.getKey()) * sum.getValue() >= wait.durNs())
                .max(Map.Entry.<CauseGroup, Long>comparingByValue()
                        .thenComparingInt(sum -> -sum.getKey().number()))
                .map(Map.Entry::getKey)
                .orElse(null);
    }
}
