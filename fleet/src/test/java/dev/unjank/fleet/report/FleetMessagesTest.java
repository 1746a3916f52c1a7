package dev.unjank.fleet.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
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

/** The words of reports are in the catalogue, and the catalogue contains no others. */
class FleetMessagesTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/unjank/fleet/report");

    /** A string that begins like a sentence: SQL is in text blocks, or without a second word in small letters. */
    private static final Pattern SENTENCE = Pattern.compile("\"[A-Z][a-z]+,? [a-z]+[ ,.:][^\"]*\"");

    private static Stream<String> sources() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            return files
                    .map(file -> {
                        try {
                            return Files.readString(file);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    })
                    .toList()
                    .stream();
        }
    }

    private static Set<String> catalogue() throws IOException {
        Properties messages = new Properties();
        try (InputStreamReader in = new InputStreamReader(
                FleetMessages.class.getResourceAsStream("messages.properties"), StandardCharsets.UTF_8)) {
            messages.load(in);
        }
        return new TreeSet<>(messages.stringPropertyNames());
    }

    @Test
    void everyMessageIsUsed() throws IOException {
        String all = sources().collect(Collectors.joining());
        assertThat(catalogue())
                .allMatch(key -> all.contains('"' + key + '"')
                        || all.contains('"' + key.replaceFirst("^column\\.|\\.(title|remark)$", "") + '"'));
    }

    @Test
    void theSourcesContainNoSentences() throws IOException {
        assertThat(sources()).noneMatch(source -> SENTENCE.matcher(source).find());
    }

    @Test
    void aValueDoesNotEndAnSqlLiteral() {
        assertThat(FleetMessages.literal("causes.none")).isEqualTo("'(none: short waits, sleeps under a lock)'");
    }
}
