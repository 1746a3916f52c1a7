package dev.unjank.doctor.report.text;

import dev.unjank.doctor.judge.FrameCount;
import dev.unjank.doctor.judge.MissedFrames;
import dev.unjank.doctor.model.AppStartup;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.FrameCost;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.ReportQueries;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.AppStartupMessages;
import dev.unjank.doctor.report.CauseMessages;
import dev.unjank.doctor.report.DurationFormat;
import dev.unjank.doctor.report.MessageCatalogue;
import dev.unjank.doctor.report.Messages;
import dev.unjank.doctor.report.ReportForm;
import dev.unjank.doctor.report.SummaryMessages;
import dev.unjank.doctor.report.ThreadLabels;
import dev.unjank.doctor.report.WarningMessages;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.text.TerminalText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Writes the parts of a report about the whole trace: the header, missed frames, app startups, the summary and the
 * query.
 */
final class TraceSections {
    private static final int MOST_FRAMES = 5;
    private static final int MOST_SHARES = 6;

    /**
     * How much to write.
     *
     * @param entries the missed frames, if not all are to be listed, and the app startups
     * @param costs the waits in each missed frame
     */
    record Size(int entries, int costs) {
        static final Size WHOLE = new Size(Integer.MAX_VALUE, MOST_FRAMES);
    }

    private final Diagnosis diagnosis;
    private final TextReport.Style style;
    private final TextPage page;
    private final Size size;

    TraceSections(Diagnosis diagnosis, TextReport.Style style, TextPage page, Size size) {
        this.diagnosis = diagnosis;
        this.style = style;
        this.page = page;
        this.size = size;
    }

    /** Writes name, duration and warnings, and what the report begins with. */
    void header(ReportForm finding) {
        page.line(page.coloured(AnsiColour.BOLD, TerminalText.printableStart(diagnosis.trace())) + "  "
                + MessageCatalogue.duration(diagnosis));
        for (String warning : WarningMessages.of(diagnosis.warnings())) {
            page.wrapped(
                    page.coloured(AnsiColour.YELLOW, Messages.of("text.warning") + " "),
                    TerminalText.printableStart(warning));
        }
        page.line();
        for (String line : finding.summary()) {
            page.wrapped("", page.coloured(AnsiColour.BOLD, line));
        }
        if (!finding.fields().isEmpty()) {
            page.line();
        }
        finding.fields().forEach(field -> page.field(field.label(), field.value()));
    }

    /** Writes the blocked time of all threads, if there is any. */
    void blockedTime() {
        String blocked = CauseMessages.blockedTime(diagnosis.blockedTime());
        if (!blocked.isEmpty()) {
            page.field(Messages.of("label.blockedTime"), blocked);
        }
    }

    /** Writes the command that lists the incidents. */
    void query(ReportQueries queries) {
        page.line("  " + queries.command() + " " + inShell(TerminalText.printableStart(queries.incidents(diagnosis))));
    }

    /**
     * A word of a command line, as a POSIX shell takes it; an interactive one looks at exclamation marks between double
     * quotes, too.
     */
    static String inShell(String text) {
        if (text.indexOf('!') >= 0) {
            return "'" + text.replace("'", "'\\''") + "'";
        }
        return '"' + text.replaceAll("([\\\\\"$`])", "\\\\$1") + '"';
    }

    /** Writes the sections that the trace has data for. */
    void write() {
        frames();
        startups();
        summary();
    }

    private void frames() {
        List<Frame> late = diagnosis.frames().stream()
                .filter(Frame::missed)
                .sorted(MissedFrames.order(diagnosis))
                .toList();
        if (late.isEmpty()) {
            return;
        }
        page.wrapped(
                heading("text.missed", MessageCatalogue.frames(diagnosis.platform())),
                Messages.of(
                        late.getFirst().source() == Frame.Source.TIMELINE
                                ? "text.missedFromExpectedStart"
                                : "text.missedByLongestWait",
                        counts(late),
                        causes(late)));
        if (style.frames()) {
            late = byCause(late);
        }
        int shown = style.frames() ? late.size() : Math.min(Math.min(MOST_FRAMES, size.entries), late.size());
        List<Frame> listed = late.subList(0, shown);
        DurationFormat.Column durations = DurationFormat.Column.of(LongStream.concat(
                listed.stream().mapToLong(Frame::durNs),
                listed.stream().flatMap(this::shownCosts).mapToLong(FrameCost::overlapNs)));
        DurationFormat.Column moments = DurationFormat.Column.of(listed.stream().mapToLong(this::sinceStart));
        int widest = listed.stream()
                .mapToInt(frame -> moments.time(sinceStart(frame)).length())
                .max()
                .orElse(0);
        listed.forEach(frame -> frame(frame, durations, TextPage.right(moments.time(sinceStart(frame)), widest)));
        if (shown < late.size()) {
            page.line("  " + Messages.of("text.moreFrames", late.size() - shown));
        }
        page.line();
    }

    /** The number of missed frames, of programs and of the display. */
    private String counts(List<Frame> late) {
        Diagnosis.Search search = diagnosis.search();
        int display = FrameCount.of(late, true).missed();
        return Messages.of(
                search.displayFrames() == 0 ? "text.missedCount" : "text.missedCountAndDisplay",
                late.size() - display,
                search.frames() - search.displayFrames(),
                display,
                search.displayFrames());
    }

    /** The number of missed frames by cause, the most frequent first; those of the display at the end. */
    private String causes(List<Frame> late) {
        Map<Boolean, List<Frame>> whose = late.stream().collect(Collectors.partitioningBy(Frame::display));
        String ofPrograms = causesOf(whose.getOrDefault(false, List.of()));
        String ofDisplay = causesOf(whose.getOrDefault(true, List.of()));
        return ofDisplay.isEmpty() || ofPrograms.isEmpty()
                ? ofPrograms + ofDisplay
                : Messages.of("text.causesAndDisplay", ofPrograms, ofDisplay);
    }

    private String causesOf(List<Frame> late) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        late.forEach(frame -> counts.merge(cause(frame), 1, Integer::sum));
        return counts.entrySet().stream()
                .sorted(LongOrder.descending(Map.Entry::getValue))
                .map(count -> count.getValue() + " " + count.getKey())
                .collect(Collectors.joining(", "));
    }

    private String cause(Frame frame) {
        Verdict cause = diagnosis.causeOf(frame);
        return cause == null ? Messages.of("frames.noWait") : cause.name();
    }

    /** Groups frames by cause, those of programs before those of the display. */
    private List<Frame> byCause(List<Frame> frames) {
        return frames.stream()
                .collect(Collectors.groupingBy(
                        frame -> List.of(frame.display(), cause(frame)), LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    private long sinceStart(Frame frame) {
        return frame.startNs() - diagnosis.startNs();
    }

    private Stream<FrameCost> shownCosts(Frame frame) {
        return diagnosis.costsOf(frame).stream().limit(costs());
    }

    private int costs() {
        return style.frames() ? MOST_FRAMES : size.costs;
    }

    private void frame(Frame frame, DurationFormat.Column durations, String moment) {
        String at = page.width() < TextReport.WIDE ? "" : Messages.of("text.at", moment) + "  ";
        String times = "  " + TextPage.right(durations.time(frame.durNs()), 12) + "  " + at;
        int room = Math.max(1, page.width() - TextPage.visible(times));
        page.line(times + page.fit(MessageCatalogue.frame(frame, room), room));
        for (FrameCost cost : shownCosts(frame).toList()) {
            Incident incident = cost.incident();
            ThreadRef responsible = incident.blocker() == null ? null : incident.responsibleThread();
            String verdict = page.coloured(
                    AnsiColour.of(incident.verdict()), incident.verdict().name());
            String cause = responsible == null
                    ? verdict
                    : verdict + Messages.of("beside.owner", ThreadLabels.name(responsible));
            page.wrapped(
                    "      " + TextPage.right(durations.time(cost.overlapNs()), 12) + "  ",
                    diagnosis.isShown(incident)
                            ? Messages.of("summary.number", cause, incident.id())
                            : Messages.of("worse.notShown", cause));
        }
        List<FrameCost> more = diagnosis.costsOf(frame).stream().skip(costs()).toList();
        if (!more.isEmpty()) {
            long sum = more.stream().mapToLong(FrameCost::overlapNs).sum();
            page.line("      " + TextPage.right(durations.time(sum), 12) + "  "
                    + Messages.of("text.inWaits", Messages.count("moreWait", more.size())));
        }
    }

    private void startups() {
        List<AppStartup> all = diagnosis.startups();
        for (AppStartup start : all.subList(0, Math.min(size.entries, all.size()))) {
            page.wrapped(
                    heading("text.startup"),
                    TerminalText.printableStart(start.packageName())
                            + (start.type() == null ? "" : ", " + TerminalText.printableStart(start.type()))
                            + ", " + AppStartupMessages.length(start));
            long whole = Math.max(1, start.timeToInitialDisplayNs());
            List<AppStartup.Share> shown =
                    start.shares().stream().limit(MOST_SHARES).toList();
            List<AppStartup.Share> others =
                    start.shares().subList(shown.size(), start.shares().size());
            long rest = others.stream().mapToLong(AppStartup.Share::durNs).sum();
            DurationFormat.Column times = DurationFormat.Column.of(
                    LongStream.concat(LongStream.of(rest), shown.stream().mapToLong(AppStartup.Share::durNs)));
            int labels = Math.min(
                    page.width() / 2,
                    shown.stream()
                            .mapToInt(share -> cause(share).length())
                            .max()
                            .orElse(0));
            int columns = Math.min(30, page.width() - labels - 16);
            for (AppStartup.Share share : shown) {
                String line = "  " + TextPage.left(page.fit(cause(share), labels), labels)
                        + TextPage.right(times.time(share.durNs()), 12);
                page.line(columns < 8 ? line : line + "  " + page.bar(share.durNs(), share.durNs(), whole, columns));
            }
            if (!others.isEmpty()) {
                page.line("  " + TextPage.left(Messages.of("text.more", others.size()), labels)
                        + TextPage.right(times.time(rest), 12));
            }
            page.line();
        }
        if (all.size() > size.entries) {
            page.line(heading("text.startup") + Messages.of("text.moreStartups", all.size() - size.entries));
            page.line();
        }
    }

    private static String cause(AppStartup.Share share) {
        String cause = AppStartupMessages.cause(share.cause());
        return share.verdict() == null ? cause : cause + ", " + share.verdict();
    }

    private String heading(String key, Object... arguments) {
        return page.coloured(AnsiColour.BOLD, Messages.of(key, arguments)) + "  ";
    }

    private void summary() {
        for (String sentence : SummaryMessages.of(diagnosis)) {
            page.wrapped("", sentence);
        }
    }
}
