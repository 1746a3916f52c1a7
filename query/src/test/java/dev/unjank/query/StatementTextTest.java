package dev.unjank.query;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatementTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1;",
                "SELECT 1;  \n",
                "SELECT 1; -- done",
                "SELECT 1; /* done; */",
                "SELECT ';' AS a;",
                "SELECT \"a;b\", `c;`;",
                "SELECT 'it''s';",
                "SELECT 1 -- not ';\n;",
                ";"
            })
    void isComplete(String text) {
        assertThat(StatementText.isComplete(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SELECT 1",
                "SELECT 1; SELECT",
                "SELECT ';",
                "SELECT ';'",
                "SELECT \";",
                "SELECT 1 -- ;",
                "SELECT 1 /* ;",
                "SELECT 1; /* ",
                "-- ;"
            })
    void isNotComplete(String text) {
        assertThat(StatementText.isComplete(text)).isFalse();
    }
}
