package dev.unjank.record.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.ProcessOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileLocksTest {
    @TempDir
    private Path directory;

    private String holder(String line) throws IOException {
        Path locks = Files.writeString(directory.resolve("locks"), line + "\n");
        return FileLocks.holder("(dev=fd01,ino=2531452)", locks);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "1: POSIX  ADVISORY  READ  3568 fd:01:2531452 0 EOF, \" (pid 3568)\"",
                "12: POSIX  ADVISORY  WRITE 7 fd:01:2531452 0 0, \" (pid 7)\"",
                "1: FLOCK  ADVISORY  WRITE 3568 fd:01:2531452 0 EOF, \"\"",
                "1: OFDLCK ADVISORY  WRITE -1 fd:01:2531452 0 EOF, \"\"",
                "1: POSIX  ADVISORY  READ  3568 fd:02:2531452 0 EOF, \"\"",
                "1: POSIX  ADVISORY  READ  3568 fd:01:12531452 0 EOF, \"\"",
                "1: POSIX  ADVISORY  READ  3568 fd:01:253145 0 EOF, \"\"",
                "1: -> POSIX  ADVISORY  READ  3568 fd:01:2531452 0 EOF, \"\"",
            })
    void onlyTheFilesLockNamesItsProcess(String line, String holder) throws IOException {
        assertThat(holder(line)).isEqualTo(holder);
    }

    @Test
    void aKeyOfAnotherSystemNamesNone() {
        assertThat(FileLocks.holder(null)).isEmpty();
        assertThat(FileLocks.holder("other")).isEmpty();
    }

    @Test
    void aReaderOfTheFileIsNamed() throws IOException {
        assumeTrue(Files.isReadable(Path.of("/proc/locks")), "needs Linux");
        Path file = Files.createFile(directory.resolve("file"));
        Process locking = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        SharedLockProgram.class.getName(),
                        file.toString())
                .start();
        try {
            ProcessOutput.expect(locking.toHandle(), locking.inputReader(StandardCharsets.UTF_8), "locked");
            assumeTrue(
                    Files.readString(Path.of("/proc/locks")).contains(" " + locking.pid() + " "), "no pids in locks");

            assertThat(FileLocks.holder(Files.readAttributes(file, BasicFileAttributes.class)
                            .fileKey()))
                    .isEqualTo(" (pid " + locking.pid() + ")");
        } finally {
            ProcessOutput.kill(locking.toHandle());
            ProcessOutput.awaitEnd(locking);
        }
    }
}
