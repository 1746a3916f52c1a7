package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a directory that belongs to somebody else can make the recorder do: nothing but what it wants to. */
class WorkspaceTest {
    private static final int PID = 4711;
    private static final byte[] CONTENT = {1, 2, 3};
    private static final int SWAPS = 5_000;

    @TempDir
    Path folder;

    private Path root;
    private Path tmp;
    private Path precious;
    private UserPrincipal me;

    @BeforeEach
    void fileSystem() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "directories are kept open on Linux");
        root = Files.createDirectory(folder.resolve("root"));
        tmp = Files.createDirectory(root.resolve("tmp"));
        precious = Files.writeString(folder.resolve("precious"), "somebody's");
        me = Files.getOwner(folder);
    }

    private Workspace create() throws IOException {
        return Workspace.create(root, PID, me, "settings", CONTENT);
    }

    private Path made() throws IOException {
        List<Path> made = in(tmp);
        assertThat(made).hasSize(1);
        return made.getFirst();
    }

    private static List<Path> in(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    @Test
    void whatIsHandedOverCanBeReadByTheTargetAndGoes() throws IOException {
        try (Workspace workspace = create()) {
            Path directory = made();
            assertThat(directory.getFileName().toString()).isEqualTo(workspace.name());
            assertThat(workspace.inTarget("settings")).isEqualTo(Path.of("/tmp", workspace.name(), "settings"));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                    .isEqualTo("rwx------");
            assertThat(directory.resolve("settings")).hasBinaryContent(CONTENT);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("settings"))))
                    .isEqualTo("rw-r--r--");
            Files.write(directory.resolve("piece"), CONTENT);
            try (FileChannel piece = workspace.open("piece")) {
                assertThat(piece).isNotNull();
                assertThat(piece.size()).isEqualTo(CONTENT.length);
            }
            workspace.delete("piece");
            assertThat(directory.resolve("piece")).doesNotExist();
            workspace.delete("piece"); // to no effect
            assertThat(workspace.open("piece")).as("not written").isNull();
            Files.createFile(directory.resolve("empty"));
            assertThat(workspace.open("empty")).as("not written yet").isNull();
        }
        assertThat(in(tmp)).isEmpty();
    }

    @Test
    void itIsGivenToTheTargetsUser() throws IOException {
        UserPrincipal other =
                folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("12345");
        assumeTrue(me.getName().equals("root"), "needs root, to give a directory away");
        try (Workspace _ = Workspace.create(root, PID, other, "settings", CONTENT)) {
            assertThat(Files.getOwner(made())).isEqualTo(other);
            assertThat(Files.getOwner(made().resolve("settings"))).isEqualTo(me);
        }
        assertThat(in(tmp)).isEmpty();
    }

    @Test
    void whereTheTargetsTmpIsALinkNothingIsMadeBehindIt() throws IOException {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.delete(tmp);
        Files.createSymbolicLink(tmp, elsewhere);

        assertThatThrownBy(this::create)
                .isInstanceOf(IOException.class)
                .hasMessage("the target's /tmp is a link, which might lead anywhere");
        assertThat(in(elsewhere)).isEmpty();
    }

    @Test
    void aLinkInItIsNeitherReadNorIsWhatItPointsTo() throws IOException {
        try (Workspace workspace = create()) {
            Files.createSymbolicLink(made().resolve("piece"), precious);
            Files.createSymbolicLink(made().resolve("observer"), precious);

            assertThatThrownBy(() -> workspace.open("piece")).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> workspace.socket("observer")).isInstanceOf(IOException.class);

            workspace.delete("piece");
            assertThat(Files.isSymbolicLink(made().resolve("piece"))).isFalse();
        }
        assertThat(in(tmp)).isEmpty();
        assertThat(precious).hasContent("somebody's");
    }

    /** It is looked at before it is opened, and may have become a link in between. */
    @Test
    void aFileThatBecomesALinkIsNotRead() throws Exception {
        try (Workspace workspace = create()) {
            Path piece = Files.write(made().resolve("piece"), CONTENT);
            Path next = made().resolve("next");
            FutureTask<Void> swaps = new FutureTask<>(() -> {
                for (int i = 0; i < SWAPS; i++) {
                    Files.createSymbolicLink(next, precious);
                    Files.move(next, piece, StandardCopyOption.ATOMIC_MOVE);
                    Files.write(next, CONTENT);
                    Files.move(next, piece, StandardCopyOption.ATOMIC_MOVE);
                }
                return null;
            });
            Thread.ofPlatform().start(swaps);
            while (!swaps.isDone()) {
                try (FileChannel channel = workspace.open("piece")) {
                    assertThat(channel).isNotNull();
                    assertThat(channel.size()).isEqualTo(CONTENT.length);
                } catch (IOException e) {
                    // a link
                }
            }
            swaps.get();
        }
    }

    @Test
    void aPipeInItKeepsNobodyWaiting() throws Exception {
        try (Workspace workspace = create()) {
            Process mkfifo =
                    new ProcessBuilder("mkfifo", made().resolve("piece").toString()).start();
            assumeTrue(mkfifo.waitFor() == 0, "there is no mkfifo here");

            assertThatThrownBy(() -> workspace.open("piece"))
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith("piece is not what the target was asked for");
        }
        assertThat(in(tmp)).isEmpty();
    }

    @Test
    void whatTakesItsPlaceIsLeftAlone() throws IOException {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Path theirs = Files.createFile(elsewhere.resolve("settings"));
        Path moved = folder.resolve("moved");
        Workspace workspace = create();
        Path directory = made();
        Files.move(directory, moved);
        Files.createSymbolicLink(directory, elsewhere);

        try (FileChannel own = workspace.open("settings")) {
            assertThat(own).as("what was put there, not what is there now").isNotNull();
        }
        assertThatThrownBy(workspace::close)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(directory + " is left behind: ");
        assertThat(theirs).exists();
        assertThat(in(moved)).isEmpty();
    }

    @Test
    void whatCannotBeGivenAwayIsNotLeft() {
        UserPrincipal nobodyHere = () -> "nobody here";

        assertThatThrownBy(() -> Workspace.create(root, PID, nobodyHere, "settings", CONTENT))
                .isInstanceOf(IOException.class)
                .hasRootCauseInstanceOf(ProviderMismatchException.class);
        assertThat(tmp).isEmptyDirectory();
    }

    @Test
    void itIsReachedWhenItsFileSystemIsNot() throws IOException {
        Path hidden = folder.resolve("hidden");
        try (Workspace workspace = create()) {
            Files.write(made().resolve("piece"), CONTENT);
            Files.move(root, hidden); // as when a container goes with the last process in it

            try (FileChannel piece = workspace.open("piece")) {
                assertThat(piece).isNotNull();
            }
        }
        assertThat(in(hidden.resolve("tmp"))).isEmpty();
    }
}
