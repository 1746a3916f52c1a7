package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.doctor.model.Verdict;
import dev.unjank.record.hotspot.CriticalDowncallSource;
import dev.unjank.record.kernel.JniCriticalSource;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.SourceAvailability;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A target in a container is recorded from outside, with the number that it has there. */
class ContainerTest {
    private static final Path UNSHARE = Path.of("/usr/bin/unshare");

    @TempDir
    Path directory;

    static JvmTargetProcess started() throws IOException {
        assumeTrue(Files.isExecutable(UNSHARE), "needs unshare of util-linux");
        JvmTargetProcess target = JvmTargetProcess.inContainer(
                "-XX:+EnableDynamicAgentLoading", "-XX:-UsePerfData", "-XX:+UseSerialGC", "-Xmx96m");
        try {
            target.expect("ready");
            return target;
        } catch (IOException e) {
            target.close();
            return abort("needs root, to make namespaces: " + e.getMessage());
        }
    }

    @Test
    void whatHappensInItIsSeenFromOutsideAndNothingIsLeftInIt() throws IOException {
        try (JvmTargetProcess target = started()) {
            int pid = target.childPid();
            Path file = directory.resolve("container.pftrace");
            try (Recording recording = Recording.start(
                    file,
                    Rotation.NONE,
                    pid,
                    new TargetJvm(pid).sources(Duration.ofMillis(1), Duration.ofSeconds(1)))) {
                assertThat(recording.availability()).allMatch(each -> each.isOn());
                target.play("blocked");
            }

            RecordedTarget recorded = RecordedTarget.read(file);
            assertThat(recorded.incidents("ui (one)"))
                    .as("of %s", recorded.diagnosis().incidents())
                    .isNotEmpty()
                    .allSatisfy(incident -> assertThat(incident.verdict()).isEqualTo(Verdict.SLEEPING_OWNER))
                    .allSatisfy(incident ->
                            assertThat(incident.owner().thread().name()).isEqualTo("worker"));
            try (Stream<Path> left = Files.list(Path.of("/proc/" + pid + "/root/tmp"))) {
                assertThat(left.map(path -> path.getFileName().toString()))
                        .noneMatch(name -> name.startsWith("unjank-"));
            }
        }
    }

    /** Runs a command among the mounts of a container. */
    private static void within(int pid, String command) throws IOException {
        Process shell = new ProcessBuilder("nsenter", "-t", Integer.toString(pid), "-m", "sh", "-c", command)
                .redirectErrorStream(true)
                .start();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.onExit().join().exitValue()).as(said).isZero();
    }

    @Test
    void aTmpThatIsFullIsSaidToBe() throws IOException {
        try (JvmTargetProcess target = started()) {
            int pid = target.childPid();
            within(pid, "mount -o remount,size=1m /tmp; head -c 2m /dev/zero >/tmp/fill 2>/dev/null; true");

            Path file = directory.resolve("full.pftrace");
            try (Recording recording = Recording.start(
                    file,
                    Rotation.NONE,
                    pid,
                    new TargetJvm(pid).sources(Duration.ofMillis(1), Duration.ofSeconds(1)))) {
                assertThat(recording.availability())
                        .hasSize(2)
                        .allSatisfy(each -> assertThat(each.toString())
                                .startsWith("off  ")
                                .endsWith(
                                        ": failed to start: cannot create files in the target's /tmp: No space left on device;"
                                                + " free some space there"));
            }
            try (Stream<Path> left = Files.list(Path.of("/proc/" + pid + "/root/tmp"))) {
                assertThat(left.map(path -> path.getFileName().toString()))
                        .noneMatch(name -> name.startsWith("unjank-"));
            }
        }
    }

    @Test
    void aTmpThatCannotBeWrittenIsSaidToBe() throws IOException {
        try (JvmTargetProcess target = started()) {
            int pid = target.childPid();
            within(pid, "mount -o remount,ro /tmp");

            assertThat(new LockOwnerSource(new TargetJvm(pid)).probe().toString())
                    .startsWith("off  lock owners: process " + pid + " cannot write its /tmp");
        }
    }

    /** Its JVM is a file that does not exist under this path outside. */
    @Test
    void whoIsInNativeCodeIsSeenFromOutside() throws IOException {
        try (JvmTargetProcess target = started()) {
            int pid = target.childPid();
            SourceAvailability here =
                    new JniCriticalSource((int) ProcessHandle.current().pid()).probe();
            assumeTrue(here.isOn(), () -> "needs uprobes: " + here);
            Path file = directory.resolve("critical.pftrace");
            try (Recording recording = Recording.start(
                    file, Rotation.NONE, pid, List.of(new JniCriticalSource(pid), new CriticalDowncallSource(pid)))) {
                assertThat(recording.availability()).allMatch(each -> each.isOn());
                target.play("critical");
            }

            assertThat(RecordedTarget.read(file).slices())
                    .anyMatch(slice -> slice.name().equals("JNI critical section"));
        }
    }
}
