package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.fixture.ManualLooper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The loopers' events in a Flight Recorder recording. */
@ParameterizedClass
@EnumSource
class JfrEventsTest {
    private static final String DISPATCH = "dev.unjank.MessageDispatch";

    @Parameter
    QueueKind kind;

    @TempDir
    Path folder;

    private List<RecordedEvent> eventsOf(Recording recording) throws IOException {
        recording.stop();
        Path file = folder.resolve("test.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(e -> e.getEventType().getName().startsWith("dev.unjank."))
                .toList();
    }

    @Test
    void framesAreRecordedWithWhenTheyWereToBegin() throws IOException {
        try (Recording recording = new Recording();
                TestLooper looper = new TestLooper(kind)) {
            recording.enable("dev.unjank.Frame").withoutThreshold();
            recording.start();
            FrameClock clock = new FrameClock(looper.looper(), Duration.ofMillis(10));
            clock.postFrameCallback(time -> {});
            looper.advanceBy(Duration.ofMillis(10));
            clock.postFrameCallback(time -> {});
            looper.elapse(Duration.ofMillis(25));
            looper.runUntilIdle();
            List<RecordedEvent> events = eventsOf(recording);
            assertThat(events).extracting(e -> e.getLong("number")).containsExactly(1L, 2L);
            assertThat(events)
                    .extracting(e -> e.getDuration("wait"))
                    .containsExactly(Duration.ZERO, Duration.ofMillis(15));
            assertThat(events).extracting(e -> e.getBoolean("missed")).containsExactly(false, true);
            assertThat(events).extracting(e -> e.getLong("skipped")).containsExactly(0L, 1L);
            assertThat(events).extracting(e -> e.getDuration("period")).containsOnly(Duration.ofMillis(10));
        }
    }

    @Test
    void deliveriesAreRecordedWhileARecordingWantsThemAndObservedOnlyThen() throws IOException {
        ManualLooper before = new ManualLooper(kind);
        try (Recording recording = new Recording()) {
            recording.enable(DISPATCH).withoutThreshold();
            assertThat(before.queue.observers()).isNull();
            recording.start();
            ManualLooper during = new ManualLooper(kind);
            assertThat(before.queue.observers()).isNotNull();
            assertThat(during.queue.observers()).isNotNull();

            Runnable task = during.log("task");
            before.handler.sendEmptyMessage(7);
            before.clock.advanceMillis(3);
            before.runDue();
            during.handler.post(task);
            Future<?> unused = during.handler.submit(task); // which has let go of it when the event is written
            during.runDue();
            List<RecordedEvent> events = eventsOf(recording);
            assertThat(before.queue.observers()).isNull();
            assertThat(during.queue.observers()).isNull();

            assertThat(events).hasSize(3);
            assertThat(events).allMatch(e -> e.getEventType().getName().equals(DISPATCH));
            RecordedEvent first = events.get(0);
            assertThat(first.getString("handler")).isEqualTo(before.handler.toString());
            assertThat(first.getString("callback")).isNull();
            assertThat(first.getInt("what")).isEqualTo(7);
            assertThat(first.getDuration("wait")).isEqualTo(Duration.ofMillis(3));
            assertThat(first.getThread("sender").getJavaName())
                    .isEqualTo(Thread.currentThread().getName());
            assertThat(first.getDuration("sent")).isEqualTo(Duration.ofMillis(3));
            assertThat(first.getDuration()).isPositive();
            assertThat(first.getThread().getJavaName())
                    .isEqualTo(Thread.currentThread().getName());
            assertThat(events.subList(1, 3))
                    .extracting(e -> e.getString("callback"))
                    .containsOnly(task.getClass().getName());
        }
    }

    @Test
    void theSenderOfAMessageSentBeforeTheRecordingIsUnknown() throws IOException {
        ManualLooper loop = new ManualLooper(kind);
        try (Recording recording = new Recording()) {
            recording.enable(DISPATCH).withoutThreshold();
            loop.post("a");
            recording.start();
            loop.runDue();
            List<RecordedEvent> events = eventsOf(recording);
            assertThat(events).hasSize(1);
            assertThat(events.get(0).getThread("sender")).isNull();
        }
    }

    @Test
    void deliveriesAreOffUnlessARecordingAsksForThem() throws IOException {
        ManualLooper loop = new ManualLooper(kind);
        try (Recording recording = new Recording()) {
            recording.start();
            assertThat(loop.queue.observers()).isNull();
            loop.post("a");
            loop.runDue();
            assertThat(eventsOf(recording)).isEmpty();
        }
    }

    @Test
    void theThresholdOfARecordingIsHonoured() throws IOException {
        ManualLooper loop = new ManualLooper(kind);
        try (Recording recording = new Recording()) {
            recording.enable(DISPATCH).withThreshold(Duration.ofHours(1));
            recording.start();
            loop.post("a");
            loop.runDue();
            assertThat(eventsOf(recording)).isEmpty();
        }
    }

    @Test
    void aDeliveryThatThrowsIsRecordedToo() throws IOException {
        ManualLooper loop = new ManualLooper(kind);
        try (Recording recording = new Recording()) {
            recording.enable(DISPATCH).withoutThreshold();
            recording.start();
            loop.handler.post(() -> {
                throw new ArithmeticException("on purpose");
            });
            assertThatThrownBy(loop::runDue).isInstanceOf(ArithmeticException.class);
            assertThat(eventsOf(recording)).hasSize(1);
        }
    }

    @Test
    void stallsAreRecordedWithoutBeingAskedFor() throws IOException {
        ManualLooper loop = new ManualLooper(kind);
        try (Recording recording = new Recording();
                LooperWatchdog watchdog = new LooperWatchdog(Duration.ofMillis(100), stall -> {})) {
            recording.start();
            watchdog.watch(loop.looper);
            loop.post("a");
            loop.clock.advanceMillis(101);
            watchdog.check();
            loop.runDue();
            watchdog.check();
            List<RecordedEvent> events = eventsOf(recording);
            assertThat(events).hasSize(2);
            RecordedEvent stall = events.get(0);
            assertThat(stall.getEventType().getName()).isEqualTo("dev.unjank.Stall");
            assertThat(stall.getString("looper"))
                    .isEqualTo(Thread.currentThread().getName());
            assertThat(stall.getString("kind")).isEqualTo("BACKLOG");
            assertThat(stall.getDuration("length")).isEqualTo(Duration.ofMillis(101));
            assertThat(stall.getBoolean("over")).isFalse();
            assertThat(stall.getString("report")).contains("1 due, 1 of 1 examined are ");
            assertThat(events.get(1).getBoolean("over")).isTrue();
        }
    }
}
