package dev.unjank.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openjdk.jcstress.JCStress;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.ReportUtils;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Runs the stress tests of a package in virtual machines of their own and looks at what came of it: those of the real
 * thing must have seen nothing forbidden, and those with a fault, whose classes are called {@code Seeded}, must have.
 * What they print, and a report in HTML, is in {@code target/jcstress}. On a machine with one CPU they are skipped:
 * there jcstress runs none of them.
 */
public final class JcstressRunner {
    private static final String SEEDED = ".Seeded";
    private static final String COLLECTOR = "-XX:+UseSerialGC";

    /** For how long a fault is looked for that has not been seen, one after the other. */
    private static final int[] LONGER_MILLIS = {1_000, 5_000};

    private JcstressRunner() {}

    /**
     * One virtual machine for each test, everything compiled as usual, and a quarter of a second. A fault is seen only
     * while both actors have a processor. Where other programs have them that takes longer, and it is looked for
     * longer.
     */
    public static void briefly(String inPackage) throws Exception {
        Map<String, TestResult> results = briefly(inPackage + "\\.", 250);
        for (int millis : LONGER_MILLIS) {
            for (String name : List.copyOf(results.keySet())) {
                if (name.contains(SEEDED) && forbidden(results.get(name)) == 0) {
                    results.putAll(briefly(Pattern.quote(name) + "$", millis));
                }
            }
        }
        check(inPackage, results);
    }

    private static Map<String, TestResult> briefly(String tests, int millis) throws Exception {
        return run(tests, "-sc", "false", "-time", Integer.toString(millis), "-jvmArgs", COLLECTOR);
    }

    /**
     * Also with each actor interpreted and compiled by either compiler, in all combinations, and by compilers with
     * options to put instructions into any order that is allowed. (Arguments that are not prepended would turn that
     * off.) That makes 34 virtual machines for each test of two actors, whose start takes most of the time.
     */
    public static void thoroughly(String inPackage) throws Exception {
        check(inPackage, run(inPackage + "\\.", "-sc", "true", "-time", "100", "-jvmArgsPrepend", COLLECTOR));
    }

    private static void check(String inPackage, Map<String, TestResult> results) {
        List<String> tests = TestList.tests().stream()
                .filter(name -> name.startsWith(inPackage + "."))
                .toList();
        assertThat(tests).isNotEmpty();
        assertThat(results.keySet()).containsExactlyInAnyOrderElementsOf(tests);
        results.forEach((name, result) -> {
            assertThat(result.status()).as(name).isEqualTo(Status.NORMAL);
            assertThat(result.getTotalCount()).as("samples of " + name).isPositive();
            if (name.contains(SEEDED)) {
                assertThat(forbidden(result))
                        .as("the fault in " + name + " is seen")
                        .isPositive();
            } else {
                assertThat(forbidden(result))
                        .as("forbidden outcomes of %s: %s", name, result.getCounter())
                        .isZero();
                assertThat(result.grading().isPassed).as(name).isTrue();
            }
        });
    }

    private static long forbidden(TestResult result) {
        return result.grading().gradingResults.values().stream()
                .filter(outcome -> outcome.expect == Expect.FORBIDDEN)
                .mapToLong(outcome -> outcome.count)
                .sum();
    }

    private static Map<String, TestResult> run(String tests, String... arguments) throws Exception {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "actors that meet need two CPUs");
        Path folder = Files.createDirectories(Path.of("jcstress"));
        Stream<String> always = Stream.of("-r", folder + "/", "-f", "1", "-iters", "1", "-t", "^" + tests);
        Options options =
                new Options(Stream.concat(always, Stream.of(arguments)).toArray(String[]::new));
        assertThat(options.parse()).isTrue();
        PrintStream out = System.out;
        try (PrintStream log = new PrintStream(folder.resolve("log.txt").toFile(), StandardCharsets.UTF_8)) {
            System.setOut(log);
            new JCStress(options).run();
        } catch (AssertionError e) {
            // its way of saying that a test failed, as those with a fault must; the outcomes are judged here
        } finally {
            System.setOut(out);
        }
        return read(options.getResultFile());
    }

    private static Map<String, TestResult> read(String file) throws IOException, ClassNotFoundException {
        InProcessCollector collector = new InProcessCollector();
        DiskReadCollector reader = new DiskReadCollector(file, collector);
        try {
            reader.dump();
        } finally {
            reader.close();
        }
        Files.delete(Path.of(file));
        Collection<TestResult> merged = ReportUtils.mergedByName(collector.getTestResults());
        Map<String, TestResult> results = new TreeMap<>();
        merged.forEach(result -> results.put(result.getName(), result));
        return results;
    }
}
