package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Limits of a test looper: two drivers at once, a message that throws, endless tasks. */
@ParameterizedClass
@EnumSource
class TestLooperLimitsTest {
    @Parameter
    QueueKind kind;

    private TestLooper test;
    private Handler handler;
    private final List<String> log = new ArrayList<>();

    @BeforeEach
    void prepare() {
        test = new TestLooper(kind);
        handler = new Handler(test.looper(), m -> log("what " + m.what));
    }

    @AfterEach
    void close() {
        test.close();
    }

    private boolean log(String what) {
        return log.add(what + " at " + test.clock().nanos() / 1e6);
    }

    private void postAfter(String name, long millis) {
        handler.postDelayed(() -> log(name), millis);
    }

    // ---- threads

    @Test
    void anyThreadMayDriveAndIsTheLoopersWhileItRunsAMessage() {
        handler.post(() -> log(
                Looper.myLooper() == test.looper()
                        ? Thread.currentThread().getName() + " " + test.looper().isCurrentThread()
                        : "wrong"));
        Thread other = new Thread(
                () -> {
                    log("outside " + test.looper().isCurrentThread());
                    test.runUntilIdle();
                },
                "other");
        join(other);
        assertThat(log).containsExactly("outside false at 1000.0", "other true at 1000.0");
        assertThat(Looper.myLooper()).isNull();
    }

    private static void join(Thread thread) {
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void twoThreadsCannotDriveAtOnce() {
        CompletableFuture<Throwable> refusal = new CompletableFuture<>();
        handler.post(() -> join(new Thread(() -> {
            try {
                test.runUntilIdle();
                refusal.complete(null);
            } catch (IllegalStateException e) {
                refusal.complete(e);
            }
        })));
        test.runUntilIdle();
        assertThat(refusal)
                .isCompletedWithValueMatching(e -> e != null && e.getMessage().contains("another thread"));
    }

    @Test
    void aMessageCannotDriveItsOwnLooper() {
        handler.post(() -> test.advanceBy(Duration.ofMillis(1)));
        assertThatIllegalStateException().isThrownBy(test::runUntilIdle).withMessageContaining("elapse");
        postAfter("usable", 0);
        assertThat(test.runUntilIdle()).isEqualTo(1);
    }

    @Test
    void aMessageCannotCloseItsOwnLooper() {
        handler.post(test::close);
        assertThatIllegalStateException()
                .isThrownBy(test::runUntilIdle)
                .withMessageContaining("A message cannot close the looper that runs it")
                .withMessageContaining("quit()");
        postAfter("usable", 0);
        assertThat(test.runUntilIdle()).isEqualTo(1);
    }

    @Test
    void aMessageCannotLoopAndTheLooperOutlivesTheAttempt() {
        handler.post(Looper::loop);
        postAfter("usable", 0);
        assertThatIllegalStateException().isThrownBy(test::runUntilIdle).withMessageContaining("driven manually");
        assertThat(test.runUntilIdle()).isEqualTo(1);
        assertThat(log).containsExactly("usable at 1000.0");
    }

    @Test
    void whatOtherThreadsPostMeanwhileRuns() throws InterruptedException {
        int each = 1_000;
        AtomicInteger ran = new AtomicInteger();
        List<Thread> senders = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            senders.add(new Thread(() -> {
                for (int n = 0; n < each; n++) {
                    handler.postDelayed(ran::incrementAndGet, n % 3);
                }
            }));
        }
        senders.forEach(Thread::start);
        while (senders.stream().anyMatch(Thread::isAlive)) {
            test.advanceBy(Duration.ofMillis(1));
        }
        test.advanceBy(Duration.ofMillis(2));
        assertThat(ran).hasValue(3 * each);
        assertThat(test.pending()).isEmpty();
    }

    @Test
    void testLoopersShareNothing() {
        try (TestLooper second = new TestLooper(kind)) {
            new Handler(second.looper()).post(() -> log("second"));
            postAfter("first", 0);
            test.advanceBy(Duration.ofMillis(5));
            assertThat(log).containsExactly("first at 1000.0");
            assertThat(second.clock().uptimeMillis()).isEqualTo(1_000);
            second.runUntilIdle();
            assertThat(log).hasSize(2);
        }
    }

    // ---- failures

    @Test
    void whatAMessageThrowsSaysWhichItWasAndTheRestGoesOn() {
        handler.postDelayed(new Failing(), 5);
        postAfter("next", 5);
        assertThatThrownBy(() -> test.advanceBy(Duration.ofMillis(10)))
                .isInstanceOf(ArithmeticException.class)
                .satisfies(e -> assertThat(e.getSuppressed())
                        .singleElement()
                        .asString()
                        .contains("Posted: " + Failing.class.getName() + " of Handler (")
                        .contains(", due at 1005 ms"));
        assertThat(test.clock().uptimeMillis()).isEqualTo(1_005);
        assertThat(test.advanceTo(1_010)).isEqualTo(1);
        assertThat(log).containsExactly("next at 1005.0");
    }

    @Test
    void whatAMessageThrowsSaysWhereItWasPostedIfCaptured() {
        test.captureStacks(true);
        handler.post(new Failing());
        assertThatThrownBy(test::runUntilIdle)
                .satisfies(e -> assertThat(e.getSuppressed()[0].getStackTrace())
                        .extracting(StackTraceElement::getMethodName)
                        .startsWith("sendMessageAtTime")
                        .contains("post", "whatAMessageThrowsSaysWhereItWasPostedIfCaptured"));
    }

    @Test
    void whatAnIdleHandlerThrowsComesOutWhenAllHaveBeenCalledAndItIsRemoved() {
        MessageQueue queue = test.looper().getQueue();
        queue.addIdleHandler(() -> {
            log("first");
            throw new ArithmeticException("on purpose");
        });
        queue.addIdleHandler(() -> {
            throw new AssertionError("too");
        });
        queue.addIdleHandler(() -> log("last"));
        assertThatThrownBy(test::runUntilIdle)
                .isInstanceOf(ArithmeticException.class)
                .hasMessage("on purpose")
                .satisfies(e -> {
                    assertThat(e.getSuppressed()).hasSize(2);
                    assertThat(e.getSuppressed()[0])
                            .hasMessageContaining("by an idle handler, which has been removed: ")
                            .hasMessageContaining(getClass().getSimpleName());
                    assertThat(e.getSuppressed()[1])
                            .isInstanceOf(AssertionError.class)
                            .hasMessage("too");
                });
        assertThat(log).containsExactly("first at 1000.0", "last at 1000.0");

        postAfter("next", 0);
        assertThat(test.runUntilIdle()).isEqualTo(1);
        assertThat(log).endsWith("next at 1000.0", "last at 1000.0").hasSize(4);
    }

    @Test
    void whatAnIdleHandlerThrowsComesOutOfRunOne() {
        test.looper().getQueue().addIdleHandler(() -> {
            throw new ArithmeticException("on purpose");
        });
        assertThatThrownBy(test::runOne).isInstanceOf(ArithmeticException.class);
        assertThat(test.runOne()).isFalse();
    }

    private static final class Failing implements Runnable {
        @Override
        public void run() {
            throw new ArithmeticException("on purpose");
        }
    }

    /** Posts itself again. */
    private final class Again implements Runnable {
        private final long delay;

        Again(long delay) {
            this.delay = delay;
        }

        @Override
        public void run() {
            handler.postDelayed(this, delay);
        }
    }

    @Test
    void aTaskThatPostsItselfForEverIsNamed() {
        handler.post(new Again(0));
        postAfter("later", 1);
        assertThatIllegalStateException()
                .isThrownBy(test::runUntilIdle)
                .withMessageStartingWith("No end in sight: 100001 messages have run in this call")
                .withMessageContaining("\n  50001 times " + Again.class.getName() + " of Handler (");
        assertThat(test.pending()).hasSize(2);
        handler.removeCallbacksAndMessages(null);
        postAfter("usable", 0);
        assertThat(test.runUntilIdle()).isEqualTo(1);
    }

    @Test
    void twoTasksThatPostEachOtherForEverAreNamed() {
        Handler ping = new Handler(test.looper()) {
            @Override
            public void handleMessage(Message msg) {
                sendEmptyMessage(3 - msg.what);
            }
        };
        ping.sendEmptyMessage(1);
        test.limit(100, 1_000);
        assertThatIllegalStateException()
                .isThrownBy(test::runUntilIdle)
                .withMessageContaining("26 times what=1 of ")
                .withMessageContaining("25 times what=2 of ");
    }

    @Test
    void theLimitOfACallStopsWhatMovesOnForEver() {
        handler.post(new Again(1));
        test.limit(2, 1_000);
        assertThatIllegalStateException()
                .isThrownBy(() -> test.advanceBy(Duration.ofDays(1)))
                .withMessageContaining("1001 messages have run in this call")
                .withMessageContaining(Again.class.getName());
        assertThat(test.clock().uptimeMillis()).isEqualTo(2_000);
    }

    @Test
    void exactlyTheLimitIsAllowed() {
        test.limit(3, 5);
        for (int i = 0; i < 3; i++) {
            postAfter("a", 0);
        }
        postAfter("b", 1);
        postAfter("b", 1);
        postAfter("beyond the target", 3);
        assertThat(test.advanceBy(Duration.ofMillis(2))).isEqualTo(5);
        assertThatIllegalArgumentException().isThrownBy(() -> test.limit(0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> test.limit(1, 0));
    }

    @Test
    void anIdleHandlerThatSendsForEverIsStopped() {
        test.looper().getQueue().addIdleHandler(() -> handler.post(() -> {}));
        test.limit(100, 1_000);
        assertThatIllegalStateException().isThrownBy(test::runUntilIdle);
    }
}
