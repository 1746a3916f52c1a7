package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.fixture.ManualLooper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Finding and removing messages that wait. */
@ParameterizedClass
@EnumSource
class MessageRemovalTest {
    @Parameter
    QueueKind kind;

    private ManualLooper hand;

    @BeforeEach
    void prepare() {
        hand = new ManualLooper(kind);
    }

    @Test
    void messagesAreFoundByCode() {
        hand.handler.sendEmptyMessageDelayed(3, 10);
        assertThat(hand.handler.hasMessages(3)).isTrue();
        assertThat(hand.handler.hasMessages(4)).isFalse();
        hand.handler.removeMessages(4);
        assertThat(hand.handler.hasMessages(3)).isTrue();
        hand.handler.removeMessages(3);
        assertThat(hand.handler.hasMessages(3)).isFalse();
    }

    @Test
    void allMessagesWithTheCodeAreRemovedAndTheOthersStayInOrder() {
        for (int i = 0; i < 30; i++) {
            hand.handler.sendEmptyMessage(i % 3);
        }
        hand.handler.removeMessages(1);
        assertThat(hand.runDue()).hasSize(20).doesNotContain("1").startsWith("0", "2", "0", "2");
    }

    @Test
    void objectsAreComparedByIdentityAndNullMeansAny() {
        Object token = new String("token");
        hand.handler.sendMessageDelayed(hand.handler.obtainMessage(1, token), 10);
        assertThat(hand.handler.hasMessages(1, new String("token"))).isFalse();
        assertThat(hand.handler.hasMessages(1, token)).isTrue();
        assertThat(hand.handler.hasMessages(1, null)).isTrue();
        hand.handler.removeMessages(1, new String("token"));
        assertThat(hand.handler.hasMessages(1)).isTrue();
        hand.handler.removeMessages(1, token);
        assertThat(hand.handler.hasMessages(1)).isFalse();
    }

    @Test
    void runnablesHaveCodeZero() {
        hand.handler.postDelayed(hand.log("r"), 10);
        assertThat(hand.handler.hasMessages(0)).isTrue();
        hand.handler.removeMessages(0);
        assertThat(hand.handler.hasMessages(0)).isFalse();
        assertThat(hand.queue.snapshot()).isEmpty();
    }

    @Test
    void runnablesAreFoundAndRemovedByIdentity() {
        Runnable r = hand.log("r");
        hand.handler.post(r);
        hand.handler.post(hand.log("other"));
        hand.handler.postDelayed(r, 10);
        assertThat(hand.handler.hasCallbacks(r)).isTrue();
        hand.handler.removeCallbacks(r);
        assertThat(hand.handler.hasCallbacks(r)).isFalse();
        assertThat(hand.runDue()).containsExactly("other");
    }

    @Test
    void runnablesAreRemovedByToken() {
        Runnable r = hand.log("r");
        Object token = new Object();
        hand.handler.postAtTime(r, token, hand.now());
        hand.handler.postDelayed(r, new Object(), 0);
        hand.handler.removeCallbacks(r, token);
        assertThat(hand.runDue()).containsExactly("r");
        hand.handler.postDelayed(hand.log("a"), token, 5);
        hand.handler.sendMessageDelayed(hand.handler.obtainMessage(9, token), 5);
        hand.handler.postDelayed(hand.log("b"), 5);
        hand.handler.removeCallbacksAndMessages(token);
        assertThat(hand.runUntil(2)).containsExactly("r", "b");
    }

    @Test
    void removingTheNullRunnableDoesNothing() {
        hand.handler.sendEmptyMessage(0);
        hand.handler.removeCallbacks(null);
        hand.handler.removeCallbacks(null, null);
        assertThat(hand.runDue()).containsExactly("0");
    }

    @Test
    void handlersDoNotSeeEachOthersMessages() {
        Handler other = hand.loggingHandler("other ");
        other.sendEmptyMessage(1);
        hand.handler.sendEmptyMessage(1);
        hand.handler.removeMessages(1);
        assertThat(hand.handler.hasMessages(1)).isFalse();
        assertThat(other.hasMessages(1)).isTrue();
        assertThat(hand.runDue()).containsExactly("other 1");
    }

    @Test
    void aRemovedMessageIsFreedAtOnce() {
        Message m = hand.handler.obtainMessage(1, 2, 3, new Object());
        hand.handler.sendMessageDelayed(m, 10);
        hand.handler.removeMessages(1);
        assertThat(m.obj).isNull();
        assertThat(m.getTarget()).isNull();
        assertThat(m.what + m.arg1 + m.arg2).isZero();
    }

    @Test
    void aRemovedMessageCannotBeSentAgain() {
        Message m = hand.handler.obtainMessage(1);
        hand.handler.sendMessage(m);
        hand.handler.removeMessages(1);
        assertThatThrownBy(() -> hand.handler.sendMessage(m)).isInstanceOf(IllegalStateException.class);
        hand.runDue();
        assertThatThrownBy(() -> hand.handler.sendMessage(m)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aMessageMayRemoveWhatWaitsBehindIt() {
        hand.handler.post(() -> hand.handler.removeMessages(5));
        hand.handler.sendEmptyMessage(5);
        hand.handler.sendEmptyMessage(6);
        assertThat(hand.runDue()).containsExactly("6");
    }

    @Test
    void theMessageBeingDeliveredIsNotInTheQueue() {
        Handler h = new Handler(hand.looper) {
            @Override
            public void handleMessage(Message msg) {
                hand.log.add("delivered, has=" + hasMessages(msg.what));
                removeMessages(msg.what);
                hand.log.add("still " + msg.obj);
            }
        };
        h.sendMessage(h.obtainMessage(4, "here"));
        assertThat(hand.runDue()).containsExactly("delivered, has=false", "still here");
    }

    @Test
    void whatTheLoopSleepsForMayBeRemoved() {
        hand.handler.sendEmptyMessageDelayed(1, 10);
        hand.handler.sendEmptyMessageDelayed(2, 50);
        hand.waker.whileAsleep(() -> hand.handler.removeMessages(1));
        assertThat(hand.runUntil(1)).containsExactly("2");
        assertThat(hand.now()).isEqualTo(1_050);
    }

    @Test
    void removalLeavesNothingBehindInTheMiddleAtTheTopAndAtTheBottom() {
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 10; i++) {
                hand.handler.sendEmptyMessageDelayed(i, i);
            }
            hand.runDue();
            hand.log.clear();
            hand.handler.sendEmptyMessageDelayed(10, 10);
            for (int what : new int[] {10, 9, 1, 5, 4}) {
                hand.handler.removeMessages(what);
            }
            hand.clock.advanceMillis(20);
            assertThat(hand.runDue()).containsExactly("2", "3", "6", "7", "8");
            assertThat(hand.queue.snapshot()).isEmpty();
            hand.log.clear();
        }
    }

    @Test
    void aMessageIsItsOwnHandle() {
        Message first = Message.obtain(hand.handler, hand.log("first"));
        Message second = Message.obtain(hand.handler, hand.log("second"));
        assertThat(first.cancel()).as("before it is sent").isFalse();
        hand.handler.sendMessageDelayed(first, 10);
        hand.handler.sendMessage(second);
        assertThat(first.cancel()).isTrue();
        assertThat(first.getCallback()).as("let go of at once").isNull();
        assertThat(first.cancel()).as("a second time").isFalse();
        assertThat(hand.runUntil(1)).containsExactly("second");
        assertThat(hand.queue.snapshot()).isEmpty();
        assertThat(second.cancel()).as("after delivery").isFalse();
    }

    @Test
    void aMessageCannotBeCancelledByItself() {
        boolean[] cancelled = {true};
        Message[] self = new Message[1];
        self[0] = Message.obtain(hand.handler, () -> cancelled[0] = self[0].cancel());
        hand.handler.sendMessage(self[0]);
        hand.runDue();
        assertThat(cancelled[0]).isFalse();
    }

    @Test
    void whatQuittingDroppedCannotBeCancelled() {
        Message message = Message.obtain(hand.handler, hand.log("r"));
        hand.handler.sendMessage(message);
        hand.looper.quit();
        assertThat(message.cancel()).isFalse();
    }
}
