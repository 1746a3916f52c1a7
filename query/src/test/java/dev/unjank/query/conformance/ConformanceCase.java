package dev.unjank.query.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A question to a trace and the expected rows.
 *
 * @param area the folder of the case's folder, such as {@code stdlib/graphs}
 * @param name the case's folder
 * @param trace the trace; null for none
 * @param question PerfettoSQL statements
 * @param expected the expected output, line by line: CSV with a heading, results separated by an empty line
 */
record ConformanceCase(String area, String name, Path trace, String question, List<String> expected) {
    /**
     * The cases below a folder, in order. A case's folder has {@code expected.csv} and may have a {@code trace}.
     *
     * @param folder the folder of the areas
     * @param questions a folder of the same structure with {@code question.sql} of each case; cases without one are
     *     left out
     */
    static List<ConformanceCase> below(Path folder, Path questions) throws IOException {
        List<Path> expected;
        try (Stream<Path> files = Files.walk(folder)) {
            expected =
                    files.filter(file -> file.endsWith("expected.csv")).sorted().toList();
        }
        List<ConformanceCase> cases = new ArrayList<>();
        for (Path file : expected) {
            Path home = folder.relativize(file).getParent();
            Path question = questions.resolve(home).resolve("question.sql");
            if (Files.isRegularFile(question)) {
                cases.add(new ConformanceCase(
                        home.getParent().toString(),
                        home.getFileName().toString(),
                        file.resolveSibling("trace"),
                        Files.readString(question),
                        Files.readAllLines(file)));
            }
        }
        return cases;
    }
}
