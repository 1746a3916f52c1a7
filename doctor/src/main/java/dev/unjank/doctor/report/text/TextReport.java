package dev.unjank.doctor.report.text;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnWorkFrame;
import dev.unjank.doctor.model.ReportQueries;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.Advice;
import dev.unjank.doctor.report.JudgementMessages;
import dev.unjank.doctor.report.LockMessages;
import dev.unjank.doctor.report.Messages;
import dev.unjank.doctor.report.OwnWorkMessages;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes a diagnosis as text: the main finding, the worst incidents in full, the others in a line each; missed frames,
 * app startups, a summary, and the next steps.
 */
public final class TextReport {
    private static final int NARROWEST = 40;

    /** The widest line, so that names and numbers stay readable side by side. */
    private static final int WIDEST = 110;

    /** The width from which on lines have more than names and numbers. */
    static final int WIDE = 70;

    private final Diagnosis diagnosis;
    private final Style style;
    private final @Nullable ReportQueries queries;
    private final TextPage page;
    private final TraceSections sections;

    private TextReport(Diagnosis diagnosis, Style style, @Nullable ReportQueries queries) {
        this.diagnosis = diagnosis;
        this.style = style;
        this.queries = queries;
        this.page = new TextPage(style);
        this.sections = new TraceSections(diagnosis, style, page, TraceSections.Size.WHOLE);
    }

    /**
     * The form of a report.
     *
     * @param width how many columns a line may have; less than {@value #NARROWEST} counts as that, and more
     *     than {@value #WIDEST} as that
     * @param colour whether to colour the text with ANSI sequences
     * @param unicode whether the reader can show block and line characters; else ASCII takes their place
     * @param full how many incidents to show in full
     * @param frames whether to list all missed frames, with the waits in them
     */
    public record Style(int width, boolean colour, boolean unicode, int full, boolean frames) {
        /** Corrects a width that is of no use. */
        public Style {
            width = Math.clamp(width, NARROWEST, WIDEST);
        }

        /**
         * {@return 100 columns, no colours, Unicode, ten incidents in full}
         */
        public static Style plain() {
            return new Style(100, false, true, 10, false);
        }
    }

    /**
     * Writes a diagnosis without SQL.
     *
     * @param diagnosis the diagnosis
     * @param style how
     * @return the text, ending with a line end
     */
    public static String of(Diagnosis diagnosis, Style style) {
        return new TextReport(diagnosis, style, null).write();
    }

    /**
     * Writes a diagnosis, with a command line at the end that lists its incidents.
     *
     * @param diagnosis the diagnosis
     * @param style how
     * @param queries the queries over the trace
     * @return the text, ending with a line end
     */
    public static String of(Diagnosis diagnosis, Style style, ReportQueries queries) {
        return new TextReport(diagnosis, style, queries).write();
    }

    private String write() {
        sections.header(JudgementMessages.form(diagnosis));
        if (diagnosis.incidents().isEmpty()) {
            sections.blockedTime();
        }
        OwnWorkFrame late = diagnosis.mainOwnWork();
        if (late != null) {
            page.line();
            OwnWorkMessages.path(late).forEach(field -> page.field(field.label(), field.value()));
        }
        page.line();
        IncidentText text = new IncidentText(diagnosis, page);
        List<Incident> full = inFull();
        full.forEach(text::write);
        Set<Integer> shown = full.stream().map(Incident::id).collect(Collectors.toSet());
        List<Incident> rest = diagnosis.incidents().stream()
                .filter(incident -> !shown.contains(incident.id()))
                .toList();
        if (!rest.isEmpty()) {
            new IncidentTable(page).write(rest);
        }
        locks();
        sections.write();
        next();
        return page.toString();
    }

    /**
     * The worst incidents, and that of the main finding. Of the waits of a thread for a CPU only the first is shown in
     * full: such waits repeat.
     */
    private List<Incident> inFull() {
        List<Incident> full = new ArrayList<>();
        Set<Integer> starved = new HashSet<>();
        Incident first = diagnosis.mainFinding().incident();
        for (Incident incident : diagnosis.incidents()) {
            boolean isFirst = first != null && incident.id() == first.id();
            boolean again = incident.verdict() == Verdict.NO_CPU
                    && !starved.add(incident.rootWait().thread().utid());
            if (isFirst || (full.size() < style.full() && !again)) {
                full.add(incident);
            }
        }
        return full;
    }

    private void locks() {
        List<String> locks = LockMessages.of(diagnosis);
        String head = Messages.of("text.byLock") + "  ";
        for (String lock : locks) {
            page.wrapped(page.coloured(AnsiColour.BOLD, head), lock);
            head = " ".repeat(head.length());
        }
        if (!locks.isEmpty()) {
            page.line();
        }
    }

    /** The next steps for each verdict, that of the main finding first, then by total time; and a query. */
    private void next() {
        List<Verdict> verdicts = Advice.order(diagnosis);
        OwnWorkFrame ownWork = diagnosis.mainOwnWork();
        if (verdicts.isEmpty() && ownWork == null) {
            return;
        }
        page.line();
        page.line(page.coloured(AnsiColour.BOLD, Messages.of("text.nextSteps")));
        if (ownWork != null) {
            step(Messages.of("text.ownWork"), AnsiColour.BOLD, Advice.of(ownWork, diagnosis.platform()));
        }
        for (Verdict verdict : verdicts) {
            step(
                    verdict.name(),
                    AnsiColour.of(verdict),
                    Advice.of(verdict, diagnosis).getFirst());
        }
        if (!verdicts.isEmpty() && queries != null) {
            page.line("  " + Messages.of("text.asTable"));
            sections.query(queries);
        }
    }

    private void step(String about, AnsiColour ink, String step) {
        page.wrapped("  " + page.coloured(ink, TextPage.left(about, page.width() < WIDE ? 0 : 20)) + " ", step);
    }
}
