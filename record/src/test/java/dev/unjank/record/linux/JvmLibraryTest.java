package dev.unjank.record.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which file is a process's virtual machine, by a folder laid out like its own in {@code /proc}. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JvmLibraryTest {
    private static final String RANGE = "7f0000000000-7f0000100000";
    private static final int USER = 12345;
    private static final int ANOTHER = 12346;

    @TempDir
    private Path folder;

    private Path library;
    private Path mapped;
    private String line;

    @BeforeEach
    void process() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "files have numbers there");
        library = folder.resolve("root/jdk/lib/server/libjvm.so");
        Files.createDirectories(library.getParent());
        Files.writeString(library, "the library");
        line = "%s r--p 00000000 %s        /jdk/lib/server/libjvm.so".formatted(RANGE, asMapped(library));
        mapped = Files.createDirectory(folder.resolve("map_files")).resolve(RANGE);
        Files.createSymbolicLink(mapped, library);
        for (String own : new String[] {"status", "mountinfo", "uid_map"}) {
            Files.write(
                    folder.resolve(own),
                    Files.readAllBytes(Path.of("/proc/self").resolve(own)));
        }
    }

    /** The file's device and number in the kernel's table of mappings. */
    private static String asMapped(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file);
                Arena arena = Arena.ofConfined()) {
            channel.map(FileChannel.MapMode.READ_ONLY, 0, 1, arena);
            return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                    .filter(each -> each.endsWith(file.toString()))
                    .map(each -> each.split(" +", -1))
                    .map(fields -> fields[3] + " " + fields[4])
                    .findFirst()
                    .orElseThrow();
        }
    }

    private JvmLibrary found(String maps, boolean isRoot) throws IOException {
        Files.writeString(folder.resolve("maps"), "55d000-55e000 r--p 00000000 fe:00 1 /jdk/bin/java\n" + maps + "\n");
        return JvmLibrary.of(42, folder, isRoot);
    }

    /**
     * The kernel locks a process's memory to list its mappings, and waits while the process holds that lock: a pipe
     * stands for it.
     */
    @Test
    void aTableOfMappingsThatBlocksIsGivenUp() throws Exception {
        Process mkfifo = new ProcessBuilder("mkfifo", folder.resolve("maps").toString()).start();
        assumeTrue(mkfifo.waitFor() == 0, "there is no mkfifo here");
        assertThatThrownBy(() -> JvmLibrary.of(42, folder, true, Duration.ofMillis(100), () -> false))
                .isInstanceOf(IOException.class)
                .hasMessage(folder + "/maps cannot be read in time: the process blocks it");
    }

    private void assertFound(String maps, boolean isRoot) throws IOException {
        try (JvmLibrary found = found(maps, isRoot)) {
            assertThat(Files.isSameFile(found.file(), library)).isTrue();
        }
    }

    private void assertRefused(String reason) {
        for (boolean isRoot : new boolean[] {true, false}) {
            assertThatThrownBy(() -> found(line, isRoot))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("/jdk/lib/server/libjvm.so " + reason);
        }
    }

    private void remap(Path other) throws IOException {
        Files.delete(mapped);
        Files.createSymbolicLink(mapped, other);
    }

    @Test
    void whatIsMappedIsTaken() throws IOException {
        for (boolean isRoot : new boolean[] {true, false}) {
            assertFound(line, isRoot);
            assertFound(line + " (deleted)", isRoot);
        }
    }

    /** What is read and what the kernel is given stays the file, whatever the name stands for by then. */
    @Test
    void itStaysTheSameFile() throws IOException {
        try (JvmLibrary found = found(line, true)) {
            Path moved = Files.move(library, folder.resolve("moved"));
            Files.writeString(library, "another");
            remap(library);
            assertThat(Files.isSameFile(found.file(), moved)).isTrue();
            assertThat(found.symbols("g")).isEmpty();
        }
    }

    @Test
    void rootTakesNoFileByName() throws IOException {
        Files.delete(mapped);
        assertThatThrownBy(() -> found(line, true)).hasMessageContaining("libjvm.so cannot be opened");
        assertFound(line, false);
    }

    @Test
    void anotherFileOfTheNameIsNotTaken() throws IOException {
        Files.delete(mapped);
        Files.move(library, folder.resolve("moved"));
        Files.writeString(library, "of another build");
        assertThatThrownBy(() -> found(line, false)).hasMessageContaining("libjvm.so has been replaced");
        Files.delete(library);
        assertThatThrownBy(() -> found(line, false)).hasMessageContaining("libjvm.so has been replaced");
    }

    @Test
    void aFileThatIsMappedThereAfterTheTableWasReadIsNotTaken() throws IOException {
        remap(Files.writeString(folder.resolve("libc.so"), "another library"));
        assertRefused("has been replaced");
    }

    /** A pipe would keep the recorder waiting for a writer, and a device may do anything when it is opened. */
    @Test
    void whatIsNoRegularFileIsNotOpened() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        remap(pipe);
        assertRefused("is not a regular file");
        Files.writeString(folder.resolve("mountinfo"), Files.readString(Path.of("/proc/self/mountinfo")));
        remap(Path.of("/dev/null"));
        assertRefused("is not a regular file");
        remap(folder);
        assertRefused("is not a regular file");
    }

    @Test
    void oneOnAFileSystemThatAnOrdinaryUserServesIsNotRead() throws IOException {
        String id = mountOf(library);
        String fields = "%s 35 0:77 / /jdk rw,relatime - %s jdkfs rw,user_id=1000\n";
        Files.writeString(folder.resolve("mountinfo"), fields.formatted(id, "ext4"));
        assertFound(line, true);

        Files.writeString(folder.resolve("mountinfo"), fields.formatted(id, "fuse.jdkfs"));
        assertRefused("is on a FUSE file system");
    }

    /** After a lazy unmount the file system serves the file all the same, and is in no table. */
    @Test
    void oneOnAFileSystemThatIsNotListedIsNotRead() throws IOException {
        String id = mountOf(library);
        Files.writeString(folder.resolve("mountinfo"), "1" + id + " 35 0:77 / /jdk rw,relatime - ext4 jdkfs rw\n");
        assertRefused("is on a file system outside of the mount namespace of the process");
    }

    private static String mountOf(Path file) throws IOException {
        int descriptor = FileCalls.follow(file, FileCalls.PATH);
        try {
            return FileCalls.mountOf(descriptor);
        } finally {
            FileCalls.close(descriptor);
        }
    }

    @Test
    void oneOfAThirdUserIsNotTaken() throws IOException {
        assumeTrue(Proc.isRoot(), "needs root, to give a file to another user");
        Path status = folder.resolve("status");
        Files.writeString(status, Files.readString(status).replaceFirst("Uid:.*", "Uid:" + ("\t" + USER).repeat(4)));
        assertFound(line, true);
        Files.setAttribute(library, "unix:uid", USER);
        assertFound(line, true);

        Files.setAttribute(library, "unix:uid", ANOTHER);
        assertRefused("belongs to user " + ANOTHER + ", who is neither root nor the user of the process");

        Files.writeString(folder.resolve("uid_map"), "         0      " + ANOTHER + "          1\n");
        assertFound(line, true);
    }

    @Test
    void whatHasBeenReplacedIsAVirtualMachineAllTheSame() throws IOException {
        assertThat(isIn(line)).isTrue();
        assertThat(isIn(line + " (deleted)")).isTrue();
        assertThat(isIn(line.replace("libjvm", "libjvmti"))).isFalse();
        assertThat(isIn(line.replace("libjvm.so", "libjvm.so.old"))).isFalse();
    }

    private boolean isIn(String maps) throws IOException {
        return JvmLibrary.isIn(Files.writeString(folder.resolve("maps"), maps + "\n"));
    }

    @Test
    void anotherProgramHasNone() {
        assertThatThrownBy(() -> found(line.replace("libjvm.so", "libc.so"), true))
                .hasMessage("process 42 is not a JVM");
    }
}
