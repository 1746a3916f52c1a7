package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.record.helper.UserFixableException;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.RecordingInterval;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.Rotation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The gaps of a recorder that was too late for a piece, with a fake target and a stopped clock. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the directory that is shared with a target needs Linux here")
class RollingJfrRecordingTest {
    private static final String FOLDER = "unjank-4711-0123456789abcdef";
    private static final long SECOND = 1_000_000_000;

    /** The maximum duration of a piece of two seconds. */
    private static final long LEASE = 10 * SECOND;

    @TempDir
    Path root;

    private long now = 1000 * SECOND;
    private boolean isStopped;

    /** How the commands begin that are not answered. */
    private String isSilent = "none";

    private IOException silence = new IOException("silent");

    /** A piece that the target does not know. */
    private String unknown = "none";

    /** What the target adds when it could not stop a piece. */
    private String unknownAnswer = "";

    private int nextPiece = 1;

    private final List<String> asked = new ArrayList<>();
    private final List<RecordingInterval> gaps = new ArrayList<>();
    private final Map<String, String> written = new HashMap<>();
    private List<String> lastCommands = List.of();
    private RollingJfrRecording recording;

    @BeforeEach
    void start() throws IOException {
        recording = new RollingJfrRecording(
                new Commands(),
                new InMemory(),
                Duration.ofSeconds(2),
                (from, until) -> gaps.add(new RecordingInterval(from, until)),
                () -> now);
        recording.start();
    }

    @AfterEach
    void end() throws IOException {
        recording.close();
    }

    private final class Commands implements RollingJfrRecording.Commands {
        @Override
        public String command(String command) throws IOException {
            asked.add(command.split(" settings", 2)[0]);
            if (command.startsWith(isSilent)) {
                throw silence;
            }
            String name = command.substring(command.indexOf('=') + 1);
            return !command.startsWith("JFR.stop")
                    ? "Started recording 1."
                    : (isStopped || name.equals(unknown)
                                    ? unknownAnswer + "Could not stop recording \""
                                    : "Stopped recording \"")
                            + name + "\".";
        }

        @Override
        public void lastCommands(List<String> commands) {
            lastCommands = commands;
        }
    }

    /** A fake shared folder. */
    private final class InMemory implements RollingJfrRecording.Files {
        @Override
        public String name() {
            return FOLDER;
        }

        @Override
        public Path inTarget(String file) {
            return Path.of("/tmp", FOLDER, file);
        }

        @Override
        public long size(String file) {
            return written.getOrDefault(file, "").length();
        }

        @Override
        public InputStream read(String file) {
            return new ByteArrayInputStream(written.get(file).getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void delete(String file) {
            written.remove(file);
        }

        @Override
        public void close() {
            written.clear();
        }
    }

    private void write(int number) {
        written.put(FOLDER + "-" + number + ".jfr", "written");
    }

    @Test
    void aRecorderThatIsKilledHasWhatItBeganStopped() throws IOException {
        assertThat(lastCommands).containsExactly("JFR.stop name=" + FOLDER + "-1");
        recording.roll();
        assertThat(lastCommands).containsExactly("JFR.stop name=" + FOLDER + "-2");
        recording.stop();
        assertThat(lastCommands).isEmpty();
    }

    @Test
    void aPieceThatCouldNotBeEndedIsEndedAtTheEnd() throws IOException {
        isSilent = "JFR.stop";
        now += SECOND;
        assertThatThrownBy(recording::roll).hasMessage("silent");
        isSilent = "none";
        asked.clear();

        recording.stop();

        assertThat(asked).containsExactly("JFR.stop name=" + FOLDER + "-1", "JFR.stop name=" + FOLDER + "-2");
        assertThat(lastCommands).isEmpty();
    }

    @Test
    void aPieceThatMayNotHaveBegunIsEndedToo() throws IOException {
        isSilent = "JFR.start";
        now += SECOND;
        assertThatThrownBy(recording::roll).hasMessage("silent");
        isSilent = "none";
        unknown = FOLDER + "-2";

        recording.stop();

        assertThat(asked).endsWith("JFR.stop name=" + FOLDER + "-1", "JFR.stop name=" + FOLDER + "-2");
        assertThat(lastCommands).isEmpty();
    }

    @Test
    void noPieceBeginsAfterTheEnd() throws IOException {
        recording.stop();
        asked.clear();

        assertThatThrownBy(recording::roll).isInstanceOf(IOException.class);

        assertThat(asked).isEmpty();
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
    void aRecorderThatIsTooLateLearnsOfTheGap() throws IOException {
        long ended = now + LEASE;
        now = ended + 50 * SECOND;
        isStopped = true;
        write(1);

        assertThat(recording.roll()).isEqualTo(FOLDER + "-1.jfr");

        assertThat(gaps).containsExactly(new RecordingInterval(ended, now));
    }

    @Test
    void aGapAtTheEndIsReportedToo() throws IOException {
        recording.roll();
        long ended = now + LEASE;
        now = ended + SECOND;
        isStopped = true;
        write(2);

        recording.stop();

        assertThat(gaps).containsExactly(new RecordingInterval(ended, now));
    }

    @Test
    void ofAPieceThatAnotherToolHasStoppedAnythingMayBeMissed() throws IOException {
        long begun = now;
        now += SECOND;
        isStopped = true;
        write(1);

        recording.roll();

        assertThat(gaps).containsExactly(new RecordingInterval(begun, now));
    }

    @Test
    void whatIsMissedIsSaidInTheTraceAndCounted() throws IOException {
        Path file = root.resolve("missed.pftrace");
        try (JvmTargetProcess target = JvmTargetProcess.start("-XX:+EnableDynamicAgentLoading")) {
            JvmAttachClient vm = JvmAttachClient.attach(target.pid(), new TargetJvm(target.pid()).deadline());
            List<RecordingSource> sources =
                    new TargetJvm(target.pid()).sources(Duration.ofMillis(1), Duration.ofMinutes(1));
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

    /** A target on a busy machine stops the piece and writes its file, but answers after the time for the end. */
    @Test
    void aPieceWhoseEndIsAnsweredTooLateHasNoGap() throws IOException {
        for (IOException late : List.of(
                new TargetDeadline.NoAnswerException("silent"), new UserFixableException("silent", "let it go on"))) {
            isSilent = "JFR.stop";
            silence = late;
            now += SECOND;
            write(1);

            assertThatThrownBy(recording::stop).isSameAs(late);
            assertThat(gaps).isEmpty();
        }

        isSilent = "none";
        isStopped = true; // now the target answers, to the second request, that the piece has been stopped
        recording.stop();
        assertThat(gaps).isEmpty();
        assertThat(recording.leftBehind()).containsExactly(FOLDER + "-1.jfr");
    }

    /**
     * The recording of a hostile target that never answers JFR.stop, but writes its files, goes on; the end repeats the
     * requests.
     */
    @Test
    void aSilentTargetThatHasWrittenItsPieceIsRecordedOn() throws IOException {
        for (IOException silent : List.of(
                new TargetDeadline.NoAnswerException("silent"), new UserFixableException("silent", "let it go on"))) {
            isSilent = "JFR.stop";
            silence = silent;
            now += SECOND;
            asked.clear();
            String name = FOLDER + "-" + nextPiece;
            write(nextPiece++);

            assertThat(recording.roll()).isEqualTo(name + ".jfr");

            assertThat(asked).containsExactly("JFR.start name=" + FOLDER + "-" + nextPiece, "JFR.stop name=" + name);
            assertThat(gaps).isEmpty();
        }
        isSilent = "none";
        asked.clear();

        recording.stop();

        assertThat(asked)
                .containsExactly(
                        "JFR.stop name=" + FOLDER + "-1",
                        "JFR.stop name=" + FOLDER + "-2",
                        "JFR.stop name=" + FOLDER + "-3");
        assertThat(lastCommands).isEmpty();
    }

    @Test
    void aSilentTargetThatHasNotWrittenItsPieceIsNotRecordedOn() {
        isSilent = "JFR.stop";
        silence = new TargetDeadline.NoAnswerException("silent");
        now += SECOND;

        assertThatThrownBy(recording::roll).isSameAs(silence);
    }

    @Test
    void ofALongAnswerOnlyTheBeginningIsSaid() {
        isStopped = true;
        unknownAnswer = "x".repeat(1 << 20);
        assertThatThrownBy(recording::roll)
                .message()
                .contains("could not be stopped: xxx")
                .hasSizeLessThan(1_200);
    }

    @Test
    void aPieceThatIsNotThereIsAFailure() {
        isStopped = true;
        assertThatThrownBy(recording::roll).isInstanceOf(IOException.class);
        assertThat(gaps).isEmpty();
    }
}
