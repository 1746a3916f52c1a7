package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.fixture.ManualLooper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Sync barriers: the messages that they hold up and let through. */
@ParameterizedClass
@EnumSource
class SyncBarrierTest {
    @Parameter
    QueueKind kind;

    private ManualLooper hand;

    @BeforeEach
    void prepare() {
        hand = new ManualLooper(kind);
    }

    @Test
    void aBarrierStopsSynchronousMessagesOnly() {
        hand.post("before");
        int token = hand.queue.postSyncBarrier();
        hand.post("sync");
        hand.postAsyncAt("async", hand.now());
        assertThat(hand.runDue()).containsExactly("before", "async");
        hand.queue.removeSyncBarrier(token);
        assertThat(hand.runDue()).containsExactly("before", "async", "sync");
    }

    @Test
    void aMessageEarlierThanTheBarrierPassesAlthoughPostedLater() {
        hand.queue.postSyncBarrier();
        hand.postAt("earlier", hand.now() - 1);
        hand.postAt("same time", hand.now());
        assertThat(hand.runDue()).containsExactly("earlier");
    }

    @Test
    void asynchronousMessagesKeepTheirOrderBehindABarrier() {
        hand.queue.postSyncBarrier();
        hand.postAsyncAt("b", 1_020);
        hand.postAsyncAt("a", 1_010);
        hand.postAsyncAt("b2", 1_020);
        hand.postAt("sync", 1_005);
        assertThat(hand.runUntil(3)).containsExactly("a", "b", "b2");
    }

    @Test
    void withoutABarrierAsynchronousMessagesHaveNoPrivilege() {
        hand.post("sync");
        hand.postAsyncAt("async", hand.now());
        hand.post("sync 2");
        assertThat(hand.runDue()).containsExactly("sync", "async", "sync 2");
    }

    @Test
    void barriersNest() {
        int outer = hand.queue.postSyncBarrier();
        hand.post("a");
        int inner = hand.queue.postSyncBarrier();
        hand.post("b");
        assertThat(hand.runDue()).isEmpty();
        hand.queue.removeSyncBarrier(outer);
        assertThat(hand.runDue()).containsExactly("a");
        hand.queue.removeSyncBarrier(inner);
        assertThat(hand.runDue()).containsExactly("a", "b");
    }

    @Test
    void theInnerBarrierMayGoFirst() {
        int outer = hand.queue.postSyncBarrier();
        int inner = hand.queue.postSyncBarrier();
        hand.post("a");
        hand.queue.removeSyncBarrier(inner);
        assertThat(hand.runDue()).isEmpty();
        hand.queue.removeSyncBarrier(outer);
        assertThat(hand.runDue()).containsExactly("a");
    }

    @Test
    void anUnknownOrUsedTokenIsRefused() {
        assertThatThrownBy(() -> hand.queue.removeSyncBarrier(77)).isInstanceOf(IllegalStateException.class);
        int token = hand.queue.postSyncBarrier();
        hand.queue.removeSyncBarrier(token);
        assertThatThrownBy(() -> hand.queue.removeSyncBarrier(token)).isInstanceOf(IllegalStateException.class);
        assertThat(hand.queue.postSyncBarrier()).isNotEqualTo(token);
    }

    @Test
    void aBarrierEndsWithItsQueueAndARefusalSaysSo() {
        int before = hand.queue.postSyncBarrier();
        hand.looper.quit();
        int after = hand.queue.postSyncBarrier();
        assertThat(hand.queue.pending()).isEmpty();
        for (int token : new int[] {before, after}) {
            assertThatThrownBy(() -> hand.queue.removeSyncBarrier(token))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("No barrier with the token " + token
                            + ": the queue has been quit, which has dropped its barriers");
        }
    }

    @Test
    void removingABarrierWakesTheLoop() {
        int token = hand.queue.postSyncBarrier();
        hand.post("stalled");
        hand.waker.whileAsleep(() -> hand.queue.removeSyncBarrier(token));
        assertThat(hand.runUntil(1)).containsExactly("stalled");
        assertThat(hand.waker.wakes).isEqualTo(1);
    }

    @Test
    void removingABarrierBehindASleepingLoopLetsItSleepUntilTheNextIsDue() {
        int token = hand.queue.postSyncBarrier();
        hand.postAt("later", 1_050);
        hand.waker.whileAsleep(() -> hand.queue.removeSyncBarrier(token));
        assertThat(hand.runUntil(1)).containsExactly("later");
        assertThat(hand.now()).isEqualTo(1_050);
    }

    @Test
    void anAsynchronousMessageBehindABarrierWakesTheLoop() {
        hand.queue.postSyncBarrier();
        hand.post("stalled");
        hand.waker.whileAsleep(() -> hand.postAsyncAt("async", hand.now()));
        assertThat(hand.runUntil(1)).containsExactly("async");
    }

    @Test
    void anAsynchronousMessageEarlierThanTheNextOneBehindABarrierWakesTheLoop() {
        hand.queue.postSyncBarrier();
        hand.postAsyncAt("late", 1_100);
        hand.waker.whileAsleep(() -> hand.postAsyncAt("early", 1_040));
        assertThat(hand.runUntil(1)).containsExactly("early");
        assertThat(hand.now()).isEqualTo(1_040);
        assertThat(hand.waker.wakes).isEqualTo(1);
    }

    @Test
    void anAsynchronousMessageLaterThanTheNextOneBehindABarrierDoesNotWakeTheLoop() {
        hand.queue.postSyncBarrier();
        hand.postAsyncAt("early", 1_040);
        hand.waker.whileAsleep(() -> hand.postAsyncAt("late", 1_100));
        assertThat(hand.runUntil(2)).containsExactly("early", "late");
        assertThat(hand.waker.wakes).isZero();
    }

    @Test
    void aSynchronousMessageBehindABarrierDoesNotWakeTheLoop() {
        hand.queue.postSyncBarrier();
        hand.postAsyncAt("async", 1_100);
        hand.waker.whileAsleep(() -> hand.postAt("stalled", 1_040));
        assertThat(hand.runUntil(1)).containsExactly("async");
        assertThat(hand.waker.wakes).isZero();
    }

    @Test
    void postingABarrierDoesNotWakeTheLoop() {
        hand.postAsyncAt("async", 1_100);
        hand.waker.whileAsleep(hand.queue::postSyncBarrier);
        assertThat(hand.runUntil(1)).containsExactly("async");
        assertThat(hand.waker.wakes).isZero();
    }

    @Test
    void aBarrierPostedWhileTheLoopSleepsHoldsUpWhatItSleptFor() {
        hand.postAt("sync", 1_050);
        hand.waker.whileAsleep(hand.queue::postSyncBarrier);
        hand.postAsyncAt("async", 1_100);
        assertThat(hand.runUntil(1)).containsExactly("async");
        assertThat(hand.now()).isEqualTo(1_100);
    }

    @Test
    void removingEverythingLeavesBarriersAndOtherHandlers() {
        Handler other = hand.loggingHandler("other ");
        int token = hand.queue.postSyncBarrier();
        hand.post("mine");
        other.sendEmptyMessage(1);
        hand.handler.removeCallbacksAndMessages(null);
        assertThat(hand.runDue()).isEmpty();
        hand.queue.removeSyncBarrier(token);
        assertThat(hand.runDue()).containsExactly("other 1");
    }

    @Test
    void removingCodeZeroOrMinusOneLeavesBarriers() {
        int token = hand.queue.postSyncBarrier();
        hand.handler.removeMessages(0);
        hand.handler.removeMessages(token);
        hand.post("stalled");
        assertThat(hand.runDue()).isEmpty();
        hand.queue.removeSyncBarrier(token);
    }

    @Test
    void aStalledDueMessageMeansNotIdle() {
        int token = hand.queue.postSyncBarrier();
        hand.post("stalled");
        hand.queue.addIdleHandler(() -> hand.log.add("idle"));
        assertThat(hand.queue.isIdle()).isFalse();
        hand.waker.whileAsleep(() -> hand.queue.removeSyncBarrier(token));
        assertThat(hand.runUntil(1)).containsExactly("stalled");
        assertThat(hand.queue.isIdle()).isTrue();
    }

    @Test
    void aStalledDueMessageRunsNoIdleHandlers() {
        hand.queue.postSyncBarrier();
        hand.post("stalled");
        hand.queue.addIdleHandler(() -> hand.log.add("idle"));
        hand.waker.whileAsleep(() -> hand.postAsyncAt("async", 1_010));
        assertThat(hand.runUntil(1)).containsExactly("async");
    }

    @Test
    void aLoneBarrierMeansNotIdleAndRunsNoIdleHandlers() {
        int token = hand.queue.postSyncBarrier();
        hand.queue.addIdleHandler(() -> hand.log.add("idle"));
        assertThat(hand.queue.isIdle()).isFalse();
        hand.waker.whileAsleep(() -> hand.postAsyncAt("async", 1_010));
        assertThat(hand.runUntil(1)).containsExactly("async");
        hand.queue.removeSyncBarrier(token);
        assertThat(hand.queue.isIdle()).isTrue();
        hand.postAt("later", 1_020);
        assertThat(hand.runUntil(3)).containsExactly("async", "idle", "later");
    }

    @Test
    void quitSafelyEndsALoopThatIsStalled() {
        hand.queue.postSyncBarrier();
        hand.post("stalled");
        hand.waker.whileAsleep(hand.looper::quitSafely);
        assertThat(hand.runUntil(1)).isEmpty();
        assertThat(hand.queue.snapshot()).isEmpty();
    }

    @Test
    void quitSafelyRunsDueAsynchronousMessagesBehindABarrier() {
        hand.queue.postSyncBarrier();
        hand.post("stalled");
        hand.postAsyncAt("async", hand.now());
        hand.looper.quitSafely();
        assertThat(hand.runUntil(2)).containsExactly("async");
    }

    @Test
    void anAsynchronousHandlerMarksItsMessagesWhenTheyAreSent() {
        hand.queue.postSyncBarrier();
        Handler async = Handler.createAsync(hand.looper);
        Message m = Message.obtain(async, hand.log("async"));
        assertThat(m.isAsynchronous()).isFalse();
        async.sendMessage(m);
        assertThat(m.isAsynchronous()).isTrue();
        Handler asyncWithCallback = Handler.createAsync(hand.looper, msg -> hand.log.add("callback " + msg.what));
        asyncWithCallback.sendEmptyMessage(5);
        assertThat(hand.runDue()).containsExactly("async", "callback 5");
    }

    @Test
    void whatTheUserDoesToAQueuedMessageDoesNotConfuseTheQueue() {
        Message m = Message.obtain(hand.handler, hand.log("async"));
        m.setAsynchronous(true);
        hand.handler.sendMessageDelayed(m, 10);
        hand.runDue();
        m.setAsynchronous(false);
        hand.queue.postSyncBarrier();
        assertThat(hand.runUntil(1)).containsExactly("async");
    }
}
