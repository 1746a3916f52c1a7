package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames of ten milliseconds, on a looper with a manual clock. */
@ParameterizedClass
@EnumSource
class FrameClockTest {
    @Parameter
    QueueKind kind;

    private TestLooper looper;
    private FrameClock frames;
    private long origin;
    private final List<String> log = new ArrayList<>();

    @BeforeEach
    void start() {
        looper = new TestLooper(kind);
        frames = new FrameClock(looper.looper(), Duration.ofMillis(10));
        origin = looper.clock().nanos();
    }

    @AfterEach
    void close() {
        looper.close();
    }

    private FrameClock.FrameCallback log(String name) {
        return time -> log.add(name + " " + (time - origin) / 1_000_000 + " at "
                + (looper.clock().nanos() - origin) / 1_000_000);
    }

    private void advance(long millis) {
        looper.advanceBy(Duration.ofMillis(millis));
    }

    @Test
    void aCallbackIsRunOnceInTheNextFrame() {
        advance(3);
        frames.postFrameCallback(log("a"));
        advance(6);
        assertThat(log).isEmpty();
        advance(50);
        assertThat(log).containsExactly("a 10 at 10");
        assertThat(frames.counts().run()).isEqualTo(1);
        assertThat(looper.pending()).isEmpty();
    }

    @Test
    void framesKeepStepWithATimeThatIsGiven() {
        frames = new FrameClock(looper.looper(), Duration.ofMillis(10), origin + 1_003_000_000);
        frames.postFrameCallback(log("a"));
        advance(2);
        assertThat(log).isEmpty();
        advance(1);
        assertThat(log).containsExactly("a 3 at 3");
    }

    @Test
    void callbacksOfOneFrameAreRunInTheOrderOfPostingAndOfOneMessage() {
        frames.postFrameCallback(log("a"));
        frames.postFrameCallback(log("b"));
        frames.postFrameCallback(log("a again"));
        assertThat(looper.pending()).hasSize(1);
        advance(10);
        assertThat(log).containsExactly("a 10 at 10", "b 10 at 10", "a again 10 at 10");
        assertThat(frames.counts().run()).isEqualTo(1);
    }

    @Test
    void whatIsPostedInAFrameIsForTheNext() {
        frames.postFrameCallback(time -> {
            log("first").doFrame(time);
            frames.postFrameCallback(log("second"));
        });
        advance(10);
        assertThat(log).containsExactly("first 10 at 10");
        advance(10);
        assertThat(log).containsExactly("first 10 at 10", "second 20 at 20");
    }

    @Test
    void aLooperThatIsLateSkipsFramesAndKeepsToWholePeriods() {
        frames.postFrameCallback(log("late"));
        looper.elapse(Duration.ofMillis(37));
        looper.runUntilIdle();
        assertThat(log).containsExactly("late 30 at 37");
        assertThat(frames.counts().skipped()).isEqualTo(2);
        assertThat(frames.counts().missed()).isEqualTo(1);
        frames.postFrameCallback(log("on time"));
        advance(3);
        assertThat(log).containsExactly("late 30 at 37", "on time 40 at 40");
        assertThat(frames.counts().missed()).isEqualTo(1);
    }

    @Test
    void aFrameThatEndsAfterItsDeadlineIsMissed() {
        frames.postFrameCallback(time -> looper.elapse(Duration.ofMillis(10)));
        advance(10);
        assertThat(frames.counts().missed()).as("just in time").isZero();
        frames.postFrameCallback(time -> looper.elapse(Duration.ofMillis(11)));
        advance(10);
        assertThat(frames.counts().run()).isEqualTo(2);
        assertThat(frames.counts().missed()).isEqualTo(1);
        assertThat(frames.counts().skipped()).isZero();
    }

    @Test
    void whatIsRemovedIsNotCalled() {
        FrameClock.FrameCallback callback = log("removed");
        frames.postFrameCallback(callback);
        frames.postFrameCallback(log("kept"));
        frames.postFrameCallback(callback);
        assertThat(frames.removeFrameCallback(callback)).isTrue();
        assertThat(frames.removeFrameCallback(callback)).isFalse();
        advance(10);
        assertThat(log).containsExactly("kept 10 at 10");
        assertThat(frames.removeFrameCallback(callback)).isFalse();
    }

    @Test
    void aCallbackCanRemoveOneOfTheSameFrame() {
        FrameClock.FrameCallback later = log("later");
        frames.postFrameCallback(time -> assertThat(frames.removeFrameCallback(later))
                .as("it is not waiting any more, but being run")
                .isFalse());
        frames.postFrameCallback(later);
        advance(10);
        assertThat(log).containsExactly("later 10 at 10");
    }

    @Test
    void aFramePassesBarriers() {
        MessageQueue queue = looper.looper().getQueue();
        int token = queue.postSyncBarrier();
        frames.postFrameCallback(log("a"));
        advance(10);
        assertThat(log).containsExactly("a 10 at 10");
        queue.removeSyncBarrier(token);
    }

    @Test
    void ifACallbackThrowsTheOthersAreForTheNextFrame() {
        frames.postFrameCallback(log("before"));
        frames.postFrameCallback(time -> {
            throw new IllegalStateException("wanted");
        });
        frames.postFrameCallback(log("after"));
        assertThatThrownBy(() -> advance(10)).hasMessage("wanted");
        assertThat(log).containsExactly("before 10 at 10");
        advance(10);
        assertThat(log).containsExactly("before 10 at 10", "after 20 at 20");
    }

    @Test
    void afterQuitNothingIsPosted() {
        frames.postFrameCallback(log("dropped"));
        looper.looper().quit();
        assertThat(frames.postFrameCallback(log("refused"))).isFalse();
        assertThat(frames.postFrameCallback(log("refused"))).isFalse();
    }

    @Test
    void aPeriodMustMakeSense() {
        for (Duration wrong :
                List.of(Duration.ZERO, Duration.ofNanos(999), Duration.ofDays(2), Duration.ofMillis(-1))) {
            assertThatThrownBy(() -> new FrameClock(looper.looper(), wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(wrong.toString());
        }
    }

    /** Many threads post at once beside a running loop: each callback is called once. */
    @Test
    void nothingIsLostBetweenThreads() throws Exception {
        HandlerThread thread =
                new HandlerThread("frames", LooperOptions.defaults().withQueue(kind));
        thread.start();
        FrameClock clock = new FrameClock(thread.getLooper(), Duration.ofNanos(20_000));
        int each = 5_000;
        CountDownLatch called = new CountDownLatch(3 * each);
        List<Thread> posters = IntStream.range(0, 3)
                .mapToObj(i -> new Thread(() -> {
                    for (int k = 0; k < each; k++) {
                        clock.postFrameCallback(time -> called.countDown());
                    }
                }))
                .toList();
        posters.forEach(Thread::start);
        for (Thread poster : posters) {
            poster.join();
        }
        called.await();
        thread.quit();
        thread.join();
        assertThat(clock.counts().run()).isPositive();
    }
}
