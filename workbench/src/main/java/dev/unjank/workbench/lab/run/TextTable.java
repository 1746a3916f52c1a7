package dev.unjank.workbench.lab.run;

import java.util.ArrayList;
import java.util.List;

/** A table in text: columns as wide as their widest cell, the first left-aligned, the others right-aligned. */
public final class TextTable {
    private static final String GAP = "   ";

    private final List<List<String>> rows = new ArrayList<>();

    /** Creates a table with a header row. */
    public TextTable(String... head) {
        rows.add(List.of(head));
    }

    public void row(String... cells) {
        if (cells.length > rows.getFirst().size()) {
            throw new IllegalArgumentException(cells.length + " cells under " + rows.getFirst());
        }
        rows.add(List.of(cells));
    }

    /** The rows, beginning with the header, without trailing spaces. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                String space = " ".repeat(width(column) - cell.length());
                line.append(column == 0 ? cell + space : GAP + space + cell);
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    private int width(int column) {
        return rows.stream()
                .filter(row -> row.size() > column)
                .mapToInt(row -> row.get(column).length())
                .max()
                .orElse(0);
    }
}
