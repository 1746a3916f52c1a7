package dev.unjank.doctor.report;

import dev.unjank.doctor.judge.MissedFrames;
import dev.unjank.doctor.judge.SummaryBuilder;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.FrameWorkload;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.MainFinding;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.Severity;
import dev.unjank.doctor.model.Summary;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.model.cause.CostMeasure;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.model.cause.RootCauses;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.text.TerminalText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The form of the main finding: the root cause in a line, then waiter, owner, wait time, cost and the component to look
 * at.
 */
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

    /**
     * {@return the first line of a report of root causes with its facts, in one line; the main finding without root
     * causes}
     */
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
     * {@return the first line of a report of root causes: the first root cause, or the work in a missed frame that
     * waits do not explain}
     */
    public static ReportForm form(Diagnosis diagnosis, RootCauses causes) {
        JudgementMessages form = new JudgementMessages(diagnosis);
        form.write(causes);
        return new ReportForm(form.summary, form.fields);
    }

    private void write(RootCauses causes) {
        unreadParts();
        FrameWorkload work = finding.workload();
        RootCause first = causes.causes().getFirst();
        if (work != null && first.verdict() != Verdict.DEADLOCK) {
            summary.add(rootCauseLine(WorkloadMessages.label(work)));
            if (diagnosis.mainOwnWork() == null) {
                fields.addAll(WorkloadMessages.fields(work, platform));
            }
            return;
        }
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
                            longest.id(),
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
                field("afterStop", WorkloadMessages.label(work));
                fields.addAll(WorkloadMessages.fields(work, platform));
            }
        } else if (work != null) {
            summary.add(rootCauseLine(WorkloadMessages.label(work)));
            fields.addAll(WorkloadMessages.fields(work, platform));
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
            return Messages.of("summary.number", label, incident.id());
        }
        return incident.rootWait().durNs() < least.toNanos()
                ? Messages.of("summary.tooShort", label, DurationFormat.roundTime(least.toNanos()))
                : label;
    }

    private void incident(Incident worst) {
        field(worst.rootWait().kind() == WaitKind.STOP ? "process" : "waiter", IncidentFacts.waiter(worst));
        ReportForm.Field owner = IncidentFacts.owner(worst);
        if (owner != null) {
            fields.add(owner);
        }
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
        facts.add(IncidentFacts.waiter(worse));
        ReportForm.Field owner = IncidentFacts.owner(worse);
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

    /** Deadlocks come first, then waits of event loops, and waits for a CPU last, though others may be longer. */
    private String longestWait(Incident worst) {
        if (worst.verdict() == Verdict.DEADLOCK) {
            return MessageCatalogue.sentenceStart(label(worst));
        }
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
}
