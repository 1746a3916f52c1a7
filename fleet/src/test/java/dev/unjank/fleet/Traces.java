package dev.unjank.fleet;

import static dev.unjank.trace.example.Scene.ms;

import dev.unjank.query.Engine;
import dev.unjank.query.EngineOptions;
import dev.unjank.query.Rows;
import dev.unjank.trace.example.LauncherExample;
import dev.unjank.trace.example.Scene;
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

/** Small traces, and what came of them. */
final class Traces {
    private Traces() {}

    /** The example, as a file. */
    static Path example(Path folder, String name) throws IOException {
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

    static TraceFile file(Path file) throws IOException {
        return new TraceFile(file.toString(), file, Files.size(file), false);
    }

    static TraceTask doctor() {
        return TraceTask.ofTheDoctor(Duration.ofMillis(1), null, LabelBook.EMPTY, Limits.DEFAULT);
    }

    static TraceTask sql(String sql) {
        return TraceTask.ofStatements(sql, null, LabelBook.EMPTY, Limits.DEFAULT);
    }

    /** The rows of a query in the engine's own SQL, each as its values; {@code {table}} stands for that table of a folder. */
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
