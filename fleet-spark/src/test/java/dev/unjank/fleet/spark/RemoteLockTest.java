package dev.unjank.fleet.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.unjank.trace.model.UnusableTraceException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemoteLockTest {

    @TempDir
    private java.nio.file.Path folder;

    private final UUID killed = UUID.randomUUID();
    private java.nio.file.Path file;

    @BeforeEach
    void file() {
        file = folder.resolve(".lock");
    }

    private static <T extends FileSystem> T begun(T system) throws IOException {
        system.initialize(URI.create("elsewhere:///"), new Configuration());
        return system;
    }

    private RemoteLock take() throws IOException {
        return take(begun(new FaultyHadoopFileSystem()));
    }

    private RemoteLock take(FileSystem system) throws IOException {
        return RemoteLock.take(system, new Path("elsewhere:" + folder));
    }

    private void assertRefused(FileSystem system, String owner) {
        assertThatExceptionOfType(UnusableTraceException.class)
                .isThrownBy(() -> take(system))
                .withMessage("elsewhere:" + folder + ": another run is writing to it (" + owner.strip()
                        + "); if that run has ended, delete elsewhere:" + file);
    }

    private void assertRefused() throws IOException {
        assertRefused(begun(new FaultyHadoopFileSystem()), Files.readString(file));
    }

    /** What a run that was killed has left on this machine. */
    private void killed() throws IOException {
        Files.createFile(Files.createDirectory(RemoteLock.place(killed)).resolve(".lock"));
        Files.writeString(file, RemoteLock.owner(killed));
    }

    @AfterEach
    void nothingStays() throws IOException {
        Files.deleteIfExists(RemoteLock.place(killed).resolve(".lock"));
        Files.deleteIfExists(RemoteLock.place(killed));
    }

    private static java.nio.file.Path place(String owner) {
        return RemoteLock.place(UUID.fromString(owner.strip().replaceAll(".* ", "")));
    }

    @Test
    void onlyOneHasItAndNothingOfItStays() throws Exception {
        String first;
        try (RemoteLock _ = take()) {
            first = Files.readString(file);
            assertRefused();
            assertThat(file).hasContent(first);
            assertThat(place(first)).isDirectory();
        }
        assertThat(file).doesNotExist();
        assertThat(place(first)).doesNotExist();
        try (RemoteLock _ = take()) {
            assertThat(file).content().isNotEqualTo(first);
        }
    }

    @Test
    void ofARunThatIsNotKnownHereNobodySaysThatItHasEnded() throws Exception {
        for (String owner :
                new String[] {"", "process 1 of another.host, started now\n", RemoteLock.owner(UUID.randomUUID())}) {
            Files.writeString(file, owner);
            assertRefused();
            assertThat(file).hasContent(owner);
        }
    }

    /** It may be alive, and its file deleted by who cleans up among temporary files. */
    @Test
    void ofARunWhoseLockIsGoneNobodySaysSoEither() throws Exception {
        killed();
        Files.delete(RemoteLock.place(killed).resolve(".lock"));
        assertRefused();
    }

    /** Who could not look at it, or not write it to its end, would keep all others off. */
    @Test
    void whatFailsLeavesNothingThatWouldKeepOthersOff() throws Exception {
        FileSystem unreadable = begun(new FaultyHadoopFileSystem() {
            @Override
            public FSDataInputStream open(Path path, int buffer) throws IOException {
                throw new IOException("down");
            }
        });
        FileSystem full = begun(new FaultyHadoopFileSystem() {
            @Override
            public FSDataOutputStream create(Path path, boolean replace) throws IOException {
                return new FSDataOutputStream(super.create(path, replace), null) {
                    @Override
                    public void close() throws IOException {
                        super.close();
                        throw new IOException("full");
                    }
                };
            }
        });
        assertThatIOException().isThrownBy(() -> take(unreadable)).withMessage("down");
        assertThat(file).doesNotExist();
        assertThatIOException().isThrownBy(() -> take(full)).withMessage("full");
        assertThat(file).doesNotExist();
    }

    /** A run in a process of its own. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] args) throws Exception {
            RemoteLock.take(begun(new FaultyHadoopFileSystem()), new Path(args[0]));
            System.out.println("taken");
            System.in.read();
        }
    }

    @Test
    void whatAKilledRunLeavesIsReplaced() throws Exception {
        Process run = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        "elsewhere:" + folder)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(run.inputReader().readLine()).isEqualTo("taken");
            assertRefused();
        } finally {
            run.destroyForcibly().waitFor();
        }
        String left = Files.readString(file);
        try (RemoteLock _ = take()) {
            assertThat(file).content().isNotEqualTo(left);
            assertThat(place(left)).doesNotExist();
        }
    }

    @Test
    void ofTwoThatWouldReplaceItOneDoes() throws Exception {
        killed();
        FileSystem other = begun(new FaultyHadoopFileSystem());
        try (RemoteLock _ = take(begun(new FaultyHadoopFileSystem() {
            @Override
            public boolean delete(Path path, boolean all) throws IOException {
                assertRefused(other, Files.readString(file));
                return super.delete(path, all);
            }
        }))) {
            assertRefused();
        }
    }

    @Test
    void whatHasBeenReplacedMeanwhileStays() throws Exception {
        killed();
        String later = RemoteLock.owner(UUID.randomUUID());
        assertRefused(
                begun(new FaultyHadoopFileSystem() {
                    private int reads;

                    @Override
                    public FSDataInputStream open(Path path, int buffer) throws IOException {
                        if (++reads == 2) {
                            Files.writeString(file, later);
                        }
                        return super.open(path, buffer);
                    }
                }),
                Files.readString(file));
        assertThat(file).hasContent(later);
    }

    /** As object stores may have it. */
    @Test
    void whoDoesNotFindItsOwnNumberHasLost() throws Exception {
        String other = RemoteLock.owner(UUID.randomUUID());
        assertRefused(
                begun(new FaultyHadoopFileSystem() {
                    @Override
                    public FSDataInputStream open(Path path, int buffer) throws IOException {
                        Files.writeString(file, other);
                        return super.open(path, buffer);
                    }
                }),
                other);
        assertThat(file).hasContent(other);
    }

    @Test
    void whatSomebodyPutInItsPlaceStays() throws Exception {
        String other = RemoteLock.owner(UUID.randomUUID());
        try (RemoteLock _ = take()) {
            Files.writeString(file, other);
        }
        assertThat(file).hasContent(other);
    }
}
