package dev.unjank.doctor.report.text;

import dev.unjank.doctor.judge.VerdictRules;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.FrameCost;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.PreemptingThread;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.loss.EventLoss;
import dev.unjank.doctor.report.Advice;
import dev.unjank.doctor.report.CauseMessages;
import dev.unjank.doctor.report.ComponentMessages;
import dev.unjank.doctor.report.DurationFormat;
import dev.unjank.doctor.report.MessageCatalogue;
import dev.unjank.doctor.report.Messages;
import dev.unjank.doctor.report.ThreadLabels;
import dev.unjank.doctor.report.VerdictMessages;
import dev.unjank.doctor.report.WaitMessages;
import dev.unjank.doctor.report.WarningMessages;
import dev.unjank.trace.text.TerminalText;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Writes one incident in full: its labelled facts, the states of the owner, and the threads that preempted it. */
final class IncidentText {
    private static final int WIDEST_BAR = 30;
    private static final int MOST_PREEMPTING = 6;
    private static final int MOST_FRAMES = 3;

    /** An owner further down the chain is shown if its share of the wait is at least 1/20. */
    private static final int LEAST_LINK = 20;

    private final Diagnosis diagnosis;
    private final TextPage page;

    IncidentText(Diagnosis diagnosis, TextPage page) {
        this.diagnosis = diagnosis;
        this.page = page;
    }

    void write(Incident incident) {
        Wait wait = incident.rootWait();
        page.rule(
                "#" + incident.id() + "  "
                        + (wait.unfinished()
                                ? Messages.of("text.unfinished", DurationFormat.time(wait.durNs()))
                                : DurationFormat.time(wait.durNs())),
                AnsiColour.of(incident.verdict()),
                MessageCatalogue.verdict(incident.judgement()),
                Messages.of("text.at", DurationFormat.time(wait.startNs() - diagnosis.startNs())));
        page.line();
        facts(incident);
        page.line();
        page.wrapped("  ", WaitMessages.ownerActivity(incident));
        if (!incident.hasUnknownOwnerStates()) {
            bars(incident);
        }
        preemptedBy(incident);
        page.line();
    }

    /** The labelled facts, in the order of a form. */
    private void facts(Incident incident) {
        field("rootCause", VerdictMessages.of(incident));
        threads(incident);
        List<PreemptingThread> preempting = incident.preemptedBy();
        if (isPreemptionShown(incident)) {
            PreemptingThread most = preempting.getFirst();
            field(
                    "preemptedBy",
                    Messages.of(
                            preempting.size() == 1 ? "text.preempting" : "text.preemptingAndOthers",
                            ThreadLabels.nameAndProcess(most.thread()),
                            DurationFormat.time(most.ranNs()),
                            Messages.count("other", preempting.size() - 1)));
        }
        frames(incident);
        String resource = WaitMessages.resource(incident.resource());
        if (!resource.isEmpty()) {
            field("resource", resource);
        }
        String component = ComponentMessages.of(incident, diagnosis.platform());
        if (!component.isEmpty()) {
            field("lookAt", component);
        }
        field(
                "evidence",
                Messages.of("text.evidence", incident.judgement().evidence(), WaitMessages.evidence(incident)));
        EventLoss lost = diagnosis.eventLossDuring(incident);
        if (lost != null) {
            field("lostEvents", WarningMessages.of(lost));
        }
        field("nextStep", Advice.of(incident, diagnosis.platform()).getFirst());
    }

    private void field(String label, String value) {
        page.field(Messages.of("label." + label), value);
    }

    private void threads(Incident incident) {
        Wait wait = incident.rootWait();
        threadLine("waiter", wait.thread(), null, "");
        place(wait.location(), Messages.of("text.for", WaitMessages.what(wait)));
        if (wait.location() != null && wait.hasLockClass()) {
            page.field("", Messages.of("text.for", WaitMessages.what(wait)));
        }
        Owner owner = incident.blocker();
        if (owner != null && owner.thread().isKnown()) {
            threadLine(
                    MessageCatalogue.ownerLabel(wait.kind()),
                    owner.thread(),
                    wait.thread().process(),
                    otherPriorities(wait.longestOwnerInterval()));
            place(owner.location(), null);
        }
        for (Wait next : incident.chain().subList(1, shownChainLength(incident))) {
            Owner nextOwner = next.longestOwnerInterval().owner();
            threadLine(
                    next.kind().isLock() ? "nextOwner" : MessageCatalogue.ownerLabel(next.kind()),
                    nextOwner.thread(),
                    next.thread().process(),
                    otherPriorities(next.longestOwnerInterval()));
            place(nextOwner.location(), null);
            page.field(
                    "",
                    Messages.of("text.forTime", DurationFormat.time(next.durNs()), WaitMessages.nextWaitTarget(next)));
        }
    }

    private static boolean isPreemptionShown(Incident incident) {
        return !incident.preemptedBy().isEmpty()
                && (incident.verdict() == Verdict.NO_CPU
                        || incident.leafTimeIn(state -> state == OwnerState.RUNNABLE)
                                >= VerdictRules.MIN_PREEMPTION_NS);
    }

    /**
     * The number of links that are shown: up to the responsible thread, and as long as they are a share of the wait.
     */
    private static int shownChainLength(Incident incident) {
        List<Wait> chain = incident.chain();
        if (incident.verdict() == Verdict.DEADLOCK) {
            return chain.size();
        }
        ThreadRef responsible = incident.judgement().responsibleThread();
        int shown = 1;
        for (int link = 1; link < chain.size(); link++) {
            ThreadRef owner = chain.get(link).longestOwnerInterval().owner().thread();
            boolean isResponsible = owner.isInTrace() && owner.utid() == responsible.utid();
            if (isResponsible
                    || chain.get(link).durNs() * LEAST_LINK
                            >= incident.rootWait().durNs()) {
                shown = link + 1;
            }
        }
        return shown;
    }

    private void frames(Incident incident) {
        List<FrameCost> costs = diagnosis.costsOf(incident).stream()
                .filter(cost -> cost.frame().missed())
                .toList();
        String label = Messages.of("label.cost");
        for (FrameCost cost : costs.subList(0, Math.min(MOST_FRAMES, costs.size()))) {
            Frame frame = cost.frame();
            String lost = Messages.of(
                            "text.missedCost",
                            DurationFormat.time(cost.overlapNs()),
                            MessageCatalogue.frame(diagnosis.platform()),
                            DurationFormat.time(frame.durNs()))
                    + " ";
            int room = page.width() - TextPage.visible(label(label));
            page.line(label(label) + page.fit(lost + MessageCatalogue.frame(frame, room - lost.length()), room));
            label = "";
        }
        if (costs.size() > MOST_FRAMES) {
            int more = costs.size() - MOST_FRAMES;
            Platform platform = diagnosis.platform();
            page.wrapped(
                    label(""),
                    Messages.of(
                            "text.moreMissed",
                            more,
                            more == 1 ? MessageCatalogue.frame(platform) : MessageCatalogue.frames(platform)));
        }
    }

    private String label(String text) {
        return page.label(text);
    }

    private void threadLine(String role, ThreadRef thread, @Nullable String process, String more) {
        page.wrapped(
                label(Messages.of("label." + role)),
                page.coloured(AnsiColour.BOLD, ThreadLabels.name(thread)) + "  "
                        + ThreadLabels.identity(thread, process) + more);
    }

    /** The other priorities that the owner had, since the kernel changes them. */
    private static String otherPriorities(OwnerInterval ownerInterval) {
        SortedSet<Integer> others = ownerInterval.otherPriorities();
        return others.isEmpty()
                ? ""
                : Messages.of(
                        ownerInterval.isPreempted() ? "text.otherwiseThanPreempted" : "text.otherwise",
                        MessageCatalogue.enumerate(
                                others.stream().map(String::valueOf).toList()));
    }

    private void place(@Nullable CodeLocation site, @Nullable String otherwise) {
        if (site != null) {
            page.wrapped(
                    label(""),
                    Messages.of("text.in", TerminalText.printableStart(site.method())) + "  "
                            + page.coloured(AnsiColour.DIM, WaitMessages.source(site)));
        } else if (otherwise != null) {
            page.wrapped(label(""), otherwise);
        }
    }

    /**
     * A bar per state, solid as long as the lock was held; beside it, if there is space, the longest detail of that
     * state.
     */
    private void bars(Incident incident) {
        page.line();
        int labels = 2
                + incident.ownerStates().stream()
                        .mapToInt(time -> MessageCatalogue.label(time.state()).length())
                        .max()
                        .orElse(0);
        int columns = Math.max(1, Math.min(WIDEST_BAR, page.width() - 23 - labels));
        DurationFormat.Column times =
                DurationFormat.Column.of(incident.ownerStates().stream().mapToLong(Incident.StateDuration::durNs));
        for (Incident.StateDuration time : incident.ownerStates()) {
            String bar = page.bar(
                    incident.timeIn(time.state()),
                    time.durNs(),
                    incident.rootWait().durNs(),
                    columns);
            String line = "    " + TextPage.left(MessageCatalogue.label(time.state()), labels)
                    + page.coloured(AnsiColour.of(time.state()), TextPage.left(bar, columns))
                    + TextPage.right(times.time(time.durNs()), 12)
                    + TextPage.right(
                            CauseMessages.share(
                                    time.durNs(), incident.rootWait().durNs()),
                            6);
            String detail = WaitMessages.detail(incident.longestDetail(time.state()));
            int room = page.width() - TextPage.visible(line) - 2;
            page.line(
                    detail == null || room < 12
                            ? line
                            : line + "  "
                                    + page.coloured(
                                            AnsiColour.DIM, page.fit(TerminalText.printableStart(detail), room)));
        }
        if (incident.rootWait().wakeDelayNs() >= VerdictRules.MIN_PREEMPTION_NS
                && incident.rootWait().kind().isLock()) {
            page.line("    " + TextPage.left("", labels)
                    + page.coloured(
                            AnsiColour.DIM,
                            page.fit(
                                    Messages.of("text.afterLockFree", page.partialBarCharacter()),
                                    page.width() - 4 - labels)));
        }
    }

    private void preemptedBy(Incident incident) {
        List<PreemptingThread> threads = incident.preemptedBy();
        if (!isPreemptionShown(incident)) {
            return;
        }
        int shown = threads.size() <= MOST_PREEMPTING ? threads.size() : MOST_PREEMPTING - 1;
        int priorities = page.width() < TextReport.WIDE ? 10 : 26;
        int names = page.width() - 4 - priorities - 12;
        page.line();
        ThreadRef blocked = incident.rootWait().thread();
        String heading = priorities > 10 && blocked.hasPriority()
                ? Messages.of("text.priorityAndWaiter", blocked.priority())
                : Messages.of("text.priority");
        String where = Messages.of("text.preemptedByOn", ThreadLabels.cpus(incident.preemptionCpus()));
        String ran = names < where.length() ? Messages.of("text.preemptedBy") : where;
        page.line("  " + TextPage.left(ran, names + 2) + TextPage.left("  " + heading, priorities)
                + TextPage.right(Messages.of("text.time"), 12));
        List<PreemptingThread> others = threads.subList(shown, threads.size());
        long rest = others.stream().mapToLong(PreemptingThread::ranNs).sum();
        DurationFormat.Column times = DurationFormat.Column.of(LongStream.concat(
                LongStream.of(rest), threads.subList(0, shown).stream().mapToLong(PreemptingThread::ranNs)));
        for (PreemptingThread preempting : threads.subList(0, shown)) {
            preemptingThread(incident, preempting, names, priorities, times);
        }
        if (!others.isEmpty()) {
            String more = Messages.of("text.and", Messages.count("other", others.size()));
            page.line("    " + TextPage.left(more, names + priorities) + TextPage.right(times.time(rest), 12));
        }
        page.wrapped("    ", Messages.of(incident.preemptionCpus().size() == 1 ? "text.oneCpu" : "text.severalCpus"));
    }

    private void preemptingThread(
            Incident incident, PreemptingThread preempting, int names, int priorities, DurationFormat.Column times) {
        ThreadRef thread = preempting.thread();
        ThreadRef blocked = incident.rootWait().thread();
        String priority = TextPage.right(thread.hasPriority() ? Integer.toString(thread.priority()) : "?", 6);
        if (page.width() >= TextReport.WIDE) {
            priority += (" " + ThreadLabels.rank(thread, blocked)).stripTrailing() + otherPriorities(incident, thread);
        }
        page.line("    " + TextPage.left(page.fit(ThreadLabels.nameAndProcess(thread), names), names)
                + page.coloured(
                        thread.isLessImportantThan(blocked) ? AnsiColour.RED : AnsiColour.DIM,
                        TextPage.left(priority, priorities))
                + TextPage.right(times.time(preempting.ranNs()), 12));
    }

    /** The other priorities at which a thread ran, for less time. */
    private static String otherPriorities(Incident incident, ThreadRef most) {
        List<String> others = incident.preemptingThreads().stream()
                .map(PreemptingThread::thread)
                .filter(thread -> thread.utid() == most.utid() && thread.priority() != most.priority())
                .map(thread -> thread.hasPriority() ? String.valueOf(thread.priority()) : "?")
                .toList();
        return others.isEmpty()
                ? ""
                : Messages.of("text.also", others.size() == 1 ? others.getFirst() : Messages.of("text.others"));
    }
}
