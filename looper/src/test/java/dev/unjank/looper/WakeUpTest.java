package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.fixture.ManualLooper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The changes that wake a sleeping looper, and those that do not. */
@ParameterizedClass
@EnumSource
class WakeUpTest {
    @Parameter
    QueueKind kind;

    private ManualLooper hand;

    @BeforeEach
    void prepare() {
        hand = new ManualLooper(kind);
    }

    @Test
    void aPostToAnEmptyQueueWakes() {
        hand.waker.whileAsleep(() -> hand.post("a"));
        assertThat(hand.runUntil(1)).containsExactly("a");
        assertThat(hand.waker.wakes).isEqualTo(1);
    }

    @Test
    void anEarlierMessageWakesAndALaterOneDoesNot() {
        hand.postAt("c", 1_300);
        hand.waker.whileAsleep(() -> hand.postAt("later", 1_400));
        hand.waker.whileAsleep(() -> hand.postAt("same time", 1_300));
        hand.waker.whileAsleep(() -> hand.postAt("b", 1_200));
        hand.waker.whileAsleep(() -> hand.postAt("a", 1_100));
        assertThat(hand.runUntil(5)).containsExactly("a", "b", "c", "same time", "later");
        assertThat(hand.waker.wakes).isEqualTo(2);
    }

    @Test
    void theFrontOfTheQueueWakes() {
        hand.postAt("later", 1_300);
        hand.waker.whileAsleep(() -> hand.handler.postAtFrontOfQueue(hand.log("front")));
        assertThat(hand.runUntil(1)).containsExactly("front");
    }

    @Test
    void aBurstOfPostsWakesOnce() {
        hand.waker.whileAsleep(() -> {
            for (int i = 0; i < 100; i++) {
                hand.post("" + i);
            }
        });
        hand.runUntil(100);
        assertThat(hand.waker.wakes).isEqualTo(1);
    }

    @Test
    void aRunningLooperIsNotWoken() {
        hand.handler.post(() -> {
            hand.post("b");
            hand.handler.removeMessages(9);
            hand.queue.removeSyncBarrier(hand.queue.postSyncBarrier());
            hand.log.add("a");
        });
        hand.runUntil(2);
        assertThat(hand.waker.wakes).isZero();
    }

    @Test
    void removingMessagesDoesNotWake() {
        hand.handler.sendEmptyMessageDelayed(1, 50);
        hand.postAt("b", 1_100);
        hand.waker.whileAsleep(() -> hand.handler.removeMessages(1));
        assertThat(hand.runUntil(1)).containsExactly("b");
        assertThat(hand.waker.wakes).isZero();
    }

    @Test
    void aWakeThatComesTooEarlyIsNotLost() {
        hand.waker.wake();
        hand.waker.whileAsleep(() -> hand.post("a"));
        assertThat(hand.runUntil(1)).containsExactly("a");
    }
}
