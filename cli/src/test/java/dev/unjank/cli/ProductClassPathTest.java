package dev.unjank.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The product has no benchmarks, no experiments, no proofs and none of their libraries. */
class ProductClassPathTest {

    private static final String VERSION = "-[0-9][^/]*";

    private static final List<String> PRODUCT = List.of(
            "cli",
            "doctor",
            "duckdb_jdbc",
            "fleet",
            "jackson-core",
            "jline-native",
            "jline-reader",
            "jline-terminal",
            "jline-terminal-ffm",
            "jspecify",
            "linux",
            "looper",
            "looper-linux",
            "picocli",
            "query",
            "record",
            "trace");

    @Test
    void theClassPathHasNoLibraryOfTheWorkbench() {
        assertThat(Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(entry -> String.valueOf(Path.of(entry).getFileName())))
                .isNotEmpty()
                .noneMatch(name -> name.matches("(?i)(netty|jctools|agrona|hdrhistogram).*"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev.unjank.workbench.Workbench", "dev.unjank.proof.steps.PostCost"})
    void theClassPathHasNoClassOfTheWorkbench(String name) {
        assertThatThrownBy(() -> Class.forName(name)).isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void theLibraryFolderHasTheProductAlone() throws IOException {
        Path folder = Path.of(System.getProperty("unjank.root"), "cli", "target", "lib");
        assumeTrue(Files.exists(folder.resolveSibling("built")), "only the launcher and a whole build make the folder");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(name -> !name.startsWith("libduckdb_java.so_"))
                            .map(name -> name.replaceFirst(VERSION, "")))
                    .containsExactlyInAnyOrderElementsOf(PRODUCT);
        }
    }
}
