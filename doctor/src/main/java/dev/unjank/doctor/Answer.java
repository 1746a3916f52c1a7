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
        Platform platform = diagnosis.platform();
        String ownWork = ownWork(diagnosis);
        Incident worst = worst(diagnosis, costs);
        if (worst == null) {
            return ownWork.isEmpty() ? nothing(diagnosis) : platform.whatMadeLate() + ownWork;
        }
        Long cost = costs.get(worst.id());
        String wait = sentence(worst)
                + (cost == null ? "" : " It cost late " + platform.frame() + "s " + Words.time(cost) + ".")
                + whomToTalkTo(worst);
        if (ownWork.isEmpty()) {
            return (cost == null ? longestWait(diagnosis, worst) + ": " : platform.whatMadeLate()) + wait;
        }
        return platform.whatMadeLate()
                + ownWork
                + (cost == null
                        ? " " + longestWait(diagnosis, worst) + " cost no late " + platform.frame() + ": "
                        : " Of the waits, the costliest: ")
                + wait;
    }

    /** That nothing was found, and what could not have been. */
    private static String nothing(Diagnosis diagnosis) {
        Summary summary = diagnosis.summary();
        Platform platform = diagnosis.platform();
        DoctorOptions options = diagnosis.search().options();
        String least = Words.roundTime(options.minDuration().toNanos()) + " or longer";
        List<String> sentences = new ArrayList<>();
        if (summary.missedFrames() > 0) {
            sentences.add((summary.missedFrames() == 1 ? "One" : summary.missedFrames()) + " of "
                    + Words.count(summary.frames(), platform.frame()) + (summary.missedFrames() == 1 ? " was" : " were")
                    + " late, and " + Words.nobody(diagnosis) + " was seen waiting for " + least + ".");
        } else if (summary.frames() > 0) {
            sentences.add(platform.nothing() + ": of " + Words.count(summary.frames(), platform.frame())
                    + " none was late, and " + Words.nobody(diagnosis) + " was seen waiting for " + least + ".");
        } else {
            sentences.add(platform.nothing() + ".");
        }
        if (!diagnosis.unknowns().isEmpty()) {
            sentences.add("This trace cannot tell " + String.join(", nor ", diagnosis.unknowns())
                    + ": that was not recorded (see the warnings).");
        }
        // of a JVM all threads are looked at anyhow
        if (platform == Platform.ANDROID && !options.isAllThreads()) {
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
        DoctorOptions options = diagnosis.search().options();
        if (options.isThreadNamed() && !options.isMainThreads()) {
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
        if (waitedNs * 4 >= longest.durNs()) {
            return "";
        }
        String who = longest.process() == null ? "a program" : Page.printable(longest.process());
        return who + " itself: its worst late " + diagnosis.platform().frame() + " took " + Words.time(longest.durNs())
                + " and "
                + (waitedNs == 0 ? "waited for nothing" : "waited only for " + Words.time(waitedNs) + " of it")
                + "; the rest was its own work or sleep. Talk to whoever wrote " + who + ".";
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

    /** An event thread's wait comes first, though others may be longer. */
    private static String longestWait(Diagnosis diagnosis, Incident worst) {
        boolean longest = diagnosis.incidents().stream()
                .allMatch(incident -> incident.tree().durNs() <= worst.tree().durNs());
        return longest ? "The longest wait" : "The longest wait of an event thread";
    }

    private static String sentence(Incident incident) {
        Wait wait = incident.tree();
        if (wait.isOfAllThreads()) {
            return Standstill.sentence(incident);
        }
        String who = Words.nameAndProcess(wait.thread());
        String time = Words.time(wait.durNs());
        return switch (incident.verdict()) {
            case NO_CPU -> who + noCpu(incident) + ".";
            case BLOCKING_IO -> who + " slept inside the kernel for " + time + inFunction(wait) + ".";
            case QUEUE_BACKLOG ->
                "a message to " + who + " waited " + time + " behind " + Words.count(wait.waiters(), "other") + ".";
            case UNKNOWN -> who + " waited " + time + " for " + Words.what(wait) + "; why, the trace does not tell.";
            default ->
                who + " waited " + time + " for " + Words.what(wait) + because(incident) + ": "
                        + Words.verdict(incident.judgement()) + ".";
        };
    }

    private static String noCpu(Incident incident) {
        Wait wait = incident.tree();
        ThreadRef other = incident.toBlame();
        return " was ready to run and got no CPU for "
                + Words.time(incident.judgement().decisiveNs())
                + (wait.kind() == WaitKind.CPU ? "" : " of a wait for " + Words.what(wait))
                + (other == null ? "" : "; what ran instead was mostly " + Words.nameAndProcess(other));
    }

    private static String inFunction(Wait wait) {
        return wait.what().equals(KernelWaits.SOMEWHERE) ? "" : " (" + Words.what(wait) + ")";
    }

    /** What whoever is to blame did meanwhile, without terms of the field. */
    private static String because(Incident incident) {
        String by = " because " + Words.name(incident.judgement().blamed());
        String time = " (" + Words.time(incident.judgement().decisiveNs()) + ")";
        boolean direct = incident.chain().size() == 1;
        boolean itsLock = direct && incident.tree().kind().isLock();
        return switch (incident.verdict()) {
            case PRIORITY_INVERSION -> by + ", which is less important, was ready to run and got no CPU" + time;
            case PREEMPTED_OWNER -> by + " was ready to run and got no CPU" + time;
            case LONG_HOLD -> by + " was at work with " + (itsLock ? "it" : "a lock") + " in hand" + time;
            case SLOW_REPLY -> by + " was at work on " + (direct ? "it" : "a further one") + time;
            case SLEEPING_OWNER -> by + " slept" + (itsLock ? " with it in hand" : " meanwhile") + time;
            case GC_BLOCKED_BY_CRITICAL -> by + " was inside a JNI critical section" + time;
            case LOCK_CONVOY -> {
                Convoy convoy = incident.convoy();
                yield convoy == null
                        ? ""
                        : " behind " + convoy.threads() + " threads that got it before, one after the other";
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
        if (incident.tree().isOfAllThreads()) {
            return Standstill.whomToTalkTo(incident);
        }
        boolean io = incident.verdict() == Verdict.BLOCKING_IO;
        String process = blamed.process();
        String thread = blamed.main() ? "main thread" : "thread " + Words.name(blamed);
        return " Talk to whoever wrote "
                + (process == null ? "" : Page.printable(process) + ": " + (io ? "it does I/O on its " : "its "))
                + thread + place(incident, blamed) + ".";
    }

    /** Where the thread to blame took the lock that it held, if it is known. */
    private static String place(Incident incident, ThreadRef blamed) {
        for (Wait wait : incident.chain()) {
            Owner owner = wait.longestTenure().owner();
            if (owner.thread().utid() == blamed.utid() && owner.site() != null) {
                return ", in " + Page.printable(owner.site().method());
            }
        }
        return "";
    }
}
