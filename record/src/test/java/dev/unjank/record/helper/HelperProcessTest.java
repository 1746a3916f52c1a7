package dev.unjank.record.helper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.ProcessOutput;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.linux.ProcessCredentials;
import java.io.IOException;
import java.io.Writer;
import java.net.StandardProtocolFamily;
import java.net.URISyntaxException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The helper process beside a target that is no more than a sleeping program: as root that of another user, otherwise
 * one's own.
 */
class HelperProcessTest {
    private static final String USER = "12345";
    private static final byte[] CONTENT = {1, 2, 3};
    private static final String SETTINGS = "settings.jfc";

    private Process target;

    @BeforeEach
    void isLinux() {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "a helper needs Linux");
    }

    @AfterEach
    void end() throws IOException {
        if (target != null) {
            target.destroyForcibly();
            ProcessOutput.awaitEnd(target);
        }
    }

    private HelperProcess helper() throws IOException {
        return helper(
                Proc.isRoot() ? List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups") : List.of());
    }

    /** A helper for a program that some command starts. */
    private HelperProcess helper(List<String> before) throws IOException {
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of("sh", "-c", "echo ready; exec sleep 1000"));
        start(command);
        return HelperProcess.start(pid(), ProcessCredentials.of(pid()));
    }

    private void start(List<String> command) throws IOException {
        target = new ProcessBuilder(command).start();
        ProcessOutput.expect(target.toHandle(), target.inputReader(StandardCharsets.UTF_8), "ready");
    }

    private int pid() {
        return Math.toIntExact(target.pid());
    }

    private static Path folder(String name) {
        return Path.of("/tmp", name);
    }

    private List<String> folders() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/tmp"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("unjank-" + pid() + "-"))
                    .toList();
        }
    }

    @Test
    void everyThreadHasTheTargetsIdentityAndNoCapability() throws IOException {
        try (HelperProcess helper = helper()) {
            ProcessCredentials of = ProcessCredentials.of(pid());
            try (Stream<Path> threads =
                    Files.list(Path.of("/proc/" + helper.handle().pid() + "/task"))) {
                for (Path thread : threads.toList()) {
                    ProcessCredentials now = ProcessCredentials.of(thread.resolve("status"));
                    assertThat(now.uid()).isEqualTo(of.uid());
                    assertThat(now.gid()).isEqualTo(of.gid());
                    assertThat(now.groups()).isEqualTo(of.groups());
                    assertThat(now.capabilities()).isZero();
                }
            }
        }
    }

    @Test
    void ofATargetThatIsRootItHasNoMoreCapabilities() throws IOException {
        assumeTrue(Proc.isRoot(), "needs root");
        try (HelperProcess helper =
                helper(List.of("setpriv", "--bounding-set=-all,+chown,+dac_override", "--inh-caps=-all"))) {
            long of = ProcessCredentials.of(pid()).capabilities();
            assertThat(of).isEqualTo(0b11);
            assertThat(ProcessCredentials.of((int) helper.handle().pid()).capabilities())
                    .isEqualTo(of);
        }
    }

    @Test
    void ofATargetThatIsRootInAnotherUserNamespaceItHasNone() throws IOException {
        assumeTrue(Proc.isRoot(), "needs root");
        try (HelperProcess helper = helper(List.of("unshare", "-Urm"))) {
            assertThat(ProcessCredentials.of((int) helper.handle().pid()).capabilities())
                    .isZero();
            helper.removeFolder(helper.makeFolder());
        }
    }

    /**
     * The target, an ordinary user's, starts a program with set-user-id: the recorder has decided by what it was
     * before.
     */
    @Test
    void aTargetThatBecomesAnotherUsersIsRefused(@TempDir Path directory) throws Exception {
        assumeTrue(Proc.isRoot(), "needs root, to make a program with set-user-id");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path program = Files.copy(Path.of("/bin/sleep").toRealPath(), directory.resolve("sleep"));
        Files.setAttribute(program, "unix:mode", 04755);
        start(List.of(
                "setpriv",
                "--reuid=" + USER,
                "--regid=" + USER,
                "--clear-groups",
                "sh",
                "-c",
                "echo ready; read go; exec " + program + " 1000"));
        ProcessCredentials seen = ProcessCredentials.of(pid());
        try (Writer to = target.outputWriter(StandardCharsets.UTF_8)) {
            to.write("go\n");
            to.flush();
            while (ProcessCredentials.of(pid()).uid() != 0 && target.isAlive()) {
                LockSupport.parkNanos(1_000_000);
            }
            assumeTrue(target.isAlive(), "needs a file system without the option nosuid");
            assertThatThrownBy(() -> HelperProcess.start(pid(), seen).close())
                    .hasMessage("the user or groups of process " + pid() + " changed while attaching; try again");
        }
    }

    @Test
    void aTargetThatHasGivenUpCapabilitiesMeanwhileHasNoHelperWithThem() throws IOException {
        assumeTrue(Proc.isRoot(), "needs root");
        start(List.of(
                "setpriv",
                "--bounding-set=-all,+chown,+dac_override",
                "--inh-caps=-all",
                "sh",
                "-c",
                "echo ready; exec sleep 1000"));
        ProcessCredentials now = ProcessCredentials.of(pid());
        ProcessCredentials before = new ProcessCredentials(
                now.uid(), now.gid(), now.groups(), ProcessCredentials.own().capabilities(), now.innermostPid(), 0);
        assertThatThrownBy(() -> HelperProcess.start(pid(), before).close()).hasMessage("cannot switch to user 0");
    }

    /** Its pipe takes some tens of kilobytes. A thread that writes more than that, or closes, goes on all the same. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aStoppedHelperBlocksNoThread() throws Exception {
        ProcessHandle handle;
        try (HelperProcess helper = helper()) {
            handle = helper.handle();
            assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(handle.pid()))
                            .start()
                            .waitFor())
                    .isZero();
            List<String> text = List.of("x".repeat(1 << 16));
            for (int i = 0; i < 2 * RequestWriter.MOST_WAITING; i++) {
                helper.lastCommands(text);
            }
            assertThatThrownBy(helper::makeFolder)
                    .hasMessage("the helper process does not respond: its request queue is full");
        }
        handle.onExit().join();
    }

    @Test
    void aFolderBelongsToTheTargetsUserAndGoes() throws IOException {
        try (HelperProcess helper = helper()) {
            String name = helper.makeFolder();
            helper.put(name, SETTINGS, CONTENT);

            assertThat(Files.getAttribute(folder(name), "unix:uid"))
                    .isEqualTo(ProcessCredentials.of(pid()).uid());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder(name))))
                    .isEqualTo("rwx------");
            assertThat(helper.size(name, SETTINGS)).isEqualTo(CONTENT.length);
            try (var in = helper.read(name, SETTINGS)) {
                assertThat(in.readAllBytes()).isEqualTo(CONTENT);
            }
            helper.delete(name, SETTINGS);
            helper.delete(name, SETTINGS); // to no effect
            assertThat(helper.size(name, SETTINGS)).isEqualTo(-1);
            helper.put(name, SETTINGS, CONTENT);
        }
        assertThat(folders()).isEmpty();
    }

    @Test
    void whatItDidNotMakeByNameStays() throws IOException {
        Path kept;
        try (HelperProcess helper = helper()) {
            kept = folder(helper.makeFolder()).resolve("kept");
            Files.write(kept, CONTENT);
        }
        assertThat(kept).hasBinaryContent(CONTENT);
        Files.delete(kept);
        Files.delete(kept.resolveSibling(""));
    }

    @Test
    void linksPipesAndOtherNamesAreRefused() throws Exception {
        try (HelperProcess helper = helper()) {
            String name = helper.makeFolder();
            String piece = name + "-1.jfr";
            Files.createSymbolicLink(folder(name).resolve(piece), Path.of("/etc/passwd"));
            assertThatThrownBy(() -> helper.size(name, piece)).hasMessageContaining("is not a readable regular file");
            assertThatThrownBy(() -> helper.put(name, piece, CONTENT)).isInstanceOf(IOException.class);
            Files.delete(folder(name).resolve(piece));

            Process mkfifo =
                    new ProcessBuilder("mkfifo", folder(name).resolve(piece).toString()).start();
            assumeTrue(mkfifo.waitFor() == 0, "there is no mkfifo here");
            assertThatThrownBy(() -> helper.size(name, piece)).hasMessageContaining("is not a readable regular file");

            for (String other : List.of("../passwd", "..", "other", "unjank-1.jfr", "")) {
                assertThatThrownBy(() -> helper.size(name, other)).hasMessageContaining("not a permitted name");
            }
            assertThatThrownBy(() -> helper.size("tmp", SETTINGS)).hasMessageContaining("no such folder");
        }
        assertThat(folders()).isEmpty();
    }

    /** This process listens: it is not the target, whatever its user is. */
    @Test
    void aSocketOfAnotherProcessGetsNothing() throws IOException {
        try (HelperProcess helper = helper(List.of());
                ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            String name = helper.makeFolder();
            server.bind(UnixDomainSocketAddress.of(folder(name).resolve("observer")));
            try (HelperProcess.Connection connection = helper.connect(name, "observer")) {
                assertThatThrownBy(() -> connection.in().read())
                        .hasMessageContaining("another process listens at /tmp/observer: process "
                                + ProcessHandle.current().pid());
            }
            try (SocketChannel accepted = server.accept()) {
                assertThat(accepted.read(ByteBuffer.allocate(1)))
                        .as("nothing but the end")
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void whenItIsKilledEveryRequestFailsAndTheNextOneCleansUp() throws Exception {
        try (HelperProcess helper = helper()) {
            String name = helper.makeFolder();
            helper.handle().destroyForcibly();
            helper.handle().onExit().join();
            assertThatThrownBy(() -> helper.put(name, SETTINGS, CONTENT)).hasMessage("the helper process has ended");
            assertThat(folders()).containsExactly(name);
        }
        try (HelperProcess next = HelperProcess.start(pid(), ProcessCredentials.of(pid()))) {
            for (String stale : next.takeStaleFolders()) {
                next.removeFolder(stale);
            }
            String living = next.makeFolder();
            try (HelperProcess another = HelperProcess.start(pid(), ProcessCredentials.of(pid()))) {
                assertThat(another.takeStaleFolders()).doesNotContain(living);
            }
            assertThat(folders()).containsExactly(living);
        }
    }

    /** The other target's Flight Recorder may still write to it: the next recorder of that target stops it first. */
    @Test
    void aFolderOfAnotherTargetIsTakenAfterItsEnd() throws Exception {
        String name;
        try (HelperProcess helper = helper()) {
            name = helper.makeFolder();
            helper.handle().destroyForcibly();
            helper.handle().onExit().join();
        }
        Process other = target;
        try (HelperProcess next = helper()) {
            assertThat(next.takeStaleFolders()).doesNotContain(name);
            assertThat(folder(name)).exists();

            other.destroyForcibly();
            ProcessOutput.awaitEnd(other);
            assertThat(next.takeStaleFolders()).contains(name);
            next.removeFolder(name);
            assertThat(folder(name)).doesNotExist();
        } finally {
            other.destroyForcibly();
        }
    }

    /** It would handle the signal long after, when it continues. */
    @Test
    void aStoppedTargetGetsNoSignal() throws Exception {
        List<String> user =
                Proc.isRoot() ? List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups") : List.of();
        List<String> command = new ArrayList<>(user);
        command.addAll(List.of("sh", "-c", "trap : QUIT; echo ready; read go"));
        start(command);
        try (HelperProcess helper = HelperProcess.start(pid(), ProcessCredentials.of(pid()))) {
            assertThat(new ProcessBuilder("kill", "-STOP", Integer.toString(pid()))
                            .start()
                            .waitFor())
                    .isZero();
            while (Proc.SYSTEM.state(pid()) != 'T') {
                LockSupport.parkNanos(1_000_000);
            }

            assertThatThrownBy(helper::listen)
                    .hasMessage("process " + pid() + " is stopped, by a signal or a debugger, and does not answer");

            assertThat(Files.readAllLines(Path.of("/proc/" + pid() + "/status")))
                    .as("no signal is pending")
                    .contains("ShdPnd:\t0000000000000000");
            assertThat(Path.of("/tmp/.attach_pid" + pid())).doesNotExist();
        }
    }

    @Test
    void aProcessThatHasEndedHasNoHelper() throws Exception {
        helper().close();
        target.destroyForcibly().waitFor();
        assertThatThrownBy(() -> HelperProcess.start(pid(), ProcessCredentials.of(pid())))
                .isInstanceOf(IOException.class);
    }

    /** After the change of user the class path may be out of reach. */
    @Test
    void allClassesAreLoadedBeforeTheChangeOfUser() throws IOException, URISyntaxException {
        Path classes = Path.of(HelperMain.class.getResource("HelperMain.class").toURI())
                .getParent();
        try (Stream<Path> files = Files.list(classes)) {
            List<String> needed = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class")
                            && !name.startsWith("HelperProcess")
                            && !name.startsWith("HelperEnded")
                            && !name.startsWith("ReplyStream")
                            && !name.startsWith("RequestWriter")
                            && !name.equals("HelperMain.class")
                            && !name.equals("package-info.class"))
                    .map(name -> "helper." + name.substring(0, name.length() - ".class".length()))
                    .toList();
            assertThat(HelperMain.CLASSES).containsAll(needed);
        }
    }
}
