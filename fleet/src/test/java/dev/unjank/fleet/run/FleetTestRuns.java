package dev.unjank.fleet.run;

import static dev.unjank.scene.Scene.ms;

import dev.unjank.fleet.folder.FleetFolder;
import dev.unjank.fleet.input.Inputs;
import dev.unjank.fleet.input.TraceFile;
import dev.unjank.fleet.label.LabelFile;
import dev.unjank.fleet.task.TraceLimits;
import dev.unjank.fleet.task.TraceTask;
import dev.unjank.query.Engine;
import dev.unjank.query.EngineOptions;
import dev.unjank.query.result.Rows;
import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.Scene;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Small traces, and what came of them. */
public final class FleetTestRuns {
    /** Asks the tiny ones. */
    static final TraceTask NAMES = sql("SELECT name FROM process WHERE name GLOB 'com.example.*'");

    private FleetTestRuns() {}

    /** The example, as a file. */
    public static Path example(Path folder, String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, LauncherExample.trace());
    }

    /** A tiny trace of a process that runs. */
    static byte[] tiny(int pid) {
        Scene scene = new Scene();
        scene.process(pid, "com.example.app" + pid)
                .mainThread("com.example.app" + pid, 120)
                .begin("work")
                .runs(0, ms(pid))
                .end();
        return scene.toBytes(WireFormat.COMPACT);
    }

    /** A folder of so many tiny ones. */
    static Path many(Path folder, int count) throws IOException {
        Path traces = Files.createDirectories(folder.resolve("traces"));
        for (int i = 1; i <= count; i++) {
            Files.write(traces.resolve("t" + i + ".pftrace"), tiny(i));
        }
        return traces;
    }

    /** An archive of so many tiny ones. */
    static Path zip(Path file, int count) throws IOException {
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
            for (int i = 1; i <= count; i++) {
                out.putNextEntry(new ZipEntry("day/t" + i));
                out.write(tiny(i));
            }
        }
        return file;
    }

    /** Asks traces on two threads. */
    public static RunTotals run(TraceTask task, Path out, boolean resume, Path... inputs) throws IOException {
        return run(task, out, resume, _ -> {}, inputs);
    }

    /** The same, watched. */
    static RunTotals run(TraceTask task, Path out, boolean resume, LocalRun.Watcher watcher, Path... inputs)
            throws IOException {
        try (FleetFolder fleet = FleetFolder.open(out, task, resume)) {
            Inputs all = new Inputs(Stream.of(inputs).map(Path::toString).toList(), null);
            return LocalRun.run(task, all, 2, fleet, watcher);
        }
    }

    /** The totals if all traces were processed before. */
    static RunTotals done(int before) {
        return new RunTotals(0, 0, 0, 0, 0, before, 0);
    }

    public static TraceFile file(Path file) throws IOException {
        return new TraceFile(file.toString(), file, Files.size(file), false);
    }

    public static TraceTask doctor() {
        return TraceTask.ofTheDoctor(Duration.ofMillis(1), null, LabelFile.EMPTY, TraceLimits.DEFAULT);
    }

    public static TraceTask sql(String sql) {
        return TraceTask.ofStatements(sql, null, LabelFile.EMPTY, TraceLimits.DEFAULT);
    }

    /**
     * The rows of a query in the engine's own SQL, each as its values; {@code {table}} stands for that table of a
     * folder.
     */
    static List<List<Object>> rows(Path folder, String sql) throws Exception {
        Path real = folder.toRealPath();
        String query = Pattern.compile("\\{(\\w+)}")
                .matcher(sql)
                .replaceAll(table -> Matcher.quoteReplacement(
                        "read_parquet(" + FleetFolder.glob(real, table.group(1)) + ", union_by_name = true)"));
        try (Engine engine = Engine.open(new EngineOptions(0, 1, null, null).withFolder(real), List.of());
                Rows rows = engine.run(query)) {
            List<List<Object>> all = new ArrayList<>();
            while (rows.next()) {
                Object[] row = new Object[rows.columns().size()];
                for (int i = 0; i < row.length; i++) {
                    row[i] = rows.get(i);
                }
                all.add(Arrays.asList(row));
            }
            return all;
        }
    }
}
