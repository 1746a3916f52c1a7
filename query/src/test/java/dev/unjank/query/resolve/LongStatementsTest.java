package dev.unjank.query.resolve;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.unjank.query.QueryTestSession;
import dev.unjank.query.result.QueryException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Long and deeply nested statements need neither deep stacks nor more than linear time. */
class LongStatementsTest {
    private static final String TOO_LONG = "line 1, column 1: too long after inlining functions";

    @Test
    void longJsonPaths() {
        assertThat(row(paths(10_000))).isEqualTo("\"[NULL]\",\"[NULL]\",\"[NULL]\"");
        assertThat(row(paths(100_000))).isEqualTo(TOO_LONG);
    }

    private static String paths(int segments) {
        String path = "'$" + ".a".repeat(segments) + "'";
        return "SELECT json_extract('{}', " + path + "), '{}' -> " + path + ", '{}' ->> " + path;
    }

    @Test
    void longFormats() {
        String zeros = "0".repeat(1_000_000);
        assertThat(row("SELECT printf('%" + zeros + "')"))
                .isEqualTo("line 1, column 8: expected a number, not *, for a width in a format, and a letter or %"
                        + " after %");
        assertThat(row("SELECT printf('%" + zeros + "5d', 7)")).isEqualTo(TOO_LONG);
        assertThat(row("SELECT printf('%" + zeros.substring(0, 10_000) + "5d', 7)"))
                .isEqualTo("\"00007\"");
    }

    @Test
    void longStringsThatAlmostLookLikeNumbers() {
        assertThat(row("SELECT count(*) FROM (SELECT 1 AS a) WHERE a = '" + "1".repeat(200_000) + "x'"))
                .isEqualTo("0");
    }

    /** Such functions use their argument several times; the SQL must not double with each level. */
    @ParameterizedTest
    @ValueSource(strings = {"ln(", "log10(", "log2(", "log(", "log(2, ", "sqrt(", "asin(", "acos("})
    void nestedFunctions(String function) {
        assertThat(row("SELECT a IS NULL FROM (SELECT " + function.repeat(30) + "a" + ")".repeat(30)
                        + " AS a FROM (SELECT -2 AS a))"))
                .isEqualTo("1");
    }

    private static String row(String text) {
        return assertTimeoutPreemptively(ofSeconds(10), () -> {
            try (QueryTestSession session = QueryTestSession.empty()) {
                List<String> lines = session.result(text);
                return String.join("\n", lines.subList(1, lines.size()));
            } catch (QueryException e) {
                return String.valueOf(e.getMessage());
            }
        });
    }
}
