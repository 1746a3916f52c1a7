package dev.unjank.doctor.judge;

import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.collections.BinarySearch;
import dev.unjank.trace.collections.LongOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pauses of whole processes and their root causes. A lock whose owner was stopped, or a sleep that lasted longer,
 * because of a pause is a part of the root cause of the pause, not another one.
 */
final class PauseCauses {
    private final Map<Integer, List<Pause>> byProcess = new HashMap<>();

    /** A pause of a root cause. */
    private record Pause(long fromNs, long toNs, CauseGroup group) {}

    PauseCauses(Collection<CauseGroup> groups) {
        for (CauseGroup group : groups) {
            for (CauseGroup.Member member : group.members()) {
                Wait wait = member.incident().rootWait();
                if (wait.isProcessPause() && wait.kind() != WaitKind.STOP) {
                    byProcess
                            .computeIfAbsent(wait.thread().upid(), _ -> new ArrayList<>())
                            .add(new Pause(wait.startNs(), wait.endNs(), group));
                }
            }
        }
        byProcess.values().forEach(pauses -> pauses.sort(LongOrder.ascending(Pause::fromNs)));
    }

    /**
     * {@return the root cause of the pauses that explain a wait: of at least half of the paused time in it; null if
     * there is none}
     */
    @Nullable
    CauseGroup causeOf(Incident incident) {
        Wait wait = incident.rootWait();
        boolean isOfPause = incident.verdict() == Verdict.GC_BLOCKED || incident.verdict() == Verdict.SAFEPOINT_BLOCKED;
        List<Pause> pauses = byProcess.getOrDefault(wait.thread().upid(), List.of());
        if (!isOfPause || wait.isProcessPause() || pauses.isEmpty()) {
            return null;
        }
        Map<CauseGroup, Long> sums = new HashMap<>();
        long[] pausedNs = {0};
        wait.forEachLeaf(leaf -> {
            if (leaf.state().isPause()) {
                pausedNs[0] += leaf.durNs();
                addOverlaps(leaf, pauses, sums);
            }
        });
        return sums.entrySet().stream()
                .filter(sum -> 2 * sum.getValue() >= pausedNs[0])
                .max(LongOrder.<Map.Entry<CauseGroup, Long>>ascending(Map.Entry::getValue)
                        .thenComparing(LongOrder.descending(sum -> sum.getKey().number())))
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    private static void addOverlaps(Segment leaf, List<Pause> pauses, Map<CauseGroup, Long> sums) {
        long endNs = leaf.startNs() + leaf.durNs();
        int first = BinarySearch.first(0, pauses.size(), i -> pauses.get(i).toNs > leaf.startNs());
        for (int i = first; i < pauses.size() && pauses.get(i).fromNs < endNs; i++) {
            long ns = Math.min(endNs, pauses.get(i).toNs) - Math.max(leaf.startNs(), pauses.get(i).fromNs);
            sums.merge(pauses.get(i).group, ns, Long::sum);
        }
    }
}
