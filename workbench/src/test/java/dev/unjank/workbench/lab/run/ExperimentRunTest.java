package dev.unjank.workbench.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a run leaves behind that is interrupted. */
class ExperimentRunTest {
    /** Begins a run that keeps its files, makes one file on request, and never ends by itself. */
    static final class Interrupted {
        private Interrupted() {}

        public static void main(String[] args) throws IOException, InterruptedException {
            Path keep = Path.of(args[0]);
            PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
            try (ExperimentRun _ =
                    ExperimentRun.begin(new ExperimentRun.Setup(out, 80, keep, true, false, _ -> () -> {}))) {
                if (Boolean.parseBoolean(args[1])) {
                    Files.createFile(keep.resolve("kept"));
                }
                System.out.println("begun");
                TimeUnit.MINUTES.sleep(1);
            }
        }
    }

    /** What was there before is the user's. */
    @ParameterizedTest
    @CsvSource({"a/b/c, false, false", "a/b/c, true, true", "there, false, true"})
    void anInterruptedRunLeavesNoEmptyDirectoryOfItsOwn(
            String directory, boolean keepsSomething, boolean stays, @TempDir Path folder) throws Exception {
        assumeTrue(!System.getProperty("os.name").startsWith("Windows"), "needs signals");
        Files.createDirectory(folder.resolve("there"));
        Path keep = folder.resolve(directory);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Interrupted.class.getName(),
                        keep.toString(),
                        Boolean.toString(keepsSomething))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader says = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(says.readLine()).isEqualTo("begun");
            assertThat(keep).isDirectory();
            process.toHandle().destroy();
            assertThat(process.waitFor()).isEqualTo(143);
        } finally {
            process.destroyForcibly();
        }

        assertThat(Files.exists(keep)).isEqualTo(stays);
        assertThat(Files.exists(folder.resolve("a"))).as("what it is in").isEqualTo(keepsSomething);
        assertThat(folder.resolve("there")).isDirectory();
    }
}
