package dev.unjank.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unjank.query.load.BulkLoad;
import dev.unjank.query.load.NativeTable;
import dev.unjank.query.load.TableDefinition;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.QueryException.Kind;
import dev.unjank.query.result.ResultWriter;
import dev.unjank.query.result.Rows;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A table that failed to load can be loaded again, in the same session and in the next one with the same engine. */
class FailedLoadTest {
    private static final long MEMORY = 1L << 30;
    private static final String COLUMNS = "i INT, again INT, absent TEXT";

    private QuerySession session;

    @AfterEach
    void close() {
        session.close();
    }

    private static Engine engine(long bytes) throws QueryException {
        return QuerySession.engine(new EngineOptions(bytes, 1, null, null));
    }

    private static NativeTable good(Arena arena, int rows) {
        return new NativeTable(arena, rows).ints("i", row -> row).alias("i", "again");
    }

    private String rows(String sql) throws QueryException {
        StringWriter text = new StringWriter();
        session.run(sql, ResultWriter.csv(new PrintWriter(text, true)));
        return text.toString().lines().skip(1).reduce((a, b) -> a + "; " + b).orElse("");
    }

    private Kind failure(String sql) {
        return assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> rows(sql))
                .actual()
                .kind();
    }

    /** Number of failures of the second part before it succeeds. */
    private QuerySession failing(Engine engine, BulkLoad load, int times) {
        AtomicInteger left = new AtomicInteger(times);
        TableDefinition table = TableDefinition.table("t", COLUMNS, arena -> good(arena, 3), arena -> {
            boolean fails = left.getAndDecrement() > 0;
            return fails ? new NativeTable(arena, 1).strings("i", _ -> "no number") : good(arena, 2);
        });
        TableDefinition view = TableDefinition.view("v", "i INT", "SELECT i FROM t WHERE i > 0");
        return QuerySession.over(engine, load, List.of(table, view));
    }

    @ParameterizedTest
    @EnumSource(BulkLoad.class)
    void failureInTheSecondPart(BulkLoad load) throws QueryException {
        session = failing(engine(MEMORY), load, 3);
        failure("SELECT count(*) FROM t");
        failure("SELECT count(*) FROM t");
        failure("SELECT count(*) FROM v");
        assertThat(rows("SELECT count(*), sum(again), count(absent) FROM t")).isEqualTo("5,4,0");
        assertThat(rows("SELECT count(*) FROM v")).isEqualTo("3");
    }

    @ParameterizedTest
    @EnumSource(BulkLoad.class)
    void failureInOneSessionDoesNotAffectTheNext(BulkLoad load) throws QueryException {
        session = failing(engine(MEMORY), load, 1);
        failure("SELECT count(*) FROM t");
        Engine engine = session.release();
        assertThat(engine).isNotNull();
        session = failing(engine, load, 1);
        failure("SELECT count(*) FROM t");
        assertThat(rows("SELECT count(*) FROM t")).isEqualTo("5");
        try (Rows tables = engine.run("SELECT table_name FROM information_schema.tables ORDER BY 1")) {
            StringBuilder names = new StringBuilder();
            while (tables.next()) {
                names.append(tables.get(0)).append(' ');
            }
            assertThat(names.toString()).isEqualTo("t t#stored ");
        }
    }

    @Test
    void failureToMakeRows() throws QueryException {
        AtomicBoolean fails = new AtomicBoolean(true);
        session = QuerySession.over(
                engine(MEMORY),
                BulkLoad.ARROW,
                List.of(TableDefinition.table("t", COLUMNS, arena -> good(arena, 3), arena -> {
                    if (fails.getAndSet(false)) {
                        throw new OutOfMemoryError("no more");
                    }
                    return good(arena, 2);
                })));
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> rows("SELECT count(*) FROM t"));
        assertThat(rows("SELECT count(*) FROM t")).isEqualTo("5");
    }

    @Test
    void tableLargerThanMemory() throws QueryException {
        session = QuerySession.over(
                engine(24L << 20),
                BulkLoad.ARROW,
                List.of(
                        TableDefinition.table("small", COLUMNS, arena -> good(arena, 10)),
                        TableDefinition.table(
                                "big",
                                "a INT, b INT",
                                arena -> good(arena, 10),
                                arena -> new NativeTable(arena, 5_000_000)
                                        .longs("a", row -> row * 0x9e3779b97f4a7c15L)
                                        .longs("b", row -> row * 0xc2b2ae3d27d4eb4fL))));
        for (int i = 0; i < 3; i++) {
            assertThat(failure("SELECT count(*) FROM big")).isEqualTo(Kind.MEMORY);
            assertThat(rows("SELECT count(*) FROM small")).isEqualTo("10");
        }
    }

    /** Interrupts a load at each point, also between its statements. */
    @ParameterizedTest
    @EnumSource(BulkLoad.class)
    void interruptedLoad(BulkLoad load) throws QueryException {
        session = QuerySession.over(
                engine(MEMORY),
                load,
                List.of(TableDefinition.table(
                        "t", COLUMNS, arena -> good(arena, 20_000), arena -> good(arena, 20_000))));
        for (int i = 0; i < 40; i++) {
            session.setTimeout(Duration.ofNanos(1 + i * 300_000L));
            try {
                assertThat(rows("SELECT count(*) FROM t")).isEqualTo("40000");
            } catch (QueryException e) {
                assertThat(e.kind()).as(e.getMessage()).isEqualTo(Kind.INTERRUPTED);
            }
        }
        session.setTimeout(null);
        assertThat(rows("SELECT count(*) FROM t")).isEqualTo("40000");
    }
}
