package dev.unjank.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The line of a mistake and the caret under it. */
class ErrorCaretTest {
    @Test
    void pointsToThePlace() {
        assertThat(ErrorCaret.under("SELECT a\nFROM nowhere\nWHERE b", 14, 80)).isEqualTo("FROM nowhere\n     ^\n");
        assertThat(ErrorCaret.under("SELECT", 6, 80)).isEqualTo("SELECT\n      ^\n");
        assertThat(ErrorCaret.under("", 0, 80)).isEqualTo("\n^\n");
    }

    @Test
    void ofALongLineThePartAroundThePlaceIsShown() {
        String text = "x".repeat(50) + "HERE" + "y".repeat(50);

        assertThat(ErrorCaret.under(text, 50, 20)).isEqualTo("…xxxxxxxxxxHEREyyyy…\n           ^\n");
        assertThat(ErrorCaret.under(text, 0, 20)).isEqualTo("x".repeat(18) + "…\n^\n");
        assertThat(ErrorCaret.under(text, text.length(), 20)).isEqualTo("…yyyyyyyyyy\n           ^\n");
    }

    @Test
    void nothingMovesTheCursor() {
        assertThat(ErrorCaret.under("a\tb\u001b[31mc\u202ed\u2028e\u0085", 4, 80))
                .isEqualTo("a b?[31mc?d?e?\n    ^\n");
    }
}
