package dev.unjank.doctor.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.SourceStrings;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The words of the analysis are in files: its sources contain keys, and texts of traces that they compare. */
class GenericTermTest {
    private static final Pattern WORDS = Pattern.compile(".*[A-Za-z].* .*|.* .*[A-Za-z].*");

    @Test
    void theSourcesOfTheAnalysisContainNoWordsOfReports() throws IOException {
        Set<String> found = new TreeSet<>();
        for (String room : new String[] {"find", "judge", "model"}) {
            SourceStrings.in(Path.of("src/main/java/dev/unjank/doctor", room)).stream()
                    .filter(text -> WORDS.matcher(text).matches())
                    .forEach(found::add);
        }
        Set<String> allowed =
                Files.readAllLines(Path.of("src/test/resources/dev/unjank/doctor/model/trace-texts.txt")).stream()
                        .filter(line -> line.startsWith("\""))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(found).isEqualTo(allowed);
    }

    @Test
    void everyKeyHasItsWords() throws IOException {
        Properties words = new Properties();
        try (InputStreamReader in = new InputStreamReader(
                GenericTerm.class.getResourceAsStream("terms.properties"), StandardCharsets.UTF_8)) {
            words.load(in);
        }
        assertThat(words.stringPropertyNames())
                .isEqualTo(Stream.of(GenericTerm.values()).map(Enum::name).collect(Collectors.toSet()));
    }
}
