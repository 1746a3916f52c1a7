package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.record.session.Recording;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.Rotation;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.read.jfr.EarlierChunkThreads;
import dev.unjank.trace.read.jfr.JfrReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The target answers, but the recorder takes too long to read what it has got: that is not said of the target, and what
 * is read later is not written.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "attaching to a process needs Linux here")
@Tag("slow")
class SlowReadingTest {
    private static final Duration ANSWERS = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CountDownLatch isReading = new CountDownLatch(1);
    private volatile boolean isSlow;
    private volatile @Nullable Thread reading;
    private JvmTargetProcess process;

    @BeforeEach
    void start() throws IOException {
        process = JvmTargetProcess.start("-XX:+EnableDynamicAgentLoading");
    }

    @AfterEach
    void end() throws IOException {
        goOn.countDown();
        if (process != null) {
            process.close();
        }
    }

    private boolean read(MemorySegment file, TraceBuilder builder, EarlierChunkThreads earlier) {
        boolean isRecording = JfrReader.read(file, builder, earlier);
        if (isSlow) {
            reading = Thread.currentThread();
            isReading.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return isRecording;
    }

    private String recorded(Path file, Duration piece, Duration time) throws Exception {
        TargetJvm target = new TargetJvm(process.pid(), time, Duration.ZERO);
        RecordingSource source = new FlightRecorderSource(target, Duration.ofMillis(1), piece, this::read);
        Recording recording = Recording.start(file, Rotation.NONE, process.pid(), List.of(source));
        try (recording) {
            isSlow = true;
            process.play("blocked");
            if (piece.compareTo(Duration.ofMinutes(1)) < 0) {
                isReading.await();
            }
        }
        return recording.availability().getFirst().toString();
    }

    private void assertLaterIsNotWritten(Path file, String said) throws Exception {
        assertThat(said)
                .matches("off  Flight Recorder ended: the recorder did not finish reading [0-9]+\\.[0-9] MB within"
                        + " [0-9]+\\.[0-9] s; some or all events of the last [0-9]+\\.[0-9]+ s are missing");
        byte[] before = Files.readAllBytes(file);
        goOn.countDown();
        Thread given = reading;
        assertThat(given).isNotNull();
        given.join(TimeUnit.MINUTES.toMillis(1));
        assertThat(given.isAlive()).isFalse();
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        RecordedTarget recorded = RecordedTarget.read(file);
        assertThat(recorded.trace().warnings()).isEmpty();
        assertThat(recorded.slices("ui (one)", "monitor contention")).isEmpty();
        try (JvmAttachClient vm = JvmAttachClient.attach(process.pid(), new TargetJvm(process.pid()).deadline())) {
            assertThat(vm.command("JFR.check")).as("the target records no more").doesNotContain("unjank-");
        }
    }

    @Test
    void atTheEnd() throws Exception {
        Path file = directory.resolve("rest.pftrace");
        assertLaterIsNotWritten(file, recorded(file, Duration.ofMinutes(10), Duration.ofSeconds(4)));
    }

    @Test
    void whenTheEndComesWhileAPieceIsRead() throws Exception {
        Path file = directory.resolve("piece.pftrace");
        assertLaterIsNotWritten(file, recorded(file, Duration.ofMillis(100), Duration.ofSeconds(4)));
    }

    @Test
    void aFullLengthIsReadIfThereIsTime() throws Exception {
        Path file = directory.resolve("whole.pftrace");
        TargetJvm target = new TargetJvm(process.pid(), ANSWERS, ANSWERS);
        RecordingSource source =
                new FlightRecorderSource(target, Duration.ofMillis(1), Duration.ofMinutes(10), this::read);
        Recording recording = Recording.start(file, Rotation.NONE, process.pid(), List.of(source));
        process.play("blocked");
        isSlow = true;
        Thread.ofPlatform().start(() -> {
            try {
                isReading.await();
                goOn.countDown();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        recording.close();

        assertThat(recording.availability().getFirst().isOn()).isTrue();
        assertThat(RecordedTarget.read(file).slices("ui (one)", "monitor contention"))
                .hasSize(1);
    }

    /** What is read at the end is to be read in a third of a second. */
    @Test
    void piecesAreAsShortAsReadingTakesLong() {
        long second = TimeUnit.SECONDS.toNanos(1);

        assertThat(FlightRecorderSource.nextPiece(5 * second, second, second / 100))
                .isEqualTo(5 * second);
        assertThat(FlightRecorderSource.nextPiece(5 * second, second, 3 * second / 20))
                .isEqualTo(2 * second);
        assertThat(FlightRecorderSource.nextPiece(5 * second, 5 * second, 60 * second))
                .isEqualTo(second);
        assertThat(FlightRecorderSource.nextPiece(second / 2, second / 2, second))
                .isEqualTo(second / 2);
        assertThat(FlightRecorderSource.nextPiece(5 * second, second, 0)).isEqualTo(5 * second);
    }
}
