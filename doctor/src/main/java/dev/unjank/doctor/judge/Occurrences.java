package dev.unjank.doctor.judge;

import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.trace.collections.LongOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts events behind incidents: waits of several threads for the same owner that have a moment in common are one
 * event. The moment is within the interval of their longest owner, since a lock can change hands during a wait.
 */
final class Occurrences {
    private Occurrences() {}

    /** {@return the number of events, at least one} */
    static int count(List<Incident> incidents) {
        Map<Object, List<OwnerInterval>> byOwner = new LinkedHashMap<>();
        for (Incident incident : incidents) {
            OwnerInterval longest = incident.rootWait().longestOwnerInterval();
            ThreadRef owner = longest.owner().thread();
            Object key = owner.isInTrace() ? owner.utid() : owner.tid() + " " + owner.name();
            byOwner.computeIfAbsent(key, _ -> new ArrayList<>()).add(longest);
        }
        return byOwner.values().stream().mapToInt(Occurrences::events).sum();
    }

    /** The smallest number of moments such that each interval contains one. */
    private static int events(List<OwnerInterval> intervals) {
        intervals.sort(LongOrder.ascending(OwnerInterval::endNs));
        int events = 0;
        long moment = Long.MIN_VALUE;
        for (OwnerInterval interval : intervals) {
            if (events == 0 || interval.startNs() >= moment) {
                events++;
                moment = interval.endNs();
            }
        }
        return events;
    }
}
