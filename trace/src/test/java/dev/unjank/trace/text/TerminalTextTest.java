package dev.unjank.trace.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.ArbitraryNames;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalTextTest {
    @ParameterizedTest
    @ValueSource(
            ints = {
                0, 7, 8, '\t', '\n', 0xb, 0xc, '\r', 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9b, 0x9f, 0xad, 0x61c, 0x180e,
                0x200b, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2066,
                0x2067, 0x2068, 0x2069, 0x206f, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xfeff, 0xfff9, 0xe0001, 0xe0041
            })
    void aCharacterThatIsNoneToBeSeenIsEscaped(int character) {
        String text = "a" + Character.toString(character);
        assertThat(TerminalText.isPrintable(character)).isFalse();
        assertThat(TerminalText.isPrintable(text)).isFalse();
        assertThat(TerminalText.printable(text))
                .isEqualTo(
                        "a" + (character < 0x10000 ? "\\u%04x".formatted(character) : "\\U%08x".formatted(character)));
    }

    @Test
    void otherStringsStayTheSame() {
        String text = "é 漢字 \u00a0\ud83d\ude00 \\u001b '\" العربية e\u0301 \uffff";
        assertThat(TerminalText.printable(text)).isSameAs(text);
        assertThat(TerminalText.isPrintable(text)).isTrue();
        assertThat(TerminalText.printable("")).isEmpty();
    }

    @Test
    void allOfAStringIsEscaped() {
        assertThat(TerminalText.printable("\u001b[31m\ud83d\ude00\ud83d\u2028x"))
                .isEqualTo("\\u001b[31m\ud83d\ude00\\ud83d\\u2028x");
    }

    @Test
    void aLongStringIsCut() {
        assertThat(TerminalText.start("x".repeat(1_000))).isEqualTo("x".repeat(1_000));
        assertThat(TerminalText.start("x".repeat(999) + "\ud83d\ude00"))
                .isEqualTo("x".repeat(999) + "... (1001 characters)");
        assertThat(TerminalText.printableStart("\n" + "x".repeat(1_000)))
                .isEqualTo("\\u000a" + "x".repeat(999) + "... (1001 characters)");
    }

    @Test
    void symbolsLeaveOrdinaryTextAsItIs() {
        for (String text : new String[] {"binder:3363_2", "", "Ünïcödé שלום 日本", "👩\u200d💻", "a < b & c > \"d\""}) {
            assertThat(TerminalText.withSymbols(text)).isEqualTo(text);
        }
    }

    @Test
    void symbolsReplaceControlAndFormatCharacters() {
        assertThat(TerminalText.withSymbols("a\u0000b\nc\u007f")).isEqualTo("a␀b␊c␡");
        assertThat(TerminalText.withSymbols("\u202eevil\u2066")).isEqualTo("[U+202e]evil[U+2066]");
        assertThat(TerminalText.withSymbols("\u0085\u2028\ufeff")).isEqualTo("[U+0085][U+2028][U+feff]");
        assertThat(TerminalText.withSymbols("a\ud83db\udc00")).isEqualTo("a\ufffdb\ufffd");
    }

    @Property
    void resultsArePrintable(@ForAll String text, @ForAll long seed) {
        for (String any : new String[] {text, ArbitraryNames.damaged(new Random(seed), ArbitraryNames.HOSTILE)}) {
            String printable = TerminalText.printable(any);
            assertThat(TerminalText.isPrintable(printable)).isTrue();
            assertThat(TerminalText.printable(printable)).isSameAs(printable);
        }
    }
}
