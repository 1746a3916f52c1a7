package dev.unjank.doctor.model.cause;

import dev.unjank.doctor.model.Verdict;
import dev.unjank.trace.collections.LongOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The root causes of a diagnosis, by rank.
 *
 * @param measure the time by which they are ranked
 * @param causes the root causes, the most expensive first
 */
public record RootCauses(CostMeasure measure, List<RootCause> causes) {
    /** Copies the list. */
    public RootCauses {
        causes = List.copyOf(causes);
    }

    /**
     * {@return root causes in the order of their cost, then of their total wait; deadlocks, which do not end, come
     * first}
     *
     * @param measure the measure of the cost
     * @param causes the root causes in any order
     */
    public static RootCauses ranked(CostMeasure measure, List<RootCause> causes) {
        Comparator<RootCause> order = LongOrder.descending(cause -> cause.verdict() == Verdict.DEADLOCK ? 1 : 0);
        List<RootCause> sorted = new ArrayList<>(causes);
        sorted.sort(order.thenComparing(LongOrder.descending(RootCause::costNs))
                .thenComparing(LongOrder.descending(RootCause::totalNs))
                .thenComparing(cause -> cause.incidents().getFirst()));
        for (int i = 0; i < sorted.size(); i++) {
            sorted.set(i, sorted.get(i).withRank(i + 1));
        }
        return new RootCauses(measure, sorted);
    }

    /** {@return the rank of the root cause of each incident, by the incident's id} */
    public Map<Integer, Integer> rankByIncident() {
        Map<Integer, Integer> ranks = new HashMap<>();
        causes.forEach(cause -> cause.incidents().forEach(id -> ranks.put(id, cause.rank())));
        return ranks;
    }

    /**
     * {@return the rank of the root cause with a key; 0 if there is none}
     *
     * @param key the key
     */
    public int rank(RootCause.Key key) {
        return causes.stream()
                .filter(cause -> cause.key().equals(key))
                .mapToInt(RootCause::rank)
                .findFirst()
                .orElse(0);
    }

    /** {@return whether the cost of each root cause is the sum of its waits} */
    public boolean isRankedByTotal() {
        return causes.stream().allMatch(cause -> cause.costNs() == cause.totalNs());
    }

    /** {@return the sum of all waits, ns} */
    public long totalNs() {
        return causes.stream().mapToLong(RootCause::totalNs).sum();
    }
}
