package dev.unjank.doctor;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes a diagnosis for people: the worst incidents in full, the others in a line each, and a summary at the end. */
public final class TextReport {
    private static final int NARROWEST = 40;

    /** On a wider line the eye loses its way from a name to its number. */
    private static final int WIDEST = 110;

    private static final int WIDEST_BAR = 30;
    private static final int MOST_CULPRITS = 6;

    /** From this width on there is room for more than names and numbers. */
    private static final int WIDE = 70;

    private final Diagnosis diagnosis;
    private final Style style;
    private final Page page;

    private TextReport(Diagnosis diagnosis, Style style) {
        this.diagnosis = diagnosis;
        this.style = style;
        this.page = new Page(style);
    }

    /**
     * How to write.
     *
     * @param width how many columns a line may have; less than {@value #NARROWEST} counts as that, and more
     *     than {@value #WIDEST} as that
     * @param colour whether to colour the text with ANSI sequences
     * @param unicode whether the reader can show block and line characters; else ASCII takes their place
     * @param full how many incidents to show in full
     */
    public record Style(int width, boolean colour, boolean unicode, int full) {
        /** Corrects a width that is of no use. */
        public Style {
            width = Math.clamp(width, NARROWEST, WIDEST);
        }

        /**
         * {@return 100 columns, no colours, Unicode, ten incidents in full}
         */
        public static Style plain() {
            return new Style(100, false, true, 10);
        }
    }

    /**
     * Writes a diagnosis.
     *
     * @param diagnosis the diagnosis
     * @param style how
     * @return the text, ending with a line end
     */
    public static String of(Diagnosis diagnosis, Style style) {
        return new TextReport(diagnosis, style).write();
    }

    private String write() {
        page.line(page.ink(Ink.BOLD, Page.printable(diagnosis.trace())) + "  " + Words.time(diagnosis.durationNs())
                + " long");
        for (String warning : diagnosis.warnings()) {
            page.wrapped(page.ink(Ink.YELLOW, "warning: "), Page.printable(warning));
        }
        page.line();
        List<Incident> incidents = diagnosis.incidents();
        int full = Math.min(style.full(), incidents.size());
        for (int i = 0; i < full; i++) {
            incident(i + 1, incidents.get(i));
        }
        if (full < incidents.size()) {
            table(full);
        }
        summary();
        return page.toString();
    }

    private void incident(int number, Incident incident) {
        Wait wait = incident.tree();
        page.rule(
                number + "  " + Words.time(wait.durNs()) + (wait.unfinished() ? ", unfinished" : ""),
                Ink.of(incident.verdict()),
                Words.verdict(incident.judgement()),
                "at " + Words.time(wait.startNs() - diagnosis.startNs()));
        page.line();
        who("blocked", wait.thread(), null);
        place(wait.site(), "for " + Page.printable(wait.what()));
        who("by", incident.owner().thread(), wait.thread().process());
        place(incident.owner().site(), null);
        for (Wait further : incident.chain().subList(1, incident.chain().size())) {
            who(
                    "behind",
                    further.longestTenure().owner().thread(),
                    further.thread().process());
            place(further.longestTenure().owner().site(), null);
            page.wrapped(label(""), "for " + Words.time(further.durNs()) + ", " + wanted(further));
        }
        page.line();
        page.wrapped("  ", Words.whatTheOwnerDid(incident));
        bars(incident);
        culprits(incident);
        page.line();
        page.wrapped(label("why"), Words.meaning(incident));
        page.wrapped(
                label("evidence"),
                incident.owner().evidence() + ": "
                        + Words.evidence(incident.owner().evidence()) + ".");
        page.line();
    }

    private String label(String text) {
        return "  " + page.ink(Ink.DIM, Page.left(text, 9));
    }

    private void who(String role, ThreadRef thread, @Nullable String process) {
        page.wrapped(label(role), page.ink(Ink.BOLD, Words.name(thread)) + "  " + Words.identity(thread, process));
    }

    private void place(@Nullable Site site, @Nullable String otherwise) {
        if (site != null) {
            page.wrapped(
                    label(""),
                    "in" + Page.TIE + Page.printable(site.method()) + "  " + page.ink(Ink.DIM, Words.source(site)));
        } else if (otherwise != null) {
            page.wrapped(label(""), otherwise);
        }
    }

    private static String wanted(Wait wait) {
        Site site = wait.site();
        return Page.printable(site == null ? "wanting " + wait.what() : "wanted in " + site.method());
    }

    /**
     * A bar per state, solid as far as the lock was taken; beside it, where there is room, where the owner spent most of that
     * time.
     */
    private void bars(Incident incident) {
        page.line();
        int columns = Math.min(WIDEST_BAR, page.width() - 34);
        for (Incident.StateTime time : incident.ownerStates()) {
            String bar = page.bar(
                    incident.timeIn(time.state()), time.durNs(), incident.tree().durNs(), columns);
            String line = "    " + Page.left(Words.label(time.state()), 11)
                    + page.ink(Ink.of(time.state()), Page.left(bar, columns))
                    + Page.right(Words.time(time.durNs()), 12)
                    + Page.right(percent(time.durNs(), incident.tree().durNs()), 6);
            String detail = incident.mostlyIn(time.state());
            int room = page.width() - Page.visible(line) - 2;
            page.line(
                    detail == null || room < 12
                            ? line
                            : line + "  " + page.ink(Ink.DIM, page.fit(Page.printable(detail), room)));
        }
        if (incident.tree().wakeDelayNs() >= Rules.LEAST_PREEMPTION_NS) {
            page.line("    " + Page.left("", 11)
                    + page.ink(Ink.DIM, page.fit(page.more() + " after the lock was free", page.width() - 15)));
        }
    }

    private static String percent(long part, long whole) {
        long percent = Math.round(100.0 * part / Math.max(1, whole));
        return percent == 0 && part > 0 ? "<1 %" : percent + " %";
    }

    private void culprits(Incident incident) {
        List<Culprit> culprits = incident.culprits();
        if (culprits.isEmpty() || incident.timeIn(OwnerState.PREEMPTED) < Rules.LEAST_PREEMPTION_NS) {
            return;
        }
        int shown = culprits.size() <= MOST_CULPRITS ? culprits.size() : MOST_CULPRITS - 1;
        int priorities = page.width() < WIDE ? 10 : 26;
        int names = page.width() - 4 - priorities - 12;
        page.line();
        ThreadRef blocked = incident.tree().thread();
        String heading = priorities > 10 && blocked.hasPriority()
                ? "  priority (waiting: " + blocked.priority() + ")"
                : "  priority";
        page.line("  " + Page.left("ran instead", names + 2) + Page.left(heading, priorities) + Page.right("for", 12));
        for (Culprit culprit : culprits.subList(0, shown)) {
            culprit(culprit, blocked, names, priorities);
        }
        if (shown < culprits.size()) {
            long rest = 0;
            for (Culprit culprit : culprits.subList(shown, culprits.size())) {
                rest += culprit.ranNs();
            }
            String others = "and " + (culprits.size() - shown) + (culprits.size() - shown == 1 ? " other" : " others");
            page.line("    " + Page.left(others, names + priorities) + Page.right(Words.time(rest), 12));
        }
    }

    private void culprit(Culprit culprit, ThreadRef blocked, int names, int priorities) {
        ThreadRef thread = culprit.thread();
        String priority = Page.right(thread.hasPriority() ? Integer.toString(thread.priority()) : "?", 6);
        if (page.width() >= WIDE) {
            priority += " " + Words.rank(thread, blocked);
        }
        page.line("    " + Page.left(page.fit(Words.nameAndProcess(thread), names), names)
                + page.ink(thread.isLessImportantThan(blocked) ? Ink.RED : Ink.DIM, Page.left(priority, priorities))
                + Page.right(Words.time(culprit.ranNs()), 12));
    }

    /** The incidents from {@code from} on, a line each. */
    private void table(int from) {
        page.line(page.ink(Ink.BOLD, "The others"));
        boolean wide = page.width() >= WIDE;
        for (int i = from; i < diagnosis.incidents().size(); i++) {
            Incident incident = diagnosis.incidents().get(i);
            Verdict verdict = incident.verdict();
            String line = "  " + Page.right(Integer.toString(i + 1), 4)
                    + Page.right(Words.time(incident.tree().durNs()), 12) + "  ";
            String threads = Words.name(incident.tree().thread()) + " by "
                    + Words.name(incident.owner().thread());
            if (wide) {
                line += page.ink(Ink.of(verdict), Page.left(verdict.name(), 20));
                page.line(line + page.fit(threads, page.width() - Page.visible(line)));
            } else {
                page.line(line + page.ink(Ink.of(verdict), verdict.name()));
                page.line("        " + page.fit(threads, page.width() - 8));
            }
        }
        page.line();
    }

    private void summary() {
        Diagnosis.Search search = diagnosis.search();
        List<Incident> incidents = diagnosis.incidents();
        String least = Words.roundTime(search.options().minDuration().toNanos());
        String text;
        if (!incidents.isEmpty()) {
            long sum = incidents.stream().mapToLong(i -> i.tree().durNs()).sum();
            text = count(incidents.size(), "wait") + " of at least " + least + " for contended locks, "
                    + Words.time(sum) + " in all: " + verdicts(incidents) + ".";
        } else if (search.waits() > 0) {
            text = "Nothing to diagnose: the longest of " + count(search.waits(), "wait") + " was "
                    + Words.time(search.longestNs()) + ", shorter than " + least + ".";
        } else {
            text = "Nothing to diagnose: no wait for a contended lock was found."
                    + (search.waitsOfOthers() > 0
                            ? ""
                            : " Android records such waits with the atrace category dalvik.");
        }
        int shorter = search.waits() - incidents.size();
        if (!incidents.isEmpty() && shorter > 0) {
            text += " " + count(shorter, "shorter one") + " left out (--min-ms).";
        }
        if (search.waitsOfOthers() > 0) {
            text += " Other threads waited " + count(search.waitsOfOthers(), "time") + " (--thread all).";
        }
        page.wrapped("", text);
    }

    private static String count(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private static String verdicts(List<Incident> incidents) {
        Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
        incidents.forEach(incident -> counts.merge(incident.verdict(), 1, Integer::sum));
        StringBuilder text = new StringBuilder();
        counts.forEach((verdict, count) -> text.append(text.isEmpty() ? "" : ", ")
                .append(count)
                .append(' ')
                .append(verdict));
        return text.toString();
    }
}
