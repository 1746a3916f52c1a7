package dev.unjank.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.Handler;
import dev.unjank.looper.HandlerThread;
import dev.unjank.looper.LooperOptions;
import dev.unjank.looper.Message;
import dev.unjank.looper.QueueKind;
import dev.unjank.looper.TestLooper;
import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.Flows;
import dev.unjank.trace.model.MessageQueueEvents;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages of both queues, recorded, read back and compared. */
@ParameterizedClass
@EnumSource
class LooperTraceTest {
    private static final Runnable WORK = new Work();

    @Parameter
    private QueueKind kind;

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private TestLooper test;
    private LooperTrace trace;

    /** A handler with a name of its own, whose messages take as many ms as their second argument says. */
    private final class Screen extends Handler {
        Screen() {
            super(test.looper());
        }

        @Override
        public void handleMessage(Message message) {
            test.elapse(Duration.ofMillis(message.arg2));
        }
    }

    private static final class Work implements Runnable {
        @Override
        public void run() {}
    }

    @BeforeEach
    void start() throws IOException {
        test = new TestLooper(kind);
        trace = LooperTrace.byHand(bytes, test.clock(), 1, 256);
    }

    @AfterEach
    void stop() throws IOException {
        trace.close();
        test.close();
    }

    @Test
    void aDeliveryIsASliceWithAnArrowFromItsSending() throws Exception {
        Handler screen = new Screen();
        trace.watch(test.looper());
        inThread("poster", () -> screen.sendMessageDelayed(screen.obtainMessage(7, 0, 4), 20));
        test.elapse(Duration.ofMillis(1));
        screen.post(WORK);
        test.advanceBy(Duration.ofMillis(30));
        trace.close();

        Trace read = read();
        String me = Thread.currentThread().getName();
        String name = Screen.class.getName();
        assertThat(slices(read))
                .containsExactlyInAnyOrder(
                        "1000 ms +0 message_queue_send of poster, poster -> " + me + " code 7 delay 20",
                        "1001 ms +0 message_queue_send of " + me + ", " + me + " -> " + me + " code 0 delay 0",
                        "1001 ms +0 " + name + ": " + Work.class.getName() + " of " + me + ", " + me + " -> " + me
                                + " code 0 delay 0",
                        "1020 ms +4 " + name + ": #7 of " + me + ", poster -> " + me + " code 7 delay 20");
        assertThat(flows(read))
                .containsExactlyInAnyOrder(
                        "1000 message_queue_send -> 1020 " + name + ": #7",
                        "1001 message_queue_send -> 1001 " + name + ": " + Work.class.getName());
        Slices slices = read.slices();
        for (int row = 0; row < slices.size(); row++) {
            assertThat(slices.category(row)).isEqualTo("mq");
        }
        assertThat(read.warnings()).noneSatisfy(line -> assertThat(line).contains("lost"));
    }

    @Test
    void nothingIsMarkedBeforeOrAfterwards() throws IOException {
        Handler screen = new Screen();
        screen.sendEmptyMessage(1);
        trace.watch(test.looper());
        trace.watch(test.looper());
        test.runUntilIdle();
        trace.unwatch(test.looper());
        screen.sendEmptyMessage(2);
        test.runUntilIdle();
        trace.close();
        trace.watch(test.looper());
        screen.sendEmptyMessage(3);
        test.runUntilIdle();

        String me = Thread.currentThread().getName();
        assertThat(slices(read()))
                .containsExactly(
                        "1000 ms +0 " + Screen.class.getName() + ": #1 of " + me + ", ? -> " + me + " code 1 delay -1");
    }

    @Test
    void deliveriesUnderWayHaveNoEnd() throws IOException {
        Handler screen = new Screen();
        trace.watch(test.looper());
        screen.sendMessage(screen.obtainMessage(1, 0, 5));
        screen.post(() -> {
            test.elapse(Duration.ofMillis(2));
            closeTrace();
        });
        screen.sendEmptyMessage(2);
        test.runUntilIdle();

        Trace read = read();
        List<String> open = new ArrayList<>();
        for (int row = 0; row < read.slices().size(); row++) {
            if (read.slices().isOpen(row)) {
                open.add(read.slices().ts(row) / 1_000_000 + " ms");
            }
        }
        assertThat(open).containsExactly("1005 ms");
        assertThat(slices(read)).noneSatisfy(row -> assertThat(row).contains("#2 of"));
    }

    @Test
    void aMessageThatThrowsEndsItsSlice() throws IOException {
        trace.watch(test.looper());
        new Screen().post(() -> {
            test.elapse(Duration.ofMillis(3));
            throw new IllegalStateException("on purpose");
        });
        assertThatThrownBy(test::runUntilIdle).hasStackTraceContaining("on purpose");
        trace.close();
        assertThat(slices(read()))
                .anySatisfy(row -> assertThat(row)
                        .startsWith("1000 ms +3 " + Screen.class.getName() + ": "
                                + getClass().getName() + "$$Lambda of "));
    }

    @Test
    void whatIsLostIsInTheTrace() throws IOException {
        Handler screen = new Screen();
        trace.watch(test.looper());
        for (int i = 0; i < 300; i++) { // the buffer holds 256
            screen.sendEmptyMessageDelayed(i, 1000);
        }
        assertThat(trace.lostMarks()).isEqualTo(44);
        trace.round();
        screen.sendEmptyMessageDelayed(300, 1000);
        trace.close();

        Trace read = read();
        assertThat(read.slices().size()).isEqualTo(257);
        assertThat(read.queueEvents().code(read.queueEvents().size() - 1)).isEqualTo(300);
        assertThat(values(read, MessageEventWriter.LOST)).containsExactly(0L, 44L);
        assertThat(read.warnings()).anySatisfy(line -> assertThat(line).contains("lost"));
    }

    @Test
    void theDepthIsCountedWhileItChanges() throws Exception {
        Handler screen = new Screen();
        inThread("stranger", () -> trace.watch(test.looper()));
        screen.sendEmptyMessage(1);
        screen.sendEmptyMessageDelayed(2, 15);
        screen.sendEmptyMessageDelayed(3, 25);
        trace.round(); // nothing: it is not known which thread the looper's is
        test.advanceBy(Duration.ofMillis(10));
        trace.round();
        trace.round(); // too early
        test.advanceBy(Duration.ofMillis(10));
        trace.round();
        test.elapse(Duration.ofMillis(1));
        screen.removeMessages(3);
        trace.close();

        Trace read = read();
        assertThat(values(read, MessageEventWriter.DEPTH)).containsExactly(2L, 1L, 0L);
        Counters counters = read.counters();
        for (int track = 0; track < counters.tracks(); track++) {
            assertThat(counters.unit(track)).isEqualTo("count");
            assertThat(counters.utid(track) >= 0).isEqualTo(counters.name(track).equals(MessageEventWriter.DEPTH));
        }
    }

    @Test
    void theDepthIsCountedAtOnceIfTheLoopersThreadAsks() throws IOException {
        new Screen().sendEmptyMessageDelayed(1, 10);
        trace.watch(test.looper());
        trace.close();
        assertThat(values(read(), MessageEventWriter.DEPTH)).containsExactly(1L);
    }

    @Test
    void innerDeliveriesLieInTheOuterOne() throws IOException {
        Handler screen = new Screen();
        TestLooper inner = new TestLooper(kind);
        Handler other = new Handler(inner.looper());
        trace.watch(test.looper());
        trace.watch(inner.looper());
        other.post(() -> test.elapse(Duration.ofMillis(2)));
        screen.post(() -> {
            test.elapse(Duration.ofMillis(1));
            inner.runUntilIdle();
            test.elapse(Duration.ofMillis(1));
        });
        test.runUntilIdle();
        trace.close();
        inner.close();
        Slices slices = read().slices();
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < slices.size(); row++) {
            if (slices.dur(row) > 0) {
                rows.add(
                        slices.ts(row) / 1_000_000 + "+" + slices.dur(row) / 1_000_000 + " depth " + slices.depth(row));
            }
        }
        assertThat(rows).containsExactly("1000+4 depth 0", "1001+2 depth 1");
    }

    /** With a real clock, a thread of its own and several senders: nothing is lost, everything fits together. */
    @Test
    void aRunningLooperIsRecorded() throws Exception {
        int senders = 3;
        int each = 500;
        Path file = folder.resolve("real");
        HandlerThread ui = new HandlerThread("ui", LooperOptions.defaults().withQueue(kind));
        ui.start();
        try (LooperTrace real = LooperTrace.start(Files.newOutputStream(file))) {
            Handler handler = new Handler(ui.getLooper());
            real.watch(ui.getLooper());
            CountDownLatch done = new CountDownLatch(senders * each);
            List<Thread> threads = new ArrayList<>();
            for (int s = 0; s < senders; s++) {
                Thread thread = s == 0
                        ? Thread.ofVirtual().unstarted(() -> post(handler, done, each))
                        : new Thread(() -> post(handler, done, each));
                threads.add(thread);
                thread.start();
            }
            done.await();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(real.lostMarks()).isZero();
        } finally {
            ui.quit();
            ui.join();
        }
        Trace read = TraceReader.read(file);
        assertThat(read.slices().size()).isEqualTo(2 * senders * each);
        assertThat(read.flows().size()).isEqualTo(senders * each);
        Flows flows = read.flows();
        for (int row = 0; row < flows.size(); row++) {
            assertThat(read.slices().name(flows.out(row))).isEqualTo(MessageEventWriter.SEND);
            assertThat(read.slices().ts(flows.in(row)))
                    .isGreaterThanOrEqualTo(read.slices().ts(flows.out(row)));
            assertThat(read.threads().name(read.slices().utid(flows.in(row)))).isEqualTo("ui");
        }
    }

    private static void post(Handler handler, CountDownLatch done, int messages) {
        for (int i = 0; i < messages; i++) {
            handler.post(done::countDown);
        }
    }

    @Test
    void aStreamThatFailsEndsTheTraceAndNotTheLooper() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        OutputStream failing = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("disk full");
            }

            @Override
            public void close() {
                closed.countDown();
            }
        };
        LooperTrace broken = LooperTrace.start(failing);
        broken.watch(test.looper());
        closed.await();
        new Screen().sendEmptyMessage(1);
        assertThat(test.runUntilIdle()).isEqualTo(1);
        assertThatThrownBy(broken::close).isInstanceOf(IOException.class).hasMessageEndingWith("disk full");
        broken.close();
    }

    private void closeTrace() {
        try {
            trace.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void inThread(String name, Runnable work) throws InterruptedException {
        Thread thread = new Thread(work, name);
        thread.start();
        thread.join();
    }

    private Trace read() throws IOException {
        return TraceReader.read(Files.write(folder.resolve("trace"), bytes.toByteArray()));
    }

    private static List<String> slices(Trace read) {
        Slices slices = read.slices();
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < slices.size(); row++) {
            MessageQueueEvents events = read.queueEvents();
            int event = events.find(row);
            rows.add(
                    slices.ts(row) / 1_000_000 + " ms +" + slices.dur(row) / 1_000_000 + " " + slices.name(row) + " of "
                            + read.threads().name(slices.utid(row)) + ", " + orUnknown(events.sender(event)) + " -> "
                            + orUnknown(events.receiver(event)) + " code " + events.code(event) + " delay "
                            + events.delayMs(event));
        }
        return rows;
    }

    private static String orUnknown(@Nullable String name) {
        return name == null ? "?" : name;
    }

    private static List<String> flows(Trace read) {
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < read.flows().size(); row++) {
            rows.add(end(read, read.flows().out(row)) + " -> "
                    + end(read, read.flows().in(row)));
        }
        return rows;
    }

    private static String end(Trace read, int slice) {
        return read.slices().ts(slice) / 1_000_000 + " " + read.slices().name(slice);
    }

    private static List<Long> values(Trace read, String name) {
        Counters counters = read.counters();
        List<Long> values = new ArrayList<>();
        for (int track = 0; track < counters.tracks(); track++) {
            if (counters.name(track).equals(name)) {
                for (int row = counters.first(track); row < counters.end(track); row++) {
                    values.add(counters.value(row));
                }
            }
        }
        return values;
    }
}
