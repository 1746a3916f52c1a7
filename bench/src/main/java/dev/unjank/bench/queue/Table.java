package dev.unjank.bench.queue;

import dev.unjank.bench.loop.Peer;
import dev.unjank.bench.queue.Question.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The table of one question: what each peer takes, and what came of each target. */
final class Table {

    private static final int LABEL_WIDTH = 26;
    private static final int FIGURE_WIDTH = 10;
    private static final int TARGET_WIDTH = 26;
    private static final int RATIO_WIDTH = 24;

    private Table() {}

    /** Its lines, the title first. */
    static List<String> lines(Question question, Figures figures) {
        List<String> lines = new ArrayList<>();
        lines.add(question.title());
        StringBuilder head = new StringBuilder(left("", LABEL_WIDTH));
        question.peers().forEach(peer -> head.append(right(peer.label(), FIGURE_WIDTH)));
        lines.add(head + "   " + left("target", TARGET_WIDTH) + left("ratio", RATIO_WIDTH) + "met");
        for (Row row : question.rows()) {
            StringBuilder line = new StringBuilder(left("  " + row.label(), LABEL_WIDTH));
            for (Peer peer : question.peers()) {
                line.append(right(figure(figures.median(peer, row.circumstance(), row.value())), FIGURE_WIDTH));
            }
            if (row.targets().isEmpty()) {
                lines.add(line.toString());
            }
            String start = line.toString();
            for (Target target : row.targets()) {
                Judgement judgement = Judgement.of(target, row, figures);
                lines.add(start + "   " + left(target.toString(), TARGET_WIDTH)
                        + left(ratio(judgement.ratio()), RATIO_WIDTH) + judgement.met().words);
                start = " ".repeat(line.length());
            }
        }
        return lines;
    }

    /** Three digits of what is small; all digits before the point of what is not. */
    static String figure(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        return value < 99.5 ? threeDigits(value) : String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String ratio(Spread ratio) {
        return Double.isNaN(ratio.median())
                ? "-"
                : ratio(ratio.median()) + " (" + ratio(ratio.low()) + " to " + ratio(ratio.high()) + ")";
    }

    /** Small ones as a fraction: 1/3,290 is easier to read than 0.000304. */
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
