package dev.unjank.workbench.lab.run;

import dev.unjank.doctor.ReportMessages;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.PreemptingThread;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The incidents of one case, for its line in a table.
 *
 * @param incidents the incidents, longest first
 */
public record CaseIncidents(List<Incident> incidents) {
    private static final int MOST_PREEMPTING = 3;

    public CaseIncidents {
        incidents = List.copyOf(incidents);
    }

    public static CaseIncidents of(Diagnosis diagnosis, Predicate<Incident> which) {
        return new CaseIncidents(diagnosis.incidents().stream().filter(which).toList());
    }

    public double totalNs() {
        return incidents.stream()
                .mapToDouble(incident -> incident.rootWait().durNs())
                .sum();
    }

    public double longestNs() {
        return incidents.isEmpty() ? 0 : incidents.getFirst().rootWait().durNs();
    }

    public int count(Verdict verdict) {
        return (int) incidents.stream()
                .filter(incident -> incident.verdict() == verdict)
                .count();
    }

    /** The verdicts, most frequent first, such as {@code 21 PRIORITY_INVERSION, 3 LONG_HOLD}. */
    public String verdicts() {
        Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
        incidents.forEach(incident -> counts.merge(incident.verdict(), 1, Integer::sum));
        return counts.isEmpty()
                ? "none"
                : counts.entrySet().stream()
                        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                        .map(entry -> entry.getValue() + " " + entry.getKey())
                        .collect(Collectors.joining(", "));
    }

    /** A sentence about the longest incident with the given verdict; empty if there is none. */
    public String longest(Verdict verdict) {
        return incidents.stream()
                .filter(incident -> incident.verdict() == verdict)
                .findFirst()
                .map(CaseIncidents::sentence)
                .orElse("");
    }

    /** Waiter, wait time, owner, the owner's state, and the threads that ran in its place. */
    static String sentence(Incident incident) {
        StringBuilder said = new StringBuilder(incident.verdict() + ": ")
                .append(name(incident.rootWait().thread()))
                .append(" waited ")
                .append(millis((double) incident.rootWait().durNs()));
        Owner owner = incident.blocker();
        if (owner != null) {
            said.append(" for ").append(name(owner.thread()));
            Incident.StateDuration most = incident.ownerStates().getFirst();
            said.append(", which ").append(did(most.state())).append(" for ").append(millis((double) most.durNs()));
        }
        if (!incident.preemptingThreads().isEmpty()) {
            said.append("; meanwhile ran ")
                    .append(incident.preemptingThreads().stream()
                            .limit(MOST_PREEMPTING)
                            .map(CaseIncidents::ran)
                            .collect(Collectors.joining(", ")));
        }
        return said.toString();
    }

    private static String did(OwnerState state) {
        return switch (state) {
            case RUNNING -> "ran";
            case RUNNABLE -> "was runnable";
            case BLOCKED, DEADLOCKED -> "was blocked itself";
            case SLEEPING, IO_WAIT, UNINTERRUPTIBLE, JNI_CRITICAL, CRITICAL_CALL -> "slept";
            case STOPPED -> "was stopped by a signal or a debugger";
            case GC_PAUSE, SAFEPOINT, REACHING_SAFEPOINT -> "was stopped by the JVM";
            case UNKNOWN -> "was in an unknown state";
        };
    }

    private static String ran(PreemptingThread preempting) {
        return name(preempting.thread()) + " for " + millis((double) preempting.ranNs());
    }

    private static String name(ThreadRef thread) {
        return ReportMessages.thread(thread) + (thread.hasPriority() ? " (priority " + thread.priority() + ")" : "");
    }

    public static String millis(double ns) {
        return ns < 99_950_000
                ? String.format(Locale.ROOT, "%.1f ms", ns / 1e6)
                : String.format(Locale.ROOT, "%,.0f ms", ns / 1e6);
    }

    /** The reduction in percent; {@code -} if the first figure is 0. */
    public static String less(double before, double after) {
        return before == 0 ? "-" : String.format(Locale.ROOT, "%.0f %%", 100 * (before - after) / before);
    }
}
