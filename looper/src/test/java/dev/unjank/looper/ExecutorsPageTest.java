package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/** The tests that {@code looper/src/test/executor-contract.md} names beside the checks of the JSR-166 suite exist. */
class ExecutorsPageTest {
    private static final Path PAGE =
            Path.of(System.getProperty("unjank.root"), "looper", "src", "test", "executor-contract.md");
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)\\.(\\w+)`");

    @TestFactory
    Stream<DynamicTest> aCheckHasItsTest() throws IOException {
        String page = Files.readString(PAGE);
        List<String> rows = Arrays.stream(
                        page.substring(0, page.indexOf("\n## Not applicable")).split("\n- ", -1))
                .skip(1)
                .map(item -> item.split("\n\n", -1)[0].replaceAll("\\s+", " "))
                .toList();
        assertThat(rows).hasSizeGreaterThanOrEqualTo(50);
        return rows.stream().map(row -> DynamicTest.dynamicTest(row, () -> check(row)));
    }

    private static void check(String row) throws Exception {
        List<MatchResult> tests = TEST.matcher(row).results().toList();
        assertThat(tests).isNotEmpty();
        boolean ofTheContract = false;
        for (MatchResult test : tests) {
            Class<?> type = Class.forName("dev.unjank.looper." + test.group(1));
            ofTheContract |= ExecutorContract.class.isAssignableFrom(type);
            assertThat(Arrays.stream(type.getDeclaredMethods())
                            .filter(m -> AnnotationSupport.isAnnotated(m, Testable.class))
                            .map(Method::getName))
                    .contains(test.group(2));
        }
        assertThat(ofTheContract).as("one runs over the JDK's executor, too").isTrue();
    }
}
