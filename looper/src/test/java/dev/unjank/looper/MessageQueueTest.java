package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.fixture.ManualLooper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The queries of a queue, and its methods for tests. */
@ParameterizedClass
@EnumSource
class MessageQueueTest {
    @Parameter
    QueueKind kind;

    private ManualLooper hand;

    @BeforeEach
    void prepare() {
        hand = new ManualLooper(kind);
    }

    @Test
    void isPollingIsTrueOnlyWhileBlockedInThePoll() {
        hand.queue.addIdleHandler(() -> hand.log.add("idle " + hand.queue.isPolling()));
        hand.waker.whileAsleep(() -> hand.log.add("asleep " + hand.queue.isPolling()));
        hand.waker.whileAsleep(() -> hand.handler.post(() -> hand.log.add("running " + hand.queue.isPolling())));
        assertThat(hand.queue.isPolling()).isFalse();
        assertThat(hand.runUntil(3)).containsExactly("idle false", "asleep true", "running false");
        assertThat(hand.queue.isPolling()).isFalse();
    }

    @Test
    void isPollingIsTrueAlsoWhileWaitingForADelayedMessageOrBehindABarrier() {
        hand.postAt("later", 1_050);
        hand.waker.whileAsleep(() -> hand.log.add("asleep " + hand.queue.isPolling()));
        hand.runUntil(2);
        hand.queue.postSyncBarrier();
        hand.post("stalled");
        hand.waker.whileAsleep(() -> hand.log.add("stalled " + hand.queue.isPolling()));
        hand.waker.whileAsleep(() -> hand.postAsyncAt("async", hand.now()));
        assertThat(hand.runUntil(4)).containsExactly("asleep true", "later", "stalled true", "async");
    }

    @Test
    void isPollingIsFalseWhileQuittingAlsoIfStillBlocked() {
        hand.waker.whileAsleep(() -> {
            hand.looper.quit();
            hand.log.add("asleep " + hand.queue.isPolling());
        });
        assertThat(hand.manager.next()).isNull();
        assertThat(hand.log).containsExactly("asleep false");
        assertThat(hand.queue.isPolling()).isFalse();
    }

    @Test
    void isPollingIsFalseAgainIfTheWakerFails() {
        assertThatThrownBy(hand.manager::next).hasMessage("the looper sleeps for ever");
        assertThat(hand.queue.isPolling()).isFalse();
    }

    @Test
    void peekLastMessageForTestShowsWhatWouldBeDeliveredLast() {
        assertThat(hand.queue.peekLastMessageForTest()).isNull();
        hand.handler.sendEmptyMessageAtTime(1, 2_000);
        hand.handler.sendEmptyMessageAtTime(2, 3_000);
        hand.handler.sendEmptyMessageAtTime(3, 3_000);
        hand.handler.sendEmptyMessageAtTime(4, 0);
        assertThat(hand.queue.peekLastMessageForTest().what).isEqualTo(3);
        hand.handler.removeMessages(3);
        assertThat(hand.queue.peekLastMessageForTest().what).isEqualTo(2);
        hand.handler.removeMessages(2);
        hand.handler.removeMessages(1);
        hand.queue.postSyncBarrier();
        assertThat(hand.queue.peekLastMessageForTest().what).as("no barrier").isEqualTo(4);
        hand.handler.removeMessages(4);
        assertThat(hand.queue.peekLastMessageForTest()).isNull();
    }

    @Test
    void resetForTestMakesTheQueueAsNew() {
        int first = hand.queue.postSyncBarrier();
        hand.post("stalled");
        hand.postAsyncAt("async", 2_000);
        hand.queue.addIdleHandler(() -> hand.log.add("idle"));
        hand.queue.resetForTest();
        assertThat(hand.queue.snapshot()).isEmpty();
        assertThat(hand.queue.isIdle()).isTrue();
        hand.postAt("after", 1_010);
        assertThat(hand.runUntil(1)).containsExactly("after");
        assertThat(hand.queue.postSyncBarrier()).as("the first token again").isEqualTo(first);
    }

    /**
     * A looper asleep behind a barrier ignores messages sent after it: it must be woken when the barrier is removed.
     */
    @Test
    void resetForTestWakesALoopThatABarrierHoldsUp() {
        hand.queue.postSyncBarrier();
        hand.post("stalled");
        hand.waker.whileAsleep(hand.queue::resetForTest);
        hand.waker.whileAsleep(() -> hand.post("after"));
        assertThat(hand.runUntil(1)).containsExactly("after");
    }

    @Test
    void resetForTestDoesNotReviveAQueueThatHasQuit() {
        hand.post("due");
        hand.looper.quitSafely();
        hand.queue.resetForTest();
        assertThat(hand.post("refused")).isFalse();
        assertThat(hand.runUntil(2)).containsExactly("due");
    }
}
