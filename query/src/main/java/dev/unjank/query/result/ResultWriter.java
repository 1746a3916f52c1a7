package dev.unjank.query.result;

import java.io.PrintWriter;

/** Writer for the results of statements, one after another. */
public interface ResultWriter {
    /**
     * Writes the remaining rows. Does not close them.
     *
     * @param rows a result with at least one column
     * @throws QueryException if the statement fails or is interrupted; rows already written remain
     */
    void write(Rows rows) throws QueryException;

    /**
     * Writer for CSV in the format of Perfetto's trace processor: names and strings in double quotes, NULL as {@code
     * "[NULL]"}, floating-point numbers with six decimals, an empty line between results. Unlike Perfetto's, it doubles
     * a double quote within a string.
     *
     * @param out the output
     * @return the writer
     */
    static ResultWriter csv(PrintWriter out) {
        return new CsvResultWriter(out);
    }

    /**
     * Writer for JSON: each result is an array of objects, one object per line.
     *
     * @param out the output
     * @return the writer
     */
    static ResultWriter json(PrintWriter out) {
        return new JsonResultWriter(out);
    }

    /**
     * Writer for text tables: numbers right-aligned, an empty line between results.
     *
     * @param out the output
     * @param width characters per line; wider tables have their strings cut, or print each row as lines of name and
     *     value if that is not enough; 0 for no limit
     * @return the writer
     */
    static ResultWriter table(PrintWriter out, int width) {
        return new TableResultWriter(out, width);
    }
}
