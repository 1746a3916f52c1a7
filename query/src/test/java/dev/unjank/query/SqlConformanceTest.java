package dev.unjank.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.query.result.QueryException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Statements with expected results, from {@code conformance.txt} and, with results of SQLite itself, {@code
 * sqlite.txt}. Each case consists of statements, a line of dashes, and the rows as CSV, several results separated by a
 * line with a dot, or an error after "!". Each runs in its own session on a shared engine.
 */
class SqlConformanceTest {
    private record Case(String file, int line, String sql, List<String> expected) {}

    @TestFactory
    Stream<DynamicTest> statements() throws IOException {
        List<Case> cases = new ArrayList<>(read("conformance.txt"));
        cases.addAll(read("sqlite.txt"));
        assertThat(cases).hasSizeGreaterThan(450);
        return cases.stream()
                .map(test -> DynamicTest.dynamicTest(
                        test.file + " line " + test.line + ": "
                                + test.sql.lines().findFirst().orElseThrow(),
                        () -> check(test)));
    }

    private static void check(Case test) throws QueryException {
        List<String> actual = new ArrayList<>();
        try (QueryTestSession session = QueryTestSession.empty()) {
            session.results(SETUP);
            for (List<String> result : session.results(test.sql)) {
                if (!actual.isEmpty()) {
                    actual.add(".");
                }
                actual.addAll(result.subList(1, result.size()));
            }
        } catch (QueryException e) {
            actual.add("! " + e.getMessage());
        }
        assertThat(actual).isEqualTo(test.expected);
    }

    private static final String SETUP = """
            CREATE TABLE t(a INT, b TEXT, r REAL);
            INSERT INTO t VALUES (1, 'x', 1.5), (2, 'y', 2.5), (2, '5', 3.5), (NULL, NULL, NULL);
            CREATE TABLE s(id INT, ts INT, dur INT, name TEXT);
            INSERT INTO s VALUES (0, 0, 100, 'root'), (1, 10, 50, 'Mid'), (2, 20, 10, 'leaf');
            CREATE TABLE none(a INT, b TEXT);
            """;

    private static List<Case> read(String file) throws IOException {
        String text;
        try (InputStream in = SqlConformanceTest.class.getResourceAsStream(file)) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        List<Case> cases = new ArrayList<>();
        StringBuilder sql = new StringBuilder();
        List<String> expected = null;
        int line = 0;
        int start = 0;
        for (String row : text.lines().toList()) {
            line++;
            if (row.startsWith("#")) {
                continue;
            }
            if (row.isBlank()) {
                if (expected != null) {
                    cases.add(new Case(file, start, sql.toString(), expected));
                }
                sql.setLength(0);
                expected = null;
            } else if (row.equals("--")) {
                expected = new ArrayList<>();
            } else if (expected != null) {
                expected.add(row);
            } else {
                if (sql.isEmpty()) {
                    start = line;
                }
                sql.append(row).append('\n');
            }
        }
        if (expected != null) {
            cases.add(new Case(file, start, sql.toString(), expected));
        }
        return cases;
    }
}
