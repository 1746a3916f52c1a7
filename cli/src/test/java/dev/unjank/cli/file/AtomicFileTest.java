package dev.unjank.cli.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.cli.terminal.UserError;
import dev.unjank.record.session.FileOwnership;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file has all of its content or what it had before, and no other file is written, whatever lies in its folder. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs permissions and links of Unix")
class AtomicFileTest {
    private static final int OTHER_USER = 65534;
    private static final AtomicFile.Content NEW = out -> out.write("new".getBytes(StandardCharsets.UTF_8));

    @TempDir
    private Path temporary;

    private Path folder;
    private Path file;
    private Path victim;

    @BeforeEach
    void plant() throws IOException {
        folder = Files.createDirectory(temporary.resolve("folder"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        file = folder.resolve("page.html");
        victim = Files.writeString(temporary.resolve("victim"), "a victim's");
    }

    private void letOthersWrite() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    private void assertOnly(Path... files) throws IOException {
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactlyInAnyOrder(files);
        }
    }

    @Test
    void aFileIsReplacedAsAWhole() throws IOException {
        AtomicFile.write(file, NEW);
        assertThat(file).hasContent("new");
        assertThatThrownBy(() -> AtomicFile.write(file, out -> {
                    out.write(1);
                    throw new IOException("the content fails");
                }))
                .isInstanceOf(UserError.class)
                .hasMessage("cannot write " + file + ": the content fails");
        assertThat(file).hasContent("new");
        assertOnly(file);
    }

    @Test
    void aLinkUnderTheNameOfAnEarlierVersionIsNotFollowed() throws IOException {
        Path planted = folder.resolve(".unjank-" + ProcessHandle.current().pid() + ".part");
        Files.createSymbolicLink(planted, victim);

        AtomicFile.write(file, NEW);

        assertThat(victim).hasContent("a victim's");
        assertThat(file).hasContent("new");
        assertOnly(file, planted);
    }

    @Test
    void aHardLinkOfAnotherFileLosesOnlyThisName() throws IOException {
        Files.createLink(file, victim);

        AtomicFile.write(file, NEW);

        assertThat(victim).hasContent("a victim's");
        assertThat(file).hasContent("new");
    }

    @Test
    void aLinkIsWrittenThroughWhereOthersCannotHavePutIt() throws IOException {
        Files.createSymbolicLink(file, victim);

        AtomicFile.write(file, NEW);

        assertThat(victim).hasContent("new");
        assertThat(file).isSymbolicLink();
        AtomicFile.write(Path.of("/dev/null"), NEW);
    }

    @Test
    void rootFollowsNoLinkWhereOthersCanWrite() throws IOException {
        assumeTrue(FileOwnership.isRoot(), "needs root, whom another user would trick");
        letOthersWrite();
        Files.createSymbolicLink(file, victim);

        assertThatThrownBy(() -> AtomicFile.write(file, NEW))
                .isInstanceOf(UserError.class)
                .hasMessage("cannot write " + file
                        + ": it is a symbolic link in a folder that others can write; use the link's target");

        assertThat(victim).hasContent("a victim's");
        assertOnly(file);
    }

    @Test
    void rootFollowsNoLinkOfAnotherUserOnThePath() throws IOException {
        assumeTrue(FileOwnership.isRoot(), "needs root, to give a folder to another user");
        Path secret = Files.createDirectory(temporary.resolve("secret"));
        Path link = Files.createSymbolicLink(folder.resolve("d"), secret);
        AtomicFile.write(link.resolve("page.html"), NEW);
        assertThat(secret.resolve("page.html")).as("root's own link").hasContent("new");

        Files.setAttribute(folder, "unix:uid", OTHER_USER);
        Path planted = link.resolve("other.html");
        assertThatThrownBy(() -> AtomicFile.write(planted, NEW))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith(
                        "cannot write " + planted + ": \"d\" is a symbolic link in a folder that other users can");
        assertThat(secret.resolve("other.html")).doesNotExist();
    }

    /** Its owner moves the folder away meanwhile and puts a link to another one in its place. */
    @Test
    void rootWritesIntoTheFolderThatItOpened() throws IOException {
        assumeTrue(FileOwnership.isRoot(), "needs root, to give a folder to another user");
        Files.setAttribute(folder, "unix:uid", OTHER_USER);
        Path secret = Files.createDirectory(temporary.resolve("secret"));
        Path moved = temporary.resolve("moved");
        try (AtomicFile whole = AtomicFile.at(file)) {
            Files.move(folder, moved);
            Files.createSymbolicLink(folder, secret);
            whole.write(NEW);
        }
        assertThat(moved.resolve("page.html")).hasContent("new");
        assertThat(secret).isEmptyDirectory();
    }

    /** A pipe of root's in another user's folder is opened at once; then its owner puts a link in its place. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rootFollowsNoLinkThatComesLater(boolean byName) throws Exception {
        assumeTrue(FileOwnership.isRoot(), "needs root, to give a folder to another user");
        assumeTrue(new ProcessBuilder("mkfifo", file.toString()).start().waitFor() == 0, "there is no mkfifo here");
        Files.setAttribute(folder, "unix:uid", OTHER_USER);
        Process reader = new ProcessBuilder("cat", file.toString()).start();
        try (AtomicFile direct = readPipe()) {
            Files.delete(file);
            Files.createSymbolicLink(file, victim);
            if (byName) {
                Files.writeString(direct.path(), "new");
                direct.done();
            } else {
                direct.write(NEW);
            }
        }
        assertThat(reader.getInputStream()).hasContent("new");
        assertThat(victim).hasContent("a victim's");
    }

    /** The pipe, as soon as its reader has opened it. */
    private AtomicFile readPipe() {
        while (true) {
            try {
                return AtomicFile.at(file);
            } catch (UserError e) {
                assertThat(e).hasMessageContaining("that no program reads");
                Thread.onSpinWait();
            }
        }
    }

    /** The usual way of opening it would wait for a reader, possibly forever. */
    @Test
    void aPipeWithoutAReaderIsRefused() throws Exception {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "needs calls of Linux");
        assumeTrue(new ProcessBuilder("mkfifo", file.toString()).start().waitFor() == 0, "there is no mkfifo here");
        assertThatThrownBy(() -> AtomicFile.write(file, NEW))
                .isInstanceOf(UserError.class)
                .hasMessage("cannot write " + file + ": it is a pipe that no program reads; start its reader first");
    }

    @Test
    void rootReplacesNoFileOfAnotherUserWhereOthersCanWrite() throws IOException {
        assumeTrue(FileOwnership.isRoot(), "needs root, to give a file to another user");
        letOthersWrite();
        Files.writeString(file, "another user's");
        Files.setAttribute(file, "unix:uid", OTHER_USER);

        assertThatThrownBy(() -> AtomicFile.write(file, NEW))
                .isInstanceOf(UserError.class)
                .hasMessage("cannot write " + file
                        + ": it belongs to another user in a folder that others can write; choose another name");

        assertThat(file).hasContent("another user's");
        assertOnly(file);
    }

    /** The engine of queries opens its file by name: a link could have taken its place by then. */
    @Test
    void whatIsWrittenByNameIsWrittenWhereOthersCannotSwapIt() throws IOException {
        letOthersWrite();
        Path written;
        try (AtomicFile whole = AtomicFile.at(file)) {
            written = whole.path();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(written.getParent())))
                    .isEqualTo("rwx------");
            Files.writeString(written, "new");
            whole.done();
        }
        assertThat(file).hasContent("new");
        assertThat(written.getParent()).doesNotExist();
        assertOnly(file);
    }

    @Test
    void whatIsWrittenByNameIsBesideTheFileWhereOthersCannotSwapIt() throws IOException {
        try (AtomicFile whole = AtomicFile.at(file)) {
            assertThat(whole.path()).hasParent(folder.toAbsolutePath());
            Files.writeString(whole.path(), "new");
            whole.done();
        }
        assertThat(file).hasContent("new");
        assertOnly(file);
    }
}
