package dev.unjank.query.tree;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A file format that statements read and write. */
public enum FileFormat {
    /** Comma-separated values with a header line. */
    CSV,
    /** An array of objects. */
    JSON,
    /** Parquet. */
    PARQUET;

    /** The table function that reads this format, in PerfettoSQL and in DuckDB. */
    public String reader() {
        return "read_" + name().toLowerCase(Locale.ROOT);
    }

    /** The format that a function reads; null for other functions. */
    public static @Nullable FileFormat readBy(String function) {
        return Arrays.stream(values())
                .filter(format -> format.reader().equals(function))
                .findFirst()
                .orElse(null);
    }

    /** The format of a file by its name's extension; null for other extensions. */
    public static @Nullable FileFormat of(String file) {
        String name = file.toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(format -> name.endsWith("." + format.name().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElse(null);
    }

    static List<String> readers() {
        return Arrays.stream(values()).map(FileFormat::reader).toList();
    }
}
