package dev.unjank.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceLoadBenchmarkTest {
    @Test
    void reportsSpeedAndMemoryOfARepeatedTrace() throws IOException {
        Path example = Path.of(System.getProperty("unjank.root"), "examples", "launcher-inversion.pftrace");
        List<String> begun = new ArrayList<>();
        List<String> ended = new ArrayList<>();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
            TraceLoadBenchmark.run(example, 1_000_000, out, what -> {
                begun.add(what);
                return () -> ended.add(what);
            });
        }
        assertThat(begun)
                .containsExactly(
                        "making a large trace",
                        "measuring the speed",
                        "measuring the memory",
                        "looking for the smallest heap");
        assertThat(ended).isEqualTo(begun);
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .satisfiesExactly(
                        line -> assertThat(line).matches("machine   \\d+ CPUs, Java \\S+"),
                        line -> assertThat(line)
                                .isEqualTo("trace     1.0 MB: launcher-inversion.pftrace (0.003 MB) repeated"),
                        line -> assertThat(line).matches("speed     \\d+ MB/s \\(median of 7 loads after 3; .*\\)"),
                        line -> assertThat(line).matches("cold      \\d+ MB/s \\(first load of a Java VM\\)"),
                        line -> assertThat(line).matches("retained  .* bytes of heap per byte of the trace"),
                        line -> assertThat(line).matches("needed    .* heap .*"));
    }
}
