package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.judge.BlockerKind;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.Advice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * {@code docs/reference/verdicts.md} says of every verdict what it is, how it is found and can be wrong, and gives the
 * program's advice.
 */
class VerdictsDocTest {
    private static final Pattern HEADING = Pattern.compile("^## (\\w+)$", Pattern.MULTILINE);

    private final String page = page();

    private static String page() {
        Path file = Path.of(System.getProperty("unjank.root", ".."), "docs", "reference", "verdicts.md");
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError("no page " + file, e);
        }
    }

    @Test
    void everyVerdictHasItsSectionInTheOrderInWhichTheRulesAreTried() {
        List<String> headings =
                HEADING.matcher(page).results().map(match -> match.group(1)).toList();
        assertThat(headings)
                .containsExactlyElementsOf(
                        Arrays.stream(Verdict.values()).map(Verdict::name).toList());
    }

    @ParameterizedTest
    @EnumSource(Verdict.class)
    void aSectionSaysAllFourThings(Verdict verdict) {
        String section = section(verdict);
        assertThat(section).contains("**Means**", "**Computed**", "**Can be wrong**", "**What to do**");
    }

    @ParameterizedTest
    @EnumSource(Verdict.class)
    void theAdviceIsTheProgramsOwn(Verdict verdict) {
        String section = section(verdict).replaceAll("\\s+", " ");
        Set<String> steps = new LinkedHashSet<>();
        for (Platform platform : Platform.values()) {
            for (BlockerKind awaited : BlockerKind.values()) {
                assertThat(Advice.of(verdict, awaited, platform)).isNotEmpty();
                steps.addAll(Advice.of(verdict, awaited, platform));
            }
        }
        if (verdict == Verdict.UNKNOWN) {
            steps.addAll(Advice.unknownWithScheduling());
        }
        steps.addAll(ofVirtualThreads(verdict));
        for (String step : steps) {
            assertThat(section).contains("- " + step.replace("<", "&lt;").replace(">", "&gt;"));
        }
        assertThat(section.split(" - ", -1)).hasSize(steps.size() + 1);
    }

    private static List<String> ofVirtualThreads(Verdict verdict) {
        ResourceBundle messages = ResourceBundle.getBundle(Advice.class.getPackageName() + ".messages", Locale.ROOT);
        return messages.keySet().stream()
                .filter(key -> key.startsWith("advice.virtual." + verdict + "."))
                .sorted()
                .map(messages::getString)
                .toList();
    }

    private String section(Verdict verdict) {
        int from = page.indexOf("\n## " + verdict + "\n");
        assertThat(from).isNotNegative();
        int to = page.indexOf("\n## ", from + 1);
        return page.substring(from, to < 0 ? page.length() : to);
    }
}
