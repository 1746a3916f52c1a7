package dev.unjank.doctor.report;

import dev.unjank.doctor.judge.MissedFrames;
import dev.unjank.doctor.judge.SummaryBuilder;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.FrameWorkload;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.LockConvoy;
import dev.unjank.doctor.model.MainFinding;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.PreemptingThread;
import dev.unjank.doctor.model.Severity;
import dev.unjank.doctor.model.Summary;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.model.cause.CostMeasure;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.model.cause.RootCauses;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.text.TerminalText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The form of the main finding: the root cause in a line, then waiter, owner, wait time, cost and the component to look at. */
public final class JudgementMessages {
    /** Other waits are mentioned if they sum to this many times the main finding. */
    private static final int NEGLIGIBLE_FACTOR = 10;

    private final Diagnosis diagnosis;
    private final MainFinding finding;
    private final Platform platform;
    private final List<String> summary = new ArrayList<>();
    private final List<ReportForm.Field> fields = new ArrayList<>();

    private JudgementMessages(Diagnosis diagnosis) {
        this.diagnosis = diagnosis;
        this.finding = diagnosis.mainFinding();
        this.platform = diagnosis.platform();
    }

    /** {@return the main finding in one line} */
    public static String of(Diagnosis diagnosis) {
        return form(diagnosis).inOneLine();
    }

    /** {@return the first line of a report of root causes with its facts, in one line; the main finding without root causes} */
    public static String of(Diagnosis diagnosis, RootCauses causes) {
        return (causes.causes().isEmpty() ? form(diagnosis) : form(diagnosis, causes)).inOneLine();
    }

    /** {@return the main finding; a warning about unread parts of the trace comes first} */
    public static ReportForm form(Diagnosis diagnosis) {
        JudgementMessages form = new JudgementMessages(diagnosis);
        form.write();
        return new ReportForm(form.summary, form.fields);
    }

    /**
     * {@return the first line of a report of root causes: the first root cause, or the work in a missed frame that waits do not explain}
     */
    public static ReportForm form(Diagnosis diagnosis, RootCauses causes) {
        JudgementMessages form = new JudgementMessages(diagnosis);
        form.write(causes);
        return new ReportForm(form.summary, form.fields);
    }

    private void write(RootCauses causes) {
        unreadParts();
        FrameWorkload work = finding.workload();
        if (work != null) {
            summary.add(rootCauseLine(workloadLabel(work)));
            if (diagnosis.mainOwnWork() == null) {
                workload(work);
            }
            return;
        }
        RootCause first = causes.causes().getFirst();
        String label = MessageCatalogue.label(first.example().judgement());
        boolean isCauseOfJank = causes.measure() == CostMeasure.MISSED_FRAMES && first.costNs() > 0;
        summary.add(isCauseOfJank ? rootCauseLine(label) : Messages.of("summary.firstCause", label));
        fields.addAll(CauseMessages.summary(first, causes, diagnosis));
        longestWait(causes);
    }

    /** The longest wait, if it is of another root cause. */
    private void longestWait(RootCauses causes) {
        Incident longest = diagnosis.incidents().stream()
                .max(LongOrder.ascending(incident -> incident.rootWait().durNs()))
                .orElseThrow();
        RootCause its = causes.causes().stream()
                .filter(cause -> cause.allIncidents().contains(longest.id()))
                .findFirst()
                .orElseThrow();
        if (its.rank() > 1) {
            field(
                    "longestWait",
                    Messages.of(
                            "cause.longestWait",
                            DurationFormat.time(longest.rootWait().durNs()),
                            MessageCatalogue.label(longest.judgement()),
                            longest.id() + 1,
                            its.rank()));
        }
    }

    private void field(String label, String value) {
        if (!value.isEmpty()) {
            fields.add(new ReportForm.Field(Messages.of("label." + label), value));
        }
    }

    private void unreadParts() {
        if (!diagnosis.unreadParts().isEmpty()) {
            String parts = MessageCatalogue.enumerate(WarningMessages.unreadParts(diagnosis.unreadParts()));
            summary.add(Messages.of("summary.unread", TerminalText.printableStart(parts)));
        }
    }

    private void write() {
        unreadParts();
        Incident worst = finding.incident();
        FrameWorkload work = finding.workload();
        if (worst != null && worst.rootWait().kind() == WaitKind.STOP) {
            summary.add(
                    finding.costNs() > 0 ? rootCauseLine(label(worst)) : MessageCatalogue.sentenceStart(label(worst)));
            incident(worst);
            if (work != null) {
                field("afterStop", workloadLabel(work));
                workload(work);
            }
        } else if (work != null) {
            summary.add(rootCauseLine(workloadLabel(work)));
            workload(work);
            if (worst != null) {
                boolean cost = finding.costNs() > 0;
                field(
                        cost ? "costliestWait" : "longestWait",
                        cost ? label(worst) : Messages.of("workload.wait", label(worst), frame()));
                incident(worst);
            }
        } else if (worst != null) {
            summary.add(finding.costNs() > 0 ? rootCauseLine(label(worst)) : longestWait(worst));
            incident(worst);
        } else {
            nothing();
        }
        worse();
    }

    private String rootCauseLine(String cause) {
        return Messages.of("summary.rootCause", Messages.of("effect." + platform), cause);
    }

    private String frame() {
        return MessageCatalogue.frame(platform);
    }

    /** The verdict of an incident, with its number in the report if it is shown. */
    private String label(Incident incident) {
        Duration least = diagnosis.search().options().minDuration();
        String label = MessageCatalogue.label(incident.judgement());
        if (diagnosis.isShown(incident)) {
            return Messages.of("summary.number", label, incident.id() + 1);
        }
        return incident.rootWait().durNs() < least.toNanos()
                ? Messages.of("summary.tooShort", label, DurationFormat.roundTime(least.toNanos()))
                : label;
    }

    private void incident(Incident worst) {
        field(worst.rootWait().kind() == WaitKind.STOP ? "process" : "waiter", waiter(worst));
        owner(worst);
        if (finding.costNs() > 0) {
            field("cost", cost(finding.costNs()));
        }
        total(worst);
        field("lookAt", ComponentMessages.of(worst, platform));
    }

    private String cost(long ns) {
        return Messages.of("cost.missed", DurationFormat.time(ns), MessageCatalogue.frames(platform));
    }

    /** The waits of the same verdict, or of another one, if the main finding is negligible beside their sum. */
    private void total(Incident worst) {
        DoctorOptions options = diagnosis.search().options();
        List<Incident> counting = options.isThreadNamed()
                ? diagnosis.incidents()
                : Stream.concat(diagnosis.incidents().stream(), diagnosis.notShown().stream())
                        .filter(incident -> incident.isInTraceTotals() && incident.severity() != Severity.CPU_ONLY)
                        .toList();
        List<Summary.Total> totals = SummaryBuilder.totals(counting);
        Summary.Total most = totals.isEmpty() ? null : totals.getFirst();
        if (most == null || most.durNs() < worst.rootWait().durNs() * NEGLIGIBLE_FACTOR) {
            return;
        }
        Duration least = (options.isThreadNamed() ? options : DoctorOptions.defaults()).minDuration();
        String waits = Messages.count("wait", most.incidents());
        String time = DurationFormat.time(most.durNs());
        String all = least.isZero()
                ? Messages.of("total.waits", waits, time)
                : Messages.of("total.waitsOfAtLeast", waits, DurationFormat.roundTime(least.toNanos()), time);
        boolean same = most.verdict() == worst.verdict();
        field(same ? "sameVerdict" : "moreTime", same ? all : Messages.of("total.ofVerdict", most.verdict(), all));
    }

    /** The worst incident of other threads, if the options select threads by name. */
    private void worse() {
        Incident worse = finding.worstNotShown();
        if (worse == null) {
            return;
        }
        long costNs = finding.worstNotShownCostNs();
        String label = Messages.of("worse.notShown", label(worse));
        List<String> facts = new ArrayList<>();
        facts.add(costNs > 0 ? Messages.of("worse.cost", label, cost(costNs)) : label);
        facts.add(waiter(worse));
        ReportForm.Field owner = ownerField(worse);
        if (owner != null) {
            facts.add(owner.label() + ": " + owner.value());
        }
        field("worse", String.join("; ", facts));
    }

    /** No incident: what was examined, and what the trace cannot show. */
    private void nothing() {
        Summary totals = diagnosis.summary();
        DoctorOptions options = diagnosis.search().options();
        Duration asked = (options.isThreadNamed() ? options : DoctorOptions.defaults()).minDuration();
        boolean recorded = diagnosis.search().waits() > 0 || diagnosis.search().waitsOfOtherThreads() > 0;
        summary.add(Messages.of(
                !platform.isJvm()
                        ? "summary.noCauseOfJank"
                        : recorded ? "summary.noLongWait" : "summary.noWaitRecorded"));
        if (totals.frames() > 0) {
            int all = totals.frames();
            field(
                    "frames." + platform,
                    totals.missedFrames() > 0
                            ? Messages.of("nothing.framesOf", totals.missedFrames(), all, programsWithMissedFrames())
                            : totals.missedDisplayFrames() > 0
                                    ? Messages.of(
                                            "nothing.framesOfDisplay",
                                            0,
                                            all,
                                            totals.missedDisplayFrames(),
                                            totals.displayFrames())
                                    : Messages.of("nothing.frames", 0, all));
            String least = DurationFormat.roundTime(asked.toNanos());
            field("waits", Messages.of("nothing.waits", MessageCatalogue.noSelectedThread(diagnosis), least));
        }
        field("notRecorded", String.join("; ", WarningMessages.missingData(diagnosis.missingData())));
        int others = diagnosis.search().waitsOfOtherThreads();
        if (others > 0) {
            String least = DurationFormat.roundTime(options.minDuration().toNanos());
            field("otherThreads", Messages.of("nothing.otherThreads", least, Messages.times(others)));
        }
    }

    private String programsWithMissedFrames() {
        List<String> programs = diagnosis.frames().stream()
                .filter(frame -> frame.missed() && !frame.display())
                .sorted(MissedFrames.order(diagnosis))
                .map(MessageCatalogue::program)
                .distinct()
                .toList();
        return programs.size() == 1
                ? programs.getFirst()
                : Messages.of("owner.andOthers", programs.getFirst(), Messages.count("other", programs.size() - 1));
    }

    private static String workloadLabel(FrameWorkload work) {
        String name = ComponentMessages.program(work);
        return Messages.of("summary.workload", name == null ? Messages.of("program.withoutName") : name);
    }

    /** The work of the longest missed frame, if waits took little of it: then no advice on waits helps. */
    private void workload(FrameWorkload work) {
        long least = DoctorOptions.defaults().minDuration().toNanos();
        field(
                "frame." + platform,
                Messages.of(
                        "workload.frame",
                        DurationFormat.time(work.frame().durNs()),
                        work.waitNs() == 0 ? Messages.of("workload.noWait") : DurationFormat.time(work.waitNs()),
                        DurationFormat.roundTime(least)));
        ThreadRef worker = work.worker();
        if (worker != null) {
            field("work", ran(work, worker));
            field("slices", slices(work, worker));
        }
        field("lookAt", ComponentMessages.of(work));
    }

    /** The running time and the sleep of the thread that worked most, and the thread that woke it. */
    private static String ran(FrameWorkload work, ThreadRef worker) {
        if (work.runningNs() == 0) {
            return "";
        }
        String ran = Messages.of("workload.ran", name(worker), DurationFormat.time(work.runningNs()));
        FrameWorkload.Sleep sleep = work.sleep();
        if (sleep == null) {
            return ran;
        }
        String slept = DurationFormat.time(sleep.durNs());
        ThreadRef waker = sleep.waker();
        if (waker == null) {
            return Messages.of("workload.slept", ran, slept);
        }
        return sleep.wokenByWakerNs() == sleep.durNs()
                ? Messages.of("workload.woken", ran, slept, ThreadLabels.name(waker))
                : Messages.of(
                        "workload.partlyWoken",
                        ran,
                        slept,
                        DurationFormat.time(sleep.wokenByWakerNs()),
                        ThreadLabels.name(waker));
    }

    /** The longest slices of the work. */
    private static String slices(FrameWorkload work, ThreadRef worker) {
        if (work.slices().isEmpty()) {
            return "";
        }
        List<String> longest = work.slices().stream()
                .map(slice -> Messages.of(
                        "workload.slice",
                        TerminalText.printableStart(slice.name()),
                        DurationFormat.time(slice.durNs())))
                .toList();
        boolean sleep = work.sleep() != null && work.runningNs() > 0;
        return Messages.of(
                sleep ? "workload.longestSlicesWithSleep" : "workload.longestSlices",
                MessageCatalogue.enumerate(longest),
                name(worker));
    }

    private static String name(ThreadRef worker) {
        return worker.main() ? Messages.of("workload.mainThread") : ThreadLabels.name(worker);
    }

    /** Waits of event loops come first and waits for a CPU last, though others may be longer. */
    private String longestWait(Incident worst) {
        boolean longest = diagnosis.incidents().stream()
                .filter(Incident::isInTraceTotals)
                .allMatch(incident ->
                        incident.rootWait().durNs() <= worst.rootWait().durNs());
        boolean longestKnown = worst.verdict() != Verdict.UNKNOWN
                && diagnosis.incidents().stream()
                        .filter(incident -> incident.isInTraceTotals() && incident.verdict() != Verdict.UNKNOWN)
                        .allMatch(incident ->
                                incident.rootWait().durNs() <= worst.rootWait().durNs());
        String key = longest
                ? "summary.longestWait"
                : longestKnown
                        ? "summary.longestKnownWait"
                        : worst.severity() == Severity.EVENT_LOOP
                                ? "summary.longestWaitOfEventLoop"
                                : "summary.longestWaitNotForCpu";
        return Messages.of(key, label(worst));
    }

    private static String waiter(Incident incident) {
        Wait wait = incident.rootWait();
        String name = ThreadLabels.nameAndProcess(wait.thread());
        String duration = DurationFormat.time(wait.durNs());
        if (wait.isProcessPause()) {
            return PauseMessages.waiter(wait, duration);
        }
        return switch (incident.verdict()) {
            case NO_CPU -> {
                String runnable = DurationFormat.time(incident.judgement().decisiveNs());
                yield wait.kind() == WaitKind.CPU
                        ? Messages.of("waiter.cpu", name, runnable)
                        : Messages.of("waiter.cpuOfWait", name, runnable, WaitMessages.what(wait));
            }
            case BLOCKING_IO ->
                switch (wait.target()) {
                    case Wait.KERNEL_SLEEP -> Messages.of("waiter.uninterruptible", name, duration);
                    case Wait.IO -> Messages.of("waiter.io", name, duration);
                    default -> Messages.of("waiter.function", name, duration, WaitMessages.what(wait));
                };
            case QUEUE_BACKLOG -> Messages.of("waiter.queue", name, duration);
            case PINNED ->
                Messages.of(
                        wait.kind() == WaitKind.CARRIER ? "waiter.other" : "waiter.PINNED",
                        name,
                        duration,
                        WaitMessages.what(wait));
            case SLEPT, LONG_HANDLER ->
                Messages.of("waiter." + incident.verdict(), name, duration, WaitMessages.what(wait));
            default ->
                Messages.of(
                        wait.kind().isLock() ? "waiter.lock" : "waiter.other", name, duration, WaitMessages.what(wait));
        };
    }

    private void owner(Incident incident) {
        ReportForm.Field field = ownerField(incident);
        if (field != null) {
            fields.add(field);
        }
    }

    /** The responsible thread with its decisive state and its time; null if there is none. */
    private static ReportForm.@Nullable Field ownerField(Incident incident) {
        Wait wait = incident.rootWait();
        if (wait.isProcessPause()) {
            return null;
        }
        boolean direct = incident.chain().size() == 1;
        Verdict verdict = incident.verdict();
        return switch (verdict) {
            case GC_BLOCKED, SAFEPOINT_BLOCKED, BLOCKING_IO, SLEPT, SLOW_IO, LONG_HANDLER -> null;
            case UNKNOWN -> ownerField("cause", Messages.of("owner.UNKNOWN"));
            case DEADLOCK -> ownerField("cycle", Messages.of("owner.DEADLOCK", cycle(incident)));
            case QUEUE_BACKLOG ->
                ownerField("queue", Messages.of("owner.QUEUE_BACKLOG", Messages.count("other", wait.waiters())));
            case LOCK_CONVOY -> {
                LockConvoy convoy = incident.convoy();
                yield convoy == null ? null : ownerField("owner", Messages.of("owner.LOCK_CONVOY", convoy.threads()));
            }
            case NO_CPU -> {
                ThreadRef other = incident.responsibleThread();
                yield other == null ? null : ownerField("preemptedBy", preemptedBy(incident, other));
            }
            case LONG_HOLD, SLEEPING_OWNER, SLOW_REPLY -> {
                boolean near = verdict == Verdict.SLOW_REPLY
                        ? direct
                        : direct && wait.kind().isLock();
                yield ownerField(
                        ownerLabel(wait, direct), responsible(incident, near ? verdict.name() : verdict + ".indirect"));
            }
            case RESOURCE_EXHAUSTED, WAITED_FOR_RESULT ->
                incident.judgement().evidence() == Evidence.UNKNOWN
                        ? ownerField("cause", Messages.of("owner.UNKNOWN"))
                        : ownerField(ownerLabel(wait, direct), responsible(incident, verdict.name()));
            case PINNED -> {
                Owner carrier = incident.blocker();
                yield carrier == null
                        ? null
                        : ownerField(
                                wait.kind() == WaitKind.CARRIER ? "blockedBy" : "carrier",
                                ThreadLabels.name(carrier.thread()));
            }
            case PRIORITY_INVERSION, PREEMPTED_OWNER, GC_BLOCKED_BY_CRITICAL, STOPPED ->
                ownerField(ownerLabel(wait, direct), responsible(incident, verdict.name()));
        };
    }

    private static ReportForm.Field ownerField(String label, String value) {
        return new ReportForm.Field(Messages.of("label." + label), value);
    }

    private static String ownerLabel(Wait wait, boolean direct) {
        return direct ? MessageCatalogue.ownerLabel(wait.kind()) : "blockedBy";
    }

    private static String responsible(Incident incident, String key) {
        int others = incident.decisiveThreads() - 1;
        String name = ThreadLabels.name(incident.judgement().responsibleThread());
        String time = DurationFormat.time(incident.judgement().decisiveNs());
        return others <= 0
                ? Messages.of("owner." + key, name, time)
                : Messages.of(
                        "owner." + key,
                        Messages.of("owner.andOthers", name, Messages.count("other", others)),
                        Messages.of("owner.inAll", time));
    }

    /** The thread that ran most meanwhile, or the number of threads if none ran for half of the time. */
    private static String preemptedBy(Incident incident, ThreadRef most) {
        String name = ThreadLabels.nameAndProcess(most);
        return ranHalf(incident, most)
                ? name
                : Messages.of(
                        "owner.NO_CPU",
                        Messages.count("thread", incident.preemptedBy().size()),
                        name);
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

    /** The threads of the cycle; the waiter may be one of them, or wait for one. */
    private static String cycle(Incident incident) {
        Map<Integer, String> chain = new LinkedHashMap<>();
        incident.chain().forEach(wait -> chain.putIfAbsent(wait.thread().utid(), ThreadLabels.name(wait.thread())));
        int first = List.copyOf(chain.keySet())
                .indexOf(incident.judgement().responsibleThread().utid());
        return MessageCatalogue.enumerate(
                chain.values().stream().skip(Math.max(0, first)).toList());
    }
}
