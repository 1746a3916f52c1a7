package dev.unjank.doctor.judge;

import dev.unjank.doctor.find.coverage.TraceCoverage;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Wait;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Sums the owners' states over the whole wait, including the time after the lock was released. */
final class OwnerStateTotals {
    private final ThreadStates states;
    private final TraceCoverage coverage;

    OwnerStateTotals(Trace trace, TraceCoverage known) {
        this.coverage = known;
        this.states = trace.threadStates();
    }

    List<Incident.StateDuration> of(Wait wait) {
        Map<OwnerState, Long> sums = new EnumMap<>(OwnerState.class);
        List<OwnerInterval> owners = wait.otherOwnersIntervals();
        for (OwnerInterval ownerInterval : owners) {
            for (Segment part : ownerInterval.segments()) {
                sums.merge(part.state(), part.durNs(), Long::sum);
            }
        }
        addAfterWakeUp(owners.getLast().owner().thread(), wait.wokenNs(), wait.endNs(), sums);
        List<Incident.StateDuration> times = new ArrayList<>();
        sums.forEach((state, sum) -> times.add(new Incident.StateDuration(state, sum)));
        times.sort(LongOrder.descending(Incident.StateDuration::durNs));
        return times;
    }

    private void addAfterWakeUp(ThreadRef owner, long from, long to, Map<OwnerState, Long> sums) {
        long at = from;
        if (owner.isInTrace()) {
            int utid = owner.utid();
            for (int row = Math.max(states.at(utid, from), states.first(utid));
                    row < states.end(utid) && states.ts(row) < to;
                    row++) {
                long start = Math.max(at, states.ts(row));
                long end = Math.min(to, coverage.endNs(row));
                if (start < end) {
                    add(OwnerState.UNKNOWN, start - at, sums);
                    add(OwnerState.of(states, row), end - start, sums);
                    at = end;
                }
            }
        }
        add(OwnerState.UNKNOWN, to - at, sums);
    }

    private static void add(OwnerState state, long ns, Map<OwnerState, Long> sums) {
        if (ns > 0) {
            sums.merge(state, ns, Long::sum);
        }
    }
}
