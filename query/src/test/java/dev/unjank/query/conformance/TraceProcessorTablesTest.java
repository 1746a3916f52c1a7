package dev.unjank.query.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.fixture.RealTraces;
import dev.unjank.query.QueryTestSession;
import dev.unjank.query.result.QueryException;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares {@code SELECT * FROM object} with trace processor's answer, for all tables and views of real traces. System
 * properties: {@code tables.trace} and {@code tables.object} restrict it to names that start with them, {@code
 * tables.dump} is a folder for our answers. The answers are not part of the project; without them the test is skipped.
 */
@Tag("long")
class TraceProcessorTablesTest {
    /** Tables of which others contain ids, in the order in which their ids are mapped. */
    private static final List<String> FIRST =
            List.of("args", "process", "thread", "track", "slice", "sched", "thread_state");

    /** The number of equal tables that must not decrease. */
    private static final int EQUAL_TABLES = 116;

    private int equal;
    private int all;

    @Test
    void tablesEqualTraceProcessors() throws IOException, QueryException {
        Path folder = RealTraces.file("../perfetto-tables/README.md").resolveSibling("");
        List<Path> traces;
        try (Stream<Path> folders = Files.list(folder)) {
            traces = folders.filter(Files::isDirectory).sorted().toList();
        }
        String wanted = System.getProperty("tables.trace", "");
        for (Path trace : traces) {
            if (name(trace).startsWith(wanted)) {
                compare(trace);
            }
        }
        System.out.println(equal + " of " + all + " tables are equal");
        assumeTrue(wanted.isEmpty() && System.getProperty("tables.object") == null, "only some tables were compared");
        assertThat(equal).isGreaterThanOrEqualTo(EQUAL_TABLES);
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    private void compare(Path folder) throws IOException, QueryException {
        String trace = RealTraces.names().stream()
                .filter(name -> name.startsWith(name(folder) + "."))
                .findFirst()
                .orElseThrow();
        List<Path> tables;
        try (Stream<Path> files = Files.list(folder)) {
            tables = new ArrayList<>(files.toList());
        }
        tables.sort(
                Comparator.comparingInt((Path file) -> order(object(file))).thenComparing(Comparator.naturalOrder()));
        IdMapping ids = new IdMapping();
        String wanted = System.getProperty("tables.object", "");
        try (QueryTestSession session = QueryTestSession.of(TraceReader.read(RealTraces.file(trace)))) {
            session.setTimeout(Duration.ofSeconds(60));
            for (Path table : tables) {
                String object = object(table);
                if (object.startsWith(wanted) || order(object) < FIRST.size()) {
                    report(name(folder), object, difference(ids, session, table));
                }
            }
        }
    }

    private static int order(String object) {
        int index = FIRST.indexOf(object);
        return index < 0 ? FIRST.size() : index;
    }

    private static String object(Path table) {
        return name(table).replace(".csv.gz", "");
    }

    private void report(String trace, String object, String difference) {
        all++;
        if (difference.isEmpty()) {
            equal++;
        }
        System.out.printf("%-8s %s %s %s%n", difference.isEmpty() ? "equal" : "DIFFERS", trace, object, difference);
    }

    private static String difference(IdMapping ids, QueryTestSession session, Path table) throws IOException {
        String object = object(table);
        int dot = object.lastIndexOf('.');
        String include = dot < 0 ? "" : "INCLUDE PERFETTO MODULE " + object.substring(0, dot) + ";\n";
        String answer;
        try {
            answer =
                    String.join("\n", session.csv(include + "SELECT * FROM " + object.substring(dot + 1) + ";")) + "\n";
        } catch (QueryException | RuntimeException e) {
            return "error: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        }
        String dump = System.getProperty("tables.dump");
        if (dump != null) {
            Path copy = Path.of(dump, name(table.getParent()), object + ".csv");
            Files.createDirectories(copy.getParent());
            Files.writeString(copy, answer);
        }
        String difference =
                new TableComparison(ids, object).difference(ExpectedTable.read(table), ExpectedTable.of(answer));
        return difference == null ? "" : difference;
    }
}
