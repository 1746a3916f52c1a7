package dev.unjank.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.cli.CommandRun;
import dev.unjank.scene.LauncherExample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that try to change a run's files, or to read others. */
class FleetQueryCommandTest {
    @TempDir
    private static Path folder;

    private static Path run;
    private static Path secret;

    @BeforeAll
    static void aRun() throws Exception {
        Path trace = Files.write(folder.resolve("a.pftrace"), LauncherExample.trace());
        secret = Files.writeString(folder.resolve("secret.csv"), "password\nhidden-word\n");
        run = folder.resolve("out");
        assertThat(CommandRun.of("fleet", trace.toString(), "--out", run.toString())
                        .code())
                .isZero();
    }

    private static Map<String, String> files() throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            all.filter(Files::isRegularFile).forEach(file -> files.put(file.toString(), content(file)));
        }
        return files;
    }

    private static String content(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static CommandRun query(String sql) {
        return CommandRun.of(
                "fleet",
                "query",
                run.toString(),
                sql.replace("RUN", run.toString()).replace("SECRET", secret.toString()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "COPY traces TO 'RUN/part=000000/traces.parquet'",
                "COPY (SELECT 1) TO 'RUN/part=000000/traces.parquet' (FORMAT parquet, USE_TMP_FILE false)",
                "COPY traces TO 'RUN/part=000000/more.parquet' (RETURN_FILES)",
                "COPY traces TO 'RUN/part=000007/traces.parquet'",
                "COPY traces TO 'RUN' (FORMAT parquet, PARTITION_BY (trace), OVERWRITE)",
                "FROM traces; COPY traces TO 'RUN/fleet.json' (FORMAT json)",
                "COPY traces TO 'RUN/fleet.json' (FORMAT json); FROM traces",
                "/* c */ copy traces to 'RUN/x.csv' -- c",
                "WITH x AS (COPY traces TO 'RUN/part=000000/traces.parquet') FROM x",
                "WITH x AS (COPY traces TO 'RUN/x.csv' (RETURN_FILES)), y AS (FROM x) FROM y",
                "FROM (WITH x AS (COPY traces TO 'RUN/x.csv') FROM x)",
                "WITH x AS (INSERT INTO y VALUES (1) RETURNING *) FROM x",
                "FROM json_execute_serialized_sql(json_serialize_sql('WITH x AS (COPY traces TO ''RUN/x.csv'') FROM x'))",
                "FROM \"JSON_execute_serialized_sql\"(json_serialize_sql('FROM traces'))",
                "FROM query('WITH x AS (COPY traces TO ''RUN/x.csv'') FROM x')",
                "PRAGMA json_execute_serialized_sql('x')",
                "EXPLAIN ANALYZE COPY traces TO 'RUN/x.csv'",
                "PREPARE p AS COPY traces TO 'RUN/x.csv'",
                "ATTACH 'RUN/x.duckdb'",
                "ATTACH 'RUN/part=000000/traces.parquet' AS x",
                "EXPORT DATABASE 'RUN'",
                "IMPORT DATABASE 'RUN'",
                "CREATE TABLE x AS FROM traces",
                "CREATE OR REPLACE VIEW traces AS SELECT 1",
                "DROP VIEW traces",
                "INSTALL httpfs",
                "LOAD 'RUN/x.duckdb_extension'",
                "SET temp_directory = 'RUN/part=000000'",
                "PRAGMA enable_profiling",
                "CALL enable_logging(storage = 'file', storage_path = 'RUN/x.csv')",
                "FROM enable_logging(storage = 'file', storage_path = 'RUN/x.csv')",
                "FROM enable_profiling(save_location = 'RUN/x.json')",
                "VACUUM",
                "CHECKPOINT",
                "FROM read_csv('SECRET')",
                "FROM 'SECRET'",
                "FROM read_text('RUN/../secret.csv')",
                "FROM read_blob('/etc/hostname')",
                "FROM read_json('SECRET')",
                "FROM glob('/etc/*')",
                "FROM read_csv('http://127.0.0.1:1/x.csv')"
            })
    void aStatementChangesNoFileAndReadsNoOther(String sql) throws Exception {
        Map<String, String> before = files();

        CommandRun refused = query(sql);

        assertThat(refused.code()).as(refused.toString()).isEqualTo(2);
        assertThat(refused.err()).startsWith("unjank fleet query: ").doesNotContain("hidden-word");
        assertThat(refused.err().strip().lines()).as(refused.err()).hasSize(1);
        assertThat(refused.out()).isEmpty();
        assertThat(files()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "FROM traces",
                "SELECT 'COPY_QUERY_NODE' AS type, 'query' AS function_name FROM traces",
                "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT n FROM r, traces",
                "WITH t AS MATERIALIZED (FROM traces) FROM t UNION ALL FROM t",
                "VALUES (1)",
                "DESCRIBE traces",
                "SHOW TABLES",
                "SUMMARIZE summaries",
                "PIVOT incidents ON verdict IN ('JVM_LOCK') USING count(*)",
                "SELECT count(*) FROM read_parquet('RUN/part=*/incidents.*parquet', union_by_name = true)"
            })
    void aStatementThatReadsIsAnswered(String sql) {
        CommandRun answer = query(sql);

        assertThat(answer.err()).isEmpty();
        assertThat(answer.code()).isZero();
        assertThat(answer.out()).isNotEmpty();
    }

    @Test
    void whatIsForbiddenIsNamedWithWhatIsNot() {
        assertThat(query("WITH x AS (COPY traces TO 'RUN/x.csv') FROM x").err()).isEqualTo("""
                        unjank fleet query: the statement contains COPY; only statements that read are allowed: SELECT, FROM, WITH,\
                         VALUES, DESCRIBE, SHOW, SUMMARIZE, UNPIVOT, PIVOT with IN
                        """);
        assertThat(query("SELEC 1").err()).contains("syntax error at or near \"SELEC\"");
    }

    @Test
    void aReportReplacesNoFileOfTheRun() throws Exception {
        Map<String, String> before = files();
        for (String name : new String[] {"part=000000/traces.parquet", "fleet.json", ".lock", "part=000000/x.html"}) {
            CommandRun refused = CommandRun.of(
                    "fleet",
                    "report",
                    run.toString(),
                    "--html",
                    run.resolve(name).toString());

            assertThat(refused.code()).as(refused.toString()).isEqualTo(2);
            assertThat(refused.err())
                    .startsWith("unjank fleet report: ")
                    .contains("it would overwrite the fleet's files");
        }
        assertThat(files()).isEqualTo(before);
    }
}
