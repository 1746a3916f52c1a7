package dev.unjank.query.tree;

import dev.unjank.query.resolve.AliasNames;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a table may look like in a file. NULL is {@code "[NULL]"} in CSV, as everywhere else. */
public enum FileFormat {
    /** Values with commas between them, names in the first line. */
    CSV(", nullstr = ['', '[NULL]']", "FORMAT csv, HEADER true, FORCE_QUOTE *, NULLSTR '[NULL]'"),
    /** An array of objects. */
    JSON("", "FORMAT json, ARRAY true"),
    /** Parquet. */
    PARQUET("", "FORMAT parquet");

    private final String readOptions;
    private final String writeOptions;

    FileFormat(String readOptions, String writeOptions) {
        this.readOptions = readOptions;
        this.writeOptions = writeOptions;
    }

    /** The function that reads a file of this format, here and in the engine. */
    String reader() {
        return "read_" + name().toLowerCase(Locale.ROOT);
    }

    /** The format that a function reads; null if it is another function. */
    public static @Nullable FileFormat readBy(String function) {
        return Arrays.stream(values())
                .filter(format -> format.reader().equals(function))
                .findFirst()
                .orElse(null);
    }

    /** The format that a file's name tells; null if it tells none. */
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

    /**
     * What reads a file.
     *
     * @param path the file
     * @return what to put after FROM in the engine's SQL
     */
    public String reading(String path) {
        return reader() + "(" + AliasNames.string(path) + readOptions + ")";
    }

    /** What writes the rows of a query to a file. */
    public String writing(String query, String path) {
        return "COPY (" + query + ") TO " + AliasNames.string(path) + " (" + writeOptions + ", USE_TMP_FILE false)";
    }
}
