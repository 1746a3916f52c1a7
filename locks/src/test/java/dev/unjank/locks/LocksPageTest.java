package dev.unjank.locks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The tests that {@code locks/src/test/lock-contract.md} names beside the checks of the JSR-166 suite exist, and the
 * page names all of them.
 */
class LocksPageTest {
    private static final Path PAGE =
            Path.of(System.getProperty("unjank.root"), "locks", "src", "test", "lock-contract.md");
    private static final Pattern TEST = Pattern.compile("`(\\w+ContractTest)\\.(\\w+)`");
    private static final List<Class<?>> CONTRACT = List.of(
            LockContractTest.class,
            ConditionContractTest.class,
            ReadWriteContractTest.class,
            SemaphoreContractTest.class);

    /** The items of the page's lists, one per check of the suite. */
    private static List<String> rows() throws IOException {
        return Arrays.stream(Files.readString(PAGE).split("\n- ", -1))
                .skip(1)
                .map(item -> item.split("\n\n", -1)[0].replaceAll("\\s+", " "))
                .toList();
    }

    private static List<String> named(String row) {
        return TEST.matcher(row)
                .results()
                .map((MatchResult test) -> test.group(1) + "." + test.group(2))
                .toList();
    }

    private static Set<String> there() {
        Set<String> names = new TreeSet<>();
        for (Class<?> type : CONTRACT) {
            Arrays.stream(type.getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(Test.class))
                    .map(Method::getName)
                    .forEach(name -> names.add(type.getSimpleName() + "." + name));
        }
        return names;
    }

    @TestFactory
    Stream<DynamicTest> aCheckHasItsTest() throws IOException {
        Set<String> there = there();
        return rows().stream()
                .map(row -> DynamicTest.dynamicTest(
                        row, () -> assertThat(named(row)).isNotEmpty().allMatch(there::contains)));
    }

    @Test
    void everyTestOfTheContractIsNamed() throws IOException {
        assertThat(rows().stream().flatMap(row -> named(row).stream())).containsAll(there());
    }
}
