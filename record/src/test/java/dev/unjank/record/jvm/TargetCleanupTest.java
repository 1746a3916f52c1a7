package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.session.Recording;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.Rotation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a recording in the target. */
class TargetCleanupTest {
    private static final String OBSERVER = "\"unjank-observer\"";

    @TempDir
    Path directory;

    static JvmTargetProcess target;
    static JvmAttachClient vm;

    @BeforeAll
    static void start() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "attaching to a process needs Linux here");
        target = JvmTargetProcess.start("-XX:+EnableDynamicAgentLoading");
        vm = JvmAttachClient.attach(target.pid(), new TargetJvm(target.pid()).deadline());
    }

    @AfterAll
    static void stop() throws IOException {
        if (vm != null) {
            vm.close();
        }
        if (target != null) {
            target.close();
        }
    }

    @Test
    void nothingAfterAnOrderlyEnd() throws IOException {
        try (Recording recording = record("orderly")) {
            assertThat(recording.availability()).allMatch(each -> each.isOn());
            assertThat(vm.command("JFR.check")).contains("unjank-");
            assertThat(vm.command("Thread.print")).contains(OBSERVER);
            target.play("blocked");
        }

        assertNothingIsLeft();
    }

    /** What an agent's jar brings onto the class path is the program's from then on: that must not be more rights. */
    @Test
    void theProgramHasNoMoreRightsThanBefore() throws IOException {
        try (Recording recording = record("rights")) {
            assertThat(recording.availability()).allMatch(each -> each.isOn());
            target.play("rights");
        }
        target.play("rights");
    }

    @Test
    void manyRecordingsLeaveNoMoreThanOne() throws IOException {
        record("first").close();
        awaitTheEndOfWatching();
        vm.command("GC.run");
        List<String> open = openFiles();
        for (int i = 0; i < 4; i++) {
            record("again").close();
        }
        awaitTheEndOfWatching();
        vm.command("GC.run");

        assertThat(openFiles()).as("first %s", open).hasSizeLessThanOrEqualTo(open.size());
        assertNothingIsLeft();
    }

    /** Files of the recorder's that the target has open, deleted ones included. */
    private static List<String> openFiles() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + target.pid() + "/fd"))) {
            return descriptors
                    .map(TargetCleanupTest::file)
                    .filter(file -> file.contains("unjank-"))
                    .toList();
        }
    }

    private static String file(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "closed meanwhile";
        }
    }

    @Test
    void twoRecordingsDoNotDisturbEachOther() throws IOException {
        try (Recording one = record("one")) {
            try (Recording two = record("two")) {
                assertThat(one.availability()).allMatch(each -> each.isOn());
                assertThat(two.availability()).allMatch(each -> each.isOn());
                target.play("blocked");
            }
            assertThat(vm.command("JFR.check")).contains("unjank-");
            target.play("blocked");
        }

        assertNothingIsLeft();
        assertThat(waitsIn("one")).isEqualTo(2);
        assertThat(waitsIn("two")).isEqualTo(1);
    }

    @Test
    void nothingSoonAfterTheRecorderWasKilled() throws Exception {
        Path file = directory.resolve("killed");
        try (JvmTargetProcess recorder = JvmTargetProcess.of(
                KilledRecorder.class,
                List.of("--enable-native-access=ALL-UNNAMED"),
                List.of(Integer.toString(target.pid()), file.toString()))) {
            recorder.expect("recording");
            assertThat(vm.command("Thread.print")).contains(OBSERVER);
            recorder.process().destroyForcibly().waitFor();
        }

        awaitTheEndOfWatching();
        awaitNoFolder();
    }

    /** The helper of a recorder that was killed removes them; where it was killed, too, the next one does. */
    private static void awaitNoFolder() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!folders().isEmpty() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        assertThat(folders()).isEmpty();
    }

    private static List<Path> folders() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/tmp"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("unjank-" + target.pid() + "-"))
                    .toList();
        }
    }

    @Test
    void whatAKilledRecorderAndItsHelperHaveLeftGoesWithTheNextRecording() throws Exception {
        try (JvmTargetProcess recorder = JvmTargetProcess.of(
                KilledRecorder.class,
                List.of("--enable-native-access=ALL-UNNAMED"),
                List.of(
                        Integer.toString(target.pid()),
                        directory.resolve("both").toString()))) {
            recorder.expect("recording");
            ProcessHandle helper = recorder.process().children().findFirst().orElseThrow();
            helper.destroyForcibly();
            recorder.process().destroyForcibly().waitFor();
            helper.onExit().join();
        }
        assertThat(folders()).hasSize(2);

        record("after both").close();

        assertThat(folders()).isEmpty();
        assertThat(vm.command("JFR.check")).doesNotContain("unjank-");
        awaitTheEndOfWatching();
    }

    /** Records until it is killed. */
    static final class KilledRecorder {
        private KilledRecorder() {}

        public static void main(String[] args) throws IOException {
            int pid = Integer.parseInt(args[0]);
            try (Recording recording = Recording.start(
                    Path.of(args[1]), Rotation.NONE, pid, new TargetJvm(pid).sources(Duration.ofMillis(1), SECOND))) {
                System.out.println("recording");
                while (recording.failure() == null) {
                    LockSupport.park();
                }
            }
        }
    }

    private static final Duration SECOND = Duration.ofSeconds(1);

    private Recording record(String name) throws IOException {
        List<RecordingSource> sources = new TargetJvm(target.pid()).sources(Duration.ofMillis(1), SECOND);
        return Recording.start(directory.resolve(name), Rotation.NONE, target.pid(), sources);
    }

    private long waitsIn(String name) throws IOException {
        return RecordedTarget.read(directory.resolve(name))
                .slices("ui (one)", "monitor contention with owner worker")
                .size();
    }

    private static boolean isWatched() throws IOException {
        return vm.command("JFR.check").contains("unjank-")
                || vm.command("Thread.print").contains(OBSERVER);
    }

    /**
     * The agent's thread ends a moment after its last message, and an abandoned recording after its maximum duration.
     */
    private static void awaitTheEndOfWatching() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (isWatched() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        assertThat(isWatched()).isFalse();
    }

    private static void assertNothingIsLeft() throws IOException {
        assertThat(vm.command("JFR.check")).doesNotContain("unjank-");
        awaitTheEndOfWatching();
        try (Stream<Path> files = Files.list(Path.of("/tmp"))) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("unjank-" + target.pid())))
                    .isEmpty();
        }
    }
}
