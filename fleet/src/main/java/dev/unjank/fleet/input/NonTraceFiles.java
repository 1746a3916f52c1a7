package dev.unjank.fleet.input;

import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import java.util.Set;

/**
 * What lies beside traces in folders and archives. Some of it is told by its name, and left alone; of the rest the content decides,
 * once it could not be read as a trace: source code, notes, pictures are skipped. A name that promises a trace is taken by its word, so
 * that an upload which went wrong shows among the failures.
 */
public final class NonTraceFiles {
    private static final Set<String> BY_NAME = Set.of("csv", "jar", "json", "jsonl", "md", "parquet", "sql");
    private static final Set<String> TRACES = Set.of(
            "pftrace",
            "perfetto-trace",
            "perfetto",
            "pb",
            "trace",
            "systrace",
            "atrace",
            "ctrace",
            "html",
            "jfr",
            "gz",
            "zip");

    /** Describes the task of a run; lies in the run's folder. */
    public static final String FLEET_DESCRIPTION = "fleet.json";

    private NonTraceFiles() {}

    /**
     * {@return whether a name says that there is no trace in it}
     *
     * @param name a file's
     */
    public static boolean isNamedSo(String name) {
        return BY_NAME.contains(extension(name));
    }

    /** Whether a file is plainly no trace. A pipe or device is not opened, as opening may block. */
    public static boolean isPlainlyNoTrace(TraceFile file) {
        try {
            return !TRACES.contains(extension(file.name()))
                    && (Files.readAttributes(file.path(), BasicFileAttributes.class)
                                    .isOther()
                            || TraceReader.isOtherFormat(file.path()));
        } catch (IOException _) {
            return false; // it is a failure, for the reason that is known
        }
    }

    /** What stands behind the last dot of a file's name; empty if there is none. */
    private static String extension(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "" : name.substring(dot + 1).toLowerCase(Locale.ROOT);
    }
}
