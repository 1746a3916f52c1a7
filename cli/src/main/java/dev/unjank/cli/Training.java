package dev.unjank.cli;

import dev.unjank.trace.example.LauncherExample;
import dev.unjank.trace.write.TraceRepeater;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the launcher's cache of classes and profiles is made from: the commands that ought to start at once, on a trace so large
 * that what reads it becomes hot. The JVM then compiles that code at the beginning of later runs.
 */
final class Training {
    private static final long TRACE_BYTES = 24_000_000;

    /** Names the tables that most queries do, and what most queries call. */
    private static final String QUERY = """
            INCLUDE PERFETTO MODULE android.monitor_contention;
            SELECT process_name, sum(dur) / 1000000 AS ms, count(*) AS n FROM android_monitor_contention
            WHERE is_blocked_thread_main AND short_blocked_method LIKE "%MessageQueue%" GROUP BY process_name ORDER BY ms DESC;
            SELECT state, count(*), sum(dur) FROM thread_state JOIN thread USING (utid) GROUP BY state;
            """;

    private Training() {}

    /**
     * Runs the commands.
     *
     * @param args none
     */
    public static void main(String[] args) throws IOException {
        Path trace = Files.createTempFile("unjank-training", ".pftrace");
        try {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(trace))) {
                TraceRepeater.repeat(LauncherExample.trace(), TRACE_BYTES, out);
            }
            for (String command : List.of("doctor", "doctor --json")) {
                Unjank.run(Terminal.ofProcess(), (command + " " + trace).split(" ", -1));
            }
            for (String format : List.of("table", "csv")) {
                Unjank.run(Terminal.ofProcess(), "query", trace.toString(), QUERY, "--format", format);
            }
        } finally {
            Files.deleteIfExists(trace);
        }
    }
}
