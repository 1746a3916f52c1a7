package dev.unjank.query;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * {@link ResultWriter#table}. The first rows decide how wide the columns are; should a later cell be wider, its own row alone
 * is out of line.
 */
final class TableResults implements ResultWriter {
    private static final int ROWS_THAT_DECIDE = 1_000;
    private static final String GAP = "  ";
    private static final String CUT = "…";
    private static final int LEAST_WIDTH = 4;

    private final PrintWriter out;
    private final int width;
    private boolean first = true;

    TableResults(PrintWriter out, int width) {
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
        while (firstRows.size() < ROWS_THAT_DECIDE && more) {
            more = rows.next();
            if (more) {
                firstRows.add(cells(rows));
            }
        }
        String[] names =
                columns.stream().map(column -> printable(column.name())).toArray(String[]::new);
        int[] widths = widths(names, firstRows);
        print(names, widths, columns);
        String[] lines = new String[names.length];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = "─".repeat(widths[i]);
        }
        print(lines, widths, columns);
        for (String[] row : firstRows) {
            print(row, widths, columns);
        }
        while (more && rows.next()) {
            print(cells(rows), widths, columns);
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
            case null -> "[NULL]";
            case Double real -> CsvResults.decimal(real);
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            default -> printable(value.toString());
        };
    }

    /** A text that stays within its cell and cannot steer the terminal: no control characters, no marks of direction. */
    private static String printable(String text) {
        if (text.chars().noneMatch(TableResults::steers)) {
            return text;
        }
        StringBuilder printable = new StringBuilder();
        text.chars().forEach(c -> {
            if (steers(c)) {
                printable.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                printable.append((char) c);
            }
        });
        return printable.toString();
    }

    private static boolean steers(int c) {
        int type = Character.getType(c);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }

    private int[] widths(String[] names, List<String[]> rows) {
        int[] widths = new int[names.length];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = length(names[i]);
            for (String[] row : rows) {
                widths[i] = Math.max(widths[i], length(row[i]));
            }
        }
        if (width > 0) {
            narrow(widths, width - GAP.length() * (widths.length - 1));
        }
        return widths;
    }

    /** Takes from the widest columns what is too much, so that the narrow ones stay whole. */
    private static void narrow(int[] widths, int room) {
        while (true) {
            int sum = 0;
            int widest = 0;
            for (int i = 0; i < widths.length; i++) {
                sum += widths[i];
                widest = widths[i] > widths[widest] ? i : widest;
            }
            if (sum <= room || widths[widest] <= LEAST_WIDTH) {
                return;
            }
            int second = 0;
            for (int i = 0; i < widths.length; i++) {
                second = i == widest ? second : Math.max(second, widths[i]);
            }
            int least = Math.max(LEAST_WIDTH, Math.min(second, widths[widest] - 1));
            widths[widest] = Math.max(least, widths[widest] - (sum - room));
        }
    }

    private void print(String[] cells, int[] widths, List<Rows.Column> columns) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            boolean number =
                    columns.get(i).type() == Rows.Type.INTEGER || columns.get(i).type() == Rows.Type.REAL;
            String cell = width > 0 ? cut(cells[i], widths[i]) : cells[i];
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
