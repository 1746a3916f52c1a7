package dev.unjank.query.result;

import java.io.PrintWriter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writer for {@link ResultWriter#csv}: Perfetto's CSV dialect, which DuckDB's COPY cannot write. */
final class CsvResultWriter implements ResultWriter {
    private final PrintWriter out;
    private final StringBuilder line = new StringBuilder();
    private boolean first = true;

    CsvResultWriter(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void write(Rows rows) throws QueryException {
        if (!first) {
            out.print('\n');
        }
        first = false;
        List<Rows.Column> columns = rows.columns();
        for (Rows.Column column : columns) {
            quote(column.name());
        }
        endLine();
        while (rows.next()) {
            for (int i = 0; i < columns.size(); i++) {
                append(rows.get(i));
            }
            endLine();
        }
    }

    private void append(@Nullable Object value) {
        switch (value) {
            case null -> line.append("\"[NULL]\",");
            case String text -> quote(text);
            case Double real -> line.append(decimal(real)).append(',');
            case byte[] bytes -> quote(HexFormat.of().formatHex(bytes));
            default -> line.append(value).append(',');
        }
    }

    /** Formats a number like {@code %f} in C. */
    static String decimal(double real) {
        if (Double.isNaN(real)) {
            return "nan";
        }
        return Double.isInfinite(real) ? (real > 0 ? "inf" : "-inf") : String.format(Locale.ROOT, "%f", real);
    }

    private void quote(String text) {
        line.append('"').append(text.replace("\"", "\"\"")).append("\",");
    }

    private void endLine() {
        line.setCharAt(line.length() - 1, '\n');
        out.append(line);
        line.setLength(0);
    }
}
