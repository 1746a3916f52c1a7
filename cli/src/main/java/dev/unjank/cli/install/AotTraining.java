package dev.unjank.cli.install;

import static dev.unjank.trace.scene.Scene.ms;

import dev.unjank.cli.Unjank;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.trace.scene.LauncherExample;
import dev.unjank.trace.scene.Scene;
import dev.unjank.trace.tempfile.ProcessTempFiles;
import dev.unjank.trace.testkit.TraceRepeater;
import dev.unjank.trace.write.AtraceMarks;
import dev.unjank.trace.write.WireFormat;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The training run of the JVM's AOT cache: the commands that should start fast, on a small trace with all kinds of events, and on a
 * large one that several threads read.
 */
final class AotTraining {
    private static final long LARGE_BYTES = 24_000_000;

    private static final int SYSTEM_SERVER = 1286;

    /** Uses the most common tables and functions. */
    private static final String QUERY = """
            INCLUDE PERFETTO MODULE android.monitor_contention;
            SELECT process_name, sum(dur) / 1000000 AS ms, count(*) AS n FROM android_monitor_contention
            WHERE is_blocked_thread_main AND short_blocked_method LIKE "%MessageQueue%" GROUP BY process_name ORDER BY ms DESC;
            SELECT state, count(*), sum(dur) FROM thread_state JOIN thread USING (utid) GROUP BY state;
            INCLUDE PERFETTO MODULE android.startup.startups;
            DROP VIEW IF EXISTS start;
            CREATE VIEW start AS SELECT ts, dur, upid, package FROM android_startups JOIN android_startup_processes USING (startup_id);
            CREATE VIRTUAL TABLE blocked_start USING SPAN_JOIN(android_monitor_contention PARTITIONED upid, start PARTITIONED upid);
            SELECT package, max(dur) AS longest FROM blocked_start WHERE is_blocked_thread_main GROUP BY package;
            SELECT name, dur FROM slice WHERE name GLOB '*doFrame*' ORDER BY dur DESC LIMIT 3;
            """;

    private AotTraining() {}

    /**
     * Runs the commands.
     *
     * @param args none
     */
    public static void main(String[] args) throws IOException {
        Path folder = ProcessTempFiles.folder("training");
        Path large = folder.resolve("large.pftrace");
        Path small = folder.resolve("small.pftrace");
        try {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(large))) {
                TraceRepeater.repeat(LauncherExample.trace(), LARGE_BYTES, out);
            }
            Files.write(small, withAppStartup());
            for (Path trace : List.of(small, large)) {
                for (String command : List.of("doctor", "doctor --json")) {
                    Unjank.run(Terminal.ofProcess(), (command + " " + trace).split(" ", -1));
                }
                for (String format : List.of("table", "csv")) {
                    Unjank.run(Terminal.ofProcess(), "query", trace.toString(), QUERY, "--format", format);
                }
            }
        } finally {
            ProcessTempFiles.delete(folder);
        }
    }

    /** The example, and an app startup on a third CPU. */
    private static byte[] withAppStartup() {
        Scene scene = LauncherExample.scene();
        String app = "com.example.app";
        scene.process(9000, app)
                .mainThread(app, 120)
                .prints(AtraceMarks.asyncBegin(SYSTEM_SERVER, "launchingActivity#1", 1))
                .begin("bindApplication")
                .runs(2, ms(10))
                .end()
                .prints(AtraceMarks.asyncEnd(SYSTEM_SERVER, "launchingActivity#1", 1))
                .prints(AtraceMarks.instant(SYSTEM_SERVER, "launchingActivity#1:completed-cold:" + app))
                .runs(2, ms(20));
        return scene.toBytes(WireFormat.COMPACT);
    }
}
