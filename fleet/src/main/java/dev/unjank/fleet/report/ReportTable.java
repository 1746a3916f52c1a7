package dev.unjank.fleet.report;

import java.util.List;

/**
 * A table of a report.
 *
 * @param remark an explanation in one sentence; empty for none
 * @param columns the column heads; the first column contains names, the others numbers
 * @param rows the rows, the most important first
 */
public record ReportTable(String title, String remark, List<String> columns, List<Row> rows) {

    /**
     * A row.
     *
     * @param share its share of the greatest value, 0 to 1, for a bar
     * @param worst the worst traces, the worst first; empty for none
     */
    public record Row(List<String> cells, double share, List<String> worst) {
        public Row {
            cells = List.copyOf(cells);
            worst = List.copyOf(worst);
        }
    }

    public ReportTable {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }
}
