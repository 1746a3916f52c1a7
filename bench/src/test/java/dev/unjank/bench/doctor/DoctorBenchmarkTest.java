package dev.unjank.bench.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
        DoctorBenchmark.Setup setup =
                new DoctorBenchmark.Setup(List.of(JAVA, "-version"), List.of("SELECT 1"), List.of(1_000_000L));
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
                        "query on " + name + ", repeated");
        assertThat(ended).isEqualTo(begun);
        String number = " +[0-9.]+";
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .satisfiesExactly(
                        line -> assertThat(line).matches("machine  \\d+ CPUs, Java \\S+"),
                        line -> assertThat(line).isEqualTo("query    SELECT 1"),
                        line -> assertThat(line).isEmpty(),
                        line -> assertThat(line).startsWith("trace "),
                        line -> assertThat(line).matches(name + " +0.0" + number.repeat(5)),
                        line -> assertThat(line).matches(name + ", repeated +1.0" + number.repeat(7)));
    }

    @Test
    void aCommandThatFailsIsTold() {
        assertThatThrownBy(() -> Child.run(List.of(JAVA, "--no-such-option")))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("ended with status 1: ");
    }
}
