package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.scene.LockTurns;
import dev.unjank.doctor.scene.LockTurns.Activity;
import dev.unjank.doctor.scene.RecomputedVerdict;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * More data never gives a worse answer: the same scene with scheduler events and without. What the recording without
 * them knows of a wait, the other one knows as well; where their verdicts differ, the times of the recording with more
 * data require it.
 */
class MoreDataPropertyTest {
    /** The verdicts that scheduler events may add to each verdict without them. */
    private static final Map<Verdict, Set<Verdict>> REFINED = new EnumMap<>(Map.of(
            Verdict.UNKNOWN,
            Set.of(Verdict.LONG_HOLD, Verdict.SLEEPING_OWNER, Verdict.RUNNABLE_OWNER, Verdict.GC_BLOCKED),
            Verdict.SLEEPING_OWNER,
            Set.of(Verdict.LONG_HOLD, Verdict.RUNNABLE_OWNER, Verdict.GC_BLOCKED),
            Verdict.GC_BLOCKED,
            Set.of(Verdict.LONG_HOLD, Verdict.RUNNABLE_OWNER, Verdict.SLEEPING_OWNER),
            Verdict.LONG_HOLD,
            Set.of(Verdict.RUNNABLE_OWNER, Verdict.SLEEPING_OWNER),
            Verdict.LOCK_CONVOY,
            Set.of()));

    @Property(tries = 300)
    void schedulerEventsRefineAVerdict(@ForAll long seed) {
        LockTurns turns = LockTurns.random(new Random(seed), List.of(Activity.values()));
        Map<Long, Incident> with = lockWaits(turns.recorded(true));
        Map<Long, Incident> without = lockWaits(turns.recorded(false));
        assertThat(with.keySet()).isEqualTo(without.keySet());
        without.forEach((key, incident) -> assertRefined(incident, with.get(key)));
    }

    private static Map<Long, Incident> lockWaits(SyntheticJvmTrace stage) {
        return stage.diagnose(SceneDiagnoses.EVERYTHING).incidents().stream()
                .filter(incident -> incident.rootWait().kind().isLock())
                .collect(Collectors.toMap(
                        incident -> incident.rootWait().startNs() * 1000
                                + incident.rootWait().thread().tid(),
                        incident -> incident));
    }

    private static void assertRefined(Incident less, Incident more) {
        assertThat(more.rootWait().durNs()).isEqualTo(less.rootWait().durNs());
        assertThat(more.owner().thread().tid()).isEqualTo(less.owner().thread().tid());
        Map<OwnerState, Long> statesLess = SceneDiagnoses.states(less);
        Map<OwnerState, Long> statesMore = SceneDiagnoses.states(more);
        assertThat(time(statesMore, OwnerState.UNKNOWN)).isLessThanOrEqualTo(time(statesLess, OwnerState.UNKNOWN));
        for (OwnerState known : List.of(OwnerState.GC_PAUSE, OwnerState.SLEEPING)) {
            assertThat(time(statesMore, known)).as("" + known).isGreaterThanOrEqualTo(time(statesLess, known));
        }
        if (more.verdict() != less.verdict()) {
            assertThat(REFINED.get(less.verdict()))
                    .as("instead of " + less.verdict())
                    .contains(more.verdict());
            Map<Verdict, Long> sums = RecomputedVerdict.sums(more);
            assertThat(sums.get(more.verdict())).isGreaterThanOrEqualTo(sums.getOrDefault(less.verdict(), 0L));
        }
    }

    private static long time(Map<OwnerState, Long> states, OwnerState state) {
        return states.getOrDefault(state, 0L);
    }
}
