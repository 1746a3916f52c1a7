package dev.unjank.record.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A command line that blocks its readers, as one that is mapped from a FUSE file system: a pipe without a writer stands
 * for it.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommandLineReaderTest {
    private static final int SELF = 1000;
    private static final int ANOTHER = 12345;
    private static final long STEP = TimeUnit.MILLISECONDS.toNanos(900);

    @TempDir
    private Path proc;

    /** Each look at the clock takes a step. */
    private long now;

    private long step;
    private CommandLineReader reader;

    @BeforeEach
    void make() {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "a reader needs Linux");
        reader = new CommandLineReader(proc, SELF, () -> now += step);
    }

    private Path process(int pid, int user) throws IOException {
        Path folder = Files.createDirectory(proc.resolve(Integer.toString(pid)));
        Files.writeString(
                folder.resolve("status"),
                "Name:\tjava\nPPid:\t1\nUid:\t%1$d\t%1$d\t%1$d\t%1$d\nGid:\t0\t0\t0\t0\n".formatted(user));
        return folder.resolve("cmdline");
    }

    private void blocked(int pid) throws Exception {
        Process mkfifo = new ProcessBuilder("mkfifo", process(pid, ANOTHER).toString()).start();
        assumeTrue(mkfifo.waitFor() == 0, "there is no mkfifo here");
    }

    @Test
    void everyUsersCommandLineIsRead() throws IOException {
        for (int user : new int[] {0, SELF, ANOTHER}) {
            int pid = 10 + user;
            Files.writeString(process(pid, user), "java\0-jar\0a.jar\0");
            assertThat(reader.read(pid)).isEqualTo("java\0-jar\0a.jar\0");
        }
    }

    @Test
    void ofALongOneTheBeginningIsRead() throws IOException {
        Files.writeString(process(10, ANOTHER), "x".repeat(1 << 20));
        assertThat(reader.read(10)).hasSize(1 << 15);
    }

    @Test
    void oneThatBlocksIsGivenUp() throws Exception {
        blocked(10);
        assertThatThrownBy(() -> reader.read(10)).hasMessageEndingWith("10/cmdline cannot be read in time");
        assertThat(reader.unread()).containsExactly(Integer.toString(ANOTHER));
    }

    /** The process has the name that the kernel knows, and the others have theirs. */
    @Test
    void aProcessWhoseCommandLineBlocksIsListed() throws Exception {
        blocked(10);
        Files.writeString(process(11, ANOTHER), "java\0com.example.Main\0");
        Proc listed = new Proc(proc);

        assertThat(listed.processes().stream().map(listed::process))
                .containsExactly(new Proc.Info(10, 1, "java", false), new Proc.Info(11, 1, "com.example.Main", true));
    }

    /** Reads the same process again and again; returns the number of reads. */
    private int readUntilRefused(int pid) {
        for (int reads = 0; ; reads++) {
            try {
                assertThat(reader.read(pid)).isEqualTo("java\0");
            } catch (IOException e) {
                assertThat(e).hasMessage("processes of other users have delayed the recorder for too long");
                return reads;
            }
        }
    }

    /** Many processes that take 25 ms each delay the recorder as well as one that blocks. */
    @ParameterizedTest
    @CsvSource({"900, 3, 4", "25, 80, 120"})
    void processesOfAUserWhoDelaysTheRecorderForTooLongAreNotReadAnyMore(int stepMs, int atLeast, int atMost)
            throws IOException {
        Files.writeString(process(10, ANOTHER), "java\0");
        Files.writeString(process(11, SELF), "java\0");
        Files.writeString(process(12, ANOTHER + 1), "java\0");
        step = TimeUnit.MILLISECONDS.toNanos(stepMs);
        assertThat(readUntilRefused(10)).isBetween(atLeast, atMost);

        assertThat(reader.read(11)).as("one's own").isEqualTo("java\0");
        assertThat(reader.read(12)).as("a third user's").isEqualTo("java\0");
        assertThat(reader.unread()).containsExactly(Integer.toString(ANOTHER));
    }

    @Test
    void afterAPauseAUsersProcessesAreReadAgain() throws IOException {
        Files.writeString(process(10, ANOTHER), "java\0");
        step = STEP;
        readUntilRefused(10);

        now += CommandLineReader.MOST_PER_USER.toNanos() * 10;
        assertThat(reader.read(10)).isEqualTo("java\0");
    }

    /** A user may have thousands of subordinate ids. */
    @Test
    void allUsersTogetherHaveALimit() throws IOException {
        step = STEP;
        for (int user = ANOTHER; user < ANOTHER + 5; user++) {
            Files.writeString(process(user, user), "java\0");
            readUntilRefused(user);
        }
        Files.writeString(process(20, 20), "java\0");

        assertThatThrownBy(() -> reader.read(20)).hasMessageContaining("delayed the recorder");
        assertThat(reader.unread()).hasSize(6).contains("20");
    }
}
