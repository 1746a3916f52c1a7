package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.session.Recording;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.SourceAvailability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A target that is no more when the recording ends. */
class EndedTargetTest {
    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void isLinux() {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "attaching to a process needs Linux here");
        file = directory.resolve("ended.pftrace");
    }

    /** A recording whose last piece is all that there is. */
    private Recording record(int pid) throws IOException {
        return Recording.start(
                file, Rotation.NONE, pid, new TargetJvm(pid).sources(Duration.ofMillis(1), Duration.ofMinutes(10)));
    }

    private static void assertNothingIsLeftOf(int pid) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/tmp"))) {
            assertThat(files.map(each -> each.getFileName().toString()))
                    .noneMatch(name -> name.startsWith("unjank-" + pid + "-"));
        }
    }

    @Test
    void ofOneThatWasKilledItIsSaidWhatIsNotKnown() throws Exception {
        Recording recording;
        int pid;
        try (JvmTargetProcess target = JvmTargetProcess.start("-XX:+EnableDynamicAgentLoading")) {
            pid = target.pid();
            recording = record(pid);
            target.play("blocked");
            target.process().destroyForcibly().waitFor();
            recording.close();
        }

        List<SourceAvailability> said = recording.availability();
        assertThat(said.getFirst().isOn()).as("%s", said).isTrue();
        assertThat(said.getLast().toString())
                .matches(
                        "off  Flight Recorder ended: the events of the last [0-9.]+ s are missing: the target exited without"
                                + " writing them");
        RecordedTarget recorded = RecordedTarget.read(file);
        assertThat(recorded.slices().stream().map(RecordedTarget.Slice::name))
                .as("the file says so too")
                .contains("source: Flight Recorder");
        assertNothingIsLeftOf(pid);
    }

    @Test
    void oneThatExitsLeavesAll() throws Exception {
        try (JvmTargetProcess target = JvmTargetProcess.start("-XX:+EnableDynamicAgentLoading")) {
            Recording recording = record(target.pid());
            target.play("blocked");
            target.play("exit");
            recording.close();

            assertThat(recording.availability()).allMatch(SourceAvailability::isOn);
            assertNothingIsLeftOf(target.pid());
        }
        assertThat(RecordedTarget.read(file).slices("ui (one)", "monitor contention with owner worker"))
                .hasSize(1);
    }

    @Test
    void oneThatExitsInAContainerLeavesAllThoughItsFilesCannotBeNamedAnyMore() throws Exception {
        try (JvmTargetProcess target = ContainerTest.started()) {
            int pid = target.childPid();
            Recording recording = record(pid);
            assertThat(recording.availability()).allMatch(SourceAvailability::isOn);
            target.play("blocked");
            target.play("exit");
            assertThat(Path.of("/proc/" + pid + "/root/tmp")).doesNotExist();
            recording.close();

            assertThat(recording.availability()).allMatch(SourceAvailability::isOn);
        }
        assertThat(RecordedTarget.read(file).slices("ui (one)", "monitor contention with owner worker"))
                .hasSize(1);
    }
}
