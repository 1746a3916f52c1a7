package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The list of waiting messages. */
@ParameterizedClass
@EnumSource
class PendingMessageTest {
    @Parameter
    QueueKind kind;

    private TestLooper test;
    private MessageQueue queue;
    private Handler handler;

    @BeforeEach
    void prepare() {
        test = new TestLooper(kind);
        queue = test.looper().getQueue();
        handler = new Handler(test.looper());
    }

    @AfterEach
    void close() {
        test.close();
    }

    private static final class Task implements Runnable {
        @Override
        public void run() {}
    }

    private List<Integer> codes() {
        return test.pending().stream().map(PendingMessage::what).toList();
    }

    @Test
    void describesMessagesRunnablesAndBarriers() {
        handler.sendEmptyMessageDelayed(7, 20);
        handler.postDelayed(new Task(), 10);
        Handler async = Handler.createAsync(test.looper());
        async.sendEmptyMessage(8);
        int token = queue.postSyncBarrier();
        assertThat(test.pending())
                .containsExactly(
                        new PendingMessage(async, 8, null, 1_000, 1_000_000_000L, true, null, List.of()),
                        new PendingMessage(null, 0, null, 1_000, 1_000_000_000L, false, token, List.of()),
                        new PendingMessage(handler, 0, Task.class, 1_010, 1_010_000_000L, false, null, List.of()),
                        new PendingMessage(handler, 7, null, 1_020, 1_020_000_000L, false, null, List.of()));
    }

    @Test
    void theSameTimeIsInTheOrderOfSending() {
        for (int what = 0; what < 20; what++) {
            handler.sendEmptyMessageAtTime(what, 1_000 + what % 2);
            if (what == 9) {
                test.runOne(); // what has been seen by the looper and what has not make one order
                test.runOne();
            }
        }
        assertThat(codes()).containsExactly(4, 6, 8, 10, 12, 14, 16, 18, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19);
    }

    @Test
    void theFrontOfTheQueueIsInTheReverseOrderOfSending() {
        handler.sendEmptyMessage(1);
        for (int what = 2; what < 6; what++) {
            handler.sendMessageAtFrontOfQueue(handler.obtainMessage(what));
            if (what == 3) {
                test.runOne();
            }
        }
        assertThat(test.pending())
                .extracting(PendingMessage::what, PendingMessage::when)
                .containsExactly(tuple(5, 0L), tuple(4, 0L), tuple(2, 0L), tuple(1, 1_000L));
        assertThat(test.pending().get(0).deadlineNanos()).isZero();
    }

    @Test
    void theListIsTheOrderInWhichMessagesRun() {
        int[] times = {5, 0, 3, 5, 0, 9, 3, 3};
        for (int i = 0; i < times.length; i++) {
            handler.sendEmptyMessageDelayed(i, times[i]);
        }
        for (int left = times.length; left > 0; left--) {
            PendingMessage first = test.pending().get(0);
            assertThat(test.pending()).hasSize(left);
            test.elapse(Duration.ofNanos(first.deadlineNanos() - test.clock().nanos()));
            assertThat(test.runOne()).isTrue();
            assertThat(test.pending()).doesNotContain(first);
        }
    }

    private void postSomething() {
        handler.postDelayed(new Task(), 5);
    }

    @Test
    void saysWhereAMessageWasPostedIfCaptured() {
        postSomething();
        test.captureStacks(true);
        postSomething();
        assertThat(test.pending())
                .hasSize(2)
                .first()
                .satisfies(m -> assertThat(m.postedAt()).isEmpty());
        assertThat(test.pending().get(1).postedAt())
                .extracting(StackTraceElement::getMethodName)
                .contains("postSomething", "saysWhereAMessageWasPostedIfCaptured");
        assertThat(test.pending().get(1).postedAt().get(0).getClassName()).isEqualTo(Handler.class.getName());
        test.captureStacks(false);
        postSomething();
        assertThat(test.pending().get(2).postedAt()).isEmpty();
    }

    private int postBarrier() {
        return queue.postSyncBarrier();
    }

    @Test
    void saysWhereABarrierWasPostedIfCaptured() {
        test.captureStacks(true);
        int token = postBarrier();
        assertThat(test.pending()).singleElement().satisfies(m -> {
            assertThat(m.barrier()).isEqualTo(token);
            assertThat(m.postedAt())
                    .extracting(StackTraceElement::getMethodName)
                    .startsWith("postBarrier", "saysWhereABarrierWasPostedIfCaptured");
        });
    }

    @Test
    void theListIsImmutableAndDoesNotFollow() {
        handler.sendEmptyMessage(1);
        List<PendingMessage> before = test.pending();
        assertThatThrownBy(before::clear).isInstanceOf(UnsupportedOperationException.class);
        handler.removeMessages(1);
        assertThat(before).hasSize(1).first().extracting(PendingMessage::what).isEqualTo(1);
        assertThat(test.pending()).isEmpty();
    }

    @Test
    void whatIsRemovedOrCancelledOrDroppedIsNotThere() {
        Message cancelled = handler.obtainMessage(1);
        handler.sendMessage(cancelled);
        handler.sendEmptyMessage(2);
        handler.sendEmptyMessage(3);
        cancelled.cancel();
        handler.removeMessages(2);
        assertThat(codes()).containsExactly(3);
        test.looper().quitSafely();
        handler.sendEmptyMessage(4);
        assertThat(codes()).containsExactly(3);
        test.looper().quit();
        test.runUntilIdle();
        assertThat(codes()).isEmpty();
    }

    @Test
    void aLooperOnAThreadCanBeLookedAtFromOutside() throws Exception {
        HandlerThread thread =
                new HandlerThread("test", LooperOptions.defaults().withQueue(kind));
        thread.start();
        Handler there = new Handler(thread.getLooper());
        there.sendEmptyMessageDelayed(5, 1_000_000);
        assertThat(thread.getLooper().getQueue().pending()).singleElement().satisfies(m -> {
            assertThat(m.target()).isSameAs(there);
            assertThat(m.what()).isEqualTo(5);
        });
        thread.quit();
        thread.join();
    }
}
