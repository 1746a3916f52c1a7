package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.fixture.ManualLooper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The time and the order of delivery. */
@ParameterizedClass
@EnumSource
class DeliveryOrderTest {
    @Parameter
    QueueKind kind;

    private ManualLooper hand;

    @BeforeEach
    void prepare() {
        hand = new ManualLooper(kind);
    }

    @Test
    void sameTimeIsFirstInFirstOut() {
        for (int i = 0; i < 100; i++) {
            hand.post("" + i);
        }
        assertThat(hand.runDue())
                .hasSize(100)
                .isSortedAccordingTo((a, b) -> Integer.compare(Integer.parseInt(a), Integer.parseInt(b)));
    }

    @Test
    void sameTimeIsFirstInFirstOutAlsoIfTheLooperLookedInBetween() {
        hand.postAt("a", 2_000);
        hand.postAt("b", 2_000);
        assertThat(hand.runDue()).isEmpty();
        hand.postAt("c", 2_000);
        hand.clock.advanceMillis(1_000);
        assertThat(hand.runDue()).containsExactly("a", "b", "c");
    }

    @Test
    void earlierTimeGoesFirst() {
        hand.postAt("late", 900);
        hand.postAt("early", 100);
        hand.postAt("middle", 500);
        assertThat(hand.runDue()).containsExactly("early", "middle", "late");
    }

    @Test
    void nothingRunsBeforeItsTime() {
        hand.handler.postDelayed(hand.log("later"), 10);
        hand.clock.advanceMillis(9);
        assertThat(hand.runDue()).isEmpty();
        hand.clock.advanceMillis(1);
        assertThat(hand.runDue()).containsExactly("later");
    }

    @Test
    void aLoopSleepsUntilTheNextIsDue() {
        hand.handler.postDelayed(hand.log("b"), 30);
        hand.handler.postDelayed(hand.log("a"), 10);
        assertThat(hand.runUntil(1)).containsExactly("a");
        assertThat(hand.now()).isEqualTo(1_010);
        assertThat(hand.runUntil(2)).containsExactly("a", "b");
        assertThat(hand.now()).isEqualTo(1_030);
    }

    @Test
    void aLoopSleepsNoLongerThanToTheMillisecond() {
        hand.clock.setNanos(1_000_999_999L);
        hand.handler.postDelayed(hand.log("a"), 1);
        hand.runUntil(1);
        assertThat(hand.clock.nanos()).isEqualTo(1_001_000_000L);
    }

    @Test
    void frontOfQueueIsLastInFirstOut() {
        hand.post("waiting");
        hand.handler.postAtFrontOfQueue(hand.log("1"));
        hand.postAt("2", 0);
        hand.handler.sendMessageAtFrontOfQueue(Message.obtain(hand.handler, hand.log("3")));
        hand.handler.sendEmptyMessageAtTime(4, 0);
        assertThat(hand.runDue()).containsExactly("4", "3", "2", "1", "waiting");
    }

    @Test
    void frontOfQueueIsLastInFirstOutAlsoIfTheLooperLookedInBetween() {
        hand.handler.postAtFrontOfQueue(hand.log("1"));
        hand.queue.snapshot();
        hand.post("x");
        assertThat(hand.manager.peekWhen()).isZero();
        hand.handler.postAtFrontOfQueue(hand.log("2"));
        assertThat(hand.runDue()).containsExactly("2", "1", "x");
    }

    @Test
    void frontOfQueueIsLastInFirstOutAlsoBetweenTwoDeliveries() {
        hand.handler.postAtFrontOfQueue(hand.log("1"));
        hand.handler.postAtFrontOfQueue(() -> {
            hand.log.add("2");
            hand.handler.postAtFrontOfQueue(hand.log("3"));
        });
        assertThat(hand.runDue()).containsExactly("2", "3", "1");
    }

    @Test
    void frontOfQueueGoesBeforeABarrierAlreadyPosted() {
        hand.queue.postSyncBarrier();
        hand.handler.postAtFrontOfQueue(hand.log("front"));
        hand.post("behind");
        assertThat(hand.runDue()).containsExactly("front");
    }

    @Test
    void absoluteTimesMayBeNegativeAndGoBeforeTheFront() {
        hand.handler.postAtFrontOfQueue(hand.log("front"));
        hand.postAt("one", 1);
        hand.postAt("minus two", -2);
        hand.postAt("minus three", -3);
        hand.handler.postAtFrontOfQueue(hand.log("front again"));
        assertThat(hand.runDue()).containsExactly("minus three", "minus two", "front again", "front", "one");
    }

    @Test
    void aNegativeDelayIsZero() {
        hand.post("a");
        hand.handler.postDelayed(hand.log("b"), -500);
        hand.handler.sendEmptyMessageDelayed(7, Long.MIN_VALUE);
        assertThat(hand.runDue()).containsExactly("a", "b", "7");
    }

    @Test
    void anOverflowingDelayStaysPending() {
        hand.handler.postDelayed(hand.log("never"), Long.MAX_VALUE);
        hand.handler.postDelayed(hand.log("nearly never"), Long.MAX_VALUE - 1);
        hand.post("now");
        assertThat(hand.runDue()).containsExactly("now");
        assertThat(hand.queue.snapshot()).hasSize(2);
    }

    @Test
    void theEndOfTimeStaysPendingAndDisturbsNothing() {
        hand.postAt("never", Long.MAX_VALUE);
        hand.handler.postDelayed(hand.log("later"), 5);
        assertThat(hand.runUntil(1)).containsExactly("later");
        assertThat(hand.handler.hasMessages(0)).isTrue();
        assertThat(hand.queue.isIdle()).isTrue();
    }

    @Test
    void timesFarApartAreComparedWithoutOverflow() {
        hand.postAt("max", Long.MAX_VALUE);
        hand.postAt("min", Long.MIN_VALUE);
        hand.postAt("minus two", -2);
        hand.post("now");
        assertThat(hand.runDue()).containsExactly("min", "minus two", "now");
        assertThat(hand.queue.snapshot()).extracting(Message::getWhen).containsExactly(Long.MAX_VALUE);
    }

    @Test
    void whatAMessagePostsRunsAfterWhatWaits() {
        hand.handler.post(() -> {
            hand.log.add("first");
            hand.post("posted by first");
        });
        hand.post("second");
        assertThat(hand.runDue()).containsExactly("first", "second", "posted by first");
    }

    @Test
    void theFrontIsLastComeFirstServedAlsoWhileOthersOfTheFrontAreAtHand() {
        hand.handler.postAtFrontOfQueue(hand.log("a"));
        hand.handler.postAtFrontOfQueue(() -> {
            hand.log.add("b");
            hand.handler.postAtFrontOfQueue(hand.log("c"));
        });
        assertThat(hand.runDue()).containsExactly("b", "c", "a");
    }

    @Test
    void whatIsSentMeanwhileOvertakesWhatIsAtHandIfItIsDueEarlier() {
        long now = hand.now();
        hand.postAt("now", now);
        hand.postAt("later", now + 1);
        hand.clock.advanceMillis(5);
        hand.handler.postAtTime(
                () -> {
                    hand.log.add("first");
                    hand.postAt("between", now);
                    hand.postAt("behind", now + 1);
                },
                now - 1);
        assertThat(hand.runDue()).containsExactly("first", "now", "between", "later", "behind");
    }
}
