package dev.unjank.doctor.model;

import java.util.List;

/**
 * The blocked time of all threads that a diagnosis covers, by kind. Each moment of a thread counts once: for the wait
 * that the trace records, otherwise for the pause of its process, otherwise for its scheduling state.
 *
 * @param threads number of threads with blocked time
 * @param kinds the kinds that occurred, the longest first; {@link BlockedKind#IDLE} last
 */
public record BlockedTime(int threads, List<KindTotal> kinds) {
    /** Copies the list. */
    public BlockedTime {
        kinds = List.copyOf(kinds);
    }

    /**
     * The blocked time of one kind.
     *
     * @param kind the kind
     * @param threads number of threads that were blocked like this
     * @param durNs the sum of their times, ns
     */
    public record KindTotal(BlockedKind kind, int threads, long durNs) {}

    /** {@return the sum of all kinds, ns} */
    public long totalNs() {
        return kinds.stream().mapToLong(KindTotal::durNs).sum();
    }

    /** {@return the sum of all kinds other than idle time, ns} */
    public long busyNs() {
        return totalNs() - ns(BlockedKind.IDLE);
    }

    /**
     * {@return the blocked time of a kind, ns}
     *
     * @param kind the kind
     */
    public long ns(BlockedKind kind) {
        return kinds.stream()
                .filter(total -> total.kind() == kind)
                .mapToLong(KindTotal::durNs)
                .sum();
    }
}
