package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.kernel.KernelSource;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.SourceAvailability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A target that does not answer, because it is stopped: the recorder goes on, and comes to its end, without waiting for
 * what it knows not to come, or it would say for how long it has ({@link TargetDeadlineTest}).
 */
@Tag("slow")
class StoppedTargetTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @TempDir
    Path directory;

    private JvmTargetProcess target;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "stopping a process needs Linux here");
        // Having gone on, it says on its standard output that a file of its Flight Recorder is no longer wanted.
        target = JvmTargetProcess.start("-XX:+EnableDynamicAgentLoading", "-Xlog:disable");
    }

    @AfterEach
    void end() throws IOException {
        if (target != null) {
            target.close();
        }
    }

    private Path file() {
        return directory.resolve("stopped.pftrace");
    }

    private Recording record() throws IOException {
        List<RecordingSource> sources = new ArrayList<>();
        sources.add(new KernelSource(target.pid(), false, false)); // where it can be had
        sources.addAll(new TargetJvm(target.pid()).sources(Duration.ofMillis(1), SECOND));
        return Recording.start(file(), Rotation.NONE, target.pid(), sources);
    }

    private static SourceAvailability of(Recording recording, String source) {
        return recording.availability().stream()
                .filter(each -> each.source().equals(source))
                .findFirst()
                .orElseThrow();
    }

    private static List<Path> left(String folder, String prefix) throws IOException {
        if (!Files.isReadable(Path.of(folder))) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(Path.of(folder))) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .toList();
        }
    }

    @Test
    void aRecordingOfOneThatIsStoppedEndsSoonAndSaysWhatItDoesNotKnow() throws Exception {
        Recording recording = record();
        assertThat(of(recording, "Flight Recorder").isOn()).isTrue();
        assertThat(of(recording, "lock owners").isOn()).isTrue();
        target.play("blocked");
        target.signal("STOP");
        recording.close();

        assertThat(of(recording, "Flight Recorder").toString())
                .startsWith("off  Flight Recorder ended: process " + target.pid()
                        + " is stopped, by a signal or a debugger, and does not answer; the events of the last ")
                .endsWith(" s after the process continues");
        assertThat(of(recording, "lock owners").toString())
                .startsWith("off  lock owners ended: the target does not answer");
        assertThat(RecordedTarget.read(file()).trace().warnings())
                .as("the file is whole")
                .isEmpty();
        assertThat(left(
                        "/sys/kernel/tracing/instances",
                        "unjank-" + ProcessHandle.current().pid() + "-"))
                .isEmpty();
        assertThat(left("/tmp", "unjank-" + target.pid())).isEmpty();

        target.signal("CONT");
        assertNothingIsLeft();
    }

    private void assertNothingIsLeft() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        String check;
        try (JvmAttachClient vm = JvmAttachClient.attach(target.pid(), new TargetJvm(target.pid()).deadline())) {
            do {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
                check = vm.command("JFR.check");
            } while (check.contains("unjank-") && System.nanoTime() - end < 0);
        }
        assertThat(check).as("what the target records, having gone on").doesNotContain("unjank-");
        assertThat(left("/tmp", "unjank-" + target.pid())).isEmpty();
        target.play("blocked"); // it is none the worse
    }

    /**
     * What it records would stop by itself then, fail to write its file into a directory that is gone, and stay listed.
     */
    @Test
    void whatNoCommandHasStoppedTheObserverEndsWhenTheTargetGoesOn() throws Exception {
        Recording recording = record();
        Path socket = Path.of("/tmp/.java_pid" + target.pid());
        Path aside = Path.of("/tmp/.java_pid" + target.pid() + "-aside");
        target.signal("STOP");
        Files.move(socket, aside);
        try {
            recording.close();
        } finally {
            Files.move(aside, socket);
        }
        assertThat(of(recording, "Flight Recorder").toString()).startsWith("off  Flight Recorder ended: ");

        target.signal("CONT");
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @EnumSource
    void oneWhoseControlGroupIsFrozen(FrozenCgroup.Version version) throws Exception {
        FrozenCgroup made = FrozenCgroup.of(target.pid(), version);
        assumeTrue(made != null, () -> "a control group of the " + version + " version cannot be made here");
        String why = "process " + target.pid() + " is frozen with its control group " + made.name()
                + ", and does not answer";
        try (FrozenCgroup group = made) {
            Recording recording = record();
            assertThat(of(recording, "Flight Recorder").isOn()).isTrue();
            group.freeze();
            recording.close();

            assertThat(of(recording, "Flight Recorder").toString())
                    .startsWith("off  Flight Recorder ended: " + why + "; the events of the last ");
            try (Recording another = record()) {
                for (String source : List.of("lock owners", "Flight Recorder")) {
                    assertThat(of(another, source).toString())
                            .isEqualTo("off  " + source + ": " + why
                                    + "; unfreeze the control group; for a container use docker unpause");
                }
            }
            assertThat(RecordedTarget.read(file()).trace().warnings()).isEmpty();

            group.thaw();
            assertNothingIsLeft();
        }
    }

    @Test
    void oneThatIsStoppedAtTheStartIsSaidToBe() throws Exception {
        target.signal("STOP");
        try (Recording recording = record()) {
            for (String source : List.of("lock owners", "Flight Recorder")) {
                assertThat(of(recording, source).toString())
                        .isEqualTo("off  " + source + ": process " + target.pid()
                                + " is stopped, by a signal or a debugger, and does not answer; resume it: kill -CONT "
                                + target.pid());
            }
        }

        assertThat(left("/proc/" + target.pid() + "/cwd", ".attach_pid" + target.pid()))
                .isEmpty();
    }

    @Test
    void oneThatGoesOnIsRecordedOn() throws Exception {
        List<RecordingSource> sources = new TargetJvm(target.pid()).sources(Duration.ofMillis(1), SECOND);
        try (Recording recording = Recording.start(file(), Rotation.NONE, target.pid(), sources)) {
            target.signal("STOP");
            long stopped = System.nanoTime();
            while (System.nanoTime() - sources.getLast().settledUntil() < 4 * SECOND.toNanos()
                    || System.nanoTime() - stopped < 3 * SECOND.toNanos()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10)); // a piece is due, and cannot be had
            }
            target.signal("CONT");
            target.play("blocked");
            assertThat(recording.availability()).allMatch(SourceAvailability::isOn);
        }
        RecordedTarget recorded = RecordedTarget.read(file());
        assertThat(recorded.slices("ui (one)", "monitor contention with owner worker"))
                .as("of %s", recorded.slices("ui (one)", ""))
                .hasSize(1);
    }
}
