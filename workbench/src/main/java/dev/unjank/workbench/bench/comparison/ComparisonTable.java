package dev.unjank.workbench.bench.comparison;

import dev.unjank.workbench.bench.comparison.BenchmarkQuestion.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The table of one benchmark: the figure of each implementation, and the result of each target. */
final class ComparisonTable {
    private static final int LEAST_WIDTH = 26;
    private static final int FIGURE_WIDTH = 10;
    private static final int RATIO_WIDTH = 24;

    private ComparisonTable() {}

    /** Its lines, the title first. */
    static List<String> lines(BenchmarkQuestion<?> question, QuestionResults figures) {
        List<String> lines = new ArrayList<>();
        lines.add(question.title());
        int labelWidth = width(question.rows().stream().map(row -> "  " + row.label()));
        int targetWidth = width(
                question.rows().stream().flatMap(row -> row.targets().stream().map(BenchmarkTarget::toString)));
        StringBuilder head = new StringBuilder(left("", labelWidth));
        question.peers().forEach(peer -> head.append(right(peer.label(), FIGURE_WIDTH)));
        lines.add(head + "   " + left("target", targetWidth) + left("ratio", RATIO_WIDTH) + "met");
        for (Row row : question.rows()) {
            StringBuilder line = new StringBuilder(left("  " + row.label(), labelWidth));
            for (Candidate peer : question.peers()) {
                line.append(right(figure(figures.median(peer, row.circumstance(), row.value())), FIGURE_WIDTH));
            }
            if (row.targets().isEmpty()) {
                lines.add(line.toString());
            }
            String start = line.toString();
            for (BenchmarkTarget target : row.targets()) {
                TargetResult judgement = TargetResult.of(target, row, figures);
                lines.add(start + "   " + left(target.toString(), targetWidth)
                        + left(ratio(judgement.ratio()), RATIO_WIDTH) + judgement.met().words);
                start = " ".repeat(line.length());
            }
        }
        return lines;
    }

    /** The width of a column. */
    private static int width(Stream<String> texts) {
        return texts.mapToInt(text -> text.length() + 1).reduce(LEAST_WIDTH, Math::max);
    }

    /** Formats a figure: three digits if it is small, otherwise all digits before the decimal point. */
    static String figure(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        return value < 99.5 ? threeDigits(value) : String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String ratio(MedianInterval ratio) {
        return Double.isNaN(ratio.median())
                ? "-"
                : ratio(ratio.median()) + " (" + ratio(ratio.low()) + " to " + ratio(ratio.high()) + ")";
    }

    /** Formats a ratio, small ones as a fraction: 1/3,290 is easier to read than 0.000304. */
    private static String ratio(double ratio) {
        return ratio != 0 && ratio < 0.0095 ? String.format(Locale.ROOT, "1/%,.0f", 1 / ratio) : figure(ratio);
    }

    private static String threeDigits(double value) {
        if (value == 0) {
            return "0";
        }
        String format = value < 9.995 ? "%.2f" : "%.1f";
        return String.format(Locale.ROOT, format, value);
    }

    private static String left(String text, int width) {
        return text + " ".repeat(Math.max(1, width - text.length()));
    }

    private static String right(String text, int width) {
        return " ".repeat(Math.max(1, width - text.length())) + text;
    }
}
