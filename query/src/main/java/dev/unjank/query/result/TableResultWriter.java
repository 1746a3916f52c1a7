package dev.unjank.query.result;

import dev.unjank.trace.text.TerminalText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Writer for {@link ResultWriter#table}. The first rows determine the column widths; a later row with a wider cell is
 * misaligned. If the columns do not fit, each row is written as lines of name and value.
 */
final class TableResultWriter implements ResultWriter {
    private static final int SAMPLED_ROWS = 1_000;
    private static final String GAP = "  ";
    private static final String CUT = "…";
    private static final String NULL = "[NULL]";

    /** Minimum width of a string cell, and of a column name. */
    private static final int MIN_TEXT_WIDTH = 12;

    private static final int MIN_NAME_WIDTH = 6;

    private final PrintWriter out;
    private final int width;
    private boolean first = true;

    TableResultWriter(PrintWriter out, int width) {
        this.out = out;
        this.width = width;
    }

    @Override
    public void write(Rows rows) throws QueryException {
        if (!first) {
            out.print('\n');
        }
        first = false;
        List<Rows.Column> columns = rows.columns();
        List<String[]> firstRows = new ArrayList<>();
        boolean more = true;
        while (firstRows.size() < SAMPLED_ROWS && more) {
            more = rows.next();
            if (more) {
                firstRows.add(cells(rows));
            }
        }
        String[] names = columns.stream()
                .map(column -> TerminalText.printable(column.name()))
                .toArray(String[]::new);
        int[] widths = widths(names, firstRows);
        boolean fits = width == 0 || narrow(widths, minWidths(names, firstRows, columns), firstRows);
        if (!fits && !firstRows.isEmpty()) {
            writeVertically(names, firstRows, more ? rows : null);
            return;
        }
        printLine(names, widths, columns, true);
        String[] rules = new String[names.length];
        for (int i = 0; i < rules.length; i++) {
            rules[i] = "─".repeat(widths[i]);
        }
        printLine(rules, widths, columns, false);
        for (String[] row : firstRows) {
            printLine(row, widths, columns, false);
        }
        while (more && rows.next()) {
            printLine(cells(rows), widths, columns, false);
        }
    }

    /** Writes each row as lines of name and value, uncut. */
    private void writeVertically(String[] names, List<String[]> firstRows, @Nullable Rows rest) throws QueryException {
        int widest = 0;
        for (String name : names) {
            widest = Math.max(widest, length(name));
        }
        long number = 0;
        for (String[] row : firstRows) {
            printVertically(++number, names, row, widest);
        }
        while (rest != null && rest.next()) {
            printVertically(++number, names, cells(rest), widest);
        }
    }

    private void printVertically(long number, String[] names, String[] row, int widest) {
        out.append("── row " + number + " ──\n");
        for (int i = 0; i < row.length; i++) {
            out.append(names[i] + " ".repeat(widest - length(names[i])) + GAP + row[i] + "\n");
        }
    }

    private static String[] cells(Rows rows) throws QueryException {
        String[] cells = new String[rows.columns().size()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = cell(rows.get(i));
        }
        return cells;
    }

    private static String cell(@Nullable Object value) {
        return switch (value) {
            case null -> NULL;
            case Double real -> CsvResultWriter.decimal(real);
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            default -> TerminalText.printable(value.toString());
        };
    }

    private static int[] widths(String[] names, List<String[]> rows) {
        int[] widths = new int[names.length];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(length(names[i]), widest(rows, i));
        }
        return widths;
    }

    private static int widest(List<String[]> rows, int column) {
        int widest = 0;
        for (String[] row : rows) {
            widest = Math.max(widest, length(row[column]));
        }
        return widest;
    }

    /** Minimum column widths: a cut number would be wrong, while a cut name or string is still readable. */
    private static int[] minWidths(String[] names, List<String[]> rows, List<Rows.Column> columns) {
        int[] widths = new int[names.length];
        for (int i = 0; i < widths.length; i++) {
            int widest = widest(rows, i);
            int values = isNumber(columns.get(i)) ? widest : Math.min(widest, MIN_TEXT_WIDTH);
            widths[i] = Math.max(values, Math.min(length(names[i]), MIN_NAME_WIDTH));
        }
        return widths;
    }

    /**
     * Reduces columns with only NULLs, then the widest columns, so that narrow columns stay uncut. Returns false if the
     * table still does not fit.
     */
    private boolean narrow(int[] widths, int[] minimum, List<String[]> rows) {
        int available = width - GAP.length() * (widths.length - 1);
        if (IntStream.of(minimum).sum() > available) {
            return false;
        }
        if (IntStream.of(widths).sum() <= available) {
            return true;
        }
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            boolean onlyNulls = rows.stream().allMatch(row -> row[column].equals(NULL));
            widths[i] = onlyNulls ? minimum[i] : Math.min(widths[i], available);
        }
        for (int excess = IntStream.of(widths).sum() - available; excess > 0; excess--) {
            int widest = -1;
            for (int i = 0; i < widths.length; i++) {
                boolean reducible = widths[i] > minimum[i];
                widest = reducible && (widest < 0 || widths[i] > widths[widest]) ? i : widest;
            }
            widths[widest]--;
        }
        return true;
    }

    private static boolean isNumber(Rows.Column column) {
        return column.type() == Rows.Type.INTEGER || column.type() == Rows.Type.REAL;
    }

    private void printLine(String[] cells, int[] widths, List<Rows.Column> columns, boolean names) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            boolean number = isNumber(columns.get(i));
            String cell = width > 0 && (names || !number) ? cut(cells[i], widths[i]) : cells[i];
            String padding = " ".repeat(Math.max(0, widths[i] - length(cell)));
            line.append(i == 0 ? "" : GAP);
            line.append(number ? padding + cell : cell + padding);
        }
        int end = line.length();
        while (end > 0 && line.charAt(end - 1) == ' ') {
            end--;
        }
        line.setLength(end);
        out.append(line.append('\n'));
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    private static String cut(String text, int width) {
        return length(text) <= width
                ? text
                : text.substring(0, text.offsetByCodePoints(0, Math.max(0, width - 1))) + CUT;
    }
}
