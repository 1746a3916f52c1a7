package dev.unjank.fleet.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.SourceStrings;
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

    private static final Pattern SQL_OR_HTML =
            Pattern.compile("\\b(SELECT|FROM|CASE|AND)\\b|coalesce\\(|<[a-z/]+|=\\\\\"|%1");

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
        assertThat(SourceStrings.in(SOURCES))
                .filteredOn(SourceStrings::isSentence)
                .allMatch(text -> SQL_OR_HTML.matcher(text).find());
    }

    @Test
    void aValueDoesNotEndAnSqlLiteral() {
        assertThat(FleetMessages.literal("causes.none")).isEqualTo("'(none: short waits, sleeps under a lock)'");
    }
}
