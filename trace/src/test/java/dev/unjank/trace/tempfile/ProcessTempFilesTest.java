package dev.unjank.trace.tempfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests which files are deleted and which are kept. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "elsewhere nothing is deleted")
class ProcessTempFilesTest {
    private static final String BEGIN = ".unjank-";
    private static final String END = ".tmp";

    @TempDir
    private Path folder;

    private String dead;

    @BeforeEach
    void aKilledProcess() throws Exception {
        Process process = new ProcessBuilder("sleep", "1000").start();
        dead = ProcessTempFiles.token(process.pid());
        process.destroyForcibly(); // SIGKILL
        assertThat(process.waitFor()).isEqualTo(128 + 9);
    }

    private Path full(Path made) throws IOException {
        Files.createDirectories(made.resolve("below"));
        Files.writeString(made.resolve("below/file"), "x");
        return made;
    }

    private Path left(String token) throws IOException {
        return full(folder.resolve(BEGIN + token + END));
    }

    private void delete() {
        ProcessTempFiles.deleteLeftovers(folder, BEGIN, END);
    }

    @Test
    void foldersAndFilesOfAProcessThatHasEndedAreDeleted() throws Exception {
        Path left = left(dead);
        delete();
        assertThat(left).doesNotExist();

        Files.writeString(left, "a file");
        delete();
        assertThat(left).doesNotExist();
    }

    @Test
    void thoseOfAProcessThatIsAliveStay() throws Exception {
        Process process = new ProcessBuilder("sleep", "1000").start();
        try {
            Path other = left(ProcessTempFiles.token(process.pid()));
            Path own = full(folder.resolve(ProcessTempFiles.name(BEGIN, END)));
            delete();
            assertThat(other.resolve("below/file")).exists();
            assertThat(own.resolve("below/file")).exists();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aReusedProcessIdDoesNotKeepThem() throws Exception {
        String own = ProcessTempFiles.token(ProcessHandle.current().pid());
        String[] parts = own.split("-", -1);
        Path left = left(parts[0] + "-" + (Long.parseLong(parts[1]) - 1) + "-" + parts[2]);
        delete();
        assertThat(left).doesNotExist();
    }

    @Test
    void thoseOfAnotherHostOrWithAnotherNameStay() throws Exception {
        String scope = dead.substring(dead.lastIndexOf('-') + 1);
        Path elsewhere = left(dead.replace(scope, scope.equals("00000000") ? "11111111" : "00000000"));
        Path plain = full(folder.resolve(".unjank-notes.tmp"));
        Path longer = full(folder.resolve(BEGIN + dead + "-mine" + END));
        delete();
        assertThat(elsewhere).exists();
        assertThat(plain).exists();
        assertThat(longer).exists();
    }

    @Test
    void linksAreNotFollowed() throws Exception {
        Path precious = full(folder.resolve("precious"));
        Path named = Files.createSymbolicLink(folder.resolve(BEGIN + dead + END), precious);
        delete();
        assertThat(precious.resolve("below/file")).exists();
        assertThat(named).as("is not from this process").exists();

        Files.delete(named);
        Path left = left(dead);
        Files.createSymbolicLink(left.resolve("link"), precious);
        Files.createSymbolicLink(left.resolve("below/file-link"), precious.resolve("below/file"));
        delete();
        assertThat(left).doesNotExist();
        assertThat(precious.resolve("below/file")).exists();
    }

    @Test
    void thoseOfAnotherUserStay() throws Exception {
        assumeTrue(
                Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                        .equals(0),
                "only root can create files of other users");
        Path left = left(dead);
        Files.setAttribute(left, "unix:uid", 12_345);
        delete();
        assertThat(left.resolve("below/file")).exists();
    }
}
