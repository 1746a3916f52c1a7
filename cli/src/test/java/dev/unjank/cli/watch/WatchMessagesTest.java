package dev.unjank.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.SourceStrings;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The words of {@code watch} are in its catalogue, and the catalogue contains no others. */
class WatchMessagesTest {
    private static List<String> sources() throws IOException {
        Path command = Path.of("src/main/java/dev/unjank/cli/command/WatchCommand.java");
        try (Stream<Path> files = Files.list(Path.of("src/main/java/dev/unjank/cli/watch"))) {
            return Stream.concat(files, Stream.of(command))
                    .map(WatchMessagesTest::read)
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void everyMessageIsUsed() throws IOException {
        Properties messages = new Properties();
        try (InputStreamReader in = new InputStreamReader(
                WatchMessages.class.getResourceAsStream("messages.properties"), StandardCharsets.UTF_8)) {
            messages.load(in);
        }
        String all = String.join("", sources());
        assertThat(messages.stringPropertyNames()).allMatch(key -> all.contains('"' + key + '"'));
    }

    @Test
    void theSourcesContainNoSentences() throws IOException {
        assertThat(SourceStrings.in(Path.of("src/main/java/dev/unjank/cli/watch")))
                .filteredOn(SourceStrings::isSentence)
                .as("the name of a data source")
                .containsExactly("\"lock owners\"");
    }

    @Test
    void countsHaveTheirNouns() {
        assertThat(WatchMessages.incidents(0, 0)).isEqualTo("no incident");
        assertThat(WatchMessages.incidents(1, 2_000_000)).isEqualTo("1 incident, 2.000 ms");
        assertThat(WatchMessages.incidents(12, 512_000_000)).isEqualTo("12 incidents, 512.000 ms");
        assertThat(WatchMessages.lost(0)).isEmpty();
        assertThat(WatchMessages.lost(1234)).isEqualTo(", 1,234 events lost");
    }
}
