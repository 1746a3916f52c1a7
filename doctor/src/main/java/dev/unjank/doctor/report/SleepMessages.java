package dev.unjank.doctor.report;

import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The words for what the owners of a {@link Verdict#SLEEPING_OWNER} did: slept, waited for I/O, or both. */
final class SleepMessages {
    private SleepMessages() {}

    /** {@return the words for the owners' states, as in {@code the owner was asleep or waiting for I/O}} */
    static String ofStates(Incident incident) {
        List<String> words = states(incident).stream()
                .map(state -> Messages.of("asleep." + state))
                .toList();
        int last = words.size() - 1;
        return last == 0
                ? words.getFirst()
                : Messages.of("phrase.or", String.join(", ", words.subList(0, last)), words.get(last));
    }

    /** The states with a part in the time that decided the verdict; at least one. */
    private static Set<OwnerState> states(Incident incident) {
        Set<OwnerState> states = EnumSet.noneOf(OwnerState.class);
        add(incident.rootWait(), incident.rootWait(), states);
        return states.isEmpty() ? EnumSet.of(OwnerState.SLEEPING) : states;
    }

    private static void add(Wait root, Wait wait, Set<OwnerState> states) {
        for (OwnerInterval ownerInterval : wait.ownerIntervals()) {
            for (Segment part : ownerInterval.segments()) {
                Wait next = part.nextWait();
                if (next != null && root.kind().isLock() && isForResourceOrResult(next.kind())) {
                    states.add(OwnerState.BLOCKED);
                } else if (next != null) {
                    add(root, next, states);
                } else if (isSleep(part.state())
                        && part.thread().utid() != root.thread().utid()
                        && decides(wait)) {
                    states.add(part.state());
                }
            }
        }
    }

    private static boolean isForResourceOrResult(WaitKind kind) {
        return kind == WaitKind.RESOURCE || kind == WaitKind.RESULT;
    }

    /** Whether sleeps directly below a wait count as those of owners. */
    private static boolean decides(Wait wait) {
        return !isForResourceOrResult(wait.kind()) && wait.kind() != WaitKind.GC && wait.kind() != WaitKind.SAFEPOINT;
    }

    private static boolean isSleep(OwnerState state) {
        return state == OwnerState.SLEEPING || state == OwnerState.IO_WAIT || state == OwnerState.UNINTERRUPTIBLE;
    }

    /**
     * {@return whether the states of the owners, which include those after the wake-up, have more of the decisive
     * states than the time that decided the verdict}
     */
    static boolean isMoreInStates(Incident incident) {
        Set<OwnerState> states = switch (incident.verdict()) {
            case SLEEPING_OWNER -> states(incident);
            case LONG_HOLD, SLOW_REPLY -> EnumSet.of(OwnerState.RUNNING);
            default -> EnumSet.noneOf(OwnerState.class);
        };
        long sum = incident.ownerStates().stream()
                .filter(time -> states.contains(time.state()))
                .mapToLong(Incident.StateDuration::durNs)
                .sum();
        return sum > incident.judgement().decisiveNs() && incident.rootWait().wakeDelayNs() > 0;
    }
}
