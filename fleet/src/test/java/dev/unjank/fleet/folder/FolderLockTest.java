package dev.unjank.fleet.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unjank.trace.model.UnusableTraceException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderLockTest {

    @TempDir
    private Path folder;

    /** What another process hears that wants the folder. */
    private String elsewhere() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Taker.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Another process. */
    static final class Taker {
        private Taker() {}

        public static void main(String[] args) throws Exception {
            try (FolderLock _ = FolderLock.take(Path.of(args[0]))) {
                System.out.print("taken");
            } catch (UnusableTraceException e) {
                System.out.print(e.getMessage());
            }
        }
    }

    private void refused(Path name) {
        assertThatExceptionOfType(UnusableTraceException.class)
                .isThrownBy(() -> FolderLock.take(name).close())
                .withMessage(name + ": another run is writing to it");
    }

    @Test
    void oneWhoIsRefusedHereTakesNothingFromWhoHasTheFolder() throws Exception {
        try (FolderLock _ = FolderLock.take(folder)) {
            refused(folder);
            refused(Files.createSymbolicLink(folder.resolve("itself"), folder));

            assertThat(elsewhere()).isEqualTo(folder + ": another run is writing to it");
        }
        assertThat(elsewhere()).isEqualTo("taken");
        FolderLock.take(folder).close();
    }

    @Test
    void whereThereIsNoWritingNothingIsHeld() throws Exception {
        Path file = Files.createDirectory(folder.resolve(FolderLock.FILE));

        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(FileSystemException.class)
                    .isThrownBy(() -> FolderLock.take(folder).close());
        }
        Files.delete(file);
        FolderLock.take(folder).close();
    }
}
