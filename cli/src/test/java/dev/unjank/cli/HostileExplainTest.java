package dev.unjank.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.session.FileOwnership;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code explain} runs as root beside a user who plants links and pipes at its page, and exchanges folders. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "root and its rights are those of Linux")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileExplainTest {
    private static final int OTHER_USER = 12_345;

    @TempDir
    private Path all;

    private Path folder;
    private Path temporary;
    private Path page;
    private Path secret;
    private Process program;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(FileOwnership.isRoot(), "needs root, whom another user would trick");
        folder = Files.createDirectory(all.resolve("shared"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.setAttribute(folder, "unix:mode", 01777);
        temporary = Files.createDirectory(all.resolve("tmp"));
        page = folder.resolve("page.html");
        secret = Files.writeString(all.resolve("secret"), "root's");
        program = new ProcessBuilder("sleep", "1000").start();
    }

    @AfterEach
    void end() {
        if (program != null) {
            program.destroyForcibly();
        }
    }

    private Process explain(String time) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("explain", Long.toString(program.pid()), "--for", time));
        arguments.addAll(List.of("--page", page.toString()));
        return new ProcessBuilder(CommandProcessTest.command(
                        List.of("-Djava.io.tmpdir=" + temporary, "--enable-native-access=ALL-UNNAMED"), arguments))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(all.resolve("said").toFile()))
                .start();
    }

    private String said() throws IOException {
        return Files.readString(all.resolve("said"));
    }

    /** The recording would take an hour. */
    private void assertRefused(String reason) throws Exception {
        Process explain = explain("1h");
        assertThat(explain.waitFor(200, TimeUnit.SECONDS)).isTrue();
        assertThat(said()).contains("unjank explain: ", reason);
        assertThat(explain.exitValue()).isEqualTo(2);
        assertThat(secret).hasContent("root's");
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void aLinkAtThePageIsRefusedBeforeTheRecording() throws Exception {
        Files.createSymbolicLink(page, secret);
        assertRefused("it is a symbolic link in a folder that others can write");
    }

    @Test
    void aPipeAtThePageIsRefusedBeforeTheRecording() throws Exception {
        assumeTrue(new ProcessBuilder("mkfifo", page.toString()).start().waitFor() == 0, "there is no mkfifo here");
        Files.setAttribute(page, "unix:uid", OTHER_USER);
        assertRefused("it is a pipe or a device; specify a file");
    }

    /** Without a reader it would block the report, and the end. */
    @Test
    void rootsOwnPipeAtThePageIsRefusedBeforeTheRecording() throws Exception {
        assumeTrue(new ProcessBuilder("mkfifo", page.toString()).start().waitFor() == 0, "there is no mkfifo here");
        assertRefused("it is a pipe or a device; specify a file");
    }

    @Test
    void aLinkOnThePathIsRefused() throws Exception {
        Path target = Files.createDirectory(all.resolve("target"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), target);
        Files.setAttribute(link, "unix:uid", OTHER_USER, LinkOption.NOFOLLOW_LINKS);
        page = link.resolve("page.html");
        assertRefused("is a symbolic link in a folder that other users can write");
        assertThat(target).isEmptyDirectory();
    }

    /** Others could exchange its recording, and the agent's jar of a program that root starts. */
    @Test
    void aTemporaryFolderOfAnotherUserIsRefused() throws Exception {
        Files.setAttribute(temporary, "unix:uid", OTHER_USER);
        assertRefused("other users can exchange root's files in the temporary folder " + temporary);
    }

    @Test
    void aTemporaryFolderWithoutTheStickyBitIsRefused() throws Exception {
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertRefused("other users can exchange root's files in the temporary folder " + temporary);
    }

    /** In a sticky folder the user plants links under all names that could be guessed, and a folder of his own. */
    @Test
    void whatIsPlantedInTheTemporaryFolderStays() throws Exception {
        Files.setAttribute(temporary, "unix:mode", 01777);
        String name = "unjank-explain-" + program.pid() + "-1-00000000";
        Path planted = Files.createDirectory(temporary.resolve(name));
        Files.createSymbolicLink(planted.resolve("link"), secret);
        Files.setAttribute(planted, "unix:uid", OTHER_USER);
        Path link = Files.createSymbolicLink(temporary.resolve(name + "-0123456789abcdef"), all);

        Process explain = explain("1s");
        assertThat(explain.waitFor(200, TimeUnit.SECONDS)).isTrue();

        assertThat(said()).doesNotContain("internal");
        assertThat(secret).hasContent("root's");
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left).containsExactlyInAnyOrder(planted, link);
        }
    }
}
