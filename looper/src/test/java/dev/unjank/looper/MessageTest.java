package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.fixture.ManualLooper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The life of a message, and its copies. */
@ParameterizedClass
@EnumSource
class MessageTest {
    @Parameter
    QueueKind kind;

    private ManualLooper hand;

    @BeforeEach
    void prepare() {
        hand = new ManualLooper(kind);
    }

    @Test
    void obtainFillsWhatItIsGiven() {
        Runnable r = () -> {};
        Handler h = hand.handler;
        assertThat(Message.obtain().getTarget()).isNull();
        assertThat(Message.obtain(h).getTarget()).isSameAs(h);
        assertThat(Message.obtain(h, r).getCallback()).isSameAs(r);
        assertThat(Message.obtain(h, 1).what).isEqualTo(1);
        assertThat(Message.obtain(h, 1, "o").obj).isEqualTo("o");
        Message m = Message.obtain(h, 1, 2, 3, "o");
        assertThat(new Object[] {m.getTarget(), m.what, m.arg1, m.arg2, m.obj}).containsExactly(h, 1, 2, 3, "o");
        Message n = Message.obtain(h, 1, 2, 3);
        assertThat(new Object[] {n.getTarget(), n.what, n.arg1, n.arg2, n.obj}).containsExactly(h, 1, 2, 3, null);
    }

    @Test
    void obtainOfAMessageCopiesItWithTargetAndRunnable() {
        Message m = Message.obtain(hand.handler, hand.log("r"));
        m.what = 4;
        m.obj = "o";
        Message copy = Message.obtain(m);
        assertThat(copy).isNotSameAs(m);
        assertThat(copy.what).isEqualTo(4);
        assertThat(copy.obj).isEqualTo("o");
        copy.sendToTarget();
        assertThat(hand.runDue()).containsExactly("r");
    }

    @Test
    void handlersObtainMessagesForThemselves() {
        Handler h = hand.handler;
        assertThat(h.obtainMessage().getTarget()).isSameAs(h);
        assertThat(h.obtainMessage(1).what).isEqualTo(1);
        assertThat(h.obtainMessage(1, "o").obj).isEqualTo("o");
        assertThat(h.obtainMessage(1, 2, 3).arg2).isEqualTo(3);
        h.obtainMessage(1, 2, 3, "o").sendToTarget();
        assertThat(hand.runDue()).containsExactly("1");
    }

    @Test
    void sendToTargetWithoutTargetFails() {
        assertThatThrownBy(() -> Message.obtain().sendToTarget()).isInstanceOf(NullPointerException.class);
    }

    @Test
    void sendingReplacesTheTarget() {
        Message m = Message.obtain(hand.loggingHandler("other "), 1);
        hand.handler.sendMessage(m);
        assertThat(m.getTarget()).isSameAs(hand.handler);
        assertThat(hand.runDue()).containsExactly("1");
    }

    @Test
    void inUseFromEnqueueUntilRecycledAfterDelivery() {
        Message m = hand.handler.obtainMessage(1);
        hand.handler.sendMessage(m);
        assertInUse(m);
        Message taken = hand.manager.next();
        assertThat(taken).isSameAs(m);
        assertInUse(m);
        hand.manager.execute(m);
        assertInUse(m);
        hand.manager.recycle(m);
        assertInUse(m);
        assertThatThrownBy(() -> hand.manager.recycle(m)).isInstanceOf(IllegalStateException.class);
    }

    private void assertInUse(Message m) {
        assertThatThrownBy(() -> hand.handler.sendMessage(m)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> hand.handler.sendMessageAtFrontOfQueue(m)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(m::recycle).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> m.copyFrom(Message.obtain())).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aMessageBeingDeliveredCannotBeSentOrRecycled() {
        Handler h = new Handler(hand.looper) {
            @Override
            public void handleMessage(Message msg) {
                assertInUse(msg);
                hand.log.add("asserted");
            }
        };
        h.sendEmptyMessage(1);
        assertThat(hand.runDue()).containsExactly("asserted");
    }

    @Test
    void recycleClearsEverything() {
        Message m = hand.handler.obtainMessage(1, 2, 3, "o");
        m.setAsynchronous(true);
        m.recycle();
        assertCleared(m);
    }

    @Test
    void recyclingTwiceAndSendingWhatWasRecycledAreRefused() {
        Message m = hand.handler.obtainMessage(1);
        m.recycle();
        assertThatThrownBy(m::recycle).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> hand.handler.sendMessage(m)).isInstanceOf(IllegalStateException.class);
        assertThat(hand.runDue()).isEmpty();
    }

    @Test
    void deliveryClearsEverything() {
        Message m = hand.handler.obtainMessage(1, 2, 3, "o");
        m.setAsynchronous(true);
        hand.handler.sendMessage(m);
        hand.runDue();
        assertCleared(m);
    }

    private static void assertCleared(Message m) {
        assertThat(new Object[] {m.what, m.arg1, m.arg2, m.obj, m.getTarget(), m.getCallback(), m.getWhen()})
                .containsExactly(0, 0, 0, null, null, null, 0L);
        assertThat(m.isAsynchronous()).isFalse();
    }

    @Test
    void copyFromKeepsTheAsyncFlagAndClearsInUse() {
        Message queued = hand.handler.obtainMessage(1, 2, 3, "o");
        queued.setAsynchronous(true);
        hand.handler.sendMessage(queued);
        Message copy = Message.obtain();
        copy.copyFrom(queued);
        assertThat(copy.isAsynchronous()).isTrue();
        assertThat(new Object[] {copy.what, copy.arg1, copy.arg2, copy.obj}).containsExactly(1, 2, 3, "o");
        assertThat(copy.getTarget()).isNull();
        hand.handler.sendMessage(copy);
        assertThat(hand.runDue()).containsExactly("1", "1");
    }

    @Test
    void copyFromARemovedMessageCanBeSent() {
        Message removed = hand.handler.obtainMessage(1);
        hand.handler.sendMessage(removed);
        hand.handler.removeMessages(1);
        Message copy = Message.obtain();
        copy.copyFrom(removed);
        assertThat(hand.handler.sendMessage(copy)).isTrue();
    }

    @Test
    void getWhenIsTheTimeItWasSentFor() {
        Message m = hand.handler.obtainMessage(1);
        hand.handler.sendMessageDelayed(m, 25);
        assertThat(m.getWhen()).isEqualTo(1_025);
        Message front = hand.handler.obtainMessage(1);
        hand.handler.sendMessageAtFrontOfQueue(front);
        assertThat(front.getWhen()).isZero();
    }

    @Test
    void toStringDescribesTheMessage() {
        Message m = hand.handler.obtainMessage(5, 6, 7, "payload");
        hand.handler.sendMessageDelayed(m, 25);
        assertThat(m).asString().contains("when=+25ms", "what=5", "arg1=6", "arg2=7", "payload", "Handler (");
        hand.clock.advanceMillis(30);
        assertThat(m).asString().contains("when=-5ms");
        assertThat(Message.obtain()).asString().contains("what=0");
    }

    @Test
    void settersReturnTheMessage() {
        Runnable r = hand.log("r");
        Message m = hand.handler.obtainMessage();
        assertThat(m.setWhat(7).setCallback(r)).isSameAs(m);
        assertThat(m.what).isEqualTo(7);
        assertThat(m.getCallback()).isSameAs(r);
        m.setTarget(hand.handler);
        m.sendToTarget();
        hand.handler.sendMessage(hand.handler.obtainMessage().setWhat(8).setCallback(null));
        assertThat(hand.runDue()).containsExactly("r", "8");
    }

    /** Other queues have internal markers for "nothing" or "removed"; here they are never visible. */
    @Test
    void publicFieldsNeverExposeASentinel() {
        Message queued = hand.handler.obtainMessage(1);
        hand.handler.sendMessageDelayed(queued, 10);
        assertThat(queued.obj).isNull();
        Message removed = hand.handler.obtainMessage(2, "payload");
        hand.handler.sendMessage(removed);
        hand.handler.removeMessages(2);
        assertCleared(removed, hand.now());
        Message cancelled = hand.handler.obtainMessage(3, "payload");
        hand.handler.sendMessage(cancelled);
        cancelled.cancel();
        assertCleared(cancelled, hand.now());
        hand.runDue();
        assertCleared(removed, hand.now());
        hand.looper.quit();
        assertCleared(queued, hand.now() + 10);
        Message refused = hand.handler.obtainMessage(4, "payload");
        hand.handler.sendMessage(refused);
        assertCleared(refused, 0);
    }

    private static void assertCleared(Message m, long when) {
        assertThat(new Object[] {m.what, m.arg1, m.arg2, m.obj, m.getTarget(), m.getCallback(), m.getWhen()})
                .containsExactly(0, 0, 0, null, null, null, when);
    }
}
