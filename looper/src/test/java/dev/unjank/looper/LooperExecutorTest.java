package dev.unjank.looper;

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.fixture.ManualLooper;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The executors of a looper, step by step, on a manual looper. */
@ParameterizedClass
@EnumSource
@SuppressWarnings("FutureReturnValueIgnored") // some tasks are of interest only for when they run
class LooperExecutorTest {
    @Parameter
    QueueKind kind;

    private ManualLooper hand;
    private ScheduledExecutorService service;

    @BeforeEach
    void prepare() {
        hand = new ManualLooper(kind);
        service = hand.looper.asScheduledExecutorService();
    }

    private List<String> advanceMillis(long millis) {
        hand.clock.advanceMillis(millis);
        return hand.runDue();
    }

    // ---- asExecutor

    @Test
    void theExecutorPosts() {
        Executor executor = hand.looper.asExecutor();
        hand.post("a");
        executor.execute(hand.log("b"));
        hand.post("c");
        assertThat(hand.log).isEmpty();
        assertThat(hand.runDue()).containsExactly("a", "b", "c");
    }

    @Test
    void theExecutorRefusesNullAndWhatComesAfterQuit() {
        Executor executor = hand.looper.asExecutor();
        assertThatThrownBy(() -> executor.execute(null)).isInstanceOf(NullPointerException.class);
        hand.looper.quit();
        assertThatThrownBy(() -> executor.execute(hand.log("late")))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("has quit");
    }

    @Test
    void whatACommandOfTheExecutorThrowsLeavesTheLoop() {
        hand.looper.asExecutor().execute(() -> {
            throw new IllegalStateException("on purpose");
        });
        assertThatThrownBy(hand::runDue).hasMessage("on purpose");
    }

    // ---- time

    @Test
    void tasksAndMessagesShareOneOrder() {
        service.schedule(hand.log("at 3"), 3, MILLISECONDS);
        hand.handler.postDelayed(hand.log("message at 2"), 2);
        service.schedule(hand.log("at 1"), 1, MILLISECONDS);
        hand.post("message");
        service.execute(hand.log("now"));
        assertThat(hand.runUntil(5)).containsExactly("message", "now", "at 1", "message at 2", "at 3");
        assertThat(hand.now()).isEqualTo(1_003);
    }

    @Test
    void whatDoesNotWaitCountsFromTheBeginningOfItsMillisecondAsAPostDoes() {
        ScheduledFuture<?> timed = service.schedule(hand.log("timed"), 100_000, NANOSECONDS);
        hand.clock.setNanos(hand.clock.nanos() + 600_000);
        hand.post("posted");
        ScheduledFuture<?> atOnce = service.schedule(hand.log("at once"), 0, NANOSECONDS);
        service.execute(hand.log("executed"));
        hand.post("posted later");
        assertThat(atOnce.compareTo(timed)).as("as they say themselves").isNegative();
        assertThat(hand.runDue()).containsExactly("posted", "at once", "executed", "posted later", "timed");
    }

    @Test
    void nothingRunsBeforeItsNanosecond() {
        service.schedule(hand.log("r"), 2_500_000, NANOSECONDS);
        hand.clock.setNanos(hand.clock.nanos() + 2_499_999);
        assertThat(hand.runDue()).isEmpty();
        hand.clock.setNanos(hand.clock.nanos() + 500_001);
        assertThat(hand.runDue()).containsExactly("r");
    }

    @Test
    void atAFixedRateTheTurnsAreExact() {
        ScheduledFuture<?> future = service.scheduleAtFixedRate(
                () -> {
                    hand.log.add("at " + hand.now());
                    hand.clock.advanceMillis(4); // the run takes a while
                },
                5,
                10,
                MILLISECONDS);
        assertThat(hand.runUntil(3)).containsExactly("at 1005", "at 1015", "at 1025");
        assertThat(future.getDelay(MILLISECONDS)).isEqualTo(6);
    }

    @Test
    void withAFixedDelayThePausesAreExact() {
        ScheduledFuture<?> future = service.scheduleWithFixedDelay(
                () -> {
                    hand.log.add("at " + hand.now());
                    hand.clock.advanceMillis(4);
                },
                5,
                10,
                MILLISECONDS);
        assertThat(hand.runUntil(3)).containsExactly("at 1005", "at 1019", "at 1033");
        assertThat(future.getDelay(MILLISECONDS)).isEqualTo(10);
    }

    @Test
    void atAFixedRateMissedTurnsAreCaughtUp() {
        service.scheduleAtFixedRate(hand.log("r"), 0, 10, MILLISECONDS);
        assertThat(advanceMillis(35)).hasSize(4);
        assertThat(advanceMillis(4)).hasSize(4);
        assertThat(advanceMillis(1)).hasSize(5);
    }

    @Test
    void theDelayIsThatOfTheLoopersClock() {
        ScheduledFuture<?> future = service.schedule(hand.log("r"), 1_500, NANOSECONDS);
        assertThat(future.getDelay(NANOSECONDS)).isEqualTo(1_500);
        hand.clock.setNanos(hand.clock.nanos() + 1_000);
        assertThat(future.getDelay(NANOSECONDS)).isEqualTo(500);
        hand.clock.setNanos(hand.clock.nanos() + 1_000);
        assertThat(future.getDelay(NANOSECONDS)).isEqualTo(-500);
    }

    @Test
    void whatIsDueTogetherIsOrderedByItsMaking() {
        ScheduledFuture<?> first = service.schedule(hand.log("r"), 1, MILLISECONDS);
        ScheduledFuture<?> second =
                hand.looper.asScheduledExecutorService().schedule(hand.log("r"), 1_000_000, NANOSECONDS);
        assertThat(first.compareTo(second)).isNegative();
        assertThat(second.compareTo(first)).isPositive();
    }

    @Test
    void theEndOfTimeIsNeverReached() {
        ScheduledFuture<?> never = service.schedule(hand.log("never"), Long.MAX_VALUE, DAYS);
        ScheduledFuture<?> repeated = service.scheduleAtFixedRate(hand.log("once"), 0, Long.MAX_VALUE, DAYS);
        hand.clock.setNanos(Long.MAX_VALUE);
        assertThat(hand.runDue()).containsExactly("once");
        assertThat(hand.runDue()).containsExactly("once");
        assertThat(never.isDone()).isFalse();
        assertThat(repeated.isDone()).isFalse();
    }

    // ---- cancelling

    @Test
    void cancellingRemovesTheMessageAndFreesIt() {
        ScheduledFuture<?> future = service.schedule(hand.log("r"), 10, MILLISECONDS);
        Message message = hand.queue.snapshot().get(0);
        assertThat(future.cancel(false)).isTrue();
        assertThat(hand.queue.snapshot()).isEmpty();
        assertThat(message.getCallback()).isNull();
    }

    @Test
    void cancellingARepeatedTaskRemovesItsNextMessage() {
        ScheduledFuture<?> future = service.scheduleAtFixedRate(hand.log("r"), 0, 10, MILLISECONDS);
        assertThat(hand.runDue()).containsExactly("r");
        assertThat(hand.queue.snapshot()).hasSize(1);
        future.cancel(false);
        assertThat(hand.queue.snapshot()).isEmpty();
    }

    @Test
    void anInterruptAtTheVeryEndOfATaskDoesNotReachTheNextMessage() {
        Future<?>[] self = new Future<?>[1];
        self[0] = service.submit(() -> self[0].cancel(true));
        hand.handler.post(
                () -> hand.log.add("interrupted=" + Thread.currentThread().isInterrupted()));
        assertThat(hand.runDue()).containsExactly("interrupted=false");
    }

    @Test
    void removingTheMessageByOtherMeansCancelsTheFuture() {
        Future<?> future = service.schedule(hand.log("r"), 10, MILLISECONDS);
        hand.queue.snapshot().get(0).getTarget().removeCallbacksAndMessages(null);
        assertThat(future.isCancelled()).isTrue();
        service.shutdown();
        assertThat(service.isTerminated()).isTrue();
    }

    @Test
    void aMessageThatIsThrownAwayUnrunCancelsTheFuture() {
        Future<?> future = service.submit(hand.log("r"));
        Message message = hand.manager.poll();
        assertThat(future.isDone()).isFalse();
        hand.manager.recycle(message);
        assertThat(future.isCancelled()).isTrue();
    }

    @Test
    void aCopyOfTheMessageCountsForNothing() {
        Future<String> future = service.schedule(() -> "result", 10, MILLISECONDS);
        Message copy = Message.obtain(hand.queue.snapshot().get(0));
        copy.sendToTarget();
        assertThat(copy.cancel()).isTrue();
        assertThat(future.isDone()).isFalse();
        service.shutdown();
        assertThat(service.isTerminated()).isFalse();
        advanceMillis(10);
        assertThat(service.isTerminated()).isTrue();
        assertThat(future.isCancelled()).isFalse();
    }

    // ---- the looper's end

    @Test
    void quittingCancelsWhatWaits() {
        ScheduledFuture<?> due = service.schedule(hand.log("due"), 0, MILLISECONDS);
        ScheduledFuture<?> delayed = service.schedule(hand.log("delayed"), 10, MILLISECONDS);
        ScheduledFuture<?> repeated = service.scheduleAtFixedRate(hand.log("repeated"), 1, 1, MILLISECONDS);
        hand.looper.quit();
        assertThat(List.of(due, delayed, repeated)).allMatch(Future::isCancelled);
        assertThatThrownBy(due::get).isInstanceOf(CancellationException.class);
        assertThat(service.isShutdown()).isTrue();
        assertThat(service.isTerminated()).isTrue();
        assertThat(hand.runDue()).isEmpty();
    }

    @Test
    void quittingSafelyRunsWhatIsDueAndCancelsTheRest() throws Exception {
        Future<String> due = service.submit(() -> "due");
        ScheduledFuture<?> delayed = service.schedule(hand.log("delayed"), 10, MILLISECONDS);
        ScheduledFuture<?> repeated = service.scheduleAtFixedRate(hand.log("repeated"), 0, 1, MILLISECONDS);
        hand.looper.quitSafely();
        assertThat(delayed.isCancelled()).isTrue();
        assertThat(due.isDone()).isFalse();
        assertThat(service.isShutdown()).isTrue();
        assertThat(service.isTerminated()).isFalse();
        assertThat(service.awaitTermination(0, SECONDS)).isFalse();
        hand.runDue();
        assertThat(due.get()).isEqualTo("due");
        assertThat(repeated.isCancelled()).isTrue();
        assertThat(service.isTerminated()).isTrue();
        assertThat(service.awaitTermination(1, SECONDS)).isTrue();
    }

    @Test
    void aTaskThatQuitsTheLooperIsTheLast() throws Exception {
        ScheduledFuture<?> repeated = service.scheduleAtFixedRate(
                () -> {
                    hand.log.add("r");
                    hand.looper.quit();
                },
                0,
                1,
                MILLISECONDS);
        Future<?> next = service.submit(hand.log("next"));
        assertThat(hand.runDue()).containsExactly("r");
        assertThat(repeated.isCancelled()).isTrue();
        assertThat(next.isCancelled()).isTrue();
        assertThat(service.isTerminated()).isTrue();
    }

    @Test
    void afterQuittingEverythingIsRefused() {
        hand.looper.quit();
        assertThatThrownBy(() -> service.execute(hand.log("r")))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("terminated");
        assertThatThrownBy(() -> service.schedule(hand.log("r"), 1, SECONDS))
                .isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> service.scheduleAtFixedRate(hand.log("r"), 1, 1, SECONDS))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(service.shutdownNow()).isEmpty();
        assertThat(hand.looper.asScheduledExecutorService().isShutdown()).isTrue();
    }

    @Test
    void aServiceIsOnlyAView() {
        ScheduledExecutorService other = hand.looper.asScheduledExecutorService();
        Future<?> others = other.submit(hand.log("other's"));
        Future<?> own = service.submit(hand.log("own"));
        hand.post("message");
        assertThat(service.shutdownNow()).containsExactly((Runnable) own);
        assertThat(service.isTerminated()).isTrue();
        assertThat(other.isShutdown()).isFalse();
        assertThat(hand.runDue()).containsExactly("other's", "message");
        assertThat(others.isDone()).isTrue();
        assertThat(hand.post("still there")).isTrue();
    }

    @Test
    void shutdownNowReturnsTheTasksInTheOrderOfTheirTimes() {
        Future<?> third = service.schedule(hand.log("r"), 30, MILLISECONDS);
        Future<?> first = service.schedule(hand.log("r"), 10, MILLISECONDS);
        Future<?> second = service.schedule(hand.log("r"), 20, MILLISECONDS);
        assertThat(service.shutdownNow()).containsExactly((Runnable) first, (Runnable) second, (Runnable) third);
    }

    @Test
    void whatIsRunAfterShutdownNowHadItIsCancelled() {
        Future<?> future = service.submit(hand.log("r"));
        service.shutdownNow().get(0).run();
        assertThat(hand.log).isEmpty();
        assertThat(future.isCancelled()).isTrue();
    }

    // ---- tasks on their way: accepted, but not in the queue yet

    private void onTheWay(Runnable step) {
        hand.looper.addObserver(new MessageObserver() {
            @Override
            public Object sending(Message message) {
                hand.looper.removeObserver(this);
                step.run();
                return null;
            }
        });
    }

    @Test
    void shutdownNowDoesNotMissATaskOnItsWay() {
        onTheWay(() -> assertThat(service.shutdownNow()).isEmpty());
        assertThatThrownBy(() -> service.schedule(hand.log("r"), 1, DAYS))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(hand.queue.snapshot()).isEmpty();
        assertThat(service.isTerminated()).isTrue();
    }

    @Test
    void shutdownDoesNotMissARepeatedTaskOnItsWay() {
        onTheWay(service::shutdown);
        assertThatThrownBy(() -> service.scheduleAtFixedRate(hand.log("r"), 1, 1, DAYS))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(hand.queue.snapshot()).isEmpty();
        assertThat(service.isTerminated()).isTrue();
    }

    @Test
    void aDelayedTaskOnItsWayIsNotStoppedByShutdown() {
        onTheWay(service::shutdown);
        ScheduledFuture<?> future = service.schedule(hand.log("r"), 1, MILLISECONDS);
        assertThat(service.isTerminated()).isFalse();
        assertThat(hand.runUntil(1)).containsExactly("r");
        assertThat(future.isDone()).isTrue();
        assertThat(service.isTerminated()).isTrue();
    }

    @Test
    void quittingDoesNotMissATaskOnItsWay() {
        onTheWay(hand.looper::quit);
        assertThatThrownBy(() -> service.schedule(hand.log("r"), 1, DAYS))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(service.isTerminated()).isTrue();
    }

    @Test
    void cancellingOnTheWayToTheNextRunIsNotMissed() {
        ScheduledFuture<?> future = service.scheduleAtFixedRate(hand.log("r"), 0, 1, DAYS);
        onTheWay(() -> assertThat(future.cancel(false)).isTrue());
        assertThat(hand.runDue()).containsExactly("r");
        assertThat(hand.queue.snapshot()).isEmpty();
        service.shutdown();
        assertThat(service.isTerminated()).isTrue();
    }

    @Test
    void shutdownOnTheWayToTheNextRunIsNotMissed() {
        ScheduledFuture<?> future = service.scheduleWithFixedDelay(hand.log("r"), 0, 1, DAYS);
        onTheWay(service::shutdown);
        assertThat(hand.runDue()).containsExactly("r");
        assertThat(future.isCancelled()).isTrue();
        assertThat(service.isTerminated()).isTrue();
    }

    // ---- barriers

    @Test
    void tasksAreSynchronousMessages() {
        int barrier = hand.queue.postSyncBarrier();
        service.execute(hand.log("r"));
        assertThat(hand.runDue()).isEmpty();
        hand.queue.removeSyncBarrier(barrier);
        assertThat(hand.runDue()).containsExactly("r");
    }

    @Test
    void aBarrierHoldsUpWhatIsDueWithinItsMillisecond() {
        service.schedule(hand.log("r"), 300_000, NANOSECONDS);
        hand.clock.setNanos(hand.clock.nanos() + 900_000);
        int barrier = hand.queue.postSyncBarrier();
        assertThat(hand.runDue()).isEmpty();
        hand.queue.removeSyncBarrier(barrier);
        assertThat(hand.runDue()).containsExactly("r");
    }

    // ---- on its own thread

    @Test
    void waitingOnTheOwnThreadIsRefused() throws Exception {
        Future<String> future = service.submit(() -> "result");
        List<Callable<String>> tasks = List.of(() -> "a");
        assertRefused(future::get);
        assertRefused(() -> future.get(1, SECONDS));
        assertRefused(() -> service.invokeAll(tasks));
        assertRefused(() -> service.invokeAll(tasks, 1, SECONDS));
        assertRefused(() -> service.invokeAny(tasks));
        assertRefused(() -> service.invokeAny(tasks, 1, SECONDS));
        assertRefused(() -> service.awaitTermination(1, SECONDS));
        assertThatThrownBy(() -> future.get(0, SECONDS)).isInstanceOf(TimeoutException.class);
        assertThat(service.awaitTermination(0, SECONDS)).isFalse();
        hand.runDue();
        assertThat(future.get()).isEqualTo("result");
        service.shutdown();
        assertThat(service.awaitTermination(1, SECONDS)).isTrue();
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable wait) {
        assertThatThrownBy(wait)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("on its own thread would never end");
    }

    @Test
    void toStringShowsTheState() {
        assertThat(service).asString().contains("(running)").contains(hand.looper.toString());
        Future<?> future = service.submit(hand.log("r"));
        service.shutdown();
        assertThat(service).asString().contains("(shut down)");
        hand.runDue();
        assertThat(future.isDone()).isTrue();
        assertThat(service).asString().contains("(terminated)");
    }
}
