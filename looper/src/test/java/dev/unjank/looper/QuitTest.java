package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.fixture.ManualLooper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Quitting: dropped, run and refused messages. */
@ParameterizedClass
@EnumSource
class QuitTest {
    @Parameter
    QueueKind kind;

    private ManualLooper hand;

    @BeforeEach
    void prepare() {
        hand = new ManualLooper(kind);
    }

    @Test
    void quitDropsAll() {
        hand.post("due");
        hand.postAt("negative", Long.MIN_VALUE);
        hand.handler.postAtFrontOfQueue(hand.log("front"));
        hand.handler.postDelayed(hand.log("later"), 10);
        hand.looper.quit();
        assertThat(hand.runUntil(1)).isEmpty();
        assertThat(hand.queue.snapshot()).isEmpty();
    }

    @Test
    void quitSafelyRunsWhatIsDueInOrderAndDropsWhatIsLater() {
        hand.post("b");
        hand.handler.postDelayed(hand.log("later"), 1);
        hand.postAt("never", Long.MAX_VALUE);
        hand.postAt("a", hand.now() - 5);
        hand.post("c");
        hand.looper.quitSafely();
        assertThat(hand.runUntil(4)).containsExactly("a", "b", "c");
        assertThat(hand.manager.next()).isNull();
    }

    /** The looper reads the clock and then looks at the queue; in between others may send and quit. */
    @Test
    void quitSafelyRunsWhatIsDueAtTheCallThoughNotYetByTheTimeOfTheLooper() {
        long earlier = hand.clock.nanos();
        hand.clock.advanceMillis(1);
        hand.post("due");
        hand.looper.quitSafely();
        assertThat(hand.queue.poll(earlier, true)).isNull();
        assertThat(hand.queue.pollResult.ended).isFalse();
        assertThat(hand.runUntil(1)).containsExactly("due");
    }

    @Test
    void whatBecomesDueAfterQuitSafelyDoesNotRun() {
        hand.post("due");
        hand.handler.postDelayed(hand.log("later"), 1);
        hand.looper.quitSafely();
        hand.clock.advanceMillis(10);
        assertThat(hand.runUntil(2)).containsExactly("due");
    }

    @Test
    void postsAfterQuitReturnFalseAtOnceAndRecycleTheMessage() {
        hand.looper.quit();
        assertRefusing();
    }

    @Test
    void postsAfterQuitSafelyReturnFalseAtOnceAndRecycleTheMessage() {
        hand.post("due");
        hand.looper.quitSafely();
        assertRefusing();
        assertThat(hand.runUntil(2)).containsExactly("due");
    }

    private void assertRefusing() {
        Message m = hand.handler.obtainMessage(5, 6, 7, "payload");
        assertThat(hand.handler.sendMessage(m)).isFalse();
        assertThat(m.what).isZero();
        assertThat(m.obj).isNull();
        assertThat(m.getTarget()).isNull();
        assertThatThrownBy(() -> hand.handler.sendMessage(m)).isInstanceOf(IllegalStateException.class);
        assertThat(hand.handler.post(() -> {})).isFalse();
        assertThat(hand.handler.postDelayed(() -> {}, 5)).isFalse();
        assertThat(hand.handler.postAtFrontOfQueue(() -> {})).isFalse();
        assertThat(hand.handler.sendEmptyMessage(1)).isFalse();
    }

    @Test
    void afterQuitNothingIsThereAtOnce() {
        Runnable r = hand.log("later");
        hand.handler.sendEmptyMessage(3);
        hand.handler.postDelayed(r, 10);
        hand.runDue();
        hand.handler.sendEmptyMessage(4);
        hand.looper.quit();
        assertThat(hand.handler.hasMessages(4)).isFalse();
        assertThat(hand.handler.hasMessages(0)).isFalse();
        assertThat(hand.handler.hasCallbacks(r)).isFalse();
        assertThat(hand.queue.isIdle()).isTrue();
    }

    @Test
    void afterQuitSafelyOnlyWhatIsDueIsThere() {
        hand.handler.sendEmptyMessage(3);
        hand.handler.sendEmptyMessageDelayed(4, 1);
        hand.looper.quitSafely();
        assertThat(hand.handler.hasMessages(3)).isTrue();
        assertThat(hand.handler.hasMessages(4)).isFalse();
        hand.handler.removeMessages(3);
        assertThat(hand.runUntil(1)).isEmpty();
    }

    @Test
    void quitFreesWhatItDropsEvenIfTheLoopNeverRunsAgain() {
        Message m = hand.handler.obtainMessage(1, "payload");
        hand.handler.sendMessage(m);
        hand.looper.quit();
        assertThat(m.obj).isNull();
    }

    @Test
    void quitAfterQuitSafelyIsIgnored() {
        hand.post("due");
        hand.looper.quitSafely();
        hand.looper.quit();
        assertThat(hand.runUntil(2)).containsExactly("due");
    }

    @Test
    void quitSafelyAfterQuitIsIgnored() {
        hand.post("due");
        hand.looper.quit();
        hand.looper.quitSafely();
        assertThat(hand.runUntil(1)).isEmpty();
    }

    @Test
    void quitInsideAMessageRunsNothingMore() {
        hand.handler.post(() -> {
            hand.log.add("quitting");
            hand.looper.quit();
        });
        hand.post("next");
        assertThat(hand.runUntil(2)).containsExactly("quitting");
    }

    @Test
    void quitSafelyInsideAMessageRunsWhatIsDue() {
        hand.handler.post(() -> {
            hand.looper.quitSafely();
            hand.log.add("quitting " + hand.post("refused"));
        });
        hand.post("next");
        assertThat(hand.runUntil(3)).containsExactly("quitting false", "next");
    }

    @Test
    void quitWakesTheLoop() {
        hand.waker.whileAsleep(hand.looper::quit);
        assertThat(hand.manager.next()).isNull();
        assertThat(hand.waker.wakes).isEqualTo(1);
    }

    @Test
    void quitSafelyWakesTheLoop() {
        hand.handler.postDelayed(hand.log("later"), 50);
        hand.waker.whileAsleep(hand.looper::quitSafely);
        assertThat(hand.manager.next()).isNull();
        assertThat(hand.now()).isEqualTo(1_000);
    }

    @Test
    void anEndedLoopStaysEnded() {
        hand.looper.quit();
        assertThat(hand.manager.next()).isNull();
        assertThat(hand.manager.next()).isNull();
        assertThat(hand.manager.poll()).isNull();
        assertThat(hand.waker.sleeps).isZero();
    }

    @Test
    void theWakerIsClosedOnceWhenTheLoopHasEnded() {
        hand.post("due");
        hand.looper.quitSafely();
        assertThat(hand.waker.closed).isZero();
        hand.runUntil(2);
        hand.manager.next();
        hand.looper.quit();
        assertThat(hand.waker.closed).isEqualTo(1);
    }

    @Test
    void aMessageTakenBeforeQuitMayBeExecutedAfterIt() {
        hand.post("taken");
        Message m = hand.manager.next();
        hand.looper.quit();
        hand.manager.execute(m);
        hand.manager.recycle(m);
        assertThat(hand.log).containsExactly("taken");
    }

    @Test
    void barriersAreDroppedByQuit() {
        int token = hand.queue.postSyncBarrier();
        hand.looper.quit();
        assertThatThrownBy(() -> hand.queue.removeSyncBarrier(token)).isInstanceOf(IllegalStateException.class);
        int refused = hand.queue.postSyncBarrier();
        assertThatThrownBy(() -> hand.queue.removeSyncBarrier(refused)).isInstanceOf(IllegalStateException.class);
    }
}
