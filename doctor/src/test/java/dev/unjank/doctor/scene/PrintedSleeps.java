package dev.unjank.doctor.scene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.DurationFormat;
import dev.unjank.doctor.report.ResponsibleThread;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the state and the time of the decisive owners from the sentences on an incident, and compares them with each
 * other and with the owners' states.
 */
final class PrintedSleeps {
    private static final Pattern REASON =
            Pattern.compile(", the .*?\\b(?:was|were) (?:(running) )?(.*?) ?for (\\S+ m?s)\\.");
    private static final Pattern OWNER =
            Pattern.compile(", ([^,]*(?:, [^,]*)?) for (\\S+ m?s)(?: in total)?( while holding .*)?$");

    /** The words for states, as the sentences join them. */
    private static final Map<String, OwnerState> WORDS = Map.of(
            "asleep", OwnerState.SLEEPING,
            "waiting for I/O", OwnerState.IO_WAIT,
            "in uninterruptible sleep", OwnerState.UNINTERRUPTIBLE,
            "itself blocked", OwnerState.BLOCKED);

    private PrintedSleeps() {}

    static void assertTrue(Incident incident, String reason, String activity) {
        if (incident.verdict() == Verdict.SLEEPING_OWNER) {
            assertSleep(incident, reason, activity);
        }
        if (incident.verdict() == Verdict.LONG_HOLD || incident.verdict() == Verdict.SLOW_REPLY) {
            assertPartOfWhole(incident, EnumSet.of(OwnerState.RUNNING), activity);
        }
    }

    private static void assertSleep(Incident incident, String reason, String activity) {
        String time = DurationFormat.time(incident.judgement().decisiveNs());
        Matcher found = REASON.matcher(reason);
        assertThat(found.find()).as(reason).isTrue();
        assertThat(found.group(3)).as(reason).isEqualTo(time);
        Set<OwnerState> states = EnumSet.noneOf(OwnerState.class);
        for (String word : found.group(2).split(", | or ", -1)) {
            assertThat(WORDS).as(reason).containsKey(word);
            states.add(WORDS.get(word));
        }
        // Behind a further owner the states are those of other threads than the printed ones.
        boolean isDirect = incident.timeIn(OwnerState.BLOCKED) == 0;
        if (isDirect) {
            assertThat(incident.ownerStates())
                    .as(reason)
                    .extracting(Incident.StateDuration::state)
                    .containsAll(states);
        }
        Set<OwnerState> inTree = EnumSet.noneOf(OwnerState.class);
        incident.rootWait().forEachLeaf(leaf -> inTree.add(leaf.state()));
        states.remove(OwnerState.BLOCKED);
        assertThat(inTree).as(reason).containsAll(states);
        if (!inTree.contains(OwnerState.SLEEPING)) {
            assertThat(states).as(reason).doesNotContain(OwnerState.SLEEPING);
        }
        assertPartOfWhole(incident, states, activity);
        String owner = ResponsibleThread.field(incident);
        Matcher printed = OWNER.matcher(owner);
        assertThat(printed.find()).as(owner).isTrue();
        assertThat(owner).contains(", " + found.group(2) + " for " + time);
    }

    /** If the states have more time than decided the verdict, the sentence says which time more. */
    private static void assertPartOfWhole(Incident incident, Set<OwnerState> states, String activity) {
        long ns = incident.ownerStates().stream()
                .filter(time -> states.contains(time.state()))
                .mapToLong(Incident.StateDuration::durNs)
                .sum();
        long delayNs = incident.rootWait().wakeDelayNs();
        if (ns > incident.judgement().decisiveNs() && delayNs > 0 && activity.startsWith("During the wait, ")) {
            assertThat(activity)
                    .contains("These times include the " + DurationFormat.time(delayNs) + " after the wake-up.");
        }
    }
}
