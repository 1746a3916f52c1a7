package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.linux.Proc;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.Rotation;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A target of an ordinary user that is root in a user namespace and a mount namespace of its own, beside a recorder
 * that is root. It wants the recorder to load a jar into another virtual machine, and to change or empty a directory
 * that is not its own.
 */
class NamespaceAttackTest {
    private static final String USER = "12345";
    private static final List<String> AS_USER =
            List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups");
    private static final List<String> OPTIONS = List.of("-XX:+DisableAttachMechanism", "-XX:-UsePerfData");
    private static final List<String> WITH_MOUNT =
            List.of("-XX:+DisableAttachMechanism", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED");

    /** In the namespaces of the attacker: the machine's /tmp stays reachable as $1, /tmp itself is the attacker's. */
    private static final String OWN_TMP = "mount --bind /tmp \"$1\" && mount --bind \"$2/tmp\" /tmp && ";

    private static final int ROUNDS = 300;
    private static final int LEAST_MOUNTED = 20;
    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Not in /tmp, which the attacker does not see. */
    private Path directory;

    private Path machineTmp;

    @BeforeEach
    void prepare() throws Exception {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "namespaces need Linux");
        assumeTrue(Proc.isRoot(), "needs root, for a recorder that is root beside another user");
        directory = Files.createTempDirectory(Path.of("/var/tmp"), "unjank-attack");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        machineTmp = Files.createDirectory(directory.resolve("machine-tmp"));
        Path attackersTmp = Files.createDirectory(directory.resolve("tmp"));
        Files.setAttribute(attackersTmp, "unix:mode", 01777);
        String namespaces = failure(inNamespaces(OWN_TMP + "true"));
        assumeTrue(namespaces.isEmpty(), () -> "needs user namespaces with mounts of their own: " + namespaces);
        for (Class<?> needed : List.of(NamespaceAttackTest.class, JvmAttachClient.class)) {
            Path classes = Path.of(
                    needed.getResource(needed.getSimpleName() + ".class").toURI());
            List<String> reads = new ArrayList<>(AS_USER);
            reads.addAll(List.of("test", "-r", classes.toString()));
            assumeTrue(failure(reads).isEmpty(), () -> "needs classes that every user may read: " + classes);
        }
    }

    /** Starts a program in the attacker's namespaces. */
    private JvmTargetProcess attacker(String script, Class<?> main, List<String> options, String... arguments)
            throws IOException {
        List<String> before = inNamespaces(OWN_TMP + "precious=$2 && shift 2 && " + script);
        JvmTargetProcess target = JvmTargetProcess.of(
                before,
                inMachine(Path.of(System.getProperty("java.home"))),
                classPath(),
                main,
                options,
                List.of(arguments));
        try {
            target.expect("ready");
            return target;
        } catch (IOException e) {
            target.close();
            throw e;
        }
    }

    private List<String> inNamespaces(String script) {
        List<String> command = new ArrayList<>(AS_USER);
        command.addAll(
                List.of("unshare", "-Urm", "sh", "-c", script, "sh", machineTmp.toString(), directory.toString()));
        return command;
    }

    /** What is in /tmp the attacker sees elsewhere. */
    private Path inMachine(Path path) {
        return path.startsWith("/tmp") ? machineTmp.resolve(Path.of("/tmp").relativize(path)) : path;
    }

    private String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(each -> inMachine(Path.of(each).toAbsolutePath()).toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String failure(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? "" : "failed: " + said;
    }

    // ---- another virtual machine in place of the target

    /** An agent that says that it was loaded. */
    public static final class Agent {
        private Agent() {}

        public static void agentmain(String arguments) throws IOException {
            Files.createFile(
                    Path.of("/tmp/unjank-attack-" + ProcessHandle.current().pid()));
        }
    }

    private static void writeJar(OutputStream out) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Agent-Class", Agent.class.getName());
        try (JarOutputStream jar = new JarOutputStream(out, manifest)) {
            String file = Agent.class.getName().replace('.', '/') + ".class";
            jar.putNextEntry(new JarEntry(file));
            jar.write(NamespaceAttackTest.class.getResourceAsStream("/" + file).readAllBytes());
        }
    }

    /** Plants its jar under whatever name a folder gets that the recorder makes in the target's /tmp. */
    private static final String PLANT = "(while kill -0 $$; do for made in /tmp/unjank-*; do [ -d \"$made\" ] && "
            + "mkdir -p \"$machine/${made##*/}\" && cp \"$precious/evil.jar\" \"$machine/${made##*/}/observer.jar\"; done; done)"
            + " >/dev/null 2>&1 & ";

    @ParameterizedTest
    @ValueSource(
            strings = {"ln -s /tmp/$victim \"$own\"", "touch \"$own\" && mount --bind \"$machine/$victim\" \"$own\""})
    void aSocketThatLeadsToAnotherMachineIsRefusedBeforeAnythingIsSent(String redirect) throws Exception {
        try (OutputStream jar = Files.newOutputStream(directory.resolve("evil.jar"))) {
            writeJar(jar);
        }
        try (JvmTargetProcess victim = JvmTargetProcess.start("-XX:+EnableDynamicAgentLoading")) {
            JvmAttachClient.attach(victim.pid(), new TargetJvm(victim.pid()).deadline())
                    .close(); // it listens from now on
            Path loaded = Path.of("/tmp/unjank-attack-" + victim.pid());
            // The shell becomes the target: its own number is the target's.
            String script = "machine=" + machineTmp + "; victim=.java_pid" + victim.pid() + "; own=/tmp/.java_pid$$; { "
                    + PLANT + "} && " + redirect + " && exec \"$@\"";
            try (JvmTargetProcess target = attacker(script, JvmTargetProgram.class, OPTIONS)) {
                int pid = target.pid(); // each command has become the next one
                String socket = "/tmp/.java_pid" + pid;
                assertThat(Files.isSameFile(
                                Path.of("/proc/" + pid + "/root" + socket), Path.of("/tmp/.java_pid" + victim.pid())))
                        .as("the target's socket leads to the victim")
                        .isTrue();
                try (Recording recording = Recording.start(
                        directory.resolve("attack.pftrace"),
                        Rotation.NONE,
                        pid,
                        new TargetJvm(pid).sources(Duration.ofMillis(1), Duration.ofSeconds(1)))) {
                    assertThat(loaded).doesNotExist();
                    assertThat(recording.availability()).hasSize(2).allSatisfy(source -> {
                        assertThat(source.isOn()).isFalse();
                        assertThat(source.toString()).contains(socket + " is not a socket of the target's user");
                    });
                }
            } finally {
                Files.deleteIfExists(loaded);
            }
            victim.play("blocked");
        }
    }

    /**
     * The attacker's user may connect to a virtual machine of its own that is not the target: the process is checked,
     * too.
     */
    @Test
    void aSocketOfAnotherProcessOfTheSameUserIsRefused() throws Exception {
        try (JvmTargetProcess other =
                        JvmTargetProcess.within(AS_USER, HostileTarget.class, OPTIONS, List.of("endless properties"));
                JvmTargetProcess target =
                        JvmTargetProcess.within(AS_USER, JvmTargetProgram.class, OPTIONS, List.of())) {
            other.expect("ready");
            target.expect("ready");
            Path own = Path.of("/tmp/.java_pid" + target.pid());
            try {
                Files.move(Path.of("/tmp/.java_pid" + other.pid()), own, StandardCopyOption.REPLACE_EXISTING);
                assertThatThrownBy(() -> JvmAttachClient.attach(target.pid(), new TargetJvm(target.pid()).deadline()))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("another process listens at /tmp/.java_pid" + target.pid() + ": process "
                                + other.pid() + " of user " + USER);
            } finally {
                Files.deleteIfExists(own);
            }
        }
    }

    // ---- another directory in place of the shared folder

    @Test
    void aDirectoryThatIsMountedOverTheSharedFolderStaysAsItIs() throws Exception {
        Path precious = Files.createDirectory(directory.resolve("precious"));
        for (String name : List.of("keep", "settings.jfc", "observer.jar", "observer")) {
            Files.writeString(precious.resolve(name), "root's");
        }
        String before = look(precious);
        int mounted = 0;
        try (JvmTargetProcess target =
                attacker("exec \"$@\"", HostileTarget.class, WITH_MOUNT, "mount over " + precious)) {
            int pid = target.pid();
            try (JvmAttachClient vm = JvmAttachClient.attach(pid, new TargetJvm(pid).deadline())) {
                long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
                for (int round = 0;
                        round < ROUNDS || (mounted < LEAST_MOUNTED && System.nanoTime() - end < 0);
                        round++) {
                    try {
                        SharedWorkspace made = vm.workspace("settings.jfc", new byte[] {1});
                        mounted += awaitMount(pid, round % 2 == 0 ? MOMENT_NANOS : 0);
                        made.closeQuietly();
                    } catch (IOException e) {
                        mounted += awaitMount(pid, 0); // the attacker was quicker: that is a failure with a reason
                    }
                }
            }
        }
        assertThat(mounted).as("attacks that have worked").isGreaterThanOrEqualTo(LEAST_MOUNTED);
        assertThat(look(precious)).isEqualTo(before);
    }

    /** Waits until the attacker has mounted over a folder of the recorder, or a time is over; 1 if it has. */
    private static int awaitMount(int pid, long nanos) throws IOException {
        long end = System.nanoTime() + nanos;
        do {
            if (Files.readString(Path.of("/proc/" + pid + "/mountinfo")).contains(" /tmp/unjank-" + pid + "-")) {
                return 1;
            }
            Thread.onSpinWait();
        } while (System.nanoTime() - end < 0);
        return 0;
    }

    private static String look(Path folder) throws IOException {
        StringBuilder all = new StringBuilder(
                Files.getOwner(folder) + " " + PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)));
        try (var files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                all.append('\n')
                        .append(file.getFileName())
                        .append(' ')
                        .append(Files.getOwner(file))
                        .append(' ')
                        .append(Files.readString(file));
            }
        }
        return all.toString();
    }

    @AfterEach
    void clean() throws IOException {
        if (directory != null) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
