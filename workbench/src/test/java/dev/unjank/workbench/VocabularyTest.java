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
import java.util.regex.MatchResult;
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

    /** A line break with the marks of a comment, or between two parts of a string. */
    private static final Pattern SEAM = Pattern.compile("\"?\\s*\\n\\s*(?:(?:\\*|//|--|#)(?!/)|\\+ \")?\\s*");

    /** A use of a word that is right where it is. */
    private record Allowed(String file, String word) {}

    @Test
    void noFileHasAWordToAvoid() {
        List<String> words = wordsToAvoid();
        List<String> found = new ArrayList<>();
        for (Path file : files()) {
            String all = joined(lines(file));
            String lowerCase = all.toLowerCase(Locale.ROOT).replace('_', ' ');
            words.stream()
                    // most files have none of them
                    .filter(word ->
                            lowerCase.contains(word.toLowerCase(Locale.ROOT).replace('_', ' ')))
                    .map(VocabularyTest::pattern)
                    .filter(word -> !allowed(file, word))
                    .forEach(word -> word.matcher(all)
                            .results()
                            .forEach(use -> found.add(ROOT.relativize(file) + ": " + around(all, use))));
        }

        assertThat(found).as("words that " + PAGE + " replaces").isEmpty();
    }

    /** The lines of a file as one, without the marks of comments and the seams of strings between them. */
    private static String joined(List<String> lines) {
        return SEAM.matcher(String.join("\n", lines)).replaceAll(" ");
    }

    private static String around(String all, MatchResult use) {
        return all.substring(Math.max(0, use.start() - 60), Math.min(all.length(), use.end() + 60));
    }

    @Test
    void aPhraseIsFoundOverALineBreak() {
        assertThat(joined(List.of("     * rests", "     * on it"))).contains("rests on it");
        assertThat(joined(List.of("    // rests", "    // on it"))).contains("rests on it");
        assertThat(joined(List.of("  # rests", "  # on it"))).contains("rests on it");
        assertThat(joined(List.of("  \"rests\"", "    + \" on it\""))).contains("rests on it");
        assertThat(joined(List.of("rests", "on it"))).contains("rests on it");
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
                .contains("README.md", "docs/guide/doctor.md", "unjank", "pom.xml", "query/pom.xml", ".ci/run")
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
            return top.filter(path -> !path.getFileName().toString().startsWith(".") || isOfBuild(path))
                    .flatMap(VocabularyTest::textsOf)
                    .filter(path -> !path.equals(ROOT.resolve(PAGE)))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The files to read of an entry of the project's folder: a page, the command, a folder of pages, a module's
     * build file and main sources, the build's scripts.
     */
    private static Stream<Path> textsOf(Path entry) {
        if (Files.isRegularFile(entry)) {
            return entry.toString().endsWith(".md") || entry.endsWith("unjank") || entry.endsWith("pom.xml")
                    ? Stream.of(entry)
                    : Stream.of();
        }
        if (isOfBuild(entry)) {
            return filesIn(entry);
        }
        if (entry.endsWith("docs") || entry.endsWith("examples")) {
            return filesIn(entry).filter(VocabularyTest::isText);
        }
        return Stream.concat(
                Stream.of(entry.resolve("pom.xml")).filter(Files::isRegularFile),
                filesIn(entry.resolve("src/main")).filter(VocabularyTest::isText));
    }

    private static boolean isOfBuild(Path entry) {
        return entry.endsWith(".ci") || entry.endsWith(".mvn");
    }

    private static boolean isText(Path file) {
        return TEXT.contains(file.toString().substring(file.toString().lastIndexOf('.') + 1));
    }

    private static Stream<Path> filesIn(Path folder) {
        if (!Files.isDirectory(folder)) {
            return Stream.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).collect(Collectors.toList()).stream();
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
