package dev.unjank.cli.install;

import dev.unjank.cli.Unjank;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.trace.tempfile.ProcessTempFiles;
import dev.unjank.trace.write.AtraceMarks;
import dev.unjank.trace.write.FtraceCpuWriter;
import dev.unjank.trace.write.PrevState;
import dev.unjank.trace.write.Task;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The training run of the JVM's AOT cache: the commands that should start fast, on the example and on a trace large
 * enough to be read by several threads.
 */
final class AotTraining {
    private static final int SYSTEM_SERVER = 1286;
    private static final String APP = "com.example.app";
    private static final int PID = 9000;
    private static final Task MAIN = new Task(PID, APP, 110);
    private static final Task WORKER = new Task(PID + 1, "worker", 120);
    private static final String CONTENTION = "monitor contention with owner worker (" + WORKER.tid()
            + ") at void com.example.app.Cache.put(int)(Cache.java:10) waiters=0 blocking from int"
            + " com.example.app.Cache.get()(Cache.java:20)";

    private static final int PERIODS = 200_000;
    private static final int BLOCKED_EACH = 16;
    private static final long PERIOD_NS = 4_000_000;
    private static final long START_NS = 1_000_000_000_000L;

    /** A query of the most common tables and functions. */
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

    /** Runs the commands. */
    public static void main(String[] args) throws IOException {
        Path folder = ProcessTempFiles.folder("training");
        Path large = folder.resolve("large.pftrace");
        Path small = folder.resolve("small.pftrace");
        try {
            Unjank.run(Terminal.ofProcess(), "example", "-o", small.toString());
            writeLarge(large);
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

    /**
     * Writes the events of one CPU: an app starts, then its main thread and a worker alternate, and sometimes the main
     * thread waits for a lock of the worker.
     */
    private static void writeLarge(Path file) throws IOException {
        try (TraceWriter writer = new TraceWriter(Files.newOutputStream(file), WireFormat.COMPACT)) {
            writer.clockSnapshot(START_NS, START_NS, START_NS);
            writer.systemInfo("6.1.0", 35);
            writer.processTree(
                    START_NS,
                    List.of(
                            new TraceWriter.ProcessEntry(PID, 1, APP),
                            new TraceWriter.ProcessEntry(SYSTEM_SERVER, 1, "system_server")),
                    List.of(new TraceWriter.ThreadEntry(WORKER.tid(), PID, WORKER.comm())));
            FtraceCpuWriter cpu = writer.cpu(0);
            cpu.schedSwitch(START_NS, Task.idle(0), PrevState.RUNNABLE, MAIN);
            cpu.print(START_NS, PID, AtraceMarks.asyncBegin(SYSTEM_SERVER, "launchingActivity#1", 1));
            cpu.print(START_NS, PID, AtraceMarks.begin(PID, "bindApplication"));
            for (int period = 1; period <= PERIODS; period++) {
                writePeriod(cpu, START_NS + period * PERIOD_NS, period % BLOCKED_EACH == 0 ? CONTENTION : "doFrame");
                if (period == BLOCKED_EACH) {
                    long now = START_NS + period * PERIOD_NS + PERIOD_NS / 2;
                    cpu.print(now, PID, AtraceMarks.end(PID));
                    cpu.print(now, PID, AtraceMarks.asyncEnd(SYSTEM_SERVER, "launchingActivity#1", 1));
                    cpu.print(
                            now, PID, AtraceMarks.instant(SYSTEM_SERVER, "launchingActivity#1:completed-cold:" + APP));
                }
            }
        }
    }

    /** Writes one period: the main thread sleeps within a slice until the worker, which runs meanwhile, wakes it. */
    private static void writePeriod(FtraceCpuWriter cpu, long ts, String slice) throws IOException {
        long wake = ts + PERIOD_NS / 2 - 2_000;
        cpu.print(ts, PID, AtraceMarks.begin(PID, slice));
        cpu.schedSwitch(ts + 1_000, MAIN, PrevState.SLEEPING, WORKER);
        cpu.schedWaking(wake, WORKER.tid(), MAIN, 0);
        cpu.schedSwitch(wake + 1_000, WORKER, PrevState.PREEMPTED, MAIN);
        cpu.print(wake + 2_000, PID, AtraceMarks.end(PID));
    }
}
