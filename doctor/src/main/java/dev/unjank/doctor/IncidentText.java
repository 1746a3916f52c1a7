package dev.unjank.doctor;

import dev.unjank.trace.Counts;
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
    private final Page page;

    IncidentText(Diagnosis diagnosis, Page page) {
        this.diagnosis = diagnosis;
        this.page = page;
    }

    void write(int number, Incident incident) {
        Wait wait = incident.tree();
        page.rule(
                number + "  " + TimeWords.time(wait.durNs()) + (wait.unfinished() ? ", unfinished" : ""),
                Ink.of(incident.verdict()),
                Words.verdict(incident.judgement()),
                "at " + TimeWords.time(wait.startNs() - diagnosis.startNs()));
        page.line();
        who("blocked", wait.thread(), null, "");
        place(wait.site(), "for " + WaitWords.what(wait));
        if (wait.site() != null && WaitWords.isOfClass(wait)) {
            page.wrapped(label(""), "for " + WaitWords.what(wait));
        }
        Owner inTheWay = incident.inTheWay();
        if (inTheWay != null && inTheWay.thread().isKnown()) {
            who("by", inTheWay.thread(), wait.thread().process(), otherPriorities(wait.longestTenure()));
            place(inTheWay.site(), null);
        }
        for (Wait further : incident.chain().subList(1, told(incident))) {
            Owner owner = further.longestTenure().owner();
            who("behind", owner.thread(), further.thread().process(), otherPriorities(further.longestTenure()));
            place(owner.site(), null);
            page.wrapped(label(""), "for " + TimeWords.time(further.durNs()) + ", " + WaitWords.wanted(further));
        }
        page.line();
        page.wrapped("  ", WaitWords.whatTheOwnerDid(incident));
        if (!incident.isUntold()) {
            bars(incident);
        }
        culprits(incident);
        page.line();
        page.wrapped(label("why"), Words.meaning(incident));
        Evidence evidence = incident.judgement().evidence();
        page.wrapped(label("evidence"), evidence + ": " + WaitWords.evidence(incident) + ".");
        Lost lost = diagnosis.lostIn(incident);
        if (lost != null) {
            page.wrapped(label("lost"), lost.text());
        }
        frames(incident);
        page.wrapped(
                label("next"), Advice.of(incident, diagnosis.platform()).steps().getFirst());
        page.line();
    }

    /** How much of the chain is told: where all that follows is short and nobody there is to blame, it ends. */
    private static int told(Incident incident) {
        List<Wait> chain = incident.chain();
        if (incident.verdict() == Verdict.DEADLOCK) {
            return chain.size();
        }
        ThreadRef blamed = incident.judgement().blamed();
        int told = 1;
        for (int link = 1; link < chain.size(); link++) {
            ThreadRef owner = chain.get(link).longestTenure().owner().thread();
            boolean isBlamed = owner.isInTrace() && owner.utid() == blamed.utid();
            if (isBlamed
                    || chain.get(link).durNs() * LEAST_LINK >= incident.tree().durNs()) {
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
            String lost = TimeWords.time(cost.overlapNs()) + " of a late "
                    + diagnosis.platform().frame() + " of " + TimeWords.time(frame.durNs()) + ": ";
            int room = page.width() - Page.visible(label(label));
            page.line(label(label) + page.fit(lost + Words.frame(frame, room - lost.length()), room));
            label = "";
        }
        if (costs.size() > MOST_FRAMES) {
            page.wrapped(
                    label(""),
                    "and of "
                            + Counts.of(
                                    costs.size() - MOST_FRAMES,
                                    "more late " + diagnosis.platform().frame()));
        }
    }

    private String label(String text) {
        return "  " + page.ink(Ink.DIM, Page.left(text, 9));
    }

    private void who(String role, ThreadRef thread, @Nullable String process, String more) {
        page.wrapped(
                label(role),
                page.ink(Ink.BOLD, ThreadWords.name(thread)) + "  " + ThreadWords.identity(thread, process) + more);
    }

    /** The kernel changes priorities: which the one before this was, and which there were besides. */
    private static String otherPriorities(Tenure tenure) {
        SortedSet<Integer> others = tenure.otherPriorities();
        return others.isEmpty()
                ? ""
                : (tenure.isPreempted() ? " while preempted, else " : " for most of it, else ")
                        + Words.enumerate(others.stream().map(String::valueOf).toList());
    }

    private void place(@Nullable Site site, @Nullable String otherwise) {
        if (site != null) {
            page.wrapped(
                    label(""),
                    "in" + Page.TIE + Page.printable(site.method()) + "  " + page.ink(Ink.DIM, WaitWords.source(site)));
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
        TimeWords.Column times =
                TimeWords.Column.of(incident.ownerStates().stream().mapToLong(Incident.StateTime::durNs));
        for (Incident.StateTime time : incident.ownerStates()) {
            String bar = page.bar(
                    incident.timeIn(time.state()), time.durNs(), incident.tree().durNs(), columns);
            String line = "    " + Page.left(Words.label(time.state()), 11)
                    + page.ink(Ink.of(time.state()), Page.left(bar, columns))
                    + Page.right(times.time(time.durNs()), 12)
                    + Page.right(percent(time.durNs(), incident.tree().durNs()), 6);
            String detail = incident.mostlyIn(time.state());
            int room = page.width() - Page.visible(line) - 2;
            page.line(
                    detail == null || room < 12
                            ? line
                            : line + "  " + page.ink(Ink.DIM, page.fit(Page.printable(detail), room)));
        }
        if (incident.tree().wakeDelayNs() >= Rules.LEAST_PREEMPTION_NS
                && incident.tree().kind().isLock()) {
            page.line("    " + Page.left("", 11)
                    + page.ink(Ink.DIM, page.fit(page.more() + " after the lock was free", page.width() - 15)));
        }
    }

    private static String percent(long part, long whole) {
        long percent = Math.round(100.0 * part / Math.max(1, whole));
        return percent == 0 && part > 0 ? "<1 %" : percent + " %";
    }

    private void culprits(Incident incident) {
        List<Culprit> culprits = incident.ranInstead();
        if (culprits.isEmpty()
                || (incident.verdict() != Verdict.NO_CPU
                        && incident.leafTimeIn(state -> state == OwnerState.PREEMPTED) < Rules.LEAST_PREEMPTION_NS)) {
            return;
        }
        int shown = culprits.size() <= MOST_CULPRITS ? culprits.size() : MOST_CULPRITS - 1;
        int priorities = page.width() < TextReport.WIDE ? 10 : 26;
        int names = page.width() - 4 - priorities - 12;
        page.line();
        ThreadRef blocked = incident.tree().thread();
        String heading = priorities > 10 && blocked.hasPriority()
                ? "  priority (waiting: " + blocked.priority() + ")"
                : "  priority";
        String where = "ran instead, on " + ThreadWords.cpus(incident.culpritCpus());
        String ran = names < where.length() ? "ran instead" : where;
        page.line("  " + Page.left(ran, names + 2) + Page.left(heading, priorities) + Page.right("for", 12));
        List<Culprit> others = culprits.subList(shown, culprits.size());
        long rest = others.stream().mapToLong(Culprit::ranNs).sum();
        TimeWords.Column times = TimeWords.Column.of(LongStream.concat(
                LongStream.of(rest), culprits.subList(0, shown).stream().mapToLong(Culprit::ranNs)));
        for (Culprit culprit : culprits.subList(0, shown)) {
            culprit(incident, culprit, names, priorities, times);
        }
        if (!others.isEmpty()) {
            String more = "and " + Counts.of(others.size(), "other");
            page.line("    " + Page.left(more, names + priorities) + Page.right(times.time(rest), 12));
        }
        page.wrapped(
                "    ",
                incident.culpritCpus().size() == 1
                        ? "Other CPUs do not count, be they idle: a thread that is put off a CPU waits for that one."
                        : "Several CPUs run several threads at once, and some may have been idle meanwhile: these times need not"
                                + " add up to the one above.");
    }

    private void culprit(Incident incident, Culprit culprit, int names, int priorities, TimeWords.Column times) {
        ThreadRef thread = culprit.thread();
        ThreadRef blocked = incident.tree().thread();
        String priority = Page.right(thread.hasPriority() ? Integer.toString(thread.priority()) : "?", 6);
        if (page.width() >= TextReport.WIDE) {
            priority += (" " + ThreadWords.rank(thread, blocked)).stripTrailing() + besides(incident, thread);
        }
        page.line("    " + Page.left(page.fit(ThreadWords.nameAndProcess(thread), names), names)
                + page.ink(thread.isLessImportantThan(blocked) ? Ink.RED : Ink.DIM, Page.left(priority, priorities))
                + Page.right(times.time(culprit.ranNs()), 12));
    }

    /** The priorities at which a thread that ran instead did so for less time. */
    private static String besides(Incident incident, ThreadRef most) {
        List<String> others = incident.culprits().stream()
                .map(Culprit::thread)
                .filter(thread -> thread.utid() == most.utid() && thread.priority() != most.priority())
                .map(thread -> thread.hasPriority() ? String.valueOf(thread.priority()) : "?")
                .toList();
        return others.isEmpty() ? "" : ", else " + (others.size() == 1 ? others.getFirst() : "others");
    }
}
