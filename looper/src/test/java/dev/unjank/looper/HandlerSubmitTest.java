package dev.unjank.looper;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.fixture.ManualLooper;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Handler#submit: futures are completed, and no thread waits for ever. */
@ParameterizedClass
@EnumSource
class HandlerSubmitTest {
    @Parameter
    QueueKind kind;

    private ManualLooper hand;

    @BeforeEach
    void prepare() {
        hand = new ManualLooper(kind);
    }

    private CompletableFuture<String> submitLater() {
        return hand.handler.submitDelayed(
                () -> {
                    hand.log.add("ran");
                    return "result";
                },
                10);
    }

    // ---- running

    @Test
    void aCallableCompletesTheFutureWithItsResult() {
        CompletableFuture<String> future = hand.handler.submit(() -> "result");
        assertThat(future).isNotDone();
        hand.runDue();
        assertThat(future).isCompletedWithValue("result");
    }

    @Test
    void aRunnableCompletesTheFutureWithNull() {
        CompletableFuture<Void> future = hand.handler.submit(hand.log("r"));
        assertThat(hand.runDue()).containsExactly("r");
        assertThat(future).isCompletedWithValue(null);
    }

    @Test
    void theOrderIsThatOfPosts() {
        CompletableFuture<Void> later = hand.handler.submitDelayed(hand.log("later"), 5);
        hand.post("a");
        CompletableFuture<Void> b = hand.handler.submit(hand.log("b"));
        hand.post("c");
        hand.handler.postDelayed(hand.log("last"), 5);
        assertThat(hand.runDue()).containsExactly("a", "b", "c");
        assertThat(b).isDone();
        hand.clock.advanceMillis(4);
        hand.runDue();
        assertThat(later).isNotDone();
        hand.clock.advanceMillis(1);
        assertThat(hand.runDue()).endsWith("later", "last");
    }

    @Test
    void whatTheTaskThrowsCompletesTheFutureAndNotTheLoop() {
        Exception thrown = new Exception("checked");
        CompletableFuture<Object> future = hand.handler.submit((Callable<Object>) () -> {
            throw thrown;
        });
        hand.post("next");
        assertThat(hand.runDue()).containsExactly("next");
        assertThatThrownBy(future::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isSameAs(thrown);
        assertThatThrownBy(future::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isSameAs(thrown);
    }

    @Test
    void errorsCompleteTheFutureToo() {
        Error thrown = new AssertionError("on purpose");
        CompletableFuture<Void> future = hand.handler.submit((Runnable) () -> {
            throw thrown;
        });
        hand.runDue();
        assertThatThrownBy(future::join).cause().isSameAs(thrown);
    }

    @Test
    void whatDependsOnItRunsOnTheLooper() {
        CompletableFuture<Void> last =
                hand.handler.submit(() -> "result").thenAccept(hand.log::add).thenRun(() -> hand.log.add("then"));
        assertThat(last).isNotDone();
        assertThat(hand.runDue()).containsExactly("result", "then");
    }

    @Test
    void nullIsRefused() {
        assertThatThrownBy(() -> hand.handler.submit((Runnable) null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> hand.handler.submit((Callable<?>) null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> hand.handler.submitDelayed((Callable<?>) null, 1))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void submittingGoesThroughSendMessageAtTime() {
        Handler earlier = new Handler(hand.looper) {
            @Override
            public boolean sendMessageAtTime(Message msg, long uptimeMillis) {
                return super.sendMessageAtTime(msg, uptimeMillis - 10);
            }
        };
        CompletableFuture<String> future = earlier.submitDelayed(() -> "result", 10);
        hand.runDue();
        assertThat(future).isCompletedWithValue("result");
    }

    // ---- completed from outside

    @Test
    void cancellingRemovesTheMessageAndFreesTheTask() {
        CompletableFuture<String> future = submitLater();
        Message message = hand.queue.snapshot().get(0);
        assertThat(future.cancel(false)).isTrue();
        assertThat(hand.queue.snapshot()).isEmpty();
        assertThat(message.getCallback()).isNull();
        assertThatThrownBy(future::get).isInstanceOf(CancellationException.class);
        hand.clock.advanceMillis(10);
        assertThat(hand.runDue()).isEmpty();
    }

    @Test
    void aValueFromOutsideRemovesTheMessage() {
        CompletableFuture<String> future = submitLater();
        assertThat(future.complete("from outside")).isTrue();
        assertThat(hand.queue.snapshot()).isEmpty();
        assertThat(future).isCompletedWithValue("from outside");
    }

    @Test
    void aFailureFromOutsideRemovesTheMessage() {
        CompletableFuture<String> future = submitLater();
        assertThat(future.completeExceptionally(new TimeoutException())).isTrue();
        assertThat(hand.queue.snapshot()).isEmpty();
        assertThat(future).isCompletedExceptionally();
    }

    @Test
    void whatHasTimedOutDoesNotRun() {
        CompletableFuture<Boolean> timedOut =
                submitLater().orTimeout(1, MILLISECONDS).handle((v, e) -> e instanceof TimeoutException);
        assertThat(timedOut).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(true);
        hand.clock.advanceMillis(10);
        assertThat(hand.runDue()).isEmpty();
    }

    @Test
    void whatIsDoneCannotBeCancelled() {
        CompletableFuture<String> future = hand.handler.submit(() -> "result");
        hand.runDue();
        assertThat(future.cancel(true)).isFalse();
        assertThat(future.complete("other")).isFalse();
        assertThat(future).isCompletedWithValue("result");
    }

    @Test
    void aTaskThatRunsIsNotInterruptedByCancelling() {
        CompletableFuture<?>[] self = new CompletableFuture<?>[1];
        self[0] = hand.handler.submit(() -> {
            hand.log.add("cancelled=" + self[0].cancel(true));
            hand.log.add("interrupted=" + Thread.currentThread().isInterrupted());
        });
        assertThat(hand.runDue()).containsExactly("cancelled=true", "interrupted=false");
        assertThat(self[0]).isCancelled();
    }

    // ---- messages that end without a run

    @Test
    void quittingCancels() {
        CompletableFuture<String> later = submitLater();
        CompletableFuture<Void> due = hand.handler.submit(hand.log("due"));
        hand.looper.quit();
        assertThat(later).isCancelled();
        assertThat(due).isCancelled();
    }

    @Test
    void quittingSafelyCancelsWhatIsNotDue() {
        CompletableFuture<String> later = submitLater();
        CompletableFuture<String> due = hand.handler.submit(() -> "due");
        hand.looper.quitSafely();
        assertThat(later).isCancelled();
        assertThat(due).isNotDone();
        hand.runDue();
        assertThat(due).isCompletedWithValue("due");
    }

    @Test
    void afterQuittingTheFutureIsCancelledFromTheBeginning() {
        hand.looper.quit();
        assertThat(hand.handler.submit(() -> "result")).isCancelled();
        assertThat(hand.handler.submitDelayed(hand.log("r"), 10)).isCancelled();
    }

    @Test
    void aHandlerThatDoesNotSendCancels() {
        Handler refusing = new Handler(hand.looper) {
            @Override
            public boolean sendMessageAtTime(Message msg, long uptimeMillis) {
                return false;
            }
        };
        assertThat(refusing.submit(() -> "result")).isCancelled();
    }

    @Test
    void removingMessagesCancels() {
        CompletableFuture<String> future = submitLater();
        hand.handler.removeCallbacksAndMessages(null);
        assertThat(future).isCancelled();
        future = submitLater();
        hand.handler.removeMessages(0);
        assertThat(future).isCancelled();
    }

    @Test
    void aMessageThatIsThrownAwayUnrunCancels() {
        CompletableFuture<Void> future = hand.handler.submit(hand.log("r"));
        hand.manager.recycle(hand.manager.poll());
        assertThat(future).isCancelled();
    }

    @Test
    void aHandlerThatDoesNotRunWhatItIsGivenCancels() {
        Handler deaf = new Handler(hand.looper) {
            @Override
            public void dispatchMessage(Message msg) {}
        };
        CompletableFuture<String> future = deaf.submit(() -> "result");
        hand.runDue();
        assertThat(future).isCancelled();
    }

    /** In the monitor queue, too: dependents of a dropped future run outside the lock. */
    @Test
    void whatDependsOnADroppedFutureMayUseTheQueueFromAnotherThread() {
        for (boolean quit : new boolean[] {false, true}) {
            CompletableFuture<String> future = submitLater();
            CompletableFuture<Boolean> answer =
                    future.handle((v, e) -> ExecutorContract.elsewhere(() -> hand.queue.isIdle())
                            .orTimeout(20, SECONDS)
                            .join());
            if (quit) {
                hand.looper.quit();
            } else {
                hand.handler.removeCallbacksAndMessages(null);
            }
            assertThat(answer).isCompletedWithValue(true);
        }
    }

    // ---- on its own thread

    @Test
    void waitingOnTheOwnThreadIsRefused() throws Exception {
        CompletableFuture<String> future = hand.handler.submit(() -> "result");
        assertThatThrownBy(future::get).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> future.get(1, SECONDS)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(future::join).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> future.get(0, SECONDS)).isInstanceOf(TimeoutException.class);
        hand.runDue();
        assertThat(future.get() + future.join()).isEqualTo("resultresult");
    }
}
