package dev.unjank.fleet.report;

import java.util.List;

/**
 * A part of a report, to be shown as text or on a page.
 *
 * @param title what it tells
 * @param remark how to read it, in a sentence; empty if the title says it all
 * @param columns the columns' names; the first one's values are names, the others' numbers
 * @param rows the rows, the most important first
 */
public record ReportTable(String title, String remark, List<String> columns, List<Row> rows) {

    /**
     * A row.
     *
     * @param cells a text for each column
     * @param share of the greatest value that the row has, 0 to 1, for a bar
     * @param worst the traces to look at, the worst first; empty if that makes no sense
     */
    public record Row(List<String> cells, double share, List<String> worst) {
        /** Keeps its own copies of the lists. */
        public Row {
            cells = List.copyOf(cells);
            worst = List.copyOf(worst);
        }
    }

    /** Keeps its own copies of the lists. */
    public ReportTable {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }
}
