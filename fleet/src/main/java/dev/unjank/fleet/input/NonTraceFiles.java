package dev.unjank.fleet.input;

import dev.unjank.fleet.task.TraceResult;
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

    private NonTraceFiles() {}

    /**
     * {@return whether a name says that there is no trace in it}
     *
     * @param name a file's
     */
    public static boolean isNamedSo(String name) {
        return BY_NAME.contains(extension(name));
    }

    /** What became of a file that could not be read as a trace: skipped, if it was only found and is plainly none. */
    public static TraceResult orSkipped(TraceFile file, TraceResult failed) {
        return file.isFound() && isOne(file) ? TraceResult.skipped(file.name(), file.bytes()) : failed;
    }

    /** Whether it is plainly no trace. What is no file, such as a pipe, is not opened, as that may wait for ever. */
    private static boolean isOne(TraceFile file) {
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
