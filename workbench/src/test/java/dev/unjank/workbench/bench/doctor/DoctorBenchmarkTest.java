package dev.unjank.workbench.bench.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoctorBenchmarkTest {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @Test
    void aTraceIsMeasuredAsItIsAndRepeated() throws IOException {
        Path example = Path.of(System.getProperty("unjank.root"), "examples", "launcher-inversion.pftrace");
        // A command that is there everywhere, wants no trace and succeeds.
        DoctorBenchmark.Setup setup = new DoctorBenchmark.Setup(
                List.of(JAVA, "-version"), List.of("SELECT 1"), List.of(1_000_000L, 2_000_000L), true, 3);
        List<String> begun = new ArrayList<>();
        List<String> ended = new ArrayList<>();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
            DoctorBenchmark.run(setup, List.of(example), out, what -> {
                begun.add(what);
                return () -> ended.add(what);
            });
        }
        String name = "launcher-inversion.pftrace";
        assertThat(begun)
                .containsExactly(
                        "doctor on " + name,
                        "query on " + name,
                        "repeating " + name,
                        "loading " + name + ", repeated",
                        "doctor on " + name + ", repeated",
                        "query on " + name + ", repeated",
                        "repeating " + name,
                        "loading " + name + ", repeated",
                        "doctor on " + name + ", repeated",
                        "query on " + name + ", repeated",
                        "joining spans");
        assertThat(ended).isEqualTo(begun);
        String number = " +[0-9.]+";
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .satisfiesExactly(
                        line -> assertThat(line).matches("machine  \\d+ CPUs, Java \\S+"),
                        line -> assertThat(line).isEqualTo("query    SELECT 1"),
                        line -> assertThat(line).isEmpty(),
                        line -> assertThat(line).startsWith("trace "),
                        line -> assertThat(line).matches(name + " +0.0" + number.repeat(5)),
                        line -> assertThat(line).matches(name + ", repeated +1.0" + number.repeat(7)),
                        line -> assertThat(line).matches(name + ", repeated +2.0" + number.repeat(7)),
                        line -> assertThat(line).isEmpty(),
                        line -> assertThat(line)
                                .matches("span join of 1,000 by 100 spans in SQL:" + number + " s, the first" + number
                                        + " s"),
                        line -> assertThat(line).isEmpty(),
                        line -> assertThat(line).startsWith("target "),
                        line -> assertThat(line).startsWith("load, MB/s, repeated "),
                        line -> assertThat(line).startsWith("doctor, s, as recorded "),
                        line -> assertThat(line).startsWith("doctor, bytes of memory per byte "),
                        line -> assertThat(line).startsWith("query, s, as recorded "),
                        line -> assertThat(line).startsWith("span join, s, "),
                        line -> assertThat(line).startsWith("load, s per MB, "),
                        line -> assertThat(line).startsWith("doctor, s per MB, "));
    }

    @Test
    void aCommandThatFailsIsTold() {
        assertThatThrownBy(() -> TimedProcess.run(List.of(JAVA, "--no-such-option"), Duration.ofMinutes(1)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("ended with status 1: ");
    }
}
