package dev.unjank.fleet.input;

import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import java.util.Set;

/**
 * Recognizes files that are not traces, such as source code or pictures: by their extension, or by their content after
 * reading them as a trace has failed. A file with a trace's extension always counts as a trace, so that a failed upload
 * is listed in table failures.
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

    /** The file in a fleet's folder that describes its task. */
    public static final String FLEET_DESCRIPTION = "fleet.json";

    private NonTraceFiles() {}

    /** {@return whether a file's extension is not that of a trace} */
    public static boolean isNamedSo(String name) {
        return BY_NAME.contains(extension(name));
    }

    /** Whether a file is clearly not a trace. Pipes and devices are not opened, since that may block. */
    public static boolean isPlainlyNoTrace(TraceFile file) {
        try {
            return !TRACES.contains(extension(file.name()))
                    && (Files.readAttributes(file.path(), BasicFileAttributes.class)
                                    .isOther()
                            || TraceReader.isOtherFormat(file.path()));
        } catch (IOException _) {
            return false; // the known failure is reported
        }
    }

    /** The extension of a file name in lower case; empty if there is none. */
    private static String extension(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "" : name.substring(dot + 1).toLowerCase(Locale.ROOT);
    }
}
