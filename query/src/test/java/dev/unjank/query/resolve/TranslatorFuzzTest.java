package dev.unjank.query.resolve;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.unjank.query.QueryTestSession;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.tree.TypedColumn;
import dev.unjank.scene.LauncherExample;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * No statement makes the translator throw an unexpected exception, hang, or exhaust the stack. The engine runs the
 * translated statements and may reject them; then nothing has changed, and the error has a position.
 *
 * <p>The long profile runs for a minute each, or for the seconds in the system property {@code unjank.fuzz.seconds},
 * with different statements in each run; a failure reports its seed.
 */
class TranslatorFuzzTest {
    private static final int A_ROUND = 1_000;
    private static final Duration LONG = ofSeconds(Integer.getInteger("unjank.fuzz.seconds", 60));

    /** Time limit of a statement: the engine's work may be long and is stopped; translation must be short. */
    private static final Duration MOST = ofMinutes(1);

    private static final Duration STUCK = ofMinutes(5);

    /** Invalid fragments, and fragments that change the meaning of adjacent text. */
    private static final List<String> SPICES = List.of(
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
            "LIMIT",
            "OFFSET",
            "1e",
            "0x",
            "x'",
            "*",
            "CREATE",
            "PERFETTO",
            "MACRO",
            "m!(",
            "[",
            "`");

    private static final int A_ROUND_OVER_A_TRACE = 300;

    /** Queries over tables of a trace, with PerfettoSQL extensions. */
    private static final List<String> OVER_A_TRACE = List.of(
            "SELECT name, dur FROM slice ORDER BY dur DESC LIMIT 10",
            "SELECT t.name, s.state, sum(s.dur) FROM thread_state s JOIN thread t USING (utid) GROUP BY 1, 2",
            "INCLUDE PERFETTO MODULE android.monitor_contention; SELECT * FROM android_monitor_contention",
            "INCLUDE PERFETTO MODULE android.startup.startups; SELECT * FROM android_startups",
            "DROP TABLE IF EXISTS joined; CREATE VIRTUAL TABLE joined USING SPAN_JOIN(thread_state PARTITIONED utid, sched"
                    + " PARTITIONED utid); SELECT count(*) FROM joined",
            "SELECT s.name, a.name FROM slice s, ancestor_slice(s.id) a",
            "SELECT incident_id, state, sum(dur) FROM unjank_blame GROUP BY 1, 2",
            "SELECT i.verdict, f.jank_type FROM unjank_incident i JOIN unjank_frame_cost f ON f.incident_id = i.id",
            "SELECT extract_arg(arg_set_id, 'x'), jank_type FROM actual_frame_timeline_slice",
            "CREATE OR REPLACE PERFETTO TABLE p AS SELECT ts, dur FROM sched; SELECT * FROM p WHERE dur > 0",
            "CREATE OR REPLACE PERFETTO FUNCTION f(x INT) RETURNS INT AS SELECT count(*) FROM thread WHERE tid = $x; SELECT f(tid) FROM thread",
            "SELECT ts, lead(ts) OVER (PARTITION BY utid ORDER BY ts) - ts FROM sched",
            "WITH t AS (SELECT utid, max(dur) AS dur, ts FROM sched) SELECT * FROM t WHERE ts GLOB '1*'");

    /** Runs one round; returns the number of valid statements. */
    @FunctionalInterface
    private interface Round {
        int run(long seed) throws QueryException, IOException;
    }

    @Test
    void randomStatements() throws QueryException {
        assertThat(run(1)).as("statements that the engine took").isGreaterThan(A_ROUND / 3);
    }

    @Test
    void brokenTexts() {
        assertThat(mutate(2)).as("texts that were right all the same").isGreaterThan(10);
    }

    @Test
    @Tag("slow")
    void brokenStatementsOverATrace() throws QueryException, IOException {
        assertThat(overATrace(3)).as("statements that were right all the same").isGreaterThan(A_ROUND_OVER_A_TRACE / 8);
    }

    @Test
    @Tag("long")
    void brokenStatementsOverATraceForAMinute(TestReporter reporter) throws QueryException, IOException {
        runForAMinute(TranslatorFuzzTest::overATrace, reporter);
    }

    @Test
    @Tag("long")
    void statementsForAMinute(TestReporter reporter) throws QueryException, IOException {
        runForAMinute(TranslatorFuzzTest::run, reporter);
    }

    @Test
    @Tag("long")
    void brokenTextsForAMinute(TestReporter reporter) throws QueryException, IOException {
        runForAMinute(TranslatorFuzzTest::mutate, reporter);
    }

    private static void runForAMinute(Round round, TestReporter reporter) throws QueryException, IOException {
        long end = System.nanoTime() + LONG.toNanos();
        int rounds = 0;
        int understood = 0;
        for (long seed = System.nanoTime(); System.nanoTime() < end; seed++) {
            understood += round.run(seed);
            rounds++;
        }
        reporter.publishEntry("fuzz", rounds * A_ROUND + " texts, of which were understood " + understood);
        assertThat(understood).isPositive();
    }

    private static int run(long seed) throws QueryException {
        Random random = new Random(seed);
        RandomSql sql = new RandomSql(random);
        int understood = 0;
        try (QueryTestSession session = QueryTestSession.empty()) {
            session.results(RandomSql.SETUP);
            session.setTimeout(MOST);
            for (int i = 0; i < A_ROUND; i++) {
                String text = sql.statement(random.nextInt(5));
                understood += understood(session, text, "seed " + seed + ": " + text) ? 1 : 0;
            }
        }
        return understood;
    }

    private static boolean understood(QueryTestSession session, String text, String what) {
        return assertTimeoutPreemptively(
                STUCK,
                () -> {
                    try {
                        session.results(text);
                        return true;
                    } catch (QueryException e) {
                        switch (e.kind()) {
                            case STATEMENT -> {
                                assertThat(e.getMessage()).as(what).matches("(?s)line \\d+, column \\d+: .+");
                                // a name known to only one of them
                                assertThat(e.getMessage()).as(what).doesNotContain("with name", "Catalog");
                                assertThat(e.offset()).as(what).isBetween(0, text.length());
                                assertSuggestsAnotherWord(String.valueOf(e.getMessage()), what);
                            }
                            case INTERRUPTED ->
                                assertThat(session.isUnusable()).as(what).isFalse();
                            case MEMORY, FAILURE -> {}
                            case FORBIDDEN -> throw new AssertionError(what, e);
                        }
                        return false;
                    }
                },
                () -> what);
    }

    private static Trace example() throws IOException {
        Path file = Files.createTempFile("launcher", ".pftrace");
        try {
            return TraceReader.read(Files.write(file, LauncherExample.trace()));
        } finally {
            Files.delete(file);
        }
    }

    /** Slightly damaged statements over the tables of a trace, to reach most of the translator. */
    private static int overATrace(long seed) throws QueryException, IOException {
        Random random = new Random(seed);
        int understood = 0;
        try (QueryTestSession session = QueryTestSession.of(example())) {
            session.setTimeout(MOST);
            for (int i = 0; i < A_ROUND_OVER_A_TRACE; i++) {
                String whole = OVER_A_TRACE.get(random.nextInt(OVER_A_TRACE.size()));
                String text = random.nextInt(4) == 0 ? whole : broken(whole, random);
                understood += understood(session, text, "seed " + seed + ": " + text) ? 1 : 0;
            }
        }
        return understood;
    }

    private static int mutate(long seed) {
        Random random = new Random(seed);
        RandomSql sql = new RandomSql(random);
        PerfettoSqlTranslator front = front();
        int understood = 0;
        for (int i = 0; i < A_ROUND; i++) {
            String text = broken(sql.statement(3), random);
            understood += translated(front, text, "seed " + seed + ": " + text) ? 1 : 0;
        }
        return understood;
    }

    /** Removes and inserts letters. */
    private static String broken(String statement, Random random) {
        StringBuilder text = new StringBuilder(statement);
        for (int change = random.nextInt(4); change >= 0; change--) {
            int at = random.nextInt(text.length() + 1);
            if (random.nextBoolean() && at < text.length()) {
                text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(5)));
            } else {
                text.insert(at, SPICES.get(random.nextInt(SPICES.size())));
            }
        }
        return text.toString();
    }

    /** The translator without an engine. */
    private static PerfettoSqlTranslator front() {
        TableSource none = new TableSource() {
            @Override
            public @Nullable List<TypedColumn> columns(String table) {
                return null;
            }

            @Override
            public List<String> names() {
                return List.of();
            }
        };
        PerfettoSqlTranslator front = new PerfettoSqlTranslator(none, FileSource.NONE);
        front.translate(RandomSql.SETUP);
        return front;
    }

    private static boolean translated(PerfettoSqlTranslator front, String text, String what) {
        PerfettoSqlException mistake =
                assertTimeoutPreemptively(STUCK, () -> front.translate(text).error(), () -> what);
        if (mistake != null) {
            assertSuggestsAnotherWord(String.valueOf(mistake.getMessage()), what);
        }
        return mistake == null;
    }

    /** A suggestion differs from the word as written. */
    private static void assertSuggestsAnotherWord(String message, String what) {
        assertThat(message).as(what).doesNotContainPattern("(?i)(?<![^\\s.])(\\S+), did you mean \\1[ ?]");
    }

    @Test
    void unboundedExpansionIsRejected() {
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
        PerfettoSqlTranslator front = front();
        for (String hostile : List.of(
                text.toString(), macros + "SELECT m59!(1)", nested, withs.toString(), "SELECT m!(".repeat(5_000))) {
            translated(front, hostile, hostile);
        }
    }
}
