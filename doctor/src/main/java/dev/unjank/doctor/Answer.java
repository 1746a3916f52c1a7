package dev.unjank.doctor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The diagnosis in a sentence or two: what made the screen stutter, and whom to talk to. */
final class Answer {
    private Answer() {}

    static String of(Diagnosis diagnosis) {
        Headline headline = diagnosis.headline();
        Platform platform = diagnosis.platform();
        String ownWork = ownWork(headline, platform);
        Incident worst = headline.incident();
        if (worst == null) {
            return (ownWork.isEmpty() ? nothing(diagnosis) : platform.whatMadeLate() + ownWork)
                    + worse(headline, diagnosis);
        }
        boolean cost = headline.costNs() > 0;
        String wait = sentence(worst, diagnosis)
                + (cost ? " It cost late " + platform.frame() + "s " + Words.time(headline.costNs()) + "." : "")
                + whomToTalkTo(worst)
                + worse(headline, diagnosis);
        if (ownWork.isEmpty()) {
            return (cost ? platform.whatMadeLate() : longestWait(diagnosis, worst) + ": ") + wait;
        }
        return platform.whatMadeLate()
                + ownWork
                + (cost
                        ? " Of the waits, the costliest: "
                        : " " + longestWait(diagnosis, worst) + " cost no late " + platform.frame() + ": ")
                + wait;
    }

    /** Who asks for threads is told of what is worse elsewhere. */
    private static String worse(Headline headline, Diagnosis diagnosis) {
        Incident worse = headline.worse();
        return worse == null ? "" : " Worse is what is not shown: " + sentence(worse, diagnosis);
    }

    /** That nothing was found, and what could not have been. */
    private static String nothing(Diagnosis diagnosis) {
        Summary summary = diagnosis.summary();
        Platform platform = diagnosis.platform();
        DoctorOptions options = diagnosis.search().options();
        boolean named = options.isThreadNamed();
        Duration asked =
                named ? options.minDuration() : DoctorOptions.defaults().minDuration();
        String least = Words.roundTime(asked.toNanos()) + " or longer";
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

    /** That the longest late frame was hardly held up by waits: then no advice about waits helps it. */
    private static String ownWork(Headline headline, Platform platform) {
        Frame frame = headline.ownWork();
        if (frame == null) {
            return "";
        }
        long waitedNs = headline.ownWorkWaitedNs();
        String who = frame.process() == null ? "a program" : Page.printable(frame.process());
        return who + " itself: its worst late " + platform.frame() + " took " + Words.time(frame.durNs()) + " and "
                + (waitedNs == 0 ? "waited for nothing" : "waited only for " + Words.time(waitedNs) + " of it")
                + "; the rest was its own work or sleep. Talk to whoever wrote " + who + ".";
    }

    /** An event thread's wait comes first, though others may be longer. */
    private static String longestWait(Diagnosis diagnosis, Incident worst) {
        boolean longest = diagnosis.incidents().stream()
                .filter(Incident::counts)
                .allMatch(incident -> incident.tree().durNs() <= worst.tree().durNs());
        return longest ? "The longest wait" : "The longest wait of an event thread";
    }

    /** What happened, with the number that the incident has in the report, or why it has none. */
    private static String sentence(Incident incident, Diagnosis diagnosis) {
        if (diagnosis.isShown(incident)) {
            return sentence(incident) + " (#" + (incident.id() + 1) + ").";
        }
        Duration least = diagnosis.search().options().minDuration();
        boolean isShort = incident.tree().durNs() < least.toNanos();
        return sentence(incident)
                + (isShort ? " (shorter than the " + Words.roundTime(least.toNanos()) + " asked for)." : ".");
    }

    private static String sentence(Incident incident) {
        Wait wait = incident.tree();
        if (wait.isOfAllThreads()) {
            return Standstill.sentence(incident);
        }
        String who = Words.nameAndProcess(wait.thread());
        String time = Words.time(wait.durNs());
        return switch (incident.verdict()) {
            case NO_CPU -> who + noCpu(incident);
            case BLOCKING_IO -> who + " slept inside the kernel for " + time + inFunction(wait);
            case QUEUE_BACKLOG ->
                "a message to " + who + " waited " + time + " behind " + Words.count(wait.waiters(), "other");
            case UNKNOWN -> who + " waited " + time + " for " + Words.what(wait) + "; why, the trace does not tell";
            default ->
                who + " waited " + time + " for " + Words.what(wait) + because(incident) + ": "
                        + Words.verdict(incident.judgement());
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
