package dev.unjank.trace.tempfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
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

    /** Each may succeed if links are followed; most do not. */
    private static final int ATTACKS = 300;

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

    /** Another user who may write the folder exchanges one below it by a link, again and again. */
    @Test
    void aFolderThatIsExchangedByALinkIsNotFollowed() throws Exception {
        Path precious = full(folder.resolve("precious")).resolve("below");
        Path victim = folder.resolve("victim");
        Path below = victim.resolve("below");
        Path aside = folder.resolve("aside");
        AtomicBoolean isOver = new AtomicBoolean();
        Thread attacker = Thread.ofPlatform().start(() -> {
            while (!isOver.get()) {
                try {
                    Files.move(below, aside, StandardCopyOption.ATOMIC_MOVE);
                    Files.createSymbolicLink(below, precious);
                    Files.delete(below);
                    Files.move(aside, below, StandardCopyOption.ATOMIC_MOVE);
                } catch (IOException e) {
                    // deleted meanwhile
                }
            }
        });
        for (int i = 0; i < ATTACKS && Files.exists(precious.resolve("file")); i++) {
            try {
                full(victim);
            } catch (IOException e) {
                // exchanged already
            }
            ProcessTempFiles.delete(victim);
            ProcessTempFiles.delete(aside);
        }
        isOver.set(true);
        attacker.join();
        assertThat(precious.resolve("file")).exists();
    }

    /** Another user can give such a name to a folder of this user that lies in a folder of his own. */
    @Test
    void whereOnlyFilesAreMadeFoldersStay() throws Exception {
        Path planted = left(dead);
        Path file = Files.writeString(folder.resolve(BEGIN + dead + "-0123456789abcdef" + END), "a file");
        ProcessTempFiles.deleteLeftoverFiles(folder, BEGIN, END);
        assertThat(planted.resolve("below/file")).exists();
        assertThat(file).doesNotExist();
    }

    /** Each run deletes what other commands have left in the system's temporary folder. */
    @Test
    void allKindsInTheTemporaryFolderAreDeleted() throws Exception {
        Path all = Path.of(System.getProperty("java.io.tmpdir"));
        String unique = dead + "-0123456789abcdef";
        Path explained = full(Files.createDirectory(all.resolve("unjank-explain-" + unique)));
        Path held = Files.writeString(all.resolve("unjank-hold-" + unique + ".jar"), "a jar");
        Path named = full(Files.createDirectory(all.resolve("unjank-hold-" + dead + ".jar")));
        Path another = Files.writeString(all.resolve("unjank-hold-" + unique + ".jar.txt"), "a text");
        Path own = ProcessTempFiles.ownFolder("test");
        try {
            assertThat(explained).doesNotExist();
            assertThat(held).doesNotExist();
            assertThat(named.resolve("below/file"))
                    .as("no file, but a folder with a file's name")
                    .exists();
            assertThat(another).exists();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
                    .isEqualTo("rwx------");
            ProcessTempFiles.deleteLeftovers();
            assertThat(own).exists();
        } finally {
            for (Path each : List.of(explained, held, named, another, own)) {
                ProcessTempFiles.delete(each);
            }
        }
        assertThat(own).doesNotExist();
    }

    /** Another user may have filled the folder with millions of files. */
    @Test
    void aLongFolderIsNotReadToItsEnd() throws Exception {
        Pattern names = Pattern.compile(Pattern.quote(BEGIN) + "([0-9]+)-([0-9]+)-([0-9a-f]+)-[0-9]");
        for (int i = 0; i < 5; i++) {
            Files.writeString(folder.resolve(BEGIN + dead + "-" + i), "a file");
        }
        ProcessTempFiles.deleteLeftovers(folder, names, false, 3);
        assertThat(folder.toFile().list()).hasSize(2);
        ProcessTempFiles.deleteLeftovers(folder, names, false, 3);
        assertThat(folder).isEmptyDirectory();
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
