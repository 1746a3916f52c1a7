package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Who receives a message, and through which door it is sent. */
@ParameterizedClass
@EnumSource
class HandlerTest {
    @Parameter
    QueueKind kind;

    private ByHand hand;

    @BeforeEach
    void prepare() {
        hand = new ByHand(kind);
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
        h.sendMessage(h.obtainMessage());
        h.sendEmptyMessage(1);
        h.sendEmptyMessageDelayed(1, 5);
        h.sendEmptyMessageAtTime(1, 6);
        h.sendMessageDelayed(h.obtainMessage(), 7);
        h.obtainMessage().sendToTarget();
        assertThat(times).containsExactly(1_000L, 1L, 2L, 1_003L, 1_004L, 1_000L, 1_000L, 1_005L, 6L, 1_007L, 1_000L);
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
                .contains("ByHand");
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
        assertThat(lines.get(6)).contains("Total messages: 4");
    }
}
