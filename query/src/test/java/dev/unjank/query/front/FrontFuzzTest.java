package dev.unjank.query.front;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.unjank.query.FrontSession;
import dev.unjank.query.QueryException;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * No text makes the front throw anything but its own exception, run on, or exhaust the stack. The engine is asked to run what comes
 * out, and may refuse it.
 */
class FrontFuzzTest {
    private static final String SETUP = """
            CREATE TABLE t(a INT, b TEXT, r REAL); INSERT INTO t VALUES (1, 'x', 1.5), (2, 'y', NULL);
            CREATE TABLE s(id INT, ts INT, dur INT, name TEXT); INSERT INTO s VALUES (0, 0, 100, 'root');
            CREATE TABLE none(a INT);
            """;

    @Test
    void aThousandStatements() throws QueryException {
        assertThat(run(1, 1_000)).as("statements that the front understands").isGreaterThan(100);
    }

    @Test
    void aThousandBrokenTexts() {
        mutate(2, 1_000);
    }

    @Test
    @Tag("long")
    void aHundredThousandStatements() throws QueryException {
        for (int seed = 0; seed < 100; seed++) {
            run(seed, 1_000);
        }
    }

    @Test
    @Tag("long")
    void aMillionBrokenTexts() {
        for (int seed = 0; seed < 100; seed++) {
            mutate(seed, 10_000);
        }
    }

    private static int run(long seed, int statements) throws QueryException {
        Random random = new Random(seed);
        RandomSql sql = new RandomSql(random);
        int understood = 0;
        try (FrontSession session = FrontSession.empty()) {
            session.results(SETUP);
            for (int i = 0; i < statements; i++) {
                understood += understood(session, sql.statement(random.nextInt(5))) ? 1 : 0;
            }
        }
        return understood;
    }

    private static boolean understood(FrontSession session, String text) {
        return assertTimeoutPreemptively(
                ofSeconds(30),
                () -> {
                    try {
                        session.results(text);
                        return true;
                    } catch (QueryException e) {
                        assertThat(e.getMessage()).matches("(?s)line \\d+, column \\d+: .+");
                        return false;
                    }
                },
                () -> text);
    }

    private static void mutate(long seed, int texts) {
        Random random = new Random(seed);
        RandomSql sql = new RandomSql(random);
        String[] spices = {
            "(",
            ")",
            "'",
            "\"",
            ";",
            ",",
            ".",
            "!",
            "$x",
            "--",
            "/*",
            "\u0000",
            "\u0001",
            "é",
            "😀",
            "SELECT",
            "FROM",
            "1e",
            "0x",
            "x'",
            "*",
            "CREATE",
            "PERFETTO",
            "MACRO",
            "m!(",
            "[",
            "`"
        };
        PerfettoSql front = front();
        for (int i = 0; i < texts; i++) {
            StringBuilder text = new StringBuilder(sql.statement(3));
            for (int change = random.nextInt(4); change >= 0; change--) {
                int at = random.nextInt(text.length() + 1);
                if (random.nextBoolean() && at < text.length()) {
                    text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(5)));
                } else {
                    text.insert(at, spices[random.nextInt(spices.length)]);
                }
            }
            translate(front, text.toString());
        }
    }

    /** The language alone, without an engine to run what it says. */
    private static PerfettoSql front() {
        TableSource none = new TableSource() {
            @Override
            public @Nullable List<Column> columns(String table) {
                return null;
            }

            @Override
            public List<String> names() {
                return List.of();
            }
        };
        PerfettoSql front = new PerfettoSql(none, FileSource.NONE);
        front.translate(SETUP);
        return front;
    }

    private static List<Step> translate(PerfettoSql front, String text) {
        return assertTimeoutPreemptively(
                ofSeconds(30),
                () -> {
                    try {
                        return front.translate(text);
                    } catch (PerfettoSqlException e) {
                        return List.<Step>of();
                    }
                },
                () -> text);
    }

    @Test
    void whatGrowsWithoutBoundsIsRefused() {
        StringBuilder text = new StringBuilder("CREATE PERFETTO FUNCTION f0(x INT) RETURNS INT AS SELECT $x + 1;");
        for (int i = 1; i < 60; i++) {
            text.append("CREATE PERFETTO FUNCTION f" + i + "(x INT) RETURNS INT AS SELECT f" + (i - 1) + "($x) + f"
                    + (i - 1) + "($x);");
        }
        StringBuilder macros = new StringBuilder("CREATE PERFETTO MACRO m0(x Expr) RETURNS Expr AS $x;");
        for (int i = 1; i < 60; i++) {
            macros.append("CREATE PERFETTO MACRO m" + i + "(x Expr) RETURNS Expr AS (m" + (i - 1) + "!($x) + m"
                    + (i - 1) + "!($x));");
        }
        String nested = "SELECT * FROM (".repeat(200) + "SELECT 1" + ")".repeat(200);
        StringBuilder withs = new StringBuilder("SELECT 1 AS x UNION SELECT 2");
        for (int i = 0; i < 40; i++) {
            withs.insert(0, "WITH c" + i + " AS (").append(") SELECT x FROM c" + i + " UNION SELECT x FROM c" + i);
        }
        PerfettoSql front = front();
        for (String hostile : List.of(
                text.toString(), macros + "SELECT m59!(1)", nested, withs.toString(), "SELECT m!(".repeat(5_000))) {
            translate(front, hostile);
        }
    }
}
