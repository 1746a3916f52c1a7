package dev.unjank.query.result;

import java.io.PrintWriter;

/** Writes what statements answer, one result after another. */
public interface ResultWriter {
    /**
     * Writes all rows that are left, and leaves them open.
     *
     * @param rows a result, with at least one column
     * @throws QueryException if the statement fails or is interrupted meanwhile; what was written stays
     */
    void write(Rows rows) throws QueryException;

    /**
     * As Perfetto's trace processor prints CSV: names and texts in double quotes, NULL as {@code "[NULL]"}, real numbers with
     * six decimals, an empty line between results. A double quote within a text is doubled, which Perfetto forgets.
     *
     * @param out where to
     * @return the writer
     */
    static ResultWriter csv(PrintWriter out) {
        return new CsvResultWriter(out);
    }

    /**
     * Each result as a JSON array of objects, one to a line.
     *
     * @param out where to
     * @return the writer
     */
    static ResultWriter json(PrintWriter out) {
        return new JsonResultWriter(out);
    }

    /**
     * A table for people, numbers to the right, an empty line between results.
     *
     * @param out where to
     * @param width how many columns of text there are: where they are not enough, texts are cut, and where that does not help, each
     *     row is written as lines of a name and a value; 0 for no limit
     * @return the writer
     */
    static ResultWriter table(PrintWriter out, int width) {
        return new TableResultWriter(out, width);
    }
}
