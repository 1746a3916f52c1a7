package dev.unjank.record.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which file is a process's virtual machine, by a folder laid out like its own in {@code /proc}. */
class JvmLibraryTest {
    private static final String RANGE = "7f0000000000-7f0000100000";

    @TempDir
    private Path folder;

    private Path library;
    private String line;

    @BeforeEach
    void process() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "files have numbers there");
        library = folder.resolve("root/jdk/lib/server/libjvm.so");
        Files.createDirectories(library.getParent());
        Files.writeString(library, "the library");
        line = "%s r--p 00000000 fe:00 %s        /jdk/lib/server/libjvm.so"
                .formatted(RANGE, Files.getAttribute(library, "unix:ino"));
    }

    private JvmLibrary found(String maps) throws IOException {
        Files.writeString(folder.resolve("maps"), "55d000-55e000 r--p 00000000 fe:00 1 /jdk/bin/java\n" + maps + "\n");
        return JvmLibrary.of(42, folder);
    }

    private Path mapped() throws IOException {
        Files.createDirectory(folder.resolve("map_files"));
        return Files.writeString(folder.resolve("map_files").resolve(RANGE), "what is mapped");
    }

    @Test
    void itIsLookedForInTheProcessesOwnRoot() throws IOException {
        assertThat(found(line)).isEqualTo(new JvmLibrary(library, 0x7f0000000000L));
    }

    @Test
    void whatIsMappedIsTakenWhereThatMayBeRead() throws IOException {
        Path mapped = mapped();

        assertThat(found(line).file()).isEqualTo(mapped);
        assertThat(found(line + " (deleted)").file()).isEqualTo(mapped);
    }

    @Test
    void anotherFileOfTheNameIsNotTaken() throws IOException {
        Path other = folder.resolve("other");
        Files.writeString(other, "of another build");
        Files.delete(library);
        Files.move(other, library);

        assertThatThrownBy(() -> found(line)).hasMessageContaining("libjvm.so has been replaced");
        assertThatThrownBy(() -> found(line + " (deleted)")).hasMessageContaining("libjvm.so has been replaced");
    }

    @Test
    void whatHasBeenReplacedIsAVirtualMachineAllTheSame() {
        assertThat(JvmLibrary.isIn(Stream.of(line))).isTrue();
        assertThat(JvmLibrary.isIn(Stream.of(line + " (deleted)"))).isTrue();
        assertThat(JvmLibrary.isIn(Stream.of(line.replace("libjvm", "libjvmti"))))
                .isFalse();
        assertThat(JvmLibrary.isIn(Stream.of(line.replace("libjvm.so", "libjvm.so.old"))))
                .isFalse();
    }

    @Test
    void oneThatAnOrdinaryUserServesIsNotRead() throws IOException {
        String fields = "36 35 %s / /jdk rw,relatime - %s jdkfs rw,user_id=1000\n";
        Files.writeString(folder.resolve("mountinfo"), fields.formatted("254:0", "ext4"));
        assertThat(found(line).file()).isEqualTo(library);

        Files.writeString(folder.resolve("mountinfo"), fields.formatted("254:0", "fuse.jdkfs"));
        assertThatThrownBy(() -> found(line)).hasMessageContaining("libjvm.so is on a FUSE file system");

        Files.writeString(folder.resolve("mountinfo"), fields.formatted("254:1", "fuse.jdkfs"));
        assertThat(found(line).file()).as("another file system").isEqualTo(library);
    }

    @Test
    void anotherProgramHasNone() {
        assertThatThrownBy(() -> found(line.replace("libjvm.so", "libc.so")))
                .hasMessage("process 42 is no Java virtual machine");
    }
}
