package dev.unjank.doctor.scene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.report.DurationFormat;
import dev.unjank.doctor.report.VerdictMessages;
import dev.unjank.doctor.report.WaitMessages;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the sentences that the reports print on an incident, and compares them with its numbers. */
final class PrintedSentences {
    private static final Pattern DURATION = Pattern.compile("(?<![\\w.])(\\d+\\.\\d{3}) (s|ms)\\b");
    private static final Pattern AFTER_WAKE_UP = Pattern.compile(" then (.*)\\.$");

    /** The phrases for states, as they stand before a duration. */
    private static final Map<String, OwnerState> PHRASES = Map.of(
            "ran for ", OwnerState.RUNNING,
            "was runnable (waiting for a CPU) for ", OwnerState.RUNNABLE,
            "slept for ", OwnerState.SLEEPING,
            "waited for I/O for ", OwnerState.IO_WAIT,
            "was itself blocked for ", OwnerState.BLOCKED);

    private PrintedSentences() {}

    /** A sentence names no state that the numbers contradict, and no time longer than the wait. */
    static void assertTrue(Incident incident) {
        Wait wait = incident.rootWait();
        String reason = VerdictMessages.of(incident);
        String activity = WaitMessages.ownerActivity(incident);
        assertDurations(reason, wait);
        PrintedSleeps.assertTrue(incident, reason, activity);
        if (incident.owner().thread().name() != null) {
            assertThat(WaitMessages.evidence(incident)).isNotEqualTo("the owner is unknown");
        }
        if (incident.backlog() == null) {
            assertDurations(activity, wait);
        }
        if (reason.contains("largest share")) {
            assertLargest(incident);
        }
        if (reason.contains("not lower than the waiter's")) {
            assertThat(incident.invertedNs()).as(reason).isZero();
        }
        assertThat(reason.startsWith("No verdict")).isEqualTo(incident.verdict() == Verdict.UNKNOWN);
        if (activity.equals("The owner is not recorded.")) {
            assertThat(incident.owner().thread().isKnown()).isFalse();
        }
        assertMainThreads(incident, activity);
        if (activity.startsWith("During the wait, ") && !wait.isProcessPause()) {
            assertStates(incident, activity);
        }
        if (activity.contains(" was woken and then ") || activity.contains("The lock was released after ")) {
            assertAfterWakeUp(wait, activity);
        }
    }

    private static void assertDurations(String sentence, Wait wait) {
        for (MatchResult found : DURATION.matcher(sentence).results().toList()) {
            double ms = Double.parseDouble(found.group(1)) * (found.group(2).equals("s") ? 1e3 : 1);
            double rounding = found.group(2).equals("s") ? 0.5 : 0.0005;
            assertThat(ms).as(sentence).isLessThanOrEqualTo(wait.durNs() / 1e6 + rounding + 1e-9);
        }
    }

    /** No other verdict has more time. */
    private static void assertLargest(Incident incident) {
        RecomputedVerdict.sums(incident)
                .forEach((verdict, ns) -> assertThat(ns)
                        .as(VerdictMessages.of(incident) + " / " + verdict)
                        .isLessThanOrEqualTo(Math.max(incident.judgement().decisiveNs(), 200_000)));
    }

    private static void assertMainThreads(Incident incident, String activity) {
        ThreadRef waiter = incident.rootWait().thread();
        ThreadRef owner = incident.owner().thread();
        if (owner.main() && owner.upid() != waiter.upid()) {
            assertThat(activity)
                    .doesNotContain("During the wait, the main thread ran", "During the wait, the main thread was");
        }
    }

    /** Each printed state has the printed time, and none with a time is missing. */
    private static void assertStates(Incident incident, String activity) {
        String sentence = activity.split("\\. (?=These times|The lock was|After )", 2)[0];
        Map<OwnerState, Long> states = new EnumMap<>(OwnerState.class);
        for (Incident.StateDuration time : incident.ownerStates()) {
            states.merge(time.state(), time.durNs(), Long::sum);
        }
        PHRASES.forEach((phrase, state) -> {
            String plural = phrase.replaceFirst("^was ", "were ");
            boolean isPrinted = sentence.contains(phrase) || sentence.contains(plural);
            assertThat(isPrinted).as(sentence + " / " + state).isEqualTo(states.containsKey(state));
            if (isPrinted) {
                String time = DurationFormat.time(states.getOrDefault(state, 0L));
                assertThat(sentence.contains(phrase + time) || sentence.contains(plural + time))
                        .as(sentence + " / " + state)
                        .isTrue();
            }
        });
    }

    /** The times after the wake-up are those of the waiter's own states. */
    private static void assertAfterWakeUp(Wait wait, String activity) {
        Matcher then = AFTER_WAKE_UP.matcher(activity);
        assertThat(then.find()).as(activity).isTrue();
        for (OwnerState state : List.of(OwnerState.RUNNING, OwnerState.RUNNABLE)) {
            long ns = wait.afterWakeUp().stream()
                    .filter(part -> part.state() == state)
                    .mapToLong(part -> part.durNs())
                    .sum();
            String phrase = state == OwnerState.RUNNING ? "ran for " : "was runnable (waiting for a CPU) for ";
            assertThat(then.group(1).contains(phrase)).as(activity).isEqualTo(ns > 0);
            if (ns > 0) {
                assertThat(then.group(1)).contains(phrase + DurationFormat.time(ns));
            }
        }
    }
}
