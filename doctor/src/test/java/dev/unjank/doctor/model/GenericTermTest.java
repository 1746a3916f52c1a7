package dev.unjank.doctor.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The words of the analysis are in files: its sources contain keys, and texts of traces that they compare. */
class GenericTermTest {
    /** Comments, the messages of exceptions, and strings. */
    private static final Pattern STRING =
            Pattern.compile("/\\*.*?\\*/|//[^\n]*|throw new[^;]*;|(\"(?:[^\"\\\\\n]|\\\\.)*\")", Pattern.DOTALL);

    private static final Pattern WORDS = Pattern.compile(".*[A-Za-z].* .*|.* .*[A-Za-z].*");

    private static Stream<String> wordsIn(Path file) {
        try {
            return STRING.matcher(Files.readString(file))
                    .results()
                    .map((MatchResult found) -> found.group(1))
                    .filter(Objects::nonNull)
                    .filter(text -> WORDS.matcher(text).matches());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theSourcesOfTheAnalysisContainNoWordsOfReports() throws IOException {
        Set<String> found = new TreeSet<>();
        for (String room : new String[] {"find", "judge", "model"}) {
            try (Stream<Path> files = Files.walk(Path.of("src/main/java/dev/unjank/doctor", room))) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .flatMap(GenericTermTest::wordsIn)
                        .forEach(found::add);
            }
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
