package dev.unjank.doctor.report.text;

import dev.unjank.doctor.find.code.CodeSiteFinder;
import dev.unjank.doctor.judge.RootCauseFinder;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.OwnWorkFrame;
import dev.unjank.doctor.model.ReportQueries;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.model.cause.RootCauses;
import dev.unjank.doctor.report.CauseMessages;
import dev.unjank.doctor.report.CauseMessages.Detail;
import dev.unjank.doctor.report.DurationFormat;
import dev.unjank.doctor.report.JudgementMessages;
import dev.unjank.doctor.report.MessageCatalogue;
import dev.unjank.doctor.report.Messages;
import dev.unjank.doctor.report.OwnWorkMessages;
import dev.unjank.doctor.report.ReportForm;
import dev.unjank.doctor.report.WarningMessages;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes the root causes of a diagnosis as text: a table of the most expensive ones, the first of them with their facts
 * and stacks, then what concerns the whole trace. A diagnosis without incidents is written as by {@link TextReport}.
 */
public final class RootCauseReport {
    /** Two screens. */
    private static final int MOST_LINES = 100;

    /**
     * The sizes to try, so that the report has at most {@link #MOST_LINES}. Sections about the whole trace are
     * shortened before the facts of root causes. All but the last two, which are for narrow terminals, show a frame of
     * the program in each stack.
     */
    private static final List<Size> SIZES = List.of(
            new Size(10, Detail.BESIDE_TABLE, 4, Integer.MAX_VALUE, 5, 5),
            new Size(10, Detail.BESIDE_TABLE, 3, Integer.MAX_VALUE, 5, 1),
            new Size(10, Detail.BESIDE_TABLE, 2, 3, 3, 1),
            new Size(7, Detail.BESIDE_TABLE, 2, 3, 3, 1),
            new Size(7, Detail.MAIN, 2, 3, 3, 1),
            new Size(5, Detail.MAIN, 2, 2, 1, 1),
            new Size(5, Detail.MAIN, 1, 1, 1, 0),
            new Size(3, Detail.MAIN, 1, 1, 0, 0));

    private static final int BLOCKS = 3;
    private static final int MOST_IDS = 12;
    private static final int MOST_STACKS = 5;

    private final Diagnosis diagnosis;
    private final RootCauses causes;

    private final Size size;

    private final ReportQueries queries;
    private final TextPage page;
    private final TraceSections sections;
    private final CodeSiteFinder sites;

    /**
     * How much to write.
     *
     * @param rows the root causes in the table
     * @param detail the facts of each root cause below the table
     * @param frames the frames of each stack, without those of libraries
     * @param lines the lines of each value
     * @param entries the missed frames, and the app startups
     * @param costs the waits in each missed frame
     */
    private record Size(int rows, Detail detail, int frames, int lines, int entries, int costs) {}

    private RootCauseReport(
            Diagnosis diagnosis, RootCauses causes, Size size, TextReport.Style style, ReportQueries queries) {
        this.diagnosis = diagnosis;
        this.causes = causes;
        this.size = size;
        this.queries = queries;
        this.page = new TextPage(style, size.lines);
        this.sections = new TraceSections(diagnosis, style, page, new TraceSections.Size(size.entries, size.costs));
        this.sites = new CodeSiteFinder(diagnosis.search().options().app());
    }

    /**
     * Writes the root causes of a diagnosis.
     *
     * @param diagnosis the diagnosis
     * @param style how
     * @param queries the queries over the trace
     * @return the text, ending with a line end
     */
    public static String of(Diagnosis diagnosis, TextReport.Style style, ReportQueries queries) {
        if (diagnosis.incidents().isEmpty()) {
            return TextReport.of(diagnosis, style, queries);
        }
        RootCauses causes = RootCauseFinder.of(diagnosis);
        // Missed frames of which all are asked for do not count.
        TextReport.Style counted =
                new TextReport.Style(style.width(), style.colour(), style.unicode(), style.full(), false);
        String text = "";
        for (Size size : SIZES) {
            text = new RootCauseReport(diagnosis, causes, size, counted, queries).write();
            if (text.lines().count() <= MOST_LINES) {
                return style.frames() ? new RootCauseReport(diagnosis, causes, size, style, queries).write() : text;
            }
        }
        return style.frames() ? new RootCauseReport(diagnosis, causes, SIZES.getLast(), style, queries).write() : text;
    }

    /**
     * Writes one root cause in full, with its whole stacks.
     *
     * @param diagnosis the diagnosis
     * @param rank the rank of the root cause, from 1
     * @param style how
     * @param queries the queries over the trace
     * @return the text, ending with a line end; empty if there is no such root cause
     */
    public static String ofCause(Diagnosis diagnosis, int rank, TextReport.Style style, ReportQueries queries) {
        RootCauseReport report =
                new RootCauseReport(diagnosis, RootCauseFinder.of(diagnosis), SIZES.getFirst(), style, queries);
        if (rank < 1 || rank > report.causes.causes().size()) {
            return "";
        }
        report.block(report.causes.causes().get(rank - 1), true);
        return report.page.toString();
    }

    private String write() {
        sections.header(JudgementMessages.form(diagnosis, causes));
        page.line();
        ownWorkFrame();
        wholeTrace();
        List<RootCause> all = causes.causes();
        List<RootCause> listed = all.subList(0, Math.min(size.rows, all.size()));
        page.wrapped(
                page.coloured(AnsiColour.BOLD, Messages.of("cause.heading")) + "  ",
                CauseMessages.measure(causes.measure()));
        boolean isWide = page.width() >= Columns.WIDTH;
        Columns columns = new Columns(causes.totalNs(), isWide, !causes.isRankedByTotal());
        if (isWide) {
            page.line(page.coloured(AnsiColour.DIM, columns.heading()));
            page.line(page.coloured(AnsiColour.DIM, "     " + Messages.of("cause.column.line")));
        }
        for (RootCause cause : listed) {
            page.line(columns.numbers(cause)
                    + page.coloured(
                            AnsiColour.of(cause.verdict()), cause.verdict().name()));
            page.value("     ", Messages.of("cause.line", CauseMessages.what(cause), CauseMessages.where(cause)));
        }
        if (all.size() > listed.size()) {
            long rest = all.subList(listed.size(), all.size()).stream()
                    .mapToLong(RootCause::totalNs)
                    .sum();
            page.wrapped("     ", Messages.of("cause.more", all.size() - listed.size(), DurationFormat.time(rest)));
        }
        page.line();
        all.subList(0, Math.min(BLOCKS, all.size())).forEach(cause -> block(cause, false));
        sections.write();
        page.line();
        if (page.isShortened()) {
            page.wrapped("", Messages.of("cause.shortened"));
        }
        page.wrapped("", Messages.of("cause.more.options"));
        sections.query(queries);
        return page.toString();
    }

    private void wholeTrace() {
        page.line(page.coloured(AnsiColour.BOLD, Messages.of("cause.wholeTrace")));
        CauseMessages.processes(causes).forEach(field -> page.field(field.label(), field.value()));
        sections.blockedTime();
        List<String> missing = WarningMessages.missingData(diagnosis.missingData());
        if (!missing.isEmpty()) {
            page.field(Messages.of("label.notRecorded"), String.join("; ", missing));
        }
        page.line();
    }

    /** The longest missed frame, if its program's own work is the main finding. */
    private void ownWorkFrame() {
        OwnWorkFrame late = diagnosis.mainOwnWork();
        if (late != null) {
            OwnWorkMessages.fields(late, diagnosis).forEach(field -> page.field(field.label(), field.value()));
            page.line();
        }
    }

    /**
     * The columns of numbers before the verdict, in two widths. The cost has a column, in place of the median, if it is
     * not the total: it is the order of the rows.
     */
    private static final class Columns {
        static final int WIDTH = 90;
        private static final int TIME = 12;

        private final long allNs;
        private final boolean isWide;
        private final boolean hasCost;

        Columns(long allNs, boolean isWide, boolean hasCost) {
            this.allNs = allNs;
            this.isWide = isWide;
            this.hasCost = hasCost;
        }

        String heading() {
            return TextPage.right("#", 3)
                    + (hasCost ? TextPage.right(Messages.of("cause.column.cost"), TIME + 1) : "")
                    + TextPage.right(Messages.of("cause.column.total"), TIME + 1)
                    + TextPage.right(Messages.of("cause.column.share"), 6)
                    + TextPage.right(Messages.of("cause.column.waits"), 7)
                    + TextPage.right(Messages.of("cause.column.waiters"), 8)
                    + (hasCost ? "" : TextPage.right(Messages.of("cause.column.p50"), TIME))
                    + TextPage.right(Messages.of("cause.column.p95"), TIME)
                    + TextPage.right(Messages.of("cause.column.max"), TIME)
                    + "  " + Messages.of("cause.column.verdict");
        }

        private static String waiters(RootCause cause) {
            return cause.waiters().longest().isAllOfProcess()
                    ? Messages.of("cause.allThreads")
                    : Integer.toString(cause.waiters().threads());
        }

        String numbers(RootCause cause) {
            String first = TextPage.right(Integer.toString(cause.rank()), 3)
                    + (hasCost ? TextPage.right(DurationFormat.time(cause.costNs()), TIME + 1) : "")
                    + TextPage.right(DurationFormat.time(cause.totalNs()), TIME + 1)
                    + TextPage.right(CauseMessages.share(cause.totalNs(), allNs), 6);
            return isWide
                    ? first + TextPage.right(Integer.toString(cause.incidents().size()), 7)
                            + TextPage.right(waiters(cause), 8)
                            + (hasCost ? "" : TextPage.right(DurationFormat.time(cause.p50Ns()), TIME))
                            + TextPage.right(DurationFormat.time(cause.p95Ns()), TIME)
                            + TextPage.right(DurationFormat.time(cause.maxNs()), TIME)
                            + "  "
                    : first + "  ";
        }
    }

    private void block(RootCause cause, boolean isWhole) {
        page.rule(
                Messages.of(
                        causes.isRankedByTotal() ? "cause.rule" : "cause.rule.cost",
                        cause.rank(),
                        DurationFormat.time(cause.costNs())),
                AnsiColour.of(cause.verdict()),
                MessageCatalogue.verdict(cause.example().judgement()),
                Messages.of("cause.rule.share", CauseMessages.share(cause.totalNs(), causes.totalNs())));
        List<ReportForm.Field> fields =
                CauseMessages.fields(cause, causes, diagnosis, isWhole ? Detail.ALL : size.detail);
        fields.forEach(field -> page.field(field.label(), field.value()));
        StackText stacks = new StackText(sites, isWhole ? Integer.MAX_VALUE : size.frames);
        int shown = Math.min(isWhole ? MOST_STACKS : 1, cause.stacks().size());
        for (RootCause.StackTotal stack : cause.stacks().subList(0, shown)) {
            if (isWhole) {
                page.line();
                page.field(
                        Messages.of("label.stacks"),
                        Messages.of(
                                "cause.stacks",
                                Messages.count("wait", stack.waits()),
                                DurationFormat.time(stack.durNs())));
            }
            lines(Messages.of("label.waiterStack"), stacks.lines(stack.waiter()));
            lines(CauseMessages.ownerStackLabel(cause), stacks.lines(stack.owner()));
        }
        page.field(Messages.of("label.incidents"), ids(cause, isWhole ? Integer.MAX_VALUE : MOST_IDS));
        if (!isWhole) {
            leftOut(cause, fields, stacks.leftOut(), cause.stacks().size() - shown);
        }
        page.line();
    }

    /** The facts, frames and stacks of a root cause that its block lacks, and the command that shows them. */
    private void leftOut(RootCause cause, List<ReportForm.Field> fields, int frames, int stacks) {
        Set<String> labels = new LinkedHashSet<>();
        CauseMessages.fields(cause, causes, diagnosis, Detail.BESIDE_TABLE).forEach(field -> labels.add(field.label()));
        fields.forEach(field -> labels.remove(field.label()));
        labels.remove("");
        labels.remove(Messages.of("label.rootCause")); // in the block's rule
        List<String> parts = new ArrayList<>(labels);
        if (frames > 0) {
            parts.add(Messages.count("stackFrame", frames));
        }
        if (stacks > 0) {
            parts.add(Messages.count("moreStack", stacks));
        }
        if (!parts.isEmpty()) {
            page.field(
                    Messages.of("label.leftOut"), Messages.of("cause.leftOut", String.join(", ", parts), cause.rank()));
        }
    }

    private void lines(String label, List<String> lines) {
        String first = label;
        for (String line : lines) {
            page.field(first, line);
            first = "";
        }
    }

    /** The numbers under which {@link TextReport} lists the incidents. */
    private static String ids(RootCause cause, int most) {
        List<Integer> ids = cause.incidents();
        String shown = ids.stream().limit(most).map(id -> "#" + id).collect(Collectors.joining(" "));
        return ids.size() <= most ? shown : Messages.of("cause.andMore", shown, ids.size() - most);
    }
}
