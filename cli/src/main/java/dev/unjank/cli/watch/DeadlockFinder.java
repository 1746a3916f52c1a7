package dev.unjank.cli.watch;

import dev.unjank.record.jvm.BlockedThread;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds deadlocks: threads that wait for each other in a cycle. */
final class DeadlockFinder {
    /** The minimum age of a wait: two waits sampled at different times can form a cycle that never existed. */
    static final long LEAST_NANOS = 1_000_000_000;

    private DeadlockFinder() {}

    /** The Java thread ids of all threads in cycles. */
    static Set<Long> in(List<BlockedThread> blocked, long now) {
        Map<Long, Long> owners = new HashMap<>();
        for (BlockedThread each : blocked) {
            if (now - each.sinceNs() >= LEAST_NANOS) {
                owners.put(each.waiter().javaId(), each.owner().javaId());
            }
        }
        Set<Long> found = new HashSet<>();
        for (Long start : owners.keySet()) {
            Long at = owners.get(start);
            for (int steps = 0; at != null && !at.equals(start) && steps < owners.size(); steps++) {
                at = owners.get(at);
            }
            if (start.equals(at)) {
                found.add(start);
            }
        }
        return found;
    }
}
