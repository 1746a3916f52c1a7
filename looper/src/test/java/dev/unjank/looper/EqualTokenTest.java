package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.fixture.ManualLooper;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Finding and removing by a token's {@code equals}, which is user code and may do anything. */
@ParameterizedClass
@EnumSource
class EqualTokenTest {
    @Parameter
    QueueKind kind;

    private ManualLooper hand;
    private Handler handler;

    @BeforeEach
    void prepare() {
        hand = new ManualLooper(kind);
        handler = hand.handler;
    }

    /** A token with an equals given by the test. */
    private static final class Token {
        private final Predicate<Object> equality;

        Token(Predicate<Object> equality) {
            this.equality = equality;
        }

        @Override
        public boolean equals(Object other) {
            return equality.test(other);
        }

        @Override
        public int hashCode() {
            return 0;
        }
    }

    private static String fresh(String text) {
        return new String(text.toCharArray());
    }

    private void send(int what, Object token) {
        handler.sendMessage(handler.obtainMessage(what, token));
    }

    @Test
    void equalVariantsCompareByEquals() {
        send(1, fresh("a"));
        send(1, fresh("b"));
        send(2, fresh("a"));
        assertThat(handler.hasMessages(1, fresh("a"))).isFalse();
        assertThat(handler.hasEqualMessages(1, fresh("a"))).isTrue();
        assertThat(handler.hasEqualMessages(1, fresh("c"))).isFalse();
        assertThat(handler.hasEqualMessages(3, fresh("a"))).isFalse();
        handler.removeEqualMessages(1, fresh("a"));
        assertThat(handler.hasEqualMessages(1, fresh("a"))).isFalse();
        assertThat(hand.runDue()).containsExactly("1", "2");
    }

    @Test
    void aNullObjectMeansAnyForTheEqualVariants() {
        send(1, "a");
        send(1, null);
        send(2, "a");
        assertThat(handler.hasEqualMessages(1, null)).isTrue();
        handler.removeEqualMessages(1, null);
        assertThat(handler.hasEqualMessages(1, null)).isFalse();
        assertThat(handler.hasEqualMessages(2, null)).isTrue();
        handler.removeCallbacksAndEqualMessages(null);
        assertThat(handler.hasMessagesOrCallbacks()).isFalse();
    }

    @Test
    void removeCallbacksAndEqualMessagesRemovesRunnablesAndMessagesOfAnyCode() {
        send(1, fresh("a"));
        handler.postDelayed(hand.log("r"), fresh("a"), 0);
        handler.postDelayed(hand.log("kept"), fresh("b"), 0);
        hand.post("kept, too");
        handler.removeCallbacksAndEqualMessages(fresh("a"));
        assertThat(hand.runDue()).containsExactly("kept", "kept, too");
    }

    @Test
    void equalVariantsRemoveRunnablesWithCodeZero() {
        handler.postDelayed(hand.log("r"), fresh("a"), 0);
        assertThat(handler.hasEqualMessages(0, fresh("a"))).isTrue();
        handler.removeEqualMessages(0, fresh("a"));
        assertThat(hand.runDue()).isEmpty();
    }

    @Test
    void equalVariantsLeaveBarriersAndOtherHandlers() {
        Handler other = hand.loggingHandler("other ");
        int token = hand.queue.postSyncBarrier();
        send(1, "a");
        other.sendMessage(other.obtainMessage(1, "a"));
        handler.removeEqualMessages(1, fresh("a"));
        handler.removeCallbacksAndEqualMessages(new Token(o -> true));
        assertThat(hand.runDue()).isEmpty();
        hand.queue.removeSyncBarrier(token);
        assertThat(hand.runDue()).containsExactly("other 1");
    }

    @Test
    void equalsOfTheGivenObjectIsCalled() {
        send(1, new Token(o -> false));
        assertThat(handler.hasEqualMessages(1, new Token(o -> o instanceof Token)))
                .isTrue();
    }

    @Test
    void equalsThatThrowsLeavesTheQueueIntact() {
        send(1, "a");
        send(1, "bad");
        send(1, "b");
        Token throwing = new Token(o -> {
            if (o.equals("bad")) {
                throw new ArithmeticException("on purpose");
            }
            return true;
        });
        assertThatThrownBy(() -> handler.hasEqualMessages(1, throwing)).hasMessage("on purpose");
        assertThatThrownBy(() -> handler.removeEqualMessages(1, throwing)).hasMessage("on purpose");
        assertThatThrownBy(() -> handler.removeCallbacksAndEqualMessages(throwing))
                .hasMessage("on purpose");
        send(2, null);
        assertThat(hand.runDue()).containsExactly("1", "1", "1", "2");
    }

    @Test
    void equalsThatSendsLeavesTheQueueIntactAndWhatItSendsStays() {
        for (int what = 1; what <= 3; what++) {
            send(what, "a");
        }
        Token sending = new Token(o -> {
            send(9, o);
            handler.postAtFrontOfQueue(hand.log("front"));
            return true;
        });
        assertThat(handler.hasEqualMessages(2, sending)).isTrue();
        handler.removeEqualMessages(2, sending);
        assertThat(hand.runDue()).containsExactly("front", "front", "1", "3", "9", "9");
    }

    @Test
    void equalsThatRemovesLeavesTheQueueIntact() {
        for (int what = 1; what <= 6; what++) {
            send(what, what);
        }
        Token removing = new Token(o -> {
            // itself, its neighbours, and what has been visited before
            handler.removeMessages((Integer) o);
            handler.removeMessages((Integer) o + 1);
            handler.removeMessages((Integer) o - 1);
            return o.equals(3);
        });
        assertThat(handler.hasEqualMessages(3, removing))
                .as("it has just removed it")
                .isFalse();
        assertThat(hand.runDue()).containsExactly("1", "5", "6");
        hand.log.clear();
        for (int what = 1; what <= 6; what++) {
            send(what, what);
        }
        Token removingAll = new Token(o -> {
            handler.removeCallbacksAndMessages(null);
            return true;
        });
        handler.removeCallbacksAndEqualMessages(removingAll);
        send(7, null);
        assertThat(hand.runDue()).containsExactly("7");
    }

    @Test
    void equalsThatRemovesByEqualsLeavesTheQueueIntact() {
        for (int what = 1; what <= 4; what++) {
            send(what, what);
        }
        Token inner = new Token(o -> o.equals(2));
        Token outer = new Token(o -> {
            handler.removeCallbacksAndEqualMessages(inner);
            return o.equals(2) || o.equals(3);
        });
        handler.removeCallbacksAndEqualMessages(outer);
        assertThat(hand.runDue()).containsExactly("1", "4");
    }

    @Test
    void equalsThatQuitsLeavesTheQueueIntact() {
        send(1, "a");
        send(1, "b");
        Token quitting = new Token(o -> {
            hand.looper.quit();
            return true;
        });
        assertThat(handler.hasEqualMessages(1, quitting)).isFalse();
        handler.removeEqualMessages(1, quitting);
        assertThat(hand.runUntil(1)).isEmpty();
    }

    @Test
    void equalsThatRunsTheLooperLeavesTheQueueIntact() {
        send(1, "a");
        send(1, "b");
        send(1, "c");
        Token running = new Token(o -> {
            if ("b".equals(o)) {
                hand.runDue();
            }
            return true;
        });
        handler.removeEqualMessages(1, running);
        assertThat(hand.log).as("run, not removed").containsExactly("1", "1", "1");
        send(2, null);
        assertThat(hand.runDue()).endsWith("2");
    }

    /** On neither queue does user code run under a lock: it may wait for a thread that uses the queue. */
    @Test
    void equalsMayWaitForAnotherThreadThatUsesTheQueue() {
        send(1, "a");
        Token waiting = new Token(o -> {
            try {
                return CompletableFuture.supplyAsync(() -> handler.sendEmptyMessage(2))
                        .get();
            } catch (InterruptedException | ExecutionException e) {
                throw new AssertionError(e);
            }
        });
        handler.removeEqualMessages(1, waiting);
        assertThat(hand.runDue()).containsExactly("2");
    }
}
