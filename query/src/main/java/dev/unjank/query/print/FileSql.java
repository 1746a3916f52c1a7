package dev.unjank.query.print;

import dev.unjank.query.tree.FileFormat;

/** DuckDB's SQL that reads and writes files. NULL is {@code "[NULL]"} in CSV, as in printed results. */
public final class FileSql {
    private FileSql() {}

    /** A table function call, for a FROM clause. */
    public static String read(FileFormat format, String path) {
        String options = format == FileFormat.CSV ? ", nullstr = ['', '[NULL]']" : "";
        return format.reader() + "(" + SqlQuoting.text(path) + options + ")";
    }

    /** A statement that writes the rows of a query. */
    public static String copy(FileFormat format, String query, String path) {
        String options = switch (format) {
            case CSV -> "FORMAT csv, HEADER true, FORCE_QUOTE *, NULLSTR '[NULL]'";
            case JSON -> "FORMAT json, ARRAY true";
            case PARQUET -> "FORMAT parquet";
        };
        return "COPY (" + query + ") TO " + SqlQuoting.text(path) + " (" + options + ", USE_TMP_FILE false)";
    }
}
