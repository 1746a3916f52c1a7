package dev.unjank.record.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Another user plants links, pipes and files in the folder of a recording, or swaps them: no other file is written, and
 * nothing hangs.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the recorder is for Linux")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class HostileFolderTest {
    private static final int PID = 4711;
    private static final int TID = 4712;
    private static final int OTHER_USER = 65534;
    private static final String SECRET = "root:x:0:0:root:/root:/bin/sh\n";

    @TempDir
    private Path temporary;

    private Path folder;
    private Path file;
    private Path victim;

    @BeforeEach
    void plant() throws IOException {
        folder = Files.createDirectory(temporary.resolve("hostile"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        file = folder.resolve("ring.pftrace");
        victim = Files.writeString(temporary.resolve("victim"), SECRET);
    }

    @AfterEach
    void theVictimIsUnharmed() {
        assertThat(victim).hasContent(SECRET);
    }

    private Path beside(String suffix) {
        return folder.resolve(file.getFileName() + suffix);
    }

    private void assertRefused(String reason) {
        assertThatThrownBy(() -> RecordingFile.open(file, Rotation.NONE, PID))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": " + reason);
    }

    /** Writes a ring of several parts, until that fails. */
    private static void record(RecordingFile recording) throws IOException {
        try (recording) {
            recording.begin(() -> 0);
            write(recording);
        }
    }

    private static void write(RecordingFile recording) {
        long start = System.nanoTime();
        for (int i = 0; i < 2_000; i++) {
            recording.slice(start + i * 1_000L, start + i * 1_000L + 500, PID, TID, "test", "slice");
            if (i % 50 == 0) {
                recording.flush();
            }
        }
    }

    private RecordingFile ring() throws IOException {
        return RecordingFile.open(file, new Rotation(16_000, Long.MAX_VALUE), PID);
    }

    private static int run(String... command) throws Exception {
        return new ProcessBuilder(command).start().waitFor();
    }

    // ---- what is there when the recorder comes

    /** Opening would wait for its holder, who need not answer, up to 45 s (/proc/sys/fs/lease-break-time). */
    @Test
    void aFileWithALeaseIsRefused() throws Exception {
        assumeTrue(FileOwnership.isRoot(), "needs root");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createFile(file);
        Process holder = new ProcessBuilder(
                        "perl",
                        "-MFcntl=:DEFAULT",
                        "-e",
                        "$| = 1; $SIG{IO} = 'IGNORE'; open(F, '+<', $ARGV[0]) or die; fcntl(F, 1024, 1) or die;"
                                + " print qq(ready\\n); sleep 1000",
                        file.toString())
                .start();
        try {
            assumeTrue(
                    "ready".equals(holder.inputReader(StandardCharsets.UTF_8).readLine()),
                    "needs perl, and leases of files");
            long begun = System.nanoTime();
            assertRefused("another process holds a lease on it; choose another file");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
        } finally {
            holder.destroyForcibly().waitFor();
        }
        record(ring());
        assertThat(TraceReader.read(file).warnings()).isEmpty();
    }

    @Test
    void aSymbolicLinkIsRefused() throws IOException {
        Files.createSymbolicLink(file, victim);
        assertRefused("is a symbolic link; specify the file itself");
        Files.delete(file);
        Files.createSymbolicLink(file, folder.resolve("missing"));
        assertRefused("is a symbolic link; specify the file itself");
        assertThat(folder.resolve("missing")).doesNotExist();
    }

    @Test
    void aPipeIsRefused() throws Exception {
        assertThat(run("mkfifo", file.toString())).isZero();
        assertRefused("is a pipe, a socket or a device; specify a regular file");
    }

    @Test
    void aDeviceIsRefused() {
        file = Path.of("/dev/full");
        assertRefused("is a pipe, a socket or a device; specify a regular file");
    }

    @Test
    void aDirectoryIsRefused() throws IOException {
        Files.createDirectory(file);
        assertRefused("is a directory; specify a file in it");
        file = Path.of("/");
        assertRefused("is a directory; specify a file in it");
    }

    @Test
    void aHardLinkOfAnotherFileLosesOnlyThisName() throws IOException {
        Files.createLink(file, victim);

        record(ring());

        assertThat(TraceReader.read(file).warnings()).isEmpty();
        assertThat(victim).hasContent(SECRET);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxrwx", "rwxrwxr-x", "rwxr-xr-x"})
    void aFileOfAnotherUserIsRefusedWhereOthersCanWrite(String permissions) throws IOException {
        assumeTrue(FileOwnership.isRoot(), "needs root, to give a file to another user");
        Files.writeString(file, "another user's");
        Files.setAttribute(file, "unix:uid", OTHER_USER);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
        if (permissions.equals("rwxr-xr-x")) {
            Files.setAttribute(folder, "unix:uid", OTHER_USER);
        }

        assertRefused("belongs to another user, and others can write to its folder; choose another path");

        assertThat(file).hasContent("another user's");
        Files.setAttribute(folder, "unix:uid", 0);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        record(ring());
        assertThat(TraceReader.read(file).warnings()).isEmpty();
    }

    @Test
    void whatIsPlantedUnderTheNamesOfPartsStays() throws Exception {
        Files.createSymbolicLink(beside(".part1"), victim);
        Files.createLink(beside(".part2"), victim);
        assertThat(run("mkfifo", beside(".part3").toString())).isZero();
        Files.createDirectory(beside(".part4"));
        Files.createSymbolicLink(beside(".joined"), victim);

        record(ring());

        assertThat(TraceReader.read(file).warnings()).isEmpty();
        assertThat(beside(".part1")).isSymbolicLink();
        assertThat(beside(".part2")).as("a regular file of this user").doesNotExist();
        assertThat(beside(".part4")).isDirectory();
        assertThat(beside(".joined")).isSymbolicLink();
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).hasSize(5);
        }
    }

    /** Without a limit the recorder would look at each of a million names. */
    @Test
    void aFolderFullOfFilesIsNotReadToItsEnd() throws IOException {
        for (int i = 0; i < 50; i++) {
            Files.createFile(beside(".part" + i));
        }
        Pattern parts = Pattern.compile(".*\\.part[0-9]+");
        try (OutputFolder open = OutputFolder.open(folder, () -> {})) {
            assertThat(open.names(parts, 50)).hasSize(50);
            assertThat(open.names(parts, 49)).hasSizeBetween(48, 49);
        }
    }

    @Test
    void aRingEndsWhereAllNamesOfItsPartsAreTaken() throws IOException {
        for (int i = 1; i <= 1_001; i++) {
            Files.createDirectory(beside(".part" + i));
        }
        assertThatThrownBy(() -> record(ring()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the names of its parts are taken by other files, from ring.pftrace.part1 on");
    }

    @Test
    void aPartThatAnotherUserHasLeftStays() throws IOException {
        assumeTrue(FileOwnership.isRoot(), "needs root, to give a file to another user");
        Files.writeString(beside(".part1"), "another user's");
        Files.setAttribute(beside(".part1"), "unix:uid", OTHER_USER);

        record(ring());

        assertThat(beside(".part1")).hasContent("another user's");
    }

    @Test
    void theNewFileIsAsPrivateAsTheOldOneWas() throws IOException {
        Files.writeString(file, "yesterday's");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

        record(ring());

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    // ---- links on the way to the folder

    private void assertLinkIsRefused(String name) {
        assertThatThrownBy(() -> RecordingFile.open(file, Rotation.NONE, PID))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("\"" + name + "\" is a symbolic link in a folder that other users can write");
    }

    private void assertIsRecorded() throws IOException {
        record(ring());
        assertThat(TraceReader.read(file).warnings()).isEmpty();
    }

    /** Another user leads root's recording into a folder of root's. */
    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxrwx", "rwxrwxr-x", "rwxr-xr-x", "sticky"})
    void aLinkOnTheWayInAFolderThatOthersCanWriteIsRefused(String permissions) throws IOException {
        assumeTrue(FileOwnership.isRoot(), "needs root, to give a file to another user");
        Path roots = Files.createDirectory(temporary.resolve("roots"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), roots);
        Files.setAttribute(link, "unix:uid", OTHER_USER, LinkOption.NOFOLLOW_LINKS);
        if (permissions.equals("sticky")) {
            Files.setAttribute(folder, "unix:mode", 01777);
        } else {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
        }
        if (permissions.equals("rwxr-xr-x")) {
            Files.setAttribute(folder, "unix:uid", OTHER_USER);
        }
        file = link.resolve("ring.pftrace");

        assertLinkIsRefused("link");

        Path outer = Files.createSymbolicLink(temporary.resolve("outer"), folder);
        file = outer.resolve("link/../roots/./ring.pftrace");
        assertLinkIsRefused("link");
        assertThat(roots).isEmptyDirectory();
    }

    @Test
    void aLinkOnTheWayThatOnlyRootCanHavePutThereIsFollowed() throws IOException {
        Path roots = Files.createDirectory(temporary.resolve("roots"));
        Files.createSymbolicLink(temporary.resolve("own"), Path.of("roots/../roots"));
        file = temporary.resolve("own/ring.pftrace");
        assertIsRecorded();

        Files.setAttribute(folder, "unix:mode", 01777);
        Files.createSymbolicLink(folder.resolve("own"), roots.toAbsolutePath());
        file = folder.resolve("own/other.pftrace");
        assertIsRecorded();

        assertThat(roots.resolve("ring.pftrace")).isRegularFile();
        assertThat(roots.resolve("other.pftrace")).isRegularFile();
    }

    @Test
    void linksWithoutEndAndFoldersThatAreMissingAreRefused() throws IOException {
        Files.createSymbolicLink(temporary.resolve("a"), Path.of("b"));
        Files.createSymbolicLink(temporary.resolve("b"), Path.of("a"));
        file = temporary.resolve("a/ring.pftrace");
        assertThatThrownBy(() -> RecordingFile.open(file, Rotation.NONE, PID)).isInstanceOf(IOException.class);
        file = temporary.resolve("missing/ring.pftrace");
        assertRefused("its directory does not exist; create it first");
        file = victim.resolve("ring.pftrace");
        assertRefused("its parent is not a directory");
    }

    // ---- what is swapped while it runs

    @Test
    void aFileThatIsSwappedBeforeTheRecordingBeginsIsNotReplaced() throws IOException {
        Files.writeString(file, "yesterday's");
        RecordingFile recording = ring();
        Files.delete(file);
        Files.createSymbolicLink(file, victim);

        assertThatThrownBy(() -> record(recording)).hasMessage(file + ": another program has replaced or removed it");

        assertThat(file).isSymbolicLink();
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void aFolderThatIsSwappedForALinkIsStillTheFolder() throws IOException {
        Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
        Path other = Files.writeString(elsewhere.resolve(file.getFileName()), SECRET);
        RecordingFile recording = ring();
        Path moved = Files.move(folder, temporary.resolve("moved"));
        Files.createSymbolicLink(folder, elsewhere);

        record(recording);

        assertThat(other).hasContent(SECRET);
        assertThat(TraceReader.read(moved.resolve(file.getFileName())).warnings())
                .isEmpty();
        try (Stream<Path> left = Files.list(elsewhere)) {
            assertThat(left).containsExactly(other);
        }
    }

    /** Puts links, hard links and pipes in place of some names, again and again, as fast as it can. */
    private final class Swapper {
        private final AtomicBoolean stop = new AtomicBoolean();
        private final List<String> suffixes;
        private final Random random = new Random(1);
        private final Thread thread;
        private long swaps;

        Swapper(String... suffixes) {
            this.suffixes = List.of(suffixes);
            thread = Thread.ofPlatform().daemon().start(this::swap);
        }

        private void swap() {
            Path own = temporary.resolve("planted");
            while (!stop.get()) {
                Path name = beside(suffixes.get(random.nextInt(suffixes.size())));
                try {
                    Files.deleteIfExists(own);
                    switch (random.nextInt(4)) {
                        case 0 -> Files.createSymbolicLink(own, victim);
                        case 1 -> Files.createLink(own, victim);
                        case 2 -> HostileFolderTest.run("mkfifo", own.toString());
                        default -> Files.writeString(own, "planted");
                    }
                    Files.move(own, name, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                    swaps++;
                } catch (NoSuchFileException e) {
                    Thread.onSpinWait();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        }

        void end() throws InterruptedException {
            stop.set(true);
            thread.join();
            assertThat(swaps).isPositive();
        }
    }

    /** Without FILE among the swapped names most recordings come to the join. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void namesThatAreSwappedAllTheTimeLeadNowhere(boolean alsoFile) throws Exception {
        String[] names = alsoFile
                ? new String[] {"", "", ".part1", ".joined"}
                : new String[] {".part1", ".part3", ".part20", ".joined", ".joined2"};
        int whole = 0;
        int refused = 0;
        long end = System.nanoTime() + 5_000_000_000L;
        Swapper swapper = new Swapper(names);
        try {
            while (System.nanoTime() - end < 0 || whole + refused < 10) {
                try {
                    record(ring());
                    whole++;
                } catch (IOException e) {
                    assertThat(e.getMessage()).contains(file.getFileName().toString());
                    refused++;
                }
            }
        } finally {
            swapper.end();
        }
        assertThat(whole + refused).as("whole %d, refused %d", whole, refused).isGreaterThanOrEqualTo(10);
        assertThat(Files.readAttributes(victim, "size", LinkOption.NOFOLLOW_LINKS))
                .containsEntry("size", (long) SECRET.length());
    }
}
