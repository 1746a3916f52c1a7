package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.fixture.ManualLooper;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The receivers of messages, and the methods that send them. */
@ParameterizedClass
@EnumSource
class HandlerTest {
    @Parameter
    QueueKind kind;

    private ManualLooper hand;

    @BeforeEach
    void prepare() {
        hand = new ManualLooper(kind);
    }

    private Handler handler(boolean callbackHandles) {
        return new Handler(hand.looper, m -> {
            hand.log.add("callback");
            return callbackHandles;
        }) {
            @Override
            public void handleMessage(Message msg) {
                hand.log.add("handleMessage");
            }
        };
    }

    @Test
    void theCallbackComesFirstAndMayStopTheMessage() {
        handler(true).sendEmptyMessage(1);
        assertThat(hand.runDue()).containsExactly("callback");
    }

    @Test
    void handleMessageComesSecond() {
        handler(false).sendEmptyMessage(1);
        assertThat(hand.runDue()).containsExactly("callback", "handleMessage");
    }

    @Test
    void aRunnableIgnoresCallbackAndHandleMessage() {
        handler(false).post(hand.log("runnable"));
        assertThat(hand.runDue()).containsExactly("runnable");
    }

    @Test
    void dispatchMessageDeliversHereAndNow() {
        handler(false).dispatchMessage(Message.obtain());
        assertThat(hand.log).containsExactly("callback", "handleMessage");
    }

    @Test
    void anOverriddenDispatchMessageSeesRunnablesToo() {
        Handler h = new Handler(hand.looper) {
            @Override
            public void dispatchMessage(Message msg) {
                hand.log.add("dispatch");
                super.dispatchMessage(msg);
            }
        };
        h.post(hand.log("runnable"));
        assertThat(hand.runDue()).containsExactly("dispatch", "runnable");
    }

    @Test
    void everySendGoesThroughSendMessageAtTimeExceptToTheFront() {
        List<Long> times = new ArrayList<>();
        Handler h = new Handler(hand.looper) {
            @Override
            public boolean sendMessageAtTime(Message msg, long uptimeMillis) {
                times.add(uptimeMillis);
                return super.sendMessageAtTime(msg, uptimeMillis);
            }
        };
        Runnable r = () -> {};
        h.post(r);
        h.postAtTime(r, 1);
        h.postAtTime(r, "token", 2);
        h.postDelayed(r, 3);
        h.postDelayed(r, "token", 4);
        h.postDelayed(r, 9, 8);
        h.sendMessage(h.obtainMessage());
        h.sendEmptyMessage(1);
        h.sendEmptyMessageDelayed(1, 5);
        h.sendEmptyMessageAtTime(1, 6);
        h.sendMessageDelayed(h.obtainMessage(), 7);
        h.obtainMessage().sendToTarget();
        assertThat(times)
                .containsExactly(1_000L, 1L, 2L, 1_003L, 1_004L, 1_008L, 1_000L, 1_000L, 1_005L, 6L, 1_007L, 1_000L);
        times.clear();
        h.postAtFrontOfQueue(r);
        h.sendMessageAtFrontOfQueue(h.obtainMessage());
        assertThat(times).isEmpty();
    }

    @Test
    void anOverriddenSendMessageAtTimeMayDropAMessage() {
        Handler h = new Handler(hand.looper) {
            @Override
            public boolean sendMessageAtTime(Message msg, long uptimeMillis) {
                return false;
            }
        };
        assertThat(h.post(hand.log("dropped"))).isFalse();
        assertThat(hand.runDue()).isEmpty();
    }

    @Test
    void anOverriddenSendMessageAtTimeMayDoAnythingAndTheQueueIsIntact() {
        Handler throwing = new Handler(hand.looper) {
            @Override
            public boolean sendMessageAtTime(Message msg, long uptimeMillis) {
                super.sendMessageAtTime(msg, uptimeMillis);
                throw new ArithmeticException("on purpose");
            }
        };
        assertThatThrownBy(() -> throwing.post(hand.log("sent before it threw")))
                .isInstanceOf(ArithmeticException.class);
        Handler sendingTwice = new Handler(hand.looper) {
            @Override
            public boolean sendMessageAtTime(Message msg, long uptimeMillis) {
                super.sendMessageAtTime(msg, uptimeMillis);
                return super.sendMessageAtTime(msg, uptimeMillis);
            }
        };
        assertThatThrownBy(() -> sendingTwice.post(hand.log("sent once"))).isInstanceOf(IllegalStateException.class);
        Handler busy = new Handler(hand.looper, m -> hand.log.add("busy " + m.what)) {
            @Override
            public boolean sendMessageAtTime(Message msg, long uptimeMillis) {
                removeCallbacksAndMessages(null);
                hand.post("from inside");
                super.sendMessageAtTime(Message.obtain(msg), uptimeMillis + 10);
                return super.sendMessageAtTime(msg, uptimeMillis);
            }
        };
        assertThat(busy.sendEmptyMessage(1)).isTrue();
        assertThat(busy.sendEmptyMessage(2)).isTrue();
        assertThat(hand.runDue())
                .containsExactly("sent before it threw", "sent once", "from inside", "from inside", "busy 2");
        hand.clock.advanceMillis(10);
        assertThat(hand.runDue()).hasSize(6).endsWith("busy 2");
    }

    @Test
    void anOverriddenSendMessageAtTimeThatQuitsHasItsMessageRefused() {
        Handler quitting = new Handler(hand.looper) {
            @Override
            public boolean sendMessageAtTime(Message msg, long uptimeMillis) {
                hand.looper.quit();
                return super.sendMessageAtTime(msg, uptimeMillis);
            }
        };
        assertThat(quitting.post(hand.log("refused"))).isFalse();
        assertThat(hand.runUntil(1)).isEmpty();
    }

    @Test
    void nullIsRefusedAndNothingIsSent() {
        assertThatThrownBy(() -> hand.handler.post(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("r");
        assertThatThrownBy(() -> hand.handler.sendMessage(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("msg");
        assertThat(hand.queue.snapshot()).isEmpty();
    }

    @Test
    void aHandlerNeedsALooper() {
        assertThat(Looper.myLooper()).isNull();
        assertThatThrownBy(Handler::new)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Looper.prepare()");
        assertThatThrownBy(() -> new Handler((Looper) null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void aHandlerMadeByAMessageBelongsToTheLooperThatRunsIt() {
        hand.handler.post(() -> {
            assertThat(new Handler().getLooper()).isSameAs(hand.looper);
            assertThat(new Handler(m -> true).getLooper()).isSameAs(hand.looper);
            hand.log.add("asserted");
        });
        assertThat(hand.runDue()).containsExactly("asserted");
    }

    @Test
    void messageNamesAreForPeople() {
        assertThat(hand.handler.getMessageName(hand.handler.obtainMessage(255))).isEqualTo("0xff");
        assertThat(hand.handler.getMessageName(Message.obtain(hand.handler, hand.log("r"))))
                .contains("ManualLooper");
    }

    @Test
    void dumpPrintsWhatWaitsInTheOrderOfDelivery() {
        hand.handler.sendEmptyMessageDelayed(7, 20);
        hand.handler.sendEmptyMessageDelayed(8, 10);
        hand.handler.sendEmptyMessageAtTime(9, 0);
        hand.queue.postSyncBarrier();
        List<String> lines = new ArrayList<>();
        hand.handler.dump(lines::add, "> ");
        assertThat(lines).hasSize(7).allMatch(line -> line.startsWith("> "));
        assertThat(lines.get(0)).contains("Handler (");
        assertThat(lines.get(1)).contains("Looper (");
        assertThat(lines.get(2)).contains("what=9");
        assertThat(lines.get(3)).contains("barrier=1");
        assertThat(lines.get(4)).contains("what=8");
        assertThat(lines.get(5)).contains("what=7");
        assertThat(lines.get(6)).contains("Total messages: 4, barriers among them: 1, ");
    }

    @Test
    void dumpMinePrintsOnlyTheMessagesOfTheHandler() {
        Handler other = hand.loggingHandler("other ");
        other.sendEmptyMessageDelayed(6, 5);
        hand.handler.sendEmptyMessageDelayed(7, 20);
        hand.queue.postSyncBarrier();
        List<String> lines = new ArrayList<>();
        hand.handler.dumpMine(lines::add, "> ");
        assertThat(lines).hasSize(4).allMatch(line -> line.startsWith("> "));
        assertThat(lines.get(0)).contains(hand.handler.toString());
        assertThat(lines.get(1)).contains("Looper (");
        assertThat(lines.get(2)).contains("Message 2:", "what=7");
        assertThat(lines.get(3))
                .contains("Total messages: 3, barriers among them: 1, ", "polling=false", "quitting=false");
        List<String> byLooper = new ArrayList<>();
        hand.looper.dump(byLooper::add, ">   ", hand.handler);
        assertThat(byLooper).isEqualTo(lines.subList(1, 4));
    }

    @Test
    void traceNamesContainHandlerAndMessage() {
        Handler h = new Handler(hand.looper) {};
        assertThat(h.getTraceName(h.obtainMessage(255))).isEqualTo(h.getClass().getName() + ": #255");
        Runnable r = hand.log("r");
        assertThat(h.getTraceName(Message.obtain(h, r)))
                .isEqualTo(h.getClass().getName() + ": " + r.getClass().getName());
    }

    @Test
    void aRunnableWithACodeIsRemovedByIt() {
        hand.handler.postDelayed(hand.log("r"), 7, 5);
        assertThat(hand.handler.hasMessages(7)).isTrue();
        assertThat(hand.handler.hasMessages(0)).isFalse();
        assertThat(hand.runUntil(1)).containsExactly("r");
        assertThat(hand.now()).isEqualTo(1_005);
        hand.handler.postDelayed(hand.log("never"), 7, 5);
        hand.handler.removeMessages(7);
        assertThat(hand.queue.snapshot()).isEmpty();
    }

    @Test
    void subclassesMayBeAsynchronous() {
        hand.queue.postSyncBarrier();
        Handler byHand = new Handler(hand.looper, m -> hand.log.add("looper " + m.what), true) {};
        byHand.sendEmptyMessage(1);
        byHand.post(() -> {
            new Handler(true).post(hand.log("boolean"));
            new Handler(m -> hand.log.add("callback " + m.what), true).sendEmptyMessage(2);
            new Handler(m -> hand.log.add("stalled"), false).sendEmptyMessage(3);
        });
        assertThat(hand.runDue()).containsExactly("looper 1", "boolean", "callback 2");
    }

    @Test
    void aSharedHandlerDoesNotRemoveTheMessagesOfOthersByMistake() {
        Handler shared = new Handler(hand.looper, m -> hand.log.add("shared " + m.what), false, true);
        shared.sendMessage(shared.obtainMessage(1, "a"));
        assertThatThrownBy(() -> shared.removeMessages(1, null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> shared.removeEqualMessages(1, null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> shared.removeCallbacksAndMessages(null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> shared.removeCallbacksAndEqualMessages(null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(shared.hasMessages(1, null)).isTrue();
        shared.removeMessages(2);
        shared.removeMessages(1, new Object());
        assertThat(hand.runDue()).containsExactly("shared 1");
    }

    @Test
    void hasMessagesOrCallbacksSeesEitherAndNotThoseOfOthers() {
        Handler other = hand.loggingHandler("other ");
        other.sendEmptyMessage(1);
        hand.queue.postSyncBarrier();
        assertThat(hand.handler.hasMessagesOrCallbacks()).isFalse();
        hand.handler.sendEmptyMessage(1);
        assertThat(hand.handler.hasMessagesOrCallbacks()).isTrue();
        hand.handler.removeMessages(1);
        assertThat(hand.handler.hasMessagesOrCallbacks()).isFalse();
        hand.post("r");
        assertThat(hand.handler.hasMessagesOrCallbacks()).isTrue();
    }

    @Test
    void executeOrSendMessageDeliversAtOnceOnTheLoopersOwnThread() {
        Message[] kept = new Message[1];
        Handler h = new Handler(hand.looper, m -> hand.log.add("executed " + m.what)) {
            @Override
            public boolean sendMessageAtTime(Message msg, long uptimeMillis) {
                throw new AssertionError("sent");
            }
        };
        hand.handler.post(() -> {
            kept[0] = h.obtainMessage(5, "payload");
            hand.log.add("" + h.executeOrSendMessage(kept[0]));
        });
        hand.post("next");
        assertThat(hand.runDue()).containsExactly("executed 5", "true", "next");
        assertThat(kept[0].obj).as("recycled").isNull();
        assertThatThrownBy(() -> h.executeOrSendMessage(kept[0])).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void executeOrSendMessageSendsFromAnotherThread() throws Exception {
        CompletableFuture<Boolean> sent = new CompletableFuture<>();
        new Thread(() -> sent.complete(hand.handler.executeOrSendMessage(hand.handler.obtainMessage(5)))).start();
        assertThat(sent.get()).isTrue();
        assertThat(hand.log).isEmpty();
        assertThat(hand.runDue()).containsExactly("5");
        hand.looper.quit();
        CompletableFuture<Boolean> refused = new CompletableFuture<>();
        new Thread(() -> refused.complete(hand.handler.executeOrSendMessage(hand.handler.obtainMessage(6)))).start();
        assertThat(refused.get()).isFalse();
    }

    @Test
    void aMessageBeingExecutedIsInUse() {
        Handler h = new Handler(hand.looper) {
            @Override
            public void handleMessage(Message msg) {
                assertThatThrownBy(() -> sendMessage(msg)).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(msg::recycle).isInstanceOf(IllegalStateException.class);
                assertThat(msg.cancel()).isFalse();
                assertThat(msg.getTarget()).isSameAs(this);
                hand.log.add("asserted");
                throw new ArithmeticException("on purpose");
            }
        };
        Message m = Message.obtain(null, 1, "payload");
        assertThatThrownBy(() -> h.executeOrSendMessage(m)).hasMessage("on purpose");
        assertThat(hand.log).containsExactly("asserted");
        assertThat(m.obj).as("recycled all the same").isNull();
    }
}
