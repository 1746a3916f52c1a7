package dev.unjank.trace.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.read.common.UnreadableRecords;
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

/**
 * The sentences of notes, and their file: each key that the sources use has its sentence, and the others are not there.
 */
class TraceNoteTest {
    /** A statement that makes a note, with one key or two to choose from. */
    private static final Pattern NOTE = Pattern.compile(
            "(?<!(?:Set|List|Stream)\\.)\\b(of|counted)\\(\\s*(?:\\w+ \\? )?\"([\\w.]*\\w)\"(?: : \"([\\w.]+)\")?");

    private static final Pattern THRESHOLD = Pattern.compile("addThreshold\\([A-Z]+, \"(\\w+)\"");

    private static Set<String> catalogue() throws IOException {
        Properties sentences = new Properties();
        try (InputStreamReader in = new InputStreamReader(
                TraceNote.class.getResourceAsStream("notes.properties"), StandardCharsets.UTF_8)) {
            sentences.load(in);
        }
        return new TreeSet<>(sentences.stringPropertyNames());
    }

    private static Stream<String> keys(MatchResult note) {
        return Stream.of(note.group(2), note.group(3))
                .filter(Objects::nonNull)
                .flatMap(key -> forms(note.group(1).equals("counted"), key));
    }

    private static Stream<String> forms(boolean isCounted, String key) {
        return isCounted ? Stream.of(key + ".one", key + ".other") : Stream.of(key);
    }

    private static Stream<String> keysOf(Path file) {
        String source;
        try {
            source = Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return !source.contains("TraceNote")
                ? Stream.of()
                : Stream.concat(
                        NOTE.matcher(source).results().flatMap(TraceNoteTest::keys),
                        THRESHOLD.matcher(source).results().map(found -> found.group(1)));
    }

    @Test
    void theFileHasTheKeysOfTheSourcesAndNoOthers() throws IOException {
        Set<String> used;
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            used = files.filter(file -> file.toString().endsWith(".java"))
                    .flatMap(TraceNoteTest::keysOf)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
        Stream.of(UnreadableRecords.Kind.values())
                .flatMap(kind -> forms(true, "skipped." + kind))
                .forEach(used::add);
        assertThat(used).isEqualTo(catalogue());
    }

    @Test
    void notesMayBePartsOfNotes() {
        TraceNote lost = TraceNote.of("ofFile", "a.pftrace", TraceNote.of("packetsLost", TraceNote.times(2)));
        assertThat(lost.sentence())
                .isEqualTo(
                        "a.pftrace: packets were lost twice before they reached the file; record with a larger buffer");
    }

    @Test
    void countsHaveTheirNouns() {
        assertThat(TraceNote.counted("skipped.PACKET", 1).sentence()).isEqualTo("skipped: 1 damaged packet");
        assertThat(TraceNote.counted("skipped.PACKET", 2).sentence()).isEqualTo("skipped: 2 damaged packets");
    }
}
