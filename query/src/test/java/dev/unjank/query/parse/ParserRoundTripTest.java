package dev.unjank.query.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.query.resolve.RandomSql;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.SourceText;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Statement;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parsing, printing and parsing again gives the same tree. */
class ParserRoundTripTest {
    private static String printed(String sql) {
        List<List<Token>> statements = Lexer.statements(new SourceText(null, sql));
        assertThat(statements).hasSize(1);
        return SyntaxPrinter.print(((Statement.RunQuery) StatementParser.parse(statements.getFirst())).query());
    }

    @Property(tries = 1000)
    void parsePrintParse(@ForAll long seed) {
        String sql = new RandomSql(new Random(seed)).query(4, 2);
        String once;
        try {
            once = printed(sql);
        } catch (PerfettoSqlException e) {
            return; // random text that is not valid SQL, such as "a BETWEEN b IN (c) AND d"
        }

        assertThat(printed(once)).as(sql).isEqualTo(once);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a + b * c - d",
                "SELECT NOT a = b AND c OR d",
                "SELECT a IS NOT NULL, b NOTNULL, c NOT NULL",
                "SELECT x NOT LIKE 'a' ESCAPE '!' COLLATE NOCASE",
                "SELECT - - a, ~ b, +c",
                "SELECT count(*) FILTER (WHERE a) OVER (w ORDER BY b DESC NULLS LAST ROWS BETWEEN 1 PRECEDING AND UNBOUNDED"
                        + " FOLLOWING EXCLUDE TIES) FROM t WINDOW w AS (PARTITION BY c)",
                "WITH RECURSIVE a(x) AS NOT MATERIALIZED (VALUES (1)) SELECT * FROM a NATURAL LEFT JOIN (b JOIN c USING (d)) e"
                        + " LIMIT 1, 2",
                "SELECT * FROM f(1, a) AS x, [odd name] \"and\" WHERE (a, b) IN (SELECT 1, 2) AND c IN t"
            })
    void handPicked(String sql) {
        String once = printed(sql);

        assertThat(printed(once)).isEqualTo(once);
    }

    @Test
    void precedence() {
        assertThat(printed("SELECT a OR b AND NOT c = d < e & f + g * h || i COLLATE nocase"))
                .isEqualTo("SELECT (a OR (b AND (NOT (c = (d < (e & (f + (g * (h || (i COLLATE NOCASE))))))))))");
    }

    @Test
    void longChainsOfAndAreParsed() {
        String sql = "SELECT 1 WHERE " + "a AND ".repeat(20_000) + "a";

        assertThat(printed(sql)).contains("AND");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "NOT ", "- ", "CASE WHEN ", "(SELECT ", "a + (", "f("})
    void tooDeepNestingIsRejected(String opening) {
        assertThatThrownBy(() -> printed("SELECT " + opening.repeat(100_000)))
                .isInstanceOf(PerfettoSqlException.class)
                .hasMessageContaining("line 1, column");
    }

    @Test
    void tooLongChainsAreRejected() {
        assertThatThrownBy(() -> printed("SELECT " + "a + ".repeat(100_000) + "a"))
                .isInstanceOf(PerfettoSqlException.class)
                .hasMessageContaining("too long");
    }
}
