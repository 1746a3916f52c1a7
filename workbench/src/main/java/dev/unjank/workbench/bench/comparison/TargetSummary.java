package dev.unjank.workbench.bench.comparison;

import dev.unjank.workbench.bench.comparison.TargetResult.Met;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The results of the targets in a run: how many are met, which are lost, and which are recorded as met.
 *
 * <p>A target that was met and can no longer be measured counts as missed, since the measurement may have timed out
 * because of the regression.
 */
final class TargetSummary {
    private final Set<String> known;
    private final Set<String> judged = new TreeSet<>();
    private final Set<String> surelyMet = new TreeSet<>();
    private final Set<String> lost = new TreeSet<>();
    private final Map<Met, Integer> counts = new EnumMap<>(Met.class);

    /** Creates an empty summary; {@code known} are the targets that were met before. */
    TargetSummary(Set<String> known) {
        this.known = known;
    }

    /** The targets that were met before and are now missed by more than their confidence interval, or not measured. */
    Set<String> missed(Map<String, TargetResult> judgements) {
        Set<String> missed = new TreeSet<>();
        judgements.forEach((target, judgement) -> {
            boolean surelyNot = judgement.met() == Met.NO && judgement.surely();
            if (known.contains(target) && (surelyNot || judgement.met() == Met.NOT_MEASURED)) {
                missed.add(target);
            }
        });
        return missed;
    }

    /** Adds the targets that were missed twice, each time with fresh JVMs. */
    void lose(Set<String> missed, Set<String> missedAgain) {
        missed.stream().filter(missedAgain::contains).forEach(lost::add);
    }

    /** Adds the results of a benchmark. */
    void count(Map<String, TargetResult> judgements) {
        judgements.forEach((target, judgement) -> {
            counts.merge(judgement.met(), 1, Integer::sum);
            if (judgement.met() != Met.NOT_MEASURED) {
                judged.add(target);
            }
            if (judgement.met() == Met.YES && judgement.surely()) {
                surelyMet.add(target);
            }
        });
    }

    /** Counts targets that cannot be measured on this machine or by this user. They stay recorded and are not lost. */
    void skip(int targets) {
        counts.merge(Met.NOT_MEASURED, targets, Integer::sum);
    }

    int count(Met met) {
        return counts.getOrDefault(met, 0);
    }

    Set<String> lost() {
        return Set.copyOf(lost);
    }

    /** The targets to record as met: those met with a margin, and recorded ones that were not measured. */
    Set<String> toRecord() {
        Set<String> toRecord = new TreeSet<>(known);
        toRecord.removeAll(judged);
        toRecord.addAll(surelyMet);
        return toRecord;
    }
}
