package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code doctor/src/test/evidence.md} names tests: they are there, and every verdict has some. */
class EvidenceDocTest {
    private static final Pattern NAMED = Pattern.compile("`(\\w+Test)#(\\w+)`");

    private final String page = page();

    private static String page() {
        Path file = Path.of(System.getProperty("unjank.root", ".."), "doctor", "src", "test", "evidence.md");
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError("no page " + file, e);
        }
    }

    @Test
    void namedTestsExist() throws ClassNotFoundException {
        List<MatchResult> named = NAMED.matcher(page).results().toList();
        assertThat(named).hasSizeGreaterThan(50);
        for (MatchResult test : named) {
            Class<?> type = Class.forName(fullName(test.group(1)));
            assertThat(Arrays.stream(type.getDeclaredMethods()).map(Method::getName))
                    .as(test.group())
                    .contains(test.group(2));
        }
    }

    /** The name of a test class of this module, of whichever package. */
    private static String fullName(String simpleName) {
        Path sources = Path.of(System.getProperty("unjank.root", ".."), "doctor", "src", "test", "java");
        try (Stream<Path> files = Files.walk(sources)) {
            Path file = files.filter(path -> path.endsWith(simpleName + ".java"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no class " + simpleName));
            return sources.relativize(file).toString().replace(".java", "").replace('/', '.');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A verdict's section has a list of tests that get it, and one of near misses. */
    @ParameterizedTest
    @EnumSource(Verdict.class)
    void everyVerdictHasTestsOfBothKinds(Verdict verdict) {
        List<String> sections = List.of(page.split("\n### " + verdict + "\n", -1));
        assertThat(sections).hasSize(2);
        List<String> lists = List.of(sections.get(1).split("\n#", -1)[0].split("\n- Near miss: ", -1));
        assertThat(lists).hasSize(2);
        assertThat(NAMED.matcher(lists.get(0)).find()).isTrue();
        assertThat(NAMED.matcher(lists.get(1)).find()).isTrue();
        assertThat(lists.get(0)).startsWith("\n- Verdict: B ");
    }
}
