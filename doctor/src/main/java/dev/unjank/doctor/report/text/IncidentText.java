package dev.unjank.doctor.report.text;

import dev.unjank.doctor.judge.VerdictRules;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.EventLoss;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.FrameCost;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.PreemptingThread;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.report.Advice;
import dev.unjank.doctor.report.DurationFormat;
import dev.unjank.doctor.report.MessageCatalogue;
import dev.unjank.doctor.report.ThreadLabels;
import dev.unjank.doctor.report.VerdictMessages;
import dev.unjank.doctor.report.WaitMessages;
import dev.unjank.doctor.report.WarningMessages;
import dev.unjank.trace.text.EnglishCounts;
import dev.unjank.trace.text.TerminalText;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Writes one incident in full: who, where, behind whom, what they did, who ran instead, why, and what it cost. */
final class IncidentText {
    private static final int WIDEST_BAR = 30;
    private static final int MOST_CULPRITS = 6;
    private static final int MOST_FRAMES = 3;

    /** Whoever was further down the chain for a smaller share of the wait is not worth the lines. */
    private static final int LEAST_LINK = 20;

    private final Diagnosis diagnosis;
    private final TextPage page;

    IncidentText(Diagnosis diagnosis, TextPage page) {
        this.diagnosis = diagnosis;
        this.page = page;
    }

    void write(int number, Incident incident) {
        Wait wait = incident.rootWait();
        page.rule(
                number + "  " + DurationFormat.time(wait.durNs()) + (wait.unfinished() ? ", unfinished" : ""),
                AnsiColour.of(incident.verdict()),
                MessageCatalogue.verdict(incident.rootCause()),
                "at " + DurationFormat.time(wait.startNs() - diagnosis.startNs()));
        page.line();
        threadLine("blocked", wait.thread(), null, "");
        place(wait.location(), "for " + WaitMessages.what(wait));
        if (wait.location() != null && wait.hasLockClass()) {
            page.wrapped(label(""), "for " + WaitMessages.what(wait));
        }
        Owner inTheWay = incident.blocker();
        if (inTheWay != null && inTheWay.thread().isKnown()) {
            threadLine("by", inTheWay.thread(), wait.thread().process(), otherPriorities(wait.longestOwnerInterval()));
            place(inTheWay.location(), null);
        }
        for (Wait further : incident.chain().subList(1, shownChainLength(incident))) {
            Owner owner = further.longestOwnerInterval().owner();
            threadLine(
                    "behind",
                    owner.thread(),
                    further.thread().process(),
                    otherPriorities(further.longestOwnerInterval()));
            place(owner.location(), null);
            page.wrapped(
                    label(""),
                    "for " + DurationFormat.time(further.durNs()) + ", " + WaitMessages.nextWaitTarget(further));
        }
        page.line();
        page.wrapped("  ", WaitMessages.ownerActivity(incident));
        if (!incident.hasUnknownOwnerStates()) {
            bars(incident);
        }
        preemptedBy(incident);
        page.line();
        page.wrapped(label("why"), VerdictMessages.of(incident));
        Evidence evidence = incident.rootCause().evidence();
        page.wrapped(label("evidence"), evidence + ": " + WaitMessages.evidence(incident) + ".");
        EventLoss lost = diagnosis.eventLossDuring(incident);
        if (lost != null) {
            page.wrapped(label("lost"), WarningMessages.of(lost));
        }
        frames(incident);
        page.wrapped(
                label("next"), Advice.of(incident, diagnosis.platform()).steps().getFirst());
        page.line();
    }

    /** How much of the chain is told: where all that follows is short and nobody there is to blame, it ends. */
    private static int shownChainLength(Incident incident) {
        List<Wait> chain = incident.chain();
        if (incident.verdict() == Verdict.DEADLOCK) {
            return chain.size();
        }
        ThreadRef responsible = incident.rootCause().responsibleThread();
        int told = 1;
        for (int link = 1; link < chain.size(); link++) {
            ThreadRef owner = chain.get(link).longestOwnerInterval().owner().thread();
            boolean isBlamed = owner.isInTrace() && owner.utid() == responsible.utid();
            if (isBlamed
                    || chain.get(link).durNs() * LEAST_LINK
                            >= incident.rootWait().durNs()) {
                told = link + 1;
            }
        }
        return told;
    }

    private void frames(Incident incident) {
        List<FrameCost> costs = diagnosis.costsOf(incident).stream()
                .filter(cost -> cost.frame().missed())
                .toList();
        String label = "cost";
        for (FrameCost cost : costs.subList(0, Math.min(MOST_FRAMES, costs.size()))) {
            Frame frame = cost.frame();
            String lost = DurationFormat.time(cost.overlapNs()) + " of a late "
                    + MessageCatalogue.frame(diagnosis.platform()) + " of " + DurationFormat.time(frame.durNs()) + ": ";
            int room = page.width() - TextPage.visible(label(label));
            page.line(label(label) + page.fit(lost + MessageCatalogue.frame(frame, room - lost.length()), room));
            label = "";
        }
        if (costs.size() > MOST_FRAMES) {
            page.wrapped(
                    label(""),
                    "and of "
                            + EnglishCounts.of(
                                    costs.size() - MOST_FRAMES,
                                    "more late " + MessageCatalogue.frame(diagnosis.platform())));
        }
    }

    private String label(String text) {
        return "  " + page.coloured(AnsiColour.DIM, TextPage.left(text, 9));
    }

    private void threadLine(String role, ThreadRef thread, @Nullable String process, String more) {
        page.wrapped(
                label(role),
                page.coloured(AnsiColour.BOLD, ThreadLabels.name(thread)) + "  "
                        + ThreadLabels.identity(thread, process) + more);
    }

    /** The kernel changes priorities: which the one before this was, and which there were besides. */
    private static String otherPriorities(OwnerInterval ownerInterval) {
        SortedSet<Integer> others = ownerInterval.otherPriorities();
        return others.isEmpty()
                ? ""
                : (ownerInterval.isPreempted() ? " while preempted, else " : " for most of it, else ")
                        + MessageCatalogue.enumerate(
                                others.stream().map(String::valueOf).toList());
    }

    private void place(@Nullable CodeLocation site, @Nullable String otherwise) {
        if (site != null) {
            page.wrapped(
                    label(""),
                    "in" + MessageCatalogue.NO_BREAK_SPACE + TerminalText.printableStart(site.method()) + "  "
                            + page.coloured(AnsiColour.DIM, WaitMessages.source(site)));
        } else if (otherwise != null) {
            page.wrapped(label(""), otherwise);
        }
    }

    /**
     * A bar per state, solid as far as the lock was taken; beside it, where there is room, where the owner spent most of that
     * time.
     */
    private void bars(Incident incident) {
        page.line();
        int columns = Math.min(WIDEST_BAR, page.width() - 34);
        DurationFormat.Column times =
                DurationFormat.Column.of(incident.ownerStates().stream().mapToLong(Incident.StateDuration::durNs));
        for (Incident.StateDuration time : incident.ownerStates()) {
            String bar = page.bar(
                    incident.timeIn(time.state()),
                    time.durNs(),
                    incident.rootWait().durNs(),
                    columns);
            String line = "    " + TextPage.left(MessageCatalogue.label(time.state()), 11)
                    + page.coloured(AnsiColour.of(time.state()), TextPage.left(bar, columns))
                    + TextPage.right(times.time(time.durNs()), 12)
                    + TextPage.right(percent(time.durNs(), incident.rootWait().durNs()), 6);
            String detail = incident.longestDetail(time.state());
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
            page.line("    " + TextPage.left("", 11)
                    + page.coloured(
                            AnsiColour.DIM,
                            page.fit(page.partialBarCharacter() + " after the lock was free", page.width() - 15)));
        }
    }

    private static String percent(long part, long whole) {
        long percent = Math.round(100.0 * part / Math.max(1, whole));
        return percent == 0 && part > 0 ? "<1 %" : percent + " %";
    }

    private void preemptedBy(Incident incident) {
        List<PreemptingThread> culprits = incident.preemptedBy();
        if (culprits.isEmpty()
                || (incident.verdict() != Verdict.NO_CPU
                        && incident.leafTimeIn(state -> state == OwnerState.PREEMPTED)
                                < VerdictRules.MIN_PREEMPTION_NS)) {
            return;
        }
        int shown = culprits.size() <= MOST_CULPRITS ? culprits.size() : MOST_CULPRITS - 1;
        int priorities = page.width() < TextReport.WIDE ? 10 : 26;
        int names = page.width() - 4 - priorities - 12;
        page.line();
        ThreadRef blocked = incident.rootWait().thread();
        String heading = priorities > 10 && blocked.hasPriority()
                ? "  priority (waiting: " + blocked.priority() + ")"
                : "  priority";
        String where = "ran instead, on " + ThreadLabels.cpus(incident.preemptionCpus());
        String ran = names < where.length() ? "ran instead" : where;
        page.line(
                "  " + TextPage.left(ran, names + 2) + TextPage.left(heading, priorities) + TextPage.right("for", 12));
        List<PreemptingThread> others = culprits.subList(shown, culprits.size());
        long rest = others.stream().mapToLong(PreemptingThread::ranNs).sum();
        DurationFormat.Column times = DurationFormat.Column.of(LongStream.concat(
                LongStream.of(rest), culprits.subList(0, shown).stream().mapToLong(PreemptingThread::ranNs)));
        for (PreemptingThread preempting : culprits.subList(0, shown)) {
            preemptingThread(incident, preempting, names, priorities, times);
        }
        if (!others.isEmpty()) {
            String more = "and " + EnglishCounts.of(others.size(), "other");
            page.line("    " + TextPage.left(more, names + priorities) + TextPage.right(times.time(rest), 12));
        }
        page.wrapped(
                "    ",
                incident.preemptionCpus().size() == 1
                        ? "Other CPUs do not count, be they idle: a thread that is put off a CPU waits for that one."
                        : "Several CPUs run several threads at once, and some may have been idle meanwhile: these times need not"
                                + " add up to the one above.");
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

    /** The priorities at which a thread that ran instead did so for less time. */
    private static String otherPriorities(Incident incident, ThreadRef most) {
        List<String> others = incident.preemptingThreads().stream()
                .map(PreemptingThread::thread)
                .filter(thread -> thread.utid() == most.utid() && thread.priority() != most.priority())
                .map(thread -> thread.hasPriority() ? String.valueOf(thread.priority()) : "?")
                .toList();
        return others.isEmpty() ? "" : ", else " + (others.size() == 1 ? others.getFirst() : "others");
    }
}
