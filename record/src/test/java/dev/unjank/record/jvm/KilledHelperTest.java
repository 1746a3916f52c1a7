package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.linux.Proc;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.SourceAvailability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The target's user kills the helper during a recording: one line per source, and the rest is named. */
@Tag("slow")
class KilledHelperTest {
    private static final Duration PIECE = Duration.ofSeconds(1);
    private static final Duration END = Duration.ofSeconds(1);
    private static final String IN_THE_TARGET = "the helper process has ended; the events since the last complete file"
            + " are missing; the recording inside the process ends by itself within 10 s";

    @TempDir
    private Path directory;

    private JvmTargetProcess target;
    private final Set<SourceAvailability> ended = new LinkedHashSet<>();

    private static List<String> user() {
        return Proc.isRoot() ? List.of("setpriv", "--reuid=12345", "--regid=12345", "--clear-groups") : List.of();
    }

    @BeforeEach
    void start() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "attaching to a process needs Linux here");
        target = JvmTargetProcess.within(user(), JvmTargetProgram.class, List.of(), List.of());
        try {
            target.expect("ready");
        } catch (IOException e) {
            abort("needs setpriv, and classes that every user may read: " + e.getMessage());
        }
    }

    @AfterEach
    void end() throws IOException {
        if (target != null) {
            target.close();
        }
    }

    private Recording recording() throws IOException {
        return Recording.start(
                directory.resolve("killed.pftrace"),
                Rotation.NONE,
                target.pid(),
                new TargetJvm(target.pid(), END, END).sources(Duration.ofMillis(1), PIECE));
    }

    private static long helper() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info().commandLine().orElse("").contains("HelperMain"))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    private static void killHelper() throws Exception {
        long helper = helper();
        List<String> kill = new ArrayList<>(user());
        kill.addAll(List.of("kill", "-KILL", Long.toString(helper)));
        assertThat(new ProcessBuilder(kill).inheritIO().start().waitFor()).isZero();
        ProcessHandle.of(helper).ifPresent(process -> process.onExit().join());
    }

    private List<Path> folders() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/tmp"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("unjank-" + target.pid() + "-"))
                    .toList();
        }
    }

    private void look(Recording recording) {
        recording.availability().stream()
                .filter(source -> source.state() == SourceAvailability.State.ENDED)
                .forEach(ended::add);
    }

    /** The sources notice it themselves, or the recording ends before. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void eachSourceHasOneLineAndTheFoldersAreNamed(boolean isAwaited) throws Exception {
        Recording recording = recording();
        assertThat(recording.availability()).allMatch(SourceAvailability::isOn);
        List<Path> folders = folders();
        assertThat(folders).hasSize(2);

        killHelper();
        while (isAwaited && ended.size() < 2) {
            look(recording);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        Throwable failure = catchThrowable(recording::close);
        look(recording);

        assertThat(ended)
                .containsExactlyInAnyOrder(
                        SourceAvailability.ended("lock owners", "the helper process has ended"),
                        SourceAvailability.ended("Flight Recorder", IN_THE_TARGET));
        assertThat(failure).isInstanceOf(IOException.class);
        assertThat(failure.getMessage().split("; "))
                .containsExactlyInAnyOrder(folders.stream()
                        .map(folder -> folder + " is left until the next recording of this process deletes it")
                        .toArray(String[]::new));

        recording().close();
        assertThat(folders()).isEmpty();
    }
}
