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

/** The main finding of a diagnosis in at most a few sentences: the root cause, its cost, and the component to look at. */
public final class RootCauseMessages {
    /** Other waits are mentioned if they sum to this many times the main finding. */
    private static final int NEGLIGIBLE_FACTOR = 10;

    private RootCauseMessages() {}

    /**
     * {@return the main finding; what could not be read comes first}
     *
     * @param diagnosis the diagnosis
     */
    public static String of(Diagnosis diagnosis) {
        if (diagnosis.unreadParts().isEmpty()) {
            return ofReadableParts(diagnosis);
        }
        boolean found = diagnosis.mainFinding().incident() != null
                || diagnosis.mainFinding().workload() != null;
        return "Warning: "
                + TerminalText.printableStart(
                        MessageCatalogue.enumerate(WarningMessages.unreadParts(diagnosis.unreadParts())))
                + " could not be read (see the warnings). "
                + (found ? "The rest: " : "This is not a diagnosis of the whole trace. The rest: ")
                + ofReadableParts(diagnosis);
    }

    private static String ofReadableParts(Diagnosis diagnosis) {
        MainFinding finding = diagnosis.mainFinding();
        Platform platform = diagnosis.platform();
        String workload = workload(finding, platform);
        Incident worst = finding.incident();
        if (worst == null) {
            return (workload.isEmpty() ? nothing(diagnosis) : MessageCatalogue.rootCauseOf(platform) + workload)
                    + worse(finding, diagnosis);
        }
        boolean cost = finding.costNs() > 0;
        String wait = sentence(worst, diagnosis)
                + (cost
                        ? " Cost: " + DurationFormat.time(finding.costNs()) + " of missed "
                                + MessageCatalogue.frame(platform) + "s."
                        : "")
                + kind(diagnosis, worst)
                + lookAt(ComponentMessages.of(worst, platform))
                + worse(finding, diagnosis);
        if (worst.rootWait().kind() == WaitKind.STOP) {
            String rest = workload.isEmpty() ? "" : " Apart from the stop: " + workload;
            return (cost ? MessageCatalogue.rootCauseOf(platform) : "") + wait + rest;
        }
        if (workload.isEmpty()) {
            return (cost ? MessageCatalogue.rootCauseOf(platform) : longestWait(diagnosis, worst) + ": ") + wait;
        }
        return MessageCatalogue.rootCauseOf(platform)
                + workload
                + (cost
                        ? " Costliest wait: "
                        : " " + longestWait(diagnosis, worst) + " (cost no missed " + MessageCatalogue.frame(platform)
                                + "): ")
                + wait;
    }

    private static String lookAt(String component) {
        return component.isEmpty() ? "" : " Look at: " + component + ".";
    }

    /** The waits of the same verdict, or of another one, if the main finding is negligible beside their sum. */
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
                ? " Waits with this verdict: " + all
                : " More time was lost to " + most.verdict() + ": " + all;
    }

    /** The worst incident of other threads, if the options select threads by name. */
    private static String worse(MainFinding headline, Diagnosis diagnosis) {
        Incident worse = headline.worstNotShown();
        if (worse == null) {
            return "";
        }
        long costNs = headline.worstNotShownCostNs();
        String frames = MessageCatalogue.frame(diagnosis.platform()) + "s";
        return " Worse, not shown"
                + (costNs > 0 ? " (cost " + DurationFormat.time(costNs) + " of missed " + frames + ")" : "")
                + ": "
                + sentence(worse, diagnosis);
    }

    /** No incident: what was examined, and what the trace cannot show. */
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
            sentences.add(summary.missedFrames() + " of "
                    + EnglishCounts.of(summary.frames(), MessageCatalogue.frame(platform)) + " missed (of "
                    + programsWithMissedFrames(diagnosis) + "); " + MessageCatalogue.noSelectedThread(diagnosis)
                    + " waited for " + least + ".");
        } else if (summary.frames() > 0) {
            sentences.add(MessageCatalogue.nothing(platform) + ": 0 of "
                    + EnglishCounts.of(summary.frames(), MessageCatalogue.frame(platform)) + " missed"
                    + missedByDisplay(summary) + "; " + MessageCatalogue.noSelectedThread(diagnosis) + " waited for "
                    + least + ".");
        } else {
            sentences.add(MessageCatalogue.nothing(platform) + ".");
        }
        if (!diagnosis.missingData().isEmpty()) {
            sentences.add("The trace cannot show "
                    + String.join(", nor ", WarningMessages.missingData(diagnosis.missingData()))
                    + ": not recorded (see the warnings).");
        }
        int others = diagnosis.search().waitsOfOtherThreads();
        if (others > 0) {
            sentences.add("Other threads waited for "
                    + DurationFormat.roundTime(options.minDuration().toNanos()) + " or longer "
                    + EnglishCounts.times(others)
                    + " (--thread all).");
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

    /** The display server may miss the deadline of frames that programs finished in time. */
    private static String missedByDisplay(Summary summary) {
        return summary.missedDisplayFrames() == 0
                ? ""
                : " (the display missed " + summary.missedDisplayFrames() + " of "
                        + EnglishCounts.of(summary.displayFrames(), "frame") + ")";
    }

    /** The work of the longest missed frame, if waits took little of it: then no advice on waits helps. */
    private static String workload(MainFinding finding, Platform platform) {
        FrameWorkload work = finding.workload();
        if (work == null) {
            return "";
        }
        String least =
                DurationFormat.roundTime(DoctorOptions.defaults().minDuration().toNanos());
        String frame = MessageCatalogue.frame(platform);
        return "own work of " + programName(work) + ". Longest missed " + frame + ": "
                + DurationFormat.time(work.frame().durNs()) + ", "
                + (work.waitNs() == 0 ? "none" : "only " + DurationFormat.time(work.waitNs()))
                + " of it in waits of at least " + least + "; the rest was its own work, sleep or shorter waits"
                + slices(work) + "." + lookAt(ComponentMessages.of(work));
    }

    private static String programName(FrameWorkload work) {
        String name = ComponentMessages.program(work);
        return name == null ? "a program without a recorded name" : name;
    }

    /** The slices of the work. */
    private static String slices(FrameWorkload work) {
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

    /** The sleep of the worker, and the thread that woke it. */
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

    /** Waits of event loops come first and waits for a CPU last, though others may be longer. */
    private static String longestWait(Diagnosis diagnosis, Incident worst) {
        boolean longest = diagnosis.incidents().stream()
                .filter(Incident::isInTraceTotals)
                .allMatch(incident ->
                        incident.rootWait().durNs() <= worst.rootWait().durNs());
        if (longest) {
            return "Longest wait";
        }
        return worst.severity() == Severity.EVENT_LOOP
                ? "Longest wait of an event loop"
                : "Longest wait other than for a CPU";
    }

    /** An incident, with its number in the report if it is shown. */
    private static String sentence(Incident incident, Diagnosis diagnosis) {
        Duration least = diagnosis.search().options().minDuration();
        String number = "";
        if (diagnosis.isShown(incident)) {
            number = " (#" + (incident.id() + 1) + ")";
        } else if (incident.rootWait().durNs() < least.toNanos()) {
            number = " (shorter than the minimum of " + DurationFormat.roundTime(least.toNanos()) + ")";
        }
        return MessageCatalogue.label(incident.rootCause()) + number + ". " + sentence(incident) + ".";
    }

    private static String sentence(Incident incident) {
        Wait wait = incident.rootWait();
        if (wait.isProcessPause()) {
            return PauseMessages.sentence(incident);
        }
        String waiter = ThreadLabels.nameAndProcess(wait.thread());
        String cause = cause(incident);
        return switch (incident.verdict()) {
            case NO_CPU, BLOCKING_IO -> waiter + " was " + cause;
            case QUEUE_BACKLOG ->
                "A message to " + waiter + " waited " + DurationFormat.time(wait.durNs()) + " " + cause;
            default ->
                waiter
                        + (wait.kind().isLock() ? " was blocked for " : " waited for ")
                        + DurationFormat.time(wait.durNs())
                        + (wait.kind().isLock() ? " on " : " for ")
                        + WaitMessages.what(wait)
                        + (cause.isEmpty() ? "" : "; " + cause);
        };
    }

    /**
     * {@return the verdict and its cause in one line, such as {@code priority inversion (unbounded): owner binder:1_2 …}}
     *
     * @param incident the incident
     */
    public static String summary(Incident incident) {
        String cause = incident.rootWait().isProcessPause() ? PauseMessages.sentence(incident) : cause(incident);
        return MessageCatalogue.label(incident.rootCause()) + (cause.isEmpty() ? "" : ": " + cause);
    }

    private static String noCpu(Incident incident) {
        Wait wait = incident.rootWait();
        ThreadRef other = incident.responsibleThread();
        return "runnable without a CPU for "
                + DurationFormat.time(incident.rootCause().decisiveNs())
                + (wait.kind() == WaitKind.CPU ? "" : " of a wait for " + WaitMessages.what(wait))
                + (other == null ? "" : "; preempted by " + preemptedBy(incident, other));
    }

    /** The thread that ran most meanwhile, or the number of threads if none ran for half of the time. */
    private static String preemptedBy(Incident incident, ThreadRef most) {
        return ranHalf(incident, most)
                ? ThreadLabels.nameAndProcess(most)
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
            case Wait.IO -> ", for I/O";
            default -> ", in " + WaitMessages.what(wait);
        };
    }

    /** The decisive state of the responsible thread, and its time. */
    private static String cause(Incident incident) {
        int others = incident.decisiveThreads() - 1;
        boolean direct = incident.chain().size() == 1;
        boolean ownsLock = direct && incident.rootWait().kind().isLock();
        String name = (ownsLock ? "owner " : "")
                + ThreadLabels.name(incident.rootCause().responsibleThread())
                + (others <= 0 ? "" : " and " + EnglishCounts.of(others, "other"));
        String were = others <= 0 ? " was " : " were ";
        String time = " for " + DurationFormat.time(incident.rootCause().decisiveNs()) + (others <= 0 ? "" : " in all");
        return switch (incident.verdict()) {
            case PRIORITY_INVERSION -> name + " (lower priority)" + were + "runnable but preempted" + time;
            case PREEMPTED_OWNER -> name + were + "runnable but preempted" + time;
            case LONG_HOLD -> name + were + "running" + time + " while holding " + (ownsLock ? "it" : "a lock");
            case SLOW_REPLY -> name + were + "running" + time + " to serve " + (direct ? "it" : "a further call");
            case SLEEPING_OWNER -> name + were + "sleeping" + time + (ownsLock ? " while holding it" : "");
            case GC_BLOCKED_BY_CRITICAL -> name + were + "in a JNI critical section" + time;
            case LOCK_CONVOY -> {
                LockConvoy convoy = incident.convoy();
                yield convoy == null ? "" : convoy.threads() + " threads got the lock before, one after the other";
            }
            case STOPPED -> name + were + "stopped from outside" + time;
            case DEADLOCK -> circle(incident) + " wait for each other";
            case NO_CPU -> noCpu(incident);
            case BLOCKING_IO ->
                "in uninterruptible sleep for "
                        + DurationFormat.time(incident.rootWait().durNs()) + inFunction(incident.rootWait());
            case QUEUE_BACKLOG ->
                "behind " + EnglishCounts.of(incident.rootWait().waiters(), "other");
            case GC_BLOCKED, SAFEPOINT_BLOCKED -> "";
            case UNKNOWN -> "the cause is not recorded";
        };
    }

    /** The threads of the cycle; the waiter may be one of them, or wait for one. */
    private static String circle(Incident incident) {
        Map<Integer, String> chain = new LinkedHashMap<>();
        incident.chain().forEach(wait -> chain.putIfAbsent(wait.thread().utid(), ThreadLabels.name(wait.thread())));
        int first = List.copyOf(chain.keySet())
                .indexOf(incident.rootCause().responsibleThread().utid());
        return MessageCatalogue.enumerate(
                chain.values().stream().skip(Math.max(0, first)).toList());
    }
}
