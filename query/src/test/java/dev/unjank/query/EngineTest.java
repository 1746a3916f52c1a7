package dev.unjank.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unjank.query.print.SqlQuoting;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.QueryException.Kind;
import dev.unjank.query.result.Rows;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the engine: values, errors, locked settings and interruption. */
class EngineTest {

    private Engine engine;

    @BeforeEach
    void open() throws QueryException {
        engine = Engine.open(new EngineOptions(1L << 30, 2, null, null), List.of());
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void rowsAreExportedAsParquet(@TempDir Path folder) throws Exception {
        List<Rows.Column> columns = List.of(
                new Rows.Column("n", Rows.Type.INTEGER),
                new Rows.Column("Real 'r'", Rows.Type.REAL),
                new Rows.Column("text", Rows.Type.TEXT));
        List<Object[]> rows =
                List.of(new Object[] {Long.MIN_VALUE, 0.5, "a\"'"}, new Object[] {null, null, null}, new Object[] {
                    Long.MAX_VALUE, 1e300, ""
                });
        Path file = folder.toRealPath().resolve("it's.parquet");
        try (Engine writer = Engine.open(EngineOptions.DEFAULT.withFolder(folder), List.of())) {
            writer.export(columns, rows, file);
            writer.export(columns, List.of(), folder.resolve("empty.parquet"));

            List<Object> values = new ArrayList<>();
            try (Rows read = writer.run("SELECT * FROM read_parquet(" + SqlQuoting.text(file.toString()) + ")")) {
                assertThat(read.columns()).isEqualTo(columns);
                while (read.next()) {
                    for (int i = 0; i < 3; i++) {
                        values.add(read.get(i));
                    }
                }
            }
            assertThat(values)
                    .containsExactly(Long.MIN_VALUE, 0.5, "a\"'", null, null, null, Long.MAX_VALUE, 1e300, "");
            assertThatExceptionOfType(QueryException.class)
                    .isThrownBy(() -> writer.export(columns, List.<Object[]>of(new Object[] {"x", 1.0, "y"}), file))
                    .withMessage("column n cannot hold x");
        }
    }

    @Test
    void valuesHaveSqliteTypes() throws QueryException {
        try (Rows rows = engine.run("""
                SELECT 1::TINYINT a, 2 b, 3::BIGINT c, true d, false e, sum(x) f, (1::HUGEINT << 80) g, 1.5::DECIMAL(5, 2) h,
                    0.25::DOUBLE i, 'ä''"' j, '\\x00\\xFF'::BLOB k, NULL l, [1, 2] m, 18446744073709551615::UBIGINT n
                FROM (VALUES (40), (2)) t(x)
                """)) {
            assertThat(rows.columns().stream().map(Rows.Column::name)).containsExactly("abcdefghijklmn".split(""));
            assertThat(rows.next()).isTrue();
            List<Object> values = new ArrayList<>();
            List<Rows.Type> types = new ArrayList<>();
            for (int i = 0; i < rows.columns().size(); i++) {
                values.add(rows.get(i));
                types.add(rows.columns().get(i).type());
            }
            assertThat(values)
                    .containsExactly(
                            1L,
                            2L,
                            3L,
                            1L,
                            0L,
                            42L,
                            BigInteger.ONE.shiftLeft(80),
                            1.5,
                            0.25,
                            "ä'\"",
                            new byte[] {0, -1},
                            null,
                            "[1, 2]",
                            new BigInteger("18446744073709551615"));
            assertThat(types.subList(0, 7)).containsOnly(Rows.Type.INTEGER);
            assertThat(types.subList(7, 11))
                    .containsExactly(Rows.Type.REAL, Rows.Type.REAL, Rows.Type.TEXT, Rows.Type.BLOB);
            assertThat(types.get(13)).isEqualTo(Rows.Type.INTEGER);
            assertThat(rows.next()).isFalse();
        }
    }

    @Test
    void aStatementWithoutResultHasNoColumns() throws QueryException {
        try (Rows rows = engine.run("CREATE TABLE t AS SELECT 1 AS x")) {
            assertThat(rows.columns()).isEmpty();
            assertThat(rows.next()).isFalse();
        }
        try (Rows rows = engine.run("SELECT x FROM t")) {
            assertThat(rows.next()).isTrue();
        }
    }

    @Test
    void anErrorIsOneLineWithItsPosition() {
        String sql = "SELECT 'äöü' AS a,\n  nonsense FROM (SELECT 1 AS sense)";

        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> engine.run(sql))
                .satisfies(e -> {
                    assertThat(e.kind()).isEqualTo(Kind.STATEMENT);
                    assertThat(e.getMessage())
                            .contains("nonsense")
                            .contains("sense")
                            .doesNotContain("\n");
                    assertThat(e.offset()).isEqualTo(sql.indexOf("nonsense"));
                });
    }

    @Test
    void aSyntaxErrorHasItsPosition() {
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> engine.run("SELECT 1 FORM x y"))
                .satisfies(e -> assertThat(e.offset()).isGreaterThan(0));
    }

    @Test
    void theEngineIsUsableAfterAnError() throws QueryException {
        assertThatExceptionOfType(QueryException.class).isThrownBy(() -> engine.run("nonsense"));
        try (Rows rows = engine.run("SELECT 1")) {
            assertThat(rows.next()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM read_csv('/etc/passwd')",
                "SELECT * FROM read_text('/etc/passwd')",
                "SELECT * FROM '/etc/passwd'",
                "SELECT * FROM glob('/etc/*')",
                "COPY (SELECT 1) TO '/tmp/unjank-must-not-be-written.csv'",
                "ATTACH '/tmp/unjank-must-not-be-written.db'",
                "EXPORT DATABASE '/tmp/unjank-must-not-be-written'",
                "INSTALL httpfs",
                "LOAD '/tmp/x.duckdb_extension'",
                "SET enable_external_access = true",
                "SET lock_configuration = false",
                "SET temp_directory = '/tmp'",
                "SET memory_limit = '1TB'",
            })
    void filesAndSettingsAreLocked(String sql) {
        assertThatExceptionOfType(QueryException.class).isThrownBy(() -> engine.run(sql));
        assertThat(Path.of("/tmp/unjank-must-not-be-written.csv")).doesNotExist();
        assertThat(Path.of("/tmp/unjank-must-not-be-written.db")).doesNotExist();
        assertThat(Path.of("/tmp/unjank-must-not-be-written")).doesNotExist();
    }

    @Test
    void onlyTheOutputFileMayBeWritten(@TempDir Path folder) throws QueryException {
        Path named = folder.resolve("it's.parquet");
        Path other = folder.resolve("other.parquet");
        try (Engine writer = Engine.open(new EngineOptions(0, 1, null, named), List.of())) {
            writer.run("COPY (SELECT 1) TO '" + named.toString().replace("'", "''") + "' (FORMAT parquet)")
                    .close();
            assertThatExceptionOfType(QueryException.class)
                    .isThrownBy(() -> writer.run("COPY (SELECT 1) TO '" + other + "' (FORMAT parquet)"))
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.FORBIDDEN));
        }
        assertThat(named).exists();
        assertThat(other).doesNotExist();
    }

    @Test
    void filesInAnAllowedFolderAreReadable(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("a.csv"), "x\n7\n");
        try (Engine reader = Engine.open(new EngineOptions(0, 1, null, null).withFolder(folder), List.of());
                Rows rows = reader.run("SELECT x FROM '" + file + "'")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.get(0)).isEqualTo(7L);
        }
    }

    @Test
    void memoryIsLimited() throws QueryException {
        try (Engine small = Engine.open(new EngineOptions(32 << 20, 1, null, null), List.of())) {
            assertThatExceptionOfType(QueryException.class)
                    .isThrownBy(
                            () -> small.run("CREATE TABLE t AS SELECT range AS a, range AS b FROM range(100_000_000)"))
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.MEMORY));
        }
    }

    @Test
    void anEndlessStatementCanBeInterrupted() throws Exception {
        String endless =
                "SELECT count(*) FROM range(10_000_000_000) a, range(10_000_000_000) b WHERE a.range + b.range < 0";
        CompletableFuture<Object> outcome = CompletableFuture.supplyAsync(() -> {
            try (Rows rows = engine.run(endless)) {
                return rows.next();
            } catch (QueryException e) {
                return e.kind();
            }
        });
        while (!outcome.isDone()) { // interruptions before the start have no effect
            engine.interrupt();
            Thread.onSpinWait();
        }

        assertThat(outcome.get()).isEqualTo(Kind.INTERRUPTED);
        try (Rows rows = engine.run("SELECT 1")) {
            assertThat(rows.next()).isTrue();
        }
    }
}
