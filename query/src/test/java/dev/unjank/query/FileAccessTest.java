package dev.unjank.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unjank.query.load.BulkLoad;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.ResultWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** File access of statements: none, or one folder. */
class FileAccessTest {
    @TempDir
    Path root;

    private Path folder;
    private Path secret;

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createDirectory(root.resolve("shared"));
        secret = Files.writeString(root.resolve("secret.csv"), "word\nxyzzy\n");
        Files.writeString(folder.resolve("names.csv"), "utid,name\n1,\"main, the\"\n2,\n");
    }

    private static QuerySession session(EngineOptions options) throws QueryException {
        return QuerySession.over(QuerySession.engine(options), BulkLoad.ARROW, List.of());
    }

    private QuerySession allowed() throws IOException, QueryException {
        return session(EngineOptions.DEFAULT.withFolder(folder));
    }

    private static String csv(QuerySession session, String text) throws QueryException {
        StringWriter result = new StringWriter();
        PrintWriter out = new PrintWriter(result);
        session.run(text, ResultWriter.csv(out));
        out.flush();
        return result.toString();
    }

    /** All files below the root, to detect created and deleted files. */
    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.map(file -> root.relativize(file).toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // reading
                "SELECT * FROM read_csv('@/secret.csv')",
                "SELECT * FROM read_csv_auto('@/secret.csv')",
                "SELECT * FROM read_text('@/secret.csv')",
                "SELECT * FROM read_blob('@/secret.csv')",
                "SELECT * FROM read_json('@/secret.csv')",
                "SELECT * FROM read_parquet('@/secret.csv')",
                "SELECT * FROM parquet_scan('@/secret.csv')",
                "SELECT * FROM sniff_csv('@/secret.csv')",
                "SELECT * FROM glob('@/*')",
                "SELECT * FROM '@/secret.csv'",
                "SELECT * FROM \"@/secret.csv\"",
                "SELECT * FROM `@/secret.csv`",
                "SELECT * FROM [@/secret.csv]",
                "SELECT * FROM sqlite_scan('@/secret.csv', 't')",
                "SELECT * FROM read_csv('https://example.com/x.csv')",
                "SELECT (SELECT count(*) FROM read_csv('@/secret.csv'))",
                "SELECT 1 WHERE EXISTS (SELECT * FROM read_csv('@/secret.csv'))",
                "SELECT 1 IN '@/secret.csv'",
                "WITH c AS (SELECT * FROM read_csv('@/secret.csv')) SELECT * FROM c",
                "CREATE TABLE x AS SELECT * FROM read_csv('@/secret.csv')",
                "CREATE PERFETTO TABLE x AS SELECT * FROM read_csv('@/secret.csv')",
                "CREATE PERFETTO VIEW x AS SELECT * FROM read_csv('@/secret.csv')",
                "CREATE PERFETTO FUNCTION f() RETURNS TABLE(word STRING) AS SELECT * FROM read_csv('@/secret.csv')",
                "CREATE PERFETTO MACRO m() RETURNS TableOrSubquery AS (SELECT * FROM read_csv('@/secret.csv')); SELECT * FROM m!()",
                "CREATE PERFETTO MACRO m(t Expr) RETURNS TableOrSubquery AS $t; SELECT * FROM m!('@/secret.csv')",
                "CREATE TABLE x(a TEXT); INSERT INTO x SELECT * FROM read_csv('@/secret.csv')",
                "CREATE TABLE x(a TEXT); COPY x FROM '@/secret.csv'",
                "IMPORT DATABASE '@'",
                // writing
                "COPY (SELECT 1) TO '@/new.csv'",
                "COPY (SELECT 1) TO '@/secret.csv'",
                "CREATE TABLE x(a TEXT); COPY x TO '@/new.csv'",
                "EXPORT DATABASE '@/new'",
                "ATTACH '@/new.db'",
                "ATTACH DATABASE '@/new.db' AS d",
                "ATTACH '@/new.db' AS d (TYPE sqlite)",
                "VACUUM INTO '@/new.db'",
                "BACKUP TO '@/new.db'",
                "SELECT writefile('@/new.csv', 'x')",
                "EXPLAIN ANALYZE COPY (SELECT 1) TO '@/new.csv'",
                "CREATE PERFETTO FUNCTION f() RETURNS INT AS COPY (SELECT 1) TO '@/new.csv'",
                // statements within texts
                "SELECT * FROM query('SELECT * FROM read_csv(''@/secret.csv'')')",
                "SELECT * FROM query_table('@/secret.csv')",
                "SELECT * FROM \"x\"\"; COPY (SELECT 1) TO '@/new.csv'; --\"",
                "PREPARE p AS SELECT * FROM read_csv('@/secret.csv')",
                "EXECUTE p",
                // environment of the engine
                "SELECT getenv('HOME')",
                "SELECT current_setting('temp_directory')",
                "SELECT * FROM duckdb_settings()",
                "SELECT * FROM duckdb_settings",
                "SELECT * FROM duckdb_secrets()",
                "SELECT * FROM duckdb_extensions()",
                "SELECT * FROM duckdb_logs",
                "SELECT * FROM pragma_database_list",
                "SELECT * FROM information_schema.tables",
                "SELECT * FROM sqlite_master",
                "PRAGMA database_list",
                "PRAGMA temp_directory = '@'",
                // its settings and extensions
                "SET enable_external_access = true",
                "SET lock_configuration = false",
                "SET temp_directory = '@'",
                "RESET memory_limit",
                "INSTALL httpfs",
                "LOAD httpfs",
                "LOAD '@/x.duckdb_extension'",
                "SELECT load_extension('@/x')",
                "FORCE CHECKPOINT",
                "CALL pragma_version()",
                "CREATE SECRET s (TYPE s3)",
                "USE memory",
            })
    void withoutPermissionNoFileIsAccessed(String statement) throws Exception {
        List<String> before = files();
        String text = statement.replace("@", root.toString());
        try (QuerySession session = session(EngineOptions.DEFAULT)) {
            assertThatExceptionOfType(QueryException.class)
                    .isThrownBy(() -> csv(session, text))
                    .withMessageMatching("line 1, column [0-9]+: .*")
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("xyzzy"));
        }
        assertThat(files()).isEqualTo(before);
        assertThat(secret).hasContent("word\nxyzzy\n");
    }

    @Test
    void withoutPermissionTheErrorNamesTheOption() throws Exception {
        try (QuerySession session = session(EngineOptions.DEFAULT)) {
            assertThatExceptionOfType(QueryException.class)
                    .isThrownBy(() -> csv(session, "SELECT *\nFROM read_csv('x.csv')"))
                    .withMessage("line 2, column 15: file access is disabled; enable it with --allow-files DIR");
        }
    }

    @Test
    void filesInTheFolderAreRead() throws Exception {
        try (QuerySession session = allowed()) {
            assertThat(csv(session, "SELECT utid + 1 AS u, name FROM read_csv('names.csv') ORDER BY utid"))
                    .isEqualTo("\"u\",\"name\"\n2,\"main, the\"\n3,\"[NULL]\"\n");
            assertThat(csv(
                            session,
                            "SELECT count(*) AS n FROM read_csv('" + folder.resolve("names.csv") + "') AS f"
                                    + " WHERE f.name IS NOT NULL"))
                    .isEqualTo("\"n\"\n1\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "json", "parquet"})
    void writtenFilesCanBeReadBack(String format) throws Exception {
        String rows = "SELECT 1 AS a, 'it''s \"ä\"' AS b, 0.5 AS c UNION ALL SELECT 2, NULL, NULL";
        String file = "new." + format;
        try (QuerySession session = allowed()) {
            assertThat(csv(session, "COPY (" + rows + ") TO '" + file + "'")).isEmpty();
            assertThat(csv(session, "SELECT a, b, c FROM read_" + format + "('" + file + "') ORDER BY a"))
                    .isEqualTo(csv(session, rows + " ORDER BY a").strip() + "\n");
        }
    }

    @Test
    void existingFilesAreNotOverwritten() throws Exception {
        try (QuerySession session = allowed()) {
            refused(session, "COPY (SELECT 1) TO 'names.csv'", "file exists and is not overwritten: names.csv");
        }
        assertThat(folder.resolve("names.csv")).content().startsWith("utid");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM read_csv('../secret.csv')",
                "SELECT * FROM read_csv('@/secret.csv')",
                "SELECT * FROM read_csv('@/shared/../secret.csv')",
                "SELECT * FROM read_csv('link.csv')",
                "SELECT * FROM read_csv('out/secret.csv')",
                "SELECT * FROM read_csv('../*.csv')",
                "SELECT * FROM read_csv('*.csv')",
                "SELECT * FROM read_csv('file://@/secret.csv')",
                "SELECT * FROM read_csv('https://example.com/x.csv')",
                "SELECT * FROM read_csv('s3://bucket/x.csv')",
                "SELECT * FROM read_csv('/dev/stdin')",
                "SELECT * FROM read_csv('')",
                "SELECT * FROM read_csv('.')",
                "SELECT * FROM read_csv('names.csv', 'names.csv')",
                "SELECT * FROM read_csv('na' || 'mes.csv')",
                "SELECT * FROM read_text('names.csv')",
                "SELECT * FROM 'names.csv'",
                "COPY (SELECT 1) TO '../new.csv'",
                "COPY (SELECT 1) TO '@/new.csv'",
                "COPY (SELECT 1) TO 'out/new.csv'",
                "COPY (SELECT 1) TO 'dangling.csv'",
                "COPY (SELECT 1) TO 'nowhere/new.csv'",
                "COPY (SELECT 1) TO 'new.txt'",
                "COPY (SELECT 1) TO 'https://example.com/new.csv'",
                "COPY (SELECT 1) TO '.csv/../../new.csv'",
                "ATTACH 'new.db'",
                "SET enable_external_access = true",
            })
    void filesOutsideOfTheFolderAreNotAccessible(String statement) throws Exception {
        Files.createSymbolicLink(folder.resolve("link.csv"), secret);
        Files.createSymbolicLink(folder.resolve("out"), root);
        Files.createSymbolicLink(folder.resolve("dangling.csv"), root.resolve("new.csv"));
        List<String> before = files();
        try (QuerySession session = allowed()) {
            refused(session, statement.replace("@", root.toString()), "");
        }
        assertThat(files()).isEqualTo(before);
    }

    private static void refused(QuerySession session, String statement, String reason) {
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> csv(session, statement))
                .withMessageMatching("line 1, column [0-9]+: .*")
                .withMessageContaining(reason)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("xyzzy"));
    }

    /** The engine enforces the limits independently of the translator. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM read_csv('@/secret.csv')",
                "SELECT * FROM read_csv('@/shared/../secret.csv')",
                "SELECT * FROM glob('@/*')",
                "COPY (SELECT 1) TO '@/new.csv'",
                "ATTACH '@/new.db'",
                "EXPORT DATABASE '@/new'",
                "INSTALL httpfs",
                "SET enable_external_access = true",
                "SET allowed_directories = ['/']",
            })
    void theEngineEnforcesTheLimitsToo(String sql) throws Exception {
        List<String> before = files();
        try (Engine engine = Engine.open(EngineOptions.DEFAULT.withFolder(folder), List.of())) {
            assertThatExceptionOfType(QueryException.class)
                    .isThrownBy(() -> engine.run(sql.replace("@", root.toString())));
        }
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void temporaryFilesAreCreatedInTheFolderAndDeleted() throws Exception {
        EngineOptions small = new EngineOptions(64 << 20, 1, null, null);
        String sort =
                "CREATE TABLE t AS SELECT hash(range) AS a, hash(range + 1) AS b FROM range(8_000_000) ORDER BY 1";
        try (Engine engine = Engine.open(small, List.of())) {
            assertThatExceptionOfType(QueryException.class)
                    .isThrownBy(() -> engine.run(sort))
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.MEMORY));
        }
        List<String> before = files();
        try (Engine engine = Engine.open(small.withFolder(folder), List.of())) {
            engine.run(sort).close();
            assertThat(files()).hasSizeGreaterThan(before.size());
        }
        assertThat(files()).isEqualTo(before);
    }
}
