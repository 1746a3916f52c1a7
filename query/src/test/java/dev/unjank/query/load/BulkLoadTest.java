package dev.unjank.query.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unjank.query.engine.DuckDbEngine;
import dev.unjank.query.engine.DuckDbSettings;
import dev.unjank.query.engine.NumericColumns;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.Rows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Both loads give the same tables. */
@Tag("slow")
class BulkLoadTest {
    private static final String COLUMNS = "s INT, i INT, n INT, l INT, r REAL, t TEXT, u TEXT, absent TEXT, again INT";

    private DuckDbEngine engine;

    @BeforeEach
    void open() throws QueryException {
        engine = DuckDbEngine.open(DuckDbSettings.of(1L << 30, 2, null, null, List.of()));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static NativeTable rows(Arena arena, int rows) {
        StringDictionary dictionary = StringDictionary.of(
                arena,
                List.of("zero", "", "zwölf", "a\"b'c\n", "\uD83D\uDE80", "a text that is longer than twelve bytes"));
        return new NativeTable(arena, rows)
                .column("s", NativeTable.Layout.INT16, shorts(arena, rows))
                .ints("i", row -> row * 3)
                .ints("n", -1, row -> row % 3 == 0 ? -1 : row)
                .longs("l", Long.MIN_VALUE, row -> row % 5 == 0 ? Long.MIN_VALUE : Long.MAX_VALUE - row)
                .doubles("r", row -> row / 8.0)
                .strings("t", dictionary, row -> row % 7 - 1)
                .strings("u", row -> row % 4 == 0 ? null : "own " + row % 1_000)
                .alias("i", "again");
    }

    /** An interrupted transaction rejects further statements; their failure must not replace the interruption. */
    @Test
    void interruptionWithinATransactionIsReported() throws Exception {
        engine.begin();
        AtomicBoolean ended = new AtomicBoolean();
        Thread interrupter = Thread.ofPlatform().start(() -> {
            while (!ended.get()) {
                engine.interrupt();
                Thread.onSpinWait();
            }
        });
        try {
            assertThatExceptionOfType(QueryException.class)
                    .isThrownBy(() -> engine.create(
                            TableDefinition.table(
                                    "t", "i INT", arena -> new NativeTable(arena, 20_000_000).ints("i", row -> row)),
                            BulkLoad.ARROW))
                    .returns(QueryException.Kind.INTERRUPTED, QueryException::kind);
        } finally {
            ended.set(true);
            interrupter.join();
            engine.rollBack();
        }
        assertThat(all("SELECT 1")).containsExactly("1");
    }

    private static MemorySegment shorts(Arena arena, int rows) {
        short[] values = new short[rows];
        for (int row = 0; row < rows; row++) {
            values[row] = (short) row;
        }
        return arena.allocateFrom(ValueLayout.JAVA_SHORT, values);
    }

    @ParameterizedTest
    @EnumSource(BulkLoad.class)
    void valuesAreUnchanged(BulkLoad load) throws QueryException {
        engine.create(TableDefinition.table("t", COLUMNS, arena -> rows(arena, 8)), load);

        assertThat(all("SELECT * FROM t WHERE i IN (0, 3, 21) ORDER BY i"))
                .containsExactly(
                        "0 0 null null 0.0 null null null 0",
                        "1 3 1 9223372036854775806 0.125 zero own 1 null 3",
                        "7 21 7 9223372036854775800 0.875 null own 7 null 21");
        assertThat(all("SELECT t, count(*) FROM t GROUP BY t ORDER BY t NULLS FIRST"))
                .containsExactly(
                        "null 2",
                        " 1",
                        "a text that is longer than twelve bytes 1",
                        "a\"b'c\n 1",
                        "zero 1",
                        "zwölf 1",
                        "\uD83D\uDE80 1");
    }

    @Test
    void bothLoadsGiveTheSameRows() throws QueryException {
        int rows = ArrowStream.BATCH * 2 + 4_711;
        engine.create(TableDefinition.table("a", COLUMNS, arena -> rows(arena, rows)), BulkLoad.ARROW);
        engine.create(TableDefinition.table("b", COLUMNS, arena -> rows(arena, rows)), BulkLoad.APPENDER);

        assertThat(all("SELECT count(*), count(DISTINCT i), count(n), count(l), count(t), count(u) FROM a"))
                .isEqualTo(all("SELECT count(*), count(DISTINCT i), count(n), count(l), count(t), count(u) FROM b"));
        assertThat(
                        all(
                                "(SELECT * FROM a EXCEPT ALL SELECT * FROM b) UNION ALL (SELECT * FROM b EXCEPT ALL SELECT * FROM a)"))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(BulkLoad.class)
    void aTableWithoutRowsHasItsColumns(BulkLoad load) throws QueryException {
        engine.create(TableDefinition.table("t", COLUMNS, arena -> rows(arena, 0)), load);

        assertThat(all("SELECT * FROM t")).isEmpty();
        assertThat(all("SELECT count(*), count(l), count(t) FROM t")).containsExactly("0 0 0");
    }

    @ParameterizedTest
    @EnumSource(BulkLoad.class)
    void partsAreConcatenated(BulkLoad load) throws QueryException {
        engine.create(
                TableDefinition.table(
                        "t",
                        "x INT, y TEXT",
                        arena -> new NativeTable(arena, 2).ints("x", row -> row),
                        arena -> new NativeTable(arena, 0).ints("x", row -> row),
                        arena -> new NativeTable(arena, 1).ints("x", _ -> 7).strings("y", _ -> "last")),
                load);

        assertThat(all("SELECT * FROM t")).containsExactly("0 null", "1 null", "7 last");
    }

    @Test
    void numericColumnsAreRead() throws QueryException {
        NumericColumns read = engine.read(
                "SELECT CAST(range - 9223372036854775808 AS BIGINT) AS a, CASE WHEN range % 2 = 0 THEN range * 0.5e0 END AS b,"
                        + " CASE WHEN range > 0 THEN CAST(range - 9223372036854775808 AS BIGINT) END AS c FROM range(200000)");

        assertThat(read.size()).isEqualTo(200_000);
        assertThat(read.values(0)).startsWith(Long.MIN_VALUE, Long.MIN_VALUE + 1);
        assertThat(Double.longBitsToDouble(read.values(1)[199_998])).isEqualTo(99_999.0);
        assertThat(Double.longBitsToDouble(read.values(1)[199_999])).isNaN();
        assertThat(read.nullValue(0)).isEqualTo(Long.MIN_VALUE + 200_000);
        assertThat(read.nullValue(2)).isEqualTo(Long.MIN_VALUE);
        assertThat(read.values(2)).startsWith(Long.MIN_VALUE, Long.MIN_VALUE + 1);
    }

    private List<String> all(String sql) throws QueryException {
        List<String> lines = new ArrayList<>();
        try (Rows rows = engine.run(sql)) {
            while (rows.next()) {
                StringBuilder line = new StringBuilder();
                for (int i = 0; i < rows.columns().size(); i++) {
                    line.append(i == 0 ? "" : " ").append(rows.get(i));
                }
                lines.add(line.toString());
            }
        }
        return lines;
    }
}
