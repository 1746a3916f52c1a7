package dev.unjank.doctor.report;

import dev.unjank.doctor.judge.BlockerKind;
import dev.unjank.doctor.judge.SummaryBuilder;
import dev.unjank.doctor.model.CriticalPath;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.FrameWorkload;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnWorkFrame;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.read.jfr.JfrChunks;
import dev.unjank.trace.text.TerminalText;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The steps after a verdict, the most effective first. */
public final class Advice {
    /** A call of a queue: that takes an item, or that adds one. */
    private static final Pattern QUEUE_CALL =
            Pattern.compile("\\w*(?:Queue|Deque)\\.(?:((?:take|poll)\\w*)|(?:put|offer)\\w*)");

    private static final String OF_WAITER = "advice.recorded.UNKNOWN";
    private static final String OF_OWNER = "advice.recorded.UNKNOWN.owner";

    private Advice() {}

    /** Advice for an incident. */
    public static List<String> of(Incident incident, Platform platform) {
        boolean isScheduled = !platform.isJvm() && incident.rootWait().thread().hasPriority();
        if (incident.verdict() == Verdict.SLEPT && incident.rootWait().thread().tid() >= JfrChunks.FIRST_VIRTUAL) {
            return Messages.list("advice.virtual.SLEPT");
        }
        String special = special(incident);
        if (special != null) {
            return Messages.list(special);
        }
        return incident.verdict() == Verdict.UNKNOWN && isScheduled
                ? Messages.list(WaitMessages.isOwnerNamed(incident) ? OF_OWNER : OF_WAITER)
                : of(incident.verdict(), BlockerKind.of(incident), platform);
    }

    /** The key of the advice for a wait for a queue without known holders, and for a result whose producer slept. */
    private static @Nullable String special(Incident incident) {
        if (incident.verdict() == Verdict.WAITED_FOR_RESULT && isProducerAsleep(incident)) {
            return "advice.asleep.WAITED_FOR_RESULT";
        }
        if (incident.verdict() != Verdict.RESOURCE_EXHAUSTED || incident.resource() != null) {
            return null;
        }
        Matcher call = QUEUE_CALL.matcher(incident.rootWait().target());
        return !call.matches()
                ? null
                : call.group(1) == null ? "advice.space.RESOURCE_EXHAUSTED" : "advice.item.RESOURCE_EXHAUSTED";
    }

    private static boolean isProducerAsleep(Incident incident) {
        long asleepNs = 0;
        long allNs = 0;
        for (Incident.StateDuration time : incident.ownerStates()) {
            asleepNs += time.state().isAsleep() ? time.durNs() : 0;
            allNs += time.durNs();
        }
        return 2 * asleepNs > allNs;
    }

    /** Advice for a wait without a verdict although the scheduler's events are in the trace. */
    public static List<String> unknownWithScheduling() {
        return Stream.of(OF_WAITER, OF_OWNER)
                .flatMap(key -> Messages.list(key).stream())
                .toList();
    }

    /** Advice for all incidents with a verdict, the kind of wait with the most time first. */
    public static List<String> of(Verdict verdict, Diagnosis diagnosis) {
        Map<List<String>, Long> sums = new LinkedHashMap<>();
        Stream.concat(diagnosis.incidents().stream(), diagnosis.notShown().stream())
                .filter(incident -> incident.verdict() == verdict)
                .forEach(incident -> sums.merge(
                        of(incident, diagnosis.platform()), incident.rootWait().durNs(), Long::sum));
        if (sums.isEmpty()) {
            sums.put(of(verdict, BlockerKind.LOCK, diagnosis.platform()), 0L);
        }
        Set<String> steps = new LinkedHashSet<>();
        sums.entrySet().stream()
                .sorted(LongOrder.descending(Map.Entry::getValue))
                .forEach(sum -> steps.addAll(sum.getKey()));
        return List.copyOf(steps);
    }

    /** The first advice for a frame that was missed because of its own program's work. */
    public static String of(OwnWorkFrame late, Platform platform) {
        FrameWorkload work = late.work();
        String frame = MessageCatalogue.frame(platform);
        FrameWorkload.Sleep sleep = work.sleep();
        ThreadRef waker = sleep == null ? null : sleep.waker();
        if (sleep != null
                && waker != null
                && sleep.wokenByWakerNs() * 4 >= work.frame().durNs()) {
            CriticalPath.PathSlice slice = late.path().longestSlice(waker);
            return slice == null
                    ? Messages.of("advice.workload.waker", ThreadLabels.nameAndProcess(waker), frame)
                    : Messages.of(
                            "advice.workload.wakerSlice",
                            TerminalText.printableStart(slice.name()),
                            ThreadLabels.name(waker),
                            frame);
        }
        boolean slept =
                work.runningNs() > 0 && work.runningNs() * 2 < work.frame().durNs() - work.waitNs();
        return Messages.of(
                slept
                        ? "advice.workload.sleep"
                        : work.slices().isEmpty() ? "advice.workload.unknown" : "advice.workload.slices",
                frame);
    }

    /** The given verdicts: that of the main finding, then those with the most time; those of shown incidents first. */
    public static List<Verdict> order(Diagnosis diagnosis) {
        Set<Verdict> order = new LinkedHashSet<>();
        Incident first = diagnosis.mainFinding().incident();
        if (first != null) {
            order.add(first.verdict());
        }
        diagnosis.summary().verdicts().forEach(total -> order.add(total.verdict()));
        SummaryBuilder.totals(diagnosis.incidents()).forEach(total -> order.add(total.verdict()));
        return List.copyOf(order);
    }

    /** Advice for a verdict. */
    public static List<String> of(Verdict verdict, BlockerKind awaited, Platform platform) {
        List<String> steps = List.of();
        if (platform.isJvm()) {
            steps = firstOf("advice.JVM." + awaited + "." + verdict, "advice.JVM." + verdict);
        }
        if (steps.isEmpty()) {
            steps = firstOf("advice." + awaited + "." + verdict, "advice." + verdict);
        }
        return steps;
    }

    private static List<String> firstOf(String special, String general) {
        List<String> steps = Messages.list(special);
        return steps.isEmpty() ? Messages.list(general) : steps;
    }
}
