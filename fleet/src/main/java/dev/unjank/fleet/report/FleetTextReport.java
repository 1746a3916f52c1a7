package dev.unjank.fleet.report;

import dev.unjank.fleet.compare.FleetComparison;
import dev.unjank.fleet.folder.OpenTraceCommand;
import dev.unjank.trace.text.TerminalText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A report, and a comparison, as text for a terminal. */
public final class FleetTextReport {
    private static final int LEAST_NAME = 16;
    private static final int MOST_ROWS = 10;
    private static final int GAP = 2;
    private static final String CUT = "…";

    private FleetTextReport() {}

    /**
     * A report as text of the given width, with ten rows per table; {@code program} is the name of the command {@code
     * unjank}.
     */
    public static String of(FleetReport report, String program, int width) {
        StringBuilder out = new StringBuilder();
        wrapped("", report.headline(), width, out);
        for (ReportTable table : report.tables()) {
            out.append('\n').append(TerminalText.printable(table.title())).append('\n');
            wrapped("  ", table.remark(), width, out);
            List<List<String>> rows = new ArrayList<>();
            table.rows().stream().limit(MOST_ROWS).map(ReportTable.Row::cells).forEach(rows::add);
            append(table.columns(), rows, width, out);
            List<String> worst = table.rows().getFirst().worst();
            if (!worst.isEmpty()) {
                String command = TerminalText.printable(OpenTraceCommand.command(program, worst.getFirst()));
                out.append("  ").append(FleetMessages.of("text.worst", command)).append('\n');
            }
        }
        return out.toString();
    }

    /** A comparison as text. */
    public static String of(FleetComparison comparison) {
        List<List<String>> rows = new ArrayList<>();
        for (FleetComparison.Figure figure : comparison.figures()) {
            rows.add(List.of(
                    figure.name() + ", " + figure.unit(),
                    value(figure.before()),
                    value(figure.after()),
                    String.format(Locale.ROOT, "%,d / %,d", figure.tracesBefore(), figure.tracesAfter()),
                    figure.verdict()));
        }
        StringBuilder out = new StringBuilder();
        append(FleetMessages.columns("figure", "before", "after", "traces", "change"), rows, Integer.MAX_VALUE, out);
        return out.toString();
    }

    private static String value(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%,.2f", value);
    }

    /** Appends a wrapped sentence. */
    private static void wrapped(String margin, String sentence, int width, StringBuilder out) {
        StringBuilder line = new StringBuilder();
        for (String word : TerminalText.printable(sentence).split(" ", -1)) {
            if (!line.isEmpty() && margin.length() + line.length() + 1 + word.length() > width) {
                out.append(margin).append(line).append('\n');
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        out.append(margin).append(line).append('\n');
    }

    /** Appends a table: names left-aligned and shortened if needed, numbers right-aligned. */
    private static void append(List<String> columns, List<List<String>> rows, int width, StringBuilder out) {
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = Math.max(
                    columns.get(i).length(),
                    rows.stream()
                            .mapToInt(row ->
                                    TerminalText.printable(row.get(column)).length())
                            .max()
                            .orElse(0));
        }
        int numbers = 0;
        for (int i = 1; i < widths.length; i++) {
            numbers += GAP + widths[i];
        }
        widths[0] = Math.min(widths[0], Math.max(LEAST_NAME, width - numbers - GAP));
        line(columns, widths, out);
        rows.forEach(row -> line(row, widths, out));
    }

    private static void line(List<String> cells, int[] widths, StringBuilder out) {
        StringBuilder line = new StringBuilder(" ".repeat(GAP));
        for (int i = 0; i < widths.length; i++) {
            String cell = TerminalText.printable(cells.get(i));
            if (i == 0) {
                String fit = fit(cell, widths[0]);
                line.append(fit).append(" ".repeat(widths[0] - fit.length()));
            } else {
                line.append(" ".repeat(GAP + widths[i] - cell.length())).append(cell);
            }
        }
        out.append(line.toString().stripTrailing()).append('\n');
    }

    /**
     * Shortens a name in the middle, because the end of a method's name and the start of a build's name are most
     * useful.
     */
    private static String fit(String name, int width) {
        int head = (width - 1) / 3;
        if (name.length() <= width) {
            return name;
        }
        int tail = name.length() - (width - 1 - head);
        boolean cutsPair = head > 0 && Character.isHighSurrogate(name.charAt(head - 1));
        boolean beginsInPair = tail < name.length() && Character.isLowSurrogate(name.charAt(tail));
        return name.substring(0, cutsPair ? head - 1 : head) + CUT + name.substring(beginsInPair ? tail + 1 : tail);
    }
}
