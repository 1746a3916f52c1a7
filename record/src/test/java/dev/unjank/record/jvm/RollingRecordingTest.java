package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.record.session.Interval;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a recorder is told that came too late for a piece, with a target that is none and a clock that stands still. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the directory that is shared with a target needs Linux here")
class RollingRecordingTest {
    private static final long SECOND = 1_000_000_000;

    /** How long a piece of two seconds lasts if nobody ends it. */
    private static final long LEASE = 10 * SECOND;

    @TempDir
    Path root;

    private long now = 1000 * SECOND;
    private boolean isStopped;
    private final List<Interval> gaps = new ArrayList<>();
    private Workspace workspace;
    private RollingRecording recording;

    @BeforeEach
    void start() throws IOException {
        Files.createDirectory(root.resolve("tmp"));
        workspace = Workspace.create(root, 4711, Files.getOwner(root), "settings.jfc", new byte[] {1});
        recording = new RollingRecording(
                this::command,
                workspace,
                Duration.ofSeconds(2),
                (from, until) -> gaps.add(new Interval(from, until)),
                () -> now);
        recording.start();
    }

    @AfterEach
    void end() throws IOException {
        recording.close();
    }

    private String command(String command) {
        String name = command.substring(command.indexOf('=') + 1);
        return !command.startsWith("JFR.stop")
                ? "Started recording 1."
                : (isStopped ? "Could not stop recording \"" : "Stopped recording \"") + name + "\".";
    }

    private void write(int number) throws IOException {
        Files.writeString(
                root.resolve("tmp").resolve(workspace.name()).resolve(workspace.name() + "-" + number + ".jfr"),
                "written");
    }

    @Test
    void whoComesInTimeHasMissedNothing() throws IOException {
        now += LEASE - 1;
        recording.roll();
        now += 2 * SECOND;
        recording.stop();
        assertThat(gaps).isEmpty();
    }

    @Test
    void whoComesWhenAPieceHasEndedByItselfIsToldWhatHeHasMissed() throws IOException {
        long ended = now + LEASE;
        now = ended + 50 * SECOND;
        isStopped = true;
        write(1);

        assertThat(recording.roll()).isEqualTo(workspace.name() + "-1.jfr");

        assertThat(gaps).containsExactly(new Interval(ended, now));
    }

    @Test
    void whatIsMissedAtTheEndIsToldToo() throws IOException {
        recording.roll();
        long ended = now + LEASE;
        now = ended + SECOND;
        isStopped = true;
        write(2);

        recording.stop();

        assertThat(gaps).containsExactly(new Interval(ended, now));
    }

    @Test
    void ofAPieceThatSomebodyElseHasEndedAnythingMayBeMissed() throws IOException {
        long begun = now;
        now += SECOND;
        isStopped = true;
        write(1);

        recording.roll();

        assertThat(gaps).containsExactly(new Interval(begun, now));
    }

    @Test
    void whatIsMissedIsSaidInTheTraceAndCounted() throws IOException {
        Path file = root.resolve("missed.pftrace");
        try (TargetProcess target = TargetProcess.start("-XX:+EnableDynamicAgentLoading")) {
            TargetVm vm = TargetVm.attach(target.pid(), new Patience(target.pid()));
            List<Source> sources = new Target(target.pid()).sources(Duration.ofMillis(1), Duration.ofMinutes(1));
            Recording made = Recording.start(file, Rotation.NONE, target.pid(), sources);
            try (made) {
                Matcher name = Pattern.compile("name=(unjank-\\S+)").matcher(vm.command("JFR.check"));
                assertThat(name.find()).isTrue();
                vm.command("JFR.stop name=" + name.group(1)); // as it does by itself when its time is over
            }
            assertThat(made.progress().lost()).isEqualTo(1);
        }
        RecordedTarget recorded = RecordedTarget.read(file);
        assertThat(recorded.trace().warnings()).singleElement().asString().contains("lost");
        assertThat(recorded.slices())
                .extracting(RecordedTarget.Slice::name)
                .contains("Flight Recorder was not recording");
    }

    @Test
    void aPieceThatIsNotThereIsAFailure() {
        isStopped = true;
        assertThatThrownBy(recording::roll).isInstanceOf(IOException.class);
        assertThat(gaps).isEmpty();
    }
}
