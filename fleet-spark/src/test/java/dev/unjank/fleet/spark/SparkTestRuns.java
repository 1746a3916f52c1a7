package dev.unjank.fleet.spark;

import dev.unjank.fleet.folder.FleetFolder;
import dev.unjank.fleet.input.Inputs;
import dev.unjank.fleet.label.LabelFile;
import dev.unjank.fleet.run.LocalRun;
import dev.unjank.fleet.task.TraceLimits;
import dev.unjank.fleet.task.TraceTask;
import dev.unjank.query.Engine;
import dev.unjank.query.EngineOptions;
import dev.unjank.query.result.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** Runs with Spark and without, and what came of them. */
final class SparkTestRuns {
    static final TraceTask DOCTOR =
            TraceTask.ofTheDoctor(Duration.ofMillis(1), null, LabelFile.EMPTY, TraceLimits.DEFAULT);

    private SparkTestRuns() {}

    static JavaSparkContext spark(String master) {
        return spark(master, Map.of());
    }

    /** With some settings more. */
    static JavaSparkContext spark(String master, Map<String, String> more) {
        SparkConf conf = new SparkConf()
                .setMaster(master)
                .setAppName("test")
                .set("spark.ui.enabled", "false")
                .set("spark.hadoop." + FaultyHadoopFileSystem.SETTING, FaultyHadoopFileSystem.class.getName())
                .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
                .set("spark.executor.extraJavaOptions", "--enable-native-access=ALL-UNNAMED")
                .set("spark.task.maxFailures", "8");
        more.forEach(conf::set);
        return new JavaSparkContext(conf);
    }

    /** Where a run without Spark has put its rows, beside the traces. */
    static Path local(TraceTask task, Path traces) throws IOException {
        Path out = Files.createTempDirectory(traces.getParent(), "local");
        try (FleetFolder fleet = FleetFolder.open(out, task, false)) {
            LocalRun.run(task, new Inputs(List.of(traces.toString()), null), 2, fleet, _ -> {});
        }
        return out;
    }

    /** All rows of all tables, those of each table in order. */
    static Map<String, List<String>> rows(Path out) throws Exception {
        Map<String, List<String>> all = new TreeMap<>();
        Path real = out.toRealPath();
        try (Engine engine = Engine.open(new EngineOptions(0, 1, null, null).withFolder(real), List.of())) {
            for (String table : tables(real)) {
                List<String> rows = new ArrayList<>();
                try (Rows found = engine.run("SELECT * EXCLUDE (part) FROM read_parquet('" + real + "/part=*/" + table
                        + ".*parquet', hive_partitioning = true)")) {
                    while (found.next()) {
                        Object[] row = new Object[found.columns().size()];
                        for (int i = 0; i < row.length; i++) {
                            row[i] = found.get(i);
                        }
                        rows.add(Arrays.toString(row));
                    }
                }
                rows.sort(null);
                all.put(table, rows);
            }
        }
        return all;
    }

    private static Set<String> tables(Path out) throws IOException {
        try (Stream<Path> files = Files.walk(out)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".parquet"))
                    .map(name -> name.substring(0, name.indexOf('.')))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
