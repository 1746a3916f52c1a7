package dev.unjank.query.module;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.query.QueryTestSession;
import dev.unjank.query.result.QueryException;
import dev.unjank.scene.LauncherExample;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Public objects of Perfetto's standard library, by {@code ../shared/perfetto-schema}: which modules and columns are
 * missing.
 */
class StandardLibrarySchemaTest {
    private static final Path SCHEMA = Path.of("../../shared/perfetto-schema/stdlib.csv");

    /** Tables and views of supported modules that are planned. */
    private static final Set<String> PLANNED = Set.of(
            "android_input_event_dispatch",
            "android_key_events",
            "android_motion_events",
            "android_surfaceflinger_workloads",
            "linux_interrupt_mapping");

    private record PublicObject(String module, String kind, String name, List<String> columns) {
        static PublicObject of(String line) {
            List<String> fields = List.of(line.split(",", 5));
            List<String> columns = Arrays.stream(fields.get(3).split("; ", -1))
                    .map(column -> column.split(" ", -1)[0])
                    .toList();
            return new PublicObject(fields.get(0), fields.get(1), fields.get(2), columns);
        }
    }

    private static List<PublicObject> objects() throws IOException {
        assumeTrue(Files.isRegularFile(SCHEMA), "no " + SCHEMA);
        return Files.readAllLines(SCHEMA).stream().skip(1).map(PublicObject::of).toList();
    }

    @Test
    void everyModuleIsSupportedOrHasAReason() throws IOException {
        Set<String> unexplained = objects().stream()
                .map(PublicObject::module)
                .filter(module -> StandardLibrary.matching(module).isEmpty())
                .filter(module -> UnsupportedNames.reason(module) == null)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(unexplained).isEmpty();
    }

    @Test
    void tablesOfModulesHaveTheirColumns(@TempDir Path folder) throws IOException, QueryException {
        List<PublicObject> objects = objects();
        Path file = folder.resolve("launcher.pftrace");
        Files.write(file, LauncherExample.trace());
        Set<String> missing = new TreeSet<>();
        try (QueryTestSession session = QueryTestSession.of(TraceReader.read(file))) {
            session.results("INCLUDE PERFETTO MODULE *");
            for (PublicObject object : objects) {
                boolean relation =
                        object.kind().equals("table") || object.kind().equals("view");
                boolean included = !StandardLibrary.matching(object.module()).isEmpty();
                if (relation && included && !PLANNED.contains(object.name())) {
                    List<String> columns = session.columns(object.name());
                    Set<String> lacking = new TreeSet<>(object.columns());
                    lacking.removeAll(columns);
                    lacking.forEach(column -> missing.add(object.name() + "." + column));
                }
            }
        }
        assertThat(missing).isEmpty();
    }
}
