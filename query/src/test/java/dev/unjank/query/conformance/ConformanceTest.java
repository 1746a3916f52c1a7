package dev.unjank.query.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.query.conformance.ConformanceRunner.Outcome;
import dev.unjank.query.conformance.ConformanceRunner.Result;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Conformance cases. The project's own are in the folder {@code cases} next to this class: one rule each, on a systrace
 * written by hand or without a trace.
 *
 * <p>Cases of trace processor have traces and expected rows in {@code ../shared/perfetto-cases}. Their questions are
 * not part of the project; {@code -Dunjank.perfetto.questions=FOLDER} names a folder of the same structure with a
 * question.sql for each case, and {@code -Dunjank.perfetto.filter=TEXT} selects cases by name. The report goes to the
 * standard output.
 */
class ConformanceTest {
    private static final Path PERFETTO_CASES = Path.of("../../shared/perfetto-cases");

    @TestFactory
    Stream<DynamicTest> ownCases() throws IOException, URISyntaxException {
        Path folder = Path.of(Objects.requireNonNull(ConformanceTest.class.getResource("cases"))
                .toURI());
        List<ConformanceCase> cases = ConformanceCase.below(folder, folder);
        assertThat(cases).isNotEmpty();
        return cases.stream()
                .map(test -> DynamicTest.dynamicTest(
                        test.area() + "/" + test.name(),
                        () -> assertThat(ConformanceRunner.run(test)).isEqualTo(new Result(test, Outcome.PASS, ""))));
    }

    @Test
    void perfettoCases() throws IOException {
        String questions = System.getProperty("unjank.perfetto.questions");
        assumeTrue(questions != null && Files.isDirectory(PERFETTO_CASES), "no questions for " + PERFETTO_CASES);
        String filter = System.getProperty("unjank.perfetto.filter", "");
        List<Result> results = ConformanceCase.below(PERFETTO_CASES, Path.of(questions)).stream()
                .filter(test -> test.name().contains(filter))
                .map(ConformanceRunner::run)
                .toList();
        System.out.println(ConformanceRunner.report(results));
        assertThat(results).isNotEmpty();
    }
}
