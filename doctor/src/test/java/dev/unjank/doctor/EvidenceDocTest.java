package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Verdict;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code docs/evidence.md} names tests: they are there, and every verdict has some. */
class EvidenceDocTest {
    private static final Pattern NAMED = Pattern.compile("`(\\w+Test)#(\\w+)`");

    private final String page = page();

    private static String page() {
        Path file = Path.of(System.getProperty("unjank.root", ".."), "docs", "evidence.md");
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError("no page " + file, e);
        }
    }

    @Test
    void whatIsNamedExists() throws ClassNotFoundException {
        List<MatchResult> named = NAMED.matcher(page).results().toList();
        assertThat(named).hasSizeGreaterThan(50);
        for (MatchResult test : named) {
            Class<?> type = Class.forName(EvidenceDocTest.class.getPackageName() + "." + test.group(1));
            assertThat(Arrays.stream(type.getDeclaredMethods()).map(Method::getName))
                    .as(test.group())
                    .contains(test.group(2));
        }
    }

    /** The second column has what gets it, the third what just misses it. */
    @ParameterizedTest
    @EnumSource(Verdict.class)
    void everyVerdictHasTestsOfBothKinds(Verdict verdict) {
        List<String> rows = page.lines()
                .filter(line -> line.startsWith("| `" + verdict + "` |"))
                .toList();
        assertThat(rows).hasSize(1);
        List<String> cells = List.of(rows.getFirst().split("\\|", -1));
        assertThat(NAMED.matcher(cells.get(2)).find()).isTrue();
        assertThat(NAMED.matcher(cells.get(3)).find()).isTrue();
        assertThat(cells.get(2)).startsWith(" B ");
    }
}
