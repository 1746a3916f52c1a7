package dev.unjank.doctor;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The diagnosis in a sentence or two: what made the screen stutter, and whom to talk to. */
final class Answer {
    private Answer() {}

    static String of(Diagnosis diagnosis) {
        Map<Integer, Long> costs = costs(diagnosis, true);
        if (costs.isEmpty()) {
            costs = costs(diagnosis, false);
        }
        String ownWork = ownWork(diagnosis);
        Incident worst = worst(diagnosis, costs);
        if (worst == null) {
            return diagnosis.summary().missedFrames() == 0
                    ? "Nothing that this trace shows made the screen stutter."
                    : diagnosis.summary().missedFrames() + " of "
                            + diagnosis.summary().frames()
                            + " frames were late, and nothing that this trace shows was in the way of their threads.";
        }
        boolean late = costs.containsKey(worst.id());
        return (late || !ownWork.isEmpty() ? "What made the screen stutter: " : "The longest wait: ")
                + ownWork
                + sentence(worst)
                + (late ? " It cost late frames " + Words.time(costs.getOrDefault(worst.id(), 0L)) + "." : "")
                + " " + whomToTalkTo(worst);
    }

    /**
     * What each incident cost late frames, by its number; of those whose own program was late, or of all. Frames overlap, and one
     * wait in two of them is not twice the wait.
     */
    private static Map<Integer, Long> costs(Diagnosis diagnosis, boolean appsFault) {
        Map<Integer, Long> costs = new HashMap<>();
        for (FrameCost cost : diagnosis.costs()) {
            if (cost.frame().missed() && (cost.frame().appsFault() || !appsFault)) {
                long longest = cost.incident().tree().durNs();
                costs.merge(cost.incident().id(), cost.overlapNs(), (a, b) -> Math.min(longest, a + b));
            }
        }
        return costs;
    }

    /** That the longest late frame was hardly held up by waits: then no advice about waits helps it. */
    private static String ownWork(Diagnosis diagnosis) {
        String threads = diagnosis.search().options().thread();
        if (!threads.equals(DoctorOptions.MAIN_THREADS) && !threads.equals(DoctorOptions.ALL_THREADS)) {
            return ""; // nobody looked at the thread that draws
        }
        Frame longest = null;
        for (Frame frame : diagnosis.frames()) {
            if (frame.appsFault() && frame.missed() && (longest == null || frame.durNs() > longest.durNs())) {
                longest = frame;
            }
        }
        if (longest == null) {
            return "";
        }
        long waitedNs = diagnosis.costsOf(longest).stream()
                .mapToLong(FrameCost::overlapNs)
                .sum();
        return waitedNs * 4 >= longest.durNs()
                ? ""
                : "the worst late frame, " + Words.time(longest.durNs()) + " of "
                        + (longest.process() == null ? "a program" : Page.printable(longest.process()))
                        + (waitedNs == 0 ? ", waited for nothing" : ", waited only " + Words.time(waitedNs))
                        + "; the rest was its own work or sleep. Of the waits: ";
    }

    /** That which cost late frames most; without late frames the longest. */
    private static @Nullable Incident worst(Diagnosis diagnosis, Map<Integer, Long> costs) {
        Incident worst = null;
        long most = -1;
        for (Incident incident : diagnosis.incidents()) {
            long cost = costs.getOrDefault(incident.id(), 0L);
            if (cost > most) {
                most = cost;
                worst = incident;
            }
        }
        return worst;
    }

    private static String sentence(Incident incident) {
        Wait wait = incident.tree();
        String who = Words.nameAndProcess(wait.thread());
        String time = Words.time(wait.durNs());
        String by = Words.name(incident.judgement().blamed());
        return switch (incident.verdict()) {
            case NO_CPU -> who + " was ready to run and got no CPU in " + time + ".";
            case BLOCKING_IO -> who + " slept inside the kernel for " + time + " (" + Words.what(wait) + ").";
            case QUEUE_BACKLOG -> "a message to " + who + " waited " + time + " behind " + wait.waiters() + " others.";
            case UNKNOWN -> who + " waited " + time + " for " + Words.what(wait) + "; why, the trace does not tell.";
            default ->
                who + " waited " + time + " for " + Words.what(wait) + " because of " + by + ": "
                        + Words.verdict(incident.judgement()) + ".";
        };
    }

    private static String whomToTalkTo(Incident incident) {
        Site site = incident.owner().site();
        ThreadRef blamed = incident.judgement().blamed();
        boolean owner = blamed.utid() == incident.owner().thread().utid();
        String place = owner && site != null ? " in " + Page.printable(site.method()) : "";
        return switch (incident.verdict()) {
            case UNKNOWN -> "";
            case NO_CPU ->
                incident.culprits().isEmpty()
                        ? ""
                        : "Talk to whoever runs "
                                + Words.nameAndProcess(
                                        incident.culprits().getFirst().thread()) + ".";
            case BLOCKING_IO -> "Talk to whoever does I/O on this thread.";
            default -> "Talk to whoever wrote what " + Words.nameAndProcess(blamed) + " does" + place + ".";
        };
    }
}
