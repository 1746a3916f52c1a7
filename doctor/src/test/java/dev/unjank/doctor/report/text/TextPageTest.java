package dev.unjank.doctor.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.text.TerminalText;
import org.junit.jupiter.api.Test;

class TextPageTest {
    @Test
    void aCharacterOfTwoCharsIsNeverDivided() {
        for (String word :
                new String[] {"\ud83d\ude00".repeat(30), "a" + "\ud83d\ude00".repeat(30), "ab\ud83d\ude00c".repeat(20)
                }) {
            for (int width = 1; width < 20; width++) {
                TextPage page = new TextPage(new TextReport.Style(width, false, true, 5, true));
                String[] lines = page.wrapped("", word).toString().split("\n", -1);
                assertThat(lines).allMatch(TerminalText::isPrintable);
                assertThat(String.join("", lines).replace(" ", "")).isEqualTo(word);
            }
        }
    }
}
