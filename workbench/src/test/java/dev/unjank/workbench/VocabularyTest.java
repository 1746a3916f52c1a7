package dev.unjank.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The words of docs/design/vocabulary.md: none of those to avoid occurs in main sources, resources and pages. */
class VocabularyTest {

    private static final Path ROOT = Path.of(System.getProperty("unjank.root"));

    private static final Path PAGE = Path.of("docs/design/vocabulary.md");

    /** Kinds of files that people read. */
    private static final Set<String> TEXT =
            Set.of("java", "md", "sql", "properties", "js", "css", "html", "json", "xml", "sh", "txt", "svg");

    /** A use of a word that is right where it is. */
    private record Allowed(String file, String word) {}

    @Test
    void noFileHasAWordToAvoid() {
        List<String> words = wordsToAvoid();
        List<String> found = new ArrayList<>();
        for (Path file : files()) {
            List<String> lines = lines(file);
            String all = String.join("\n", lines).toLowerCase(Locale.ROOT).replace('_', ' ');
            words.stream()
                    .filter(word -> all.contains(word.toLowerCase(Locale.ROOT))) // most files have none of them
                    .map(VocabularyTest::pattern)
                    .filter(word -> !allowed(file, word))
                    .forEach(word -> {
                        for (int i = 0; i < lines.size(); i++) {
                            if (word.matcher(lines.get(i)).find()) {
                                found.add(ROOT.relativize(file) + ":" + (i + 1) + ": "
                                        + lines.get(i).trim());
                            }
                        }
                    });
        }

        assertThat(found).as("words that " + PAGE + " replaces").isEmpty();
    }

    @Test
    void everyAllowedUseIsStillThere() {
        assertThat(allowed())
                .allSatisfy(use -> assertThat(lines(ROOT.resolve(use.file())))
                        .as(use.toString())
                        .anyMatch(line -> pattern(use.word()).matcher(line).find()));
    }

    @Test
    void theFilesOfAllKindsAreRead() {
        assertThat(files().stream().map(ROOT::relativize).map(Path::toString))
                .contains("README.md", "docs/guide/doctor.md", "unjank")
                .anyMatch(file -> file.endsWith("Looper.java"))
                .anyMatch(file -> file.endsWith(".js"))
                .anyMatch(file -> file.endsWith(".sql"))
                .noneMatch(file -> file.contains("/src/test/"));
    }

    @ParameterizedTest
    @CsvSource({
        "whatever is told, true",
        "Told you so, true",
        "private boolean wasToldBefore;, true",
        "toldBefore(), true",
        "WAS_TOLD, true",
        "a gold standard, false",
        "retold, false",
        "toldo, false"
    })
    void aWordIsFoundInSentencesAndInNames(String line, boolean found) {
        assertThat(pattern("told").matcher(line).find()).isEqualTo(found);
    }

    /** A word or phrase, as such or as a part of a name such as {@code wasTold} or {@code WAS_TOLD}. */
    private static Pattern pattern(String word) {
        String capital = Character.toUpperCase(word.charAt(0)) + word.substring(1);
        String sentence = "(?<![A-Za-z])(?:" + Pattern.quote(word) + "|" + Pattern.quote(capital) + ")(?![a-z])";
        String partOfName = Pattern.quote(capital) + "(?![a-z])";
        String constant =
                "(?<![A-Z])" + Pattern.quote(word.toUpperCase(Locale.ROOT).replace(' ', '_')) + "(?![A-Z])";
        return Pattern.compile(sentence + "|" + partOfName + "|" + constant);
    }

    private static boolean allowed(Path file, Pattern word) {
        return allowed().stream()
                .anyMatch(use -> file.equals(ROOT.resolve(use.file()))
                        && pattern(use.word()).pattern().equals(word.pattern()));
    }

    private static List<String> wordsToAvoid() {
        return table("| thing |").stream()
                .flatMap(row -> Stream.of(row.get(2).split(", ")))
                .toList();
    }

    private static List<Allowed> allowed() {
        return table("| file |").stream()
                .map(row -> new Allowed(row.get(0).replace("`", ""), row.get(1)))
                .toList();
    }

    /** The rows of the page's table with this heading, each as its cells. */
    private static List<List<String>> table(String heading) {
        return lines(ROOT.resolve(PAGE)).stream()
                .dropWhile(line -> !line.startsWith(heading))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> List.of(line.substring(2, line.length() - 2).split(" \\| ")))
                .toList();
    }

    private static List<Path> files() {
        try (Stream<Path> top = Files.list(ROOT)) {
            return top.filter(path -> !path.getFileName().toString().startsWith("."))
                    .flatMap(VocabularyTest::textsOf)
                    .filter(path -> !path.equals(ROOT.resolve(PAGE)))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The files to read of an entry of the project's folder: a page, the command, a folder of pages, a module's main sources. */
    private static Stream<Path> textsOf(Path entry) {
        if (Files.isRegularFile(entry)) {
            return entry.toString().endsWith(".md") || entry.endsWith("unjank") ? Stream.of(entry) : Stream.of();
        }
        Path folder = entry.endsWith("docs") || entry.endsWith("examples") ? entry : entry.resolve("src/main");
        if (!Files.isDirectory(folder)) {
            return Stream.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files
                    .filter(Files::isRegularFile)
                    .filter(file -> TEXT.contains(
                            file.toString().substring(file.toString().lastIndexOf('.') + 1)))
                    .collect(Collectors.toList())
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }
}
