package dev.unjank.doctor.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SafeTextTest {

    private static String safe(String text) {
        return SafeText.of(text);
    }

    @Test
    void ordinaryTextIsLeftAlone() {
        for (String text : new String[] {"binder:3363_2", "", "Ünïcödé שלום 日本", "👩\u200d💻", "a < b & c > \"d\""}) {
            assertThat(safe(text)).isEqualTo(text);
        }
    }

    @Test
    void whatWouldActIsShown() {
        assertThat(safe("a\u0000b\nc\u007f")).isEqualTo("a␀b␊c␡");
        assertThat(safe("\u202eevil\u2066")).isEqualTo("[U+202e]evil[U+2066]");
        assertThat(safe("\u0085\u2028\ufeff")).isEqualTo("[U+0085][U+2028][U+feff]");
    }

    @Test
    void halfCharactersAreReplaced() {
        assertThat(safe("a\ud83db\udc00")).isEqualTo("a\ufffdb\ufffd");
    }
}
