package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.record.session.EmptySource;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.SourceAvailability;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A wait beyond the end of the recording is written once: if it ends before Flight Recorder, if before the agent, and
 * if never.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "attaching to a process needs Linux here")
class WaitsAtRecordingEndTest {
    @TempDir
    Path directory;

    private JvmTargetProcess process;
    private TargetJvm target;
    private RecordingSource owners;
    private RecordingSource flightRecorder;

    @BeforeEach
    void start() throws IOException {
        process = JvmTargetProcess.start("-XX:+EnableDynamicAgentLoading");
        target = new TargetJvm(process.pid());
        List<RecordingSource> sources = target.sources(Duration.ofMillis(1), Duration.ofMinutes(1));
        owners = sources.getFirst();
        flightRecorder = sources.getLast();
    }

    @AfterEach
    void end() throws IOException {
        if (process != null) {
            process.close();
        }
    }

    /** Records nothing; ends the wait when it is stopped. */
    private final class Release extends EmptySource {
        Release() {
            super("release");
        }

        @Override
        public boolean asksTarget() {
            return true;
        }

        @Override
        public void stop() throws IOException {
            target.awaitLastSample();
            process.play("release");
        }
    }

    /** Sources are stopped in the reverse order. */
    private void assertWrittenOnce(RecordingSource... sources) throws IOException {
        Path file = directory.resolve("across.pftrace");
        try (Recording recording = Recording.start(file, Rotation.NONE, process.pid(), List.of(sources))) {
            assertThat(recording.availability()).allMatch(SourceAvailability::isOn);
            process.play("hold");
        }
        RecordedTarget recorded = RecordedTarget.read(file);
        assertThat(recorded.slices("held up", "monitor contention with owner "))
                .singleElement()
                .satisfies(wait -> {
                    assertThat(wait.name()).contains(" owner holder (");
                    assertThat(wait.endNs()).isEqualTo(recorded.trace().endNs());
                });
        assertThat(recorded.incidents("held up"))
                .singleElement()
                .satisfies(
                        incident -> assertThat(incident.rootWait().unfinished()).isTrue());
    }

    @Test
    void oneThatIsOverBeforeFlightRecorderIs() throws IOException {
        assertWrittenOnce(owners, flightRecorder, new Release());
    }

    @Test
    void oneThatIsOverWhenFlightRecorderHasEnded() throws IOException {
        assertWrittenOnce(owners, new Release(), flightRecorder);
    }

    @Test
    void oneThatIsNeverOver() throws IOException {
        assertWrittenOnce(owners, flightRecorder);
    }
}
