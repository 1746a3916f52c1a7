package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.helper.HelperProcess;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.linux.ProcessCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A local user creates the file that requests a JVM of another user to listen. The JVM ignores it, and would print its
 * threads at SIGQUIT.
 */
@Tag("slow")
class ForeignAttachFileTest {
    private static final int USER = 12345;
    private static final int OTHER_USER = 12346;

    @TempDir
    private Path directory;

    private JvmTargetProcess target;
    private Path working;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(Proc.isRoot(), "needs root, for two users");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        working = Files.createDirectory(directory.resolve("working"));
        Files.setAttribute(working, "unix:uid", USER);
        target = JvmTargetProcess.within(
                List.of(
                        "env",
                        "-C",
                        working.toString(),
                        "setpriv",
                        "--reuid=" + USER,
                        "--regid=" + USER,
                        "--clear-groups"),
                JvmTargetProgram.class,
                List.of(),
                List.of());
        try {
            target.expect("ready");
        } catch (IOException e) {
            abort("needs setpriv, and classes that every user may read: " + e.getMessage());
        }
    }

    @AfterEach
    void end() throws IOException {
        if (target != null) {
            Files.deleteIfExists(request(Path.of("/tmp")));
            target.close();
        }
    }

    private Path request(Path folder) {
        return folder.resolve(".attach_pid" + target.pid());
    }

    private void createRequest(Path folder, int user) throws IOException {
        Files.setAttribute(Files.createFile(request(folder)), "unix:uid", user);
    }

    private void letOnlyRootWrite() throws IOException {
        Files.setAttribute(working, "unix:uid", 0);
    }

    private void listen() throws IOException {
        try (HelperProcess helper = HelperProcess.start(target.pid(), ProcessCredentials.of(target.pid()))) {
            helper.listen();
        }
    }

    /** What follows {@code begin} would be the thread dump. */
    private void assertNoThreadDump() throws IOException {
        target.play("blocked");
    }

    @Test
    void inTmpItIsBypassedByTheWorkingDirectory() throws IOException {
        createRequest(Path.of("/tmp"), OTHER_USER);

        listen();

        assertThat(request(working)).doesNotExist();
        assertThat(request(Path.of("/tmp"))).exists();
        assertNoThreadDump();
    }

    @Test
    void inTmpItIsNamedIfTheWorkingDirectoryIsNotTheUsers() throws IOException {
        createRequest(Path.of("/tmp"), OTHER_USER);
        letOnlyRootWrite();

        assertThatThrownBy(this::listen)
                .hasMessage(request(Path.of("/tmp")) + " belongs to another user (uid " + OTHER_USER
                        + ") and blocks attaching");
        assertNoThreadDump();
    }

    /** The JVM finds this one first. */
    @Test
    void inTheWorkingDirectoryItIsNamed() throws IOException {
        createRequest(working, OTHER_USER);

        assertThatThrownBy(this::listen)
                .hasMessage("/proc/" + target.pid() + "/cwd/.attach_pid" + target.pid()
                        + " belongs to another user (uid " + OTHER_USER + ") and blocks attaching");
        assertThat(request(Path.of("/tmp"))).doesNotExist();
        assertNoThreadDump();
    }

    /** Near miss: an earlier recorder or {@code jcmd} may have left these. */
    @ParameterizedTest
    @ValueSource(ints = {0, USER})
    void oneOfTheUserOrOfRootIsUsed(int owner) throws IOException {
        createRequest(Path.of("/tmp"), owner);

        listen();

        assertThat(Files.exists(request(Path.of("/tmp")))).isEqualTo(owner == 0);
        assertNoThreadDump();
    }

    /** A recorder that a signal ended while it waited for the JVM has left it. */
    @Test
    void aStaleOneOfTheUserIsDeletedIfTheJvmListens() throws IOException {
        listen();
        createRequest(Path.of("/tmp"), USER);
        createRequest(working, USER);

        listen();

        assertThat(request(Path.of("/tmp"))).doesNotExist();
        assertThat(request(working)).doesNotExist();
    }

    @Test
    void theSecondSourceDoesNotTryAgain() throws IOException {
        createRequest(Path.of("/tmp"), OTHER_USER);
        letOnlyRootWrite();
        TargetJvm jvm = new TargetJvm(target.pid());

        Throwable first = catchThrowable(jvm::vm);

        assertThat(first).isInstanceOf(IOException.class);
        assertThatThrownBy(jvm::vm).isSameAs(first);
        jvm.close();
    }
}
