package dev.unjank.doctor.report;

import dev.unjank.doctor.judge.MissedFrames;
import dev.unjank.doctor.judge.SummaryBuilder;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.FrameWorkload;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.LockConvoy;
import dev.unjank.doctor.model.MainFinding;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.PreemptingThread;
import dev.unjank.doctor.model.Severity;
import dev.unjank.doctor.model.Summary;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.text.EnglishCounts;
import dev.unjank.trace.text.TerminalText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The diagnosis in a sentence or two: what made the screen stutter, and whom to talk to. */
public final class RootCauseMessages {
    /** So many times as long is worth a sentence of its own. */
    private static final int NEGLIGIBLE_FACTOR = 10;

    private RootCauseMessages() {}

    public static String of(Diagnosis diagnosis) {
        if (diagnosis.unreadParts().isEmpty()) {
            return ofWhatWasRead(diagnosis);
        }
        boolean found = diagnosis.mainFinding().incident() != null
                || diagnosis.mainFinding().workload() != null;
        return MessageCatalogue.capital(TerminalText.printableStart(
                        MessageCatalogue.enumerate(WarningMessages.unreadParts(diagnosis.unreadParts()))))
                + " could not be read (see the warnings), so "
                + (found ? "this is about the rest alone. " : "nothing can be concluded about the whole. Of the rest: ")
                + ofWhatWasRead(diagnosis);
    }

    private static String ofWhatWasRead(Diagnosis diagnosis) {
        MainFinding headline = diagnosis.mainFinding();
        Platform platform = diagnosis.platform();
        String ownWork = ownWork(headline, platform);
        Incident worst = headline.incident();
        if (worst == null) {
            return (ownWork.isEmpty() ? nothing(diagnosis) : MessageCatalogue.whatMadeLate(platform) + ownWork)
                    + worse(headline, diagnosis);
        }
        boolean cost = headline.costNs() > 0;
        String wait = sentence(worst, diagnosis)
                + (cost
                        ? " It cost late " + MessageCatalogue.frame(platform) + "s "
                                + DurationFormat.time(headline.costNs()) + "."
                        : "")
                + kind(diagnosis, worst)
                + ComponentMessages.of(worst, platform)
                + worse(headline, diagnosis);
        if (worst.rootWait().kind() == WaitKind.STOP) {
            String rest = ownWork.isEmpty() ? "" : " Apart from that: " + ownWork;
            return (cost ? MessageCatalogue.whatMadeLate(platform) : "") + wait + rest;
        }
        if (ownWork.isEmpty()) {
            return (cost ? MessageCatalogue.whatMadeLate(platform) : longestWait(diagnosis, worst) + ": ") + wait;
        }
        return MessageCatalogue.whatMadeLate(platform)
                + ownWork
                + (cost
                        ? " Of the waits, the costliest: "
                        : " " + longestWait(diagnosis, worst) + " cost no late " + MessageCatalogue.frame(platform)
                                + ": ")
                + wait;
    }

    /**
     * What there was of the same kind, or of another, where what is told of is a trifle beside them. Of a virtual machine's threads
     * that had no CPU nobody asks. Who asks for threads is told of theirs.
     */
    private static String kind(Diagnosis diagnosis, Incident worst) {
        DoctorOptions options = diagnosis.search().options();
        List<Incident> counting = options.isThreadNamed()
                ? diagnosis.incidents()
                : Stream.concat(diagnosis.incidents().stream(), diagnosis.notShown().stream())
                        .filter(incident -> incident.isInTraceTotals() && incident.severity() != Severity.CPU_ONLY)
                        .toList();
        List<Summary.Total> totals = SummaryBuilder.totals(counting);
        Summary.Total most = totals.isEmpty() ? null : totals.getFirst();
        if (most == null || most.durNs() < worst.rootWait().durNs() * NEGLIGIBLE_FACTOR) {
            return "";
        }
        Duration least = (options.isThreadNamed() ? options : DoctorOptions.defaults()).minDuration();
        String all = EnglishCounts.of(most.incidents(), "wait")
                + (least.isZero() ? "" : " of at least " + DurationFormat.roundTime(least.toNanos()))
                + ", " + DurationFormat.time(most.durNs()) + " in all.";
        return most.verdict() == worst.verdict()
                ? " Of that kind there were " + all
                : " More time went by with " + most.verdict() + ": " + all;
    }

    /** Who asks for threads is told of what is worse elsewhere. */
    private static String worse(MainFinding headline, Diagnosis diagnosis) {
        Incident worse = headline.worstNotShown();
        if (worse == null) {
            return "";
        }
        long costNs = headline.worstNotShownCostNs();
        String frames = MessageCatalogue.frame(diagnosis.platform()) + "s ";
        return " Worse is what is not shown"
                + (costNs > 0 ? ", since it cost late " + frames + DurationFormat.time(costNs) : "")
                + ": "
                + sentence(worse, diagnosis);
    }

    /** That nothing was found, and what could not have been. */
    private static String nothing(Diagnosis diagnosis) {
        Summary summary = diagnosis.summary();
        Platform platform = diagnosis.platform();
        DoctorOptions options = diagnosis.search().options();
        boolean named = options.isThreadNamed();
        Duration asked =
                named ? options.minDuration() : DoctorOptions.defaults().minDuration();
        String least = DurationFormat.roundTime(asked.toNanos()) + " or longer";
        List<String> sentences = new ArrayList<>();
        if (summary.missedFrames() > 0) {
            sentences.add((summary.missedFrames() == 1 ? "One" : summary.missedFrames()) + " of "
                    + EnglishCounts.of(summary.frames(), MessageCatalogue.frame(platform))
                    + (summary.missedFrames() == 1 ? " was" : " were")
                    + " late (of " + programsWithMissedFrames(diagnosis) + "), and "
                    + MessageCatalogue.noSelectedThread(diagnosis)
                    + " was seen waiting for " + least + ".");
        } else if (summary.frames() > 0) {
            sentences.add(MessageCatalogue.nothing(platform) + ": "
                    + (summary.frames() == 1
                            ? "the only " + MessageCatalogue.frame(platform) + " was in time"
                            : "of " + summary.frames() + " " + MessageCatalogue.frame(platform) + "s none was late")
                    + displayWasLate(summary) + ", and " + MessageCatalogue.noSelectedThread(diagnosis)
                    + " was seen waiting for " + least + ".");
        } else {
            sentences.add(MessageCatalogue.nothing(platform) + ".");
        }
        if (!diagnosis.missingData().isEmpty()) {
            sentences.add("This trace cannot tell "
                    + String.join(", nor ", WarningMessages.missingData(diagnosis.missingData()))
                    + ": that was not recorded (see the warnings).");
        }
        int defaultSelection = diagnosis.search().waitsOfOtherThreads();
        if (defaultSelection > 0) {
            sentences.add("Other threads waited for "
                    + DurationFormat.roundTime(options.minDuration().toNanos()) + " or longer "
                    + EnglishCounts.times(defaultSelection)
                    + ": --thread all shows that.");
        }
        return String.join(" ", sentences);
    }

    private static String programsWithMissedFrames(Diagnosis diagnosis) {
        List<String> programs = diagnosis.frames().stream()
                .filter(frame -> frame.missed() && !frame.display())
                .sorted(MissedFrames.order(diagnosis))
                .map(MessageCatalogue::program)
                .distinct()
                .toList();
        return programs.size() == 1
                ? programs.getFirst()
                : programs.getFirst() + " and " + EnglishCounts.of(programs.size() - 1, "other");
    }

    /** The display's server may be late with frames that programs made in time. */
    private static String displayWasLate(Summary summary) {
        return summary.missedDisplayFrames() == 0
                ? ""
                : " (of " + EnglishCounts.of(summary.displayFrames(), "frame") + " of the display itself "
                        + summary.missedDisplayFrames() + (summary.missedDisplayFrames() == 1 ? " was)" : " were)");
    }

    /** That the longest late frame was hardly held up by waits: then no advice about waits helps it. */
    private static String ownWork(MainFinding headline, Platform platform) {
        FrameWorkload work = headline.workload();
        if (work == null) {
            return "";
        }
        String least =
                DurationFormat.roundTime(DoctorOptions.defaults().minDuration().toNanos());
        return programName(work) + ": its worst late " + MessageCatalogue.frame(platform) + " took "
                + DurationFormat.time(work.frame().durNs()) + ", "
                + (work.waitNs() == 0 ? "none" : "only " + DurationFormat.time(work.waitNs()))
                + " of it in waits of at least " + least + "; the rest was its own work, sleep or shorter waits"
                + pieces(work) + "." + ComponentMessages.of(work);
    }

    /** A program without a name is known by its main thread, or not at all. */
    private static String programName(FrameWorkload work) {
        String name = ComponentMessages.program(work);
        return name == null ? "the program itself, whose name was not recorded" : name + " itself";
    }

    /** What the work was, as far as the program says so. */
    private static String pieces(FrameWorkload work) {
        ThreadRef worker = work.worker();
        if (worker == null || (work.runningNs() == 0 && work.slices().isEmpty())) {
            return "";
        }
        String who = worker.main() ? "its main thread" : ThreadLabels.name(worker);
        String slept = slept(work.sleep());
        String ran =
                work.runningNs() == 0 ? "" : " ran for " + DurationFormat.time(work.runningNs()) + " of it" + slept;
        return ": " + who + ran
                + (work.slices().isEmpty()
                        ? ""
                        : (ran.isEmpty() ? " was" : ", and was") + " longest"
                                + (slept.isEmpty() ? "" : ", sleep included,")
                                + " in "
                                + MessageCatalogue.enumerate(work.slices().stream()
                                        .map(slice -> TerminalText.printableStart(slice.name()) + " ("
                                                + DurationFormat.time(slice.durNs()) + ")")
                                        .toList()));
    }

    /** For how long the worker slept, and until who woke it. */
    private static String slept(FrameWorkload.@Nullable Sleep sleep) {
        if (sleep == null) {
            return "";
        }
        String slept = " and slept for " + DurationFormat.time(sleep.durNs());
        ThreadRef waker = sleep.waker();
        if (waker == null) {
            return slept;
        }
        return slept
                + (sleep.wokenByWakerNs() == sleep.durNs()
                        ? ""
                        : ", of which " + DurationFormat.time(sleep.wokenByWakerNs()))
                + " until " + ThreadLabels.name(waker) + " woke it";
    }

    /** An event thread's wait comes first, and one for a CPU last, though others may be longer. */
    private static String longestWait(Diagnosis diagnosis, Incident worst) {
        boolean longest = diagnosis.incidents().stream()
                .filter(Incident::isInTraceTotals)
                .allMatch(incident ->
                        incident.rootWait().durNs() <= worst.rootWait().durNs());
        if (longest) {
            return "The longest wait";
        }
        return worst.severity() == Severity.EVENT_LOOP
                ? "The longest wait of an event thread"
                : "The longest wait for more than a CPU";
    }

    /** What happened, with the number that the incident has in the report, or why it has none. */
    private static String sentence(Incident incident, Diagnosis diagnosis) {
        if (diagnosis.isShown(incident)) {
            return sentence(incident) + " (#" + (incident.id() + 1) + ").";
        }
        Duration least = diagnosis.search().options().minDuration();
        boolean isShort = incident.rootWait().durNs() < least.toNanos();
        return sentence(incident)
                + (isShort ? " (shorter than the " + DurationFormat.roundTime(least.toNanos()) + " asked for)." : ".");
    }

    private static String sentence(Incident incident) {
        Wait wait = incident.rootWait();
        if (wait.isProcessPause()) {
            return PauseMessages.sentence(incident);
        }
        String who = ThreadLabels.nameAndProcess(wait.thread());
        String time = DurationFormat.time(wait.durNs());
        return switch (incident.verdict()) {
            case NO_CPU -> who + noCpu(incident);
            case BLOCKING_IO -> who + " slept inside the kernel for " + time + inFunction(wait);
            case QUEUE_BACKLOG ->
                "a message to " + who + " waited " + time + " behind " + EnglishCounts.of(wait.waiters(), "other");
            case UNKNOWN ->
                who + " waited " + time + " for " + WaitMessages.what(wait) + "; why, the trace does not tell";
            default ->
                who + " waited " + time + " for " + WaitMessages.what(wait) + because(incident) + ": "
                        + MessageCatalogue.verdict(incident.rootCause());
        };
    }

    private static String noCpu(Incident incident) {
        Wait wait = incident.rootWait();
        ThreadRef other = incident.responsibleThread();
        return " was ready to run and got no CPU for "
                + DurationFormat.time(incident.rootCause().decisiveNs())
                + (wait.kind() == WaitKind.CPU ? "" : " of a wait for " + WaitMessages.what(wait))
                + (other == null ? "" : "; what ran instead was " + instead(incident, other));
    }

    /** Who ran most while others had the CPUs; where many did, one of them is not the cause. */
    private static String instead(Incident incident, ThreadRef most) {
        return ranHalf(incident, most)
                ? "mostly " + ThreadLabels.nameAndProcess(most)
                : EnglishCounts.of(incident.preemptedBy().size(), "thread") + ", longest "
                        + ThreadLabels.nameAndProcess(most);
    }

    static boolean ranHalf(Incident incident, ThreadRef thread) {
        long all = 0;
        long its = 0;
        for (PreemptingThread preempting : incident.preemptingThreads()) {
            all += preempting.ranNs();
            its += preempting.thread().utid() == thread.utid() ? preempting.ranNs() : 0;
        }
        return its * 2 >= all;
    }

    private static String inFunction(Wait wait) {
        return switch (wait.target()) {
            case Wait.KERNEL_SLEEP -> "";
            case Wait.IO -> ", waiting for I/O";
            default -> ", in " + WaitMessages.what(wait);
        };
    }

    /** What whoever is to blame did meanwhile, without terms of the field. */
    private static String because(Incident incident) {
        int others = incident.decisiveThreads() - 1;
        boolean alone = others <= 0;
        String name = " because " + ThreadLabels.name(incident.rootCause().responsibleThread());
        String by = alone ? name : name + " and " + EnglishCounts.of(others, "other");
        String were = alone ? " was " : " were ";
        String time = " (" + DurationFormat.time(incident.rootCause().decisiveNs()) + (alone ? ")" : " in all)");
        boolean direct = incident.chain().size() == 1;
        boolean itsLock = direct && incident.rootWait().kind().isLock();
        return switch (incident.verdict()) {
            case PRIORITY_INVERSION ->
                by + (alone ? ", which is less important," : ", which are less important,") + were
                        + "ready to run and got no CPU" + time;
            case PREEMPTED_OWNER -> by + were + "ready to run and got no CPU" + time;
            case LONG_HOLD -> by + were + "at work with " + (itsLock ? "it" : "a lock") + " in hand" + time;
            case SLOW_REPLY -> by + were + "at work on " + (direct ? "it" : "a further one") + time;
            case SLEEPING_OWNER -> by + " slept" + (itsLock ? " with it in hand" : " meanwhile") + time;
            case GC_BLOCKED_BY_CRITICAL ->
                name + " was inside a JNI critical section ("
                        + DurationFormat.time(incident.rootCause().decisiveNs()) + ")";
            case LOCK_CONVOY -> {
                LockConvoy convoy = incident.convoy();
                yield convoy == null
                        ? ""
                        : " behind " + convoy.threads() + " threads that got it before, one after the other";
            }
            case STOPPED -> by + were + "stopped from outside" + time;
            case DEADLOCK -> " because " + circle(incident) + " wait for each other in a circle";
            default -> "";
        };
    }

    /** Those in the circle, which the thread that waits may itself be in or behind. */
    private static String circle(Incident incident) {
        Map<Integer, String> chain = new LinkedHashMap<>();
        incident.chain().forEach(wait -> chain.putIfAbsent(wait.thread().utid(), ThreadLabels.name(wait.thread())));
        int first = List.copyOf(chain.keySet())
                .indexOf(incident.rootCause().responsibleThread().utid());
        return MessageCatalogue.enumerate(
                chain.values().stream().skip(Math.max(0, first)).toList());
    }
}
