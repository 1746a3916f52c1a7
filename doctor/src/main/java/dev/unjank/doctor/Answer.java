package dev.unjank.doctor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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
            return nothing(diagnosis);
        }
        boolean late = costs.containsKey(worst.id());
        return (late || !ownWork.isEmpty() ? "What made the screen stutter: " : "The longest wait: ")
                + ownWork
                + sentence(worst)
                + (late ? " It cost late frames " + Words.time(costs.getOrDefault(worst.id(), 0L)) + "." : "")
                + whomToTalkTo(worst);
    }

    /** That nothing was found, and what could not have been. */
    private static String nothing(Diagnosis diagnosis) {
        Summary summary = diagnosis.summary();
        Diagnosis.Search search = diagnosis.search();
        List<String> sentences = new ArrayList<>();
        if (summary.missedFrames() > 0) {
            sentences.add(summary.missedFrames() + " of " + Words.count(summary.frames(), "frame") + " were late, and "
                    + "nothing that this trace shows was in the way of their threads.");
        } else {
            sentences.add("Nothing was found that made the screen stutter: "
                    + (summary.frames() > 0 ? "none of " + Words.count(summary.frames(), "frame") + " was late, and " : "")
                    + Words.nobody(search.options()) + " was seen waiting for "
                    + Words.roundTime(search.options().minDuration().toNanos()) + " or longer.");
        }
        if (!diagnosis.unknowns().isEmpty()) {
            sentences.add("This trace cannot tell " + String.join(", nor ", diagnosis.unknowns())
                    + ": that was not recorded (see the warnings).");
        }
        if (!search.options().thread().equals(DoctorOptions.ALL_THREADS)) {
            sentences.add("--thread all looks at the other threads, too.");
        }
        return String.join(" ", sentences);
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
        if (diagnosis.search().options().isThreadNamed()) {
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
        return switch (incident.verdict()) {
            case NO_CPU -> who + " was ready to run and got no CPU for " + Words.time(incident.judgement().decisiveNs())
                    + (wait.kind() == WaitKind.CPU ? "." : " at the end of a wait of " + time + " for " + Words.what(wait) + ".");
            case BLOCKING_IO -> who + " slept inside the kernel for " + time + " (" + Words.what(wait) + ").";
            case QUEUE_BACKLOG -> "a message to " + who + " waited " + time + " behind " + Words.count(wait.waiters(), "other") + ".";
            case UNKNOWN -> who + " waited " + time + " for " + Words.what(wait) + "; why, the trace does not tell.";
            default ->
                who + " waited " + time + " for " + Words.what(wait) + because(incident) + ": "
                        + Words.verdict(incident.judgement()) + ".";
        };
    }

    /** What whoever is to blame did meanwhile, without terms of the field. */
    private static String because(Incident incident) {
        String by = " because " + Words.name(incident.judgement().blamed());
        String time = " (" + Words.time(incident.judgement().decisiveNs()) + ")";
        boolean lock = incident.tree().kind().isLock();
        return switch (incident.verdict()) {
            case PRIORITY_INVERSION -> by + ", which is less important, was ready to run and got no CPU" + time;
            case PREEMPTED_OWNER -> by + " was ready to run and got no CPU" + time;
            case LONG_HOLD -> by + " was at work with it in hand" + time;
            case SLOW_REPLY -> by + " was at work on it" + time;
            case SLEEPING_OWNER -> by + (lock ? " slept with it in hand" : " slept and owed it") + time;
            case GC_BLOCKED_BY_CRITICAL -> by + " slept inside a JNI critical section" + time;
            case LOCK_CONVOY -> {
                Convoy convoy = incident.convoy();
                yield convoy == null ? "" : " behind " + convoy.threads() + " threads that got it before, one after the other";
            }
            case DEADLOCK -> " and " + Words.name(incident.judgement().blamed()) + " for it, in a circle";
            default -> "";
        };
    }

    private static String whomToTalkTo(Incident incident) {
        ThreadRef blamed = incident.toBlame();
        if (blamed == null) {
            return "";
        }
        if (incident.verdict() == Verdict.BLOCKING_IO) {
            return " Talk to whoever does I/O on this thread.";
        }
        Site site = incident.owner().site();
        boolean owner = blamed.utid() == incident.owner().thread().utid();
        String place = owner && site != null ? ", in " + Page.printable(site.method()) : "";
        String process = blamed.process();
        return " Talk to whoever wrote "
                + (process == null
                        ? Words.name(blamed)
                        : Page.printable(process) + ": its "
                                + (blamed.main() ? "main thread" : "thread " + Words.name(blamed)))
                + place + ".";
    }
}
