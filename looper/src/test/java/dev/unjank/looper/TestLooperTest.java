package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The looper with a virtual clock. */
@ParameterizedClass
@EnumSource
class TestLooperTest {
    @Parameter
    QueueKind kind;

    private TestLooper test;
    private Handler handler;
    private final List<String> log = new ArrayList<>();

    @BeforeEach
    void prepare() {
        test = new TestLooper(kind);
        handler = new Handler(test.looper(), m -> log("what " + m.what));
    }

    @AfterEach
    void close() {
        test.close();
    }

    private boolean log(String what) {
        return log.add(what + " at " + test.clock().nanos() / 1e6);
    }

    private void postAfter(String name, long millis) {
        handler.postDelayed(() -> log(name), millis);
    }

    // ---- time

    @Test
    void theClockStandsAndRunUntilIdleDoesNotMoveIt() {
        postAfter("now", 0);
        postAfter("later", 1);
        assertThat(test.runUntilIdle()).isEqualTo(1);
        assertThat(test.runUntilIdle()).isZero();
        assertThat(log).containsExactly("now at 1000.0");
        assertThat(test.clock().uptimeMillis()).isEqualTo(1_000);
    }

    @Test
    void runOneRunsOneThatIsDue() {
        postAfter("a", 0);
        postAfter("b", 0);
        postAfter("later", 1);
        assertThat(test.runOne()).isTrue();
        assertThat(log).containsExactly("a at 1000.0");
        assertThat(test.runOne()).isTrue();
        assertThat(test.runOne()).isFalse();
        assertThat(log).containsExactly("a at 1000.0", "b at 1000.0");
    }

    @Test
    void advancingRunsEachMessageAtItsOwnTime() {
        postAfter("third", 300);
        postAfter("first", 100);
        postAfter("second", 200);
        postAfter("second, too", 200);
        handler.sendEmptyMessageDelayed(7, 301);
        assertThat(test.advanceBy(Duration.ofMillis(300))).isEqualTo(4);
        assertThat(log)
                .containsExactly("first at 1100.0", "second at 1200.0", "second, too at 1200.0", "third at 1300.0");
        assertThat(test.advanceTo(5_000)).isEqualTo(1);
        assertThat(log).endsWith("what 7 at 1301.0");
        assertThat(test.clock().uptimeMillis()).isEqualTo(5_000);
    }

    @Test
    void advancingRunsWhatIsSentMeanwhileAtItsTime() {
        handler.postDelayed(
                () -> {
                    postAfter("soon", 10);
                    postAfter("at once", 0);
                },
                100);
        postAfter("between", 105);
        assertThat(test.advanceBy(Duration.ofMillis(109))).isEqualTo(3);
        assertThat(log).containsExactly("at once at 1100.0", "between at 1105.0");
        assertThat(test.advanceBy(Duration.ofMillis(1))).isEqualTo(1);
        assertThat(log).endsWith("soon at 1110.0");
    }

    @Test
    void advancingStopsAtTheVeryNanosecond() {
        postAfter("due", 1);
        test.advanceBy(Duration.ofNanos(999_999));
        assertThat(log).isEmpty();
        test.advanceBy(Duration.ofNanos(1));
        assertThat(log).containsExactly("due at 1001.0");
    }

    @Test
    void advancingIntoThePastIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> test.advanceBy(Duration.ofNanos(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> test.elapse(Duration.ofNanos(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> test.advanceTo(999));
        assertThat(test.advanceTo(1_000)).isZero();
    }

    @Test
    void aDayOfTicksTakesNoTime() {
        AtomicInteger ticks = new AtomicInteger();
        Runnable tick = new Runnable() {
            @Override
            public void run() {
                ticks.incrementAndGet();
                handler.postDelayed(this, 1_000);
            }
        };
        handler.post(tick);
        assertThat(test.advanceBy(Duration.ofDays(1))).isEqualTo(24 * 60 * 60 + 1);
        assertThat(ticks).hasValue(24 * 60 * 60 + 1);
    }

    @Test
    void aDelayWithoutEndStaysPending() {
        handler.postDelayed(() -> log("never"), Long.MAX_VALUE);
        assertThat(test.advanceBy(Duration.ofDays(365 * 100))).isZero();
        assertThat(test.pending())
                .hasSize(1)
                .first()
                .extracting(PendingMessage::deadlineNanos)
                .isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, 86_400L * 365 * 400})
    void beyondTheEndOfTheClockIsItsEnd(long seconds) {
        postAfter("never", Long.MAX_VALUE);
        postAfter("late", 1_000);
        test.advanceBy(Duration.ofSeconds(seconds));
        long end = test.clock().nanos();
        assertThat(test.clock().uptimeMillis()).isEqualTo(9_223_372_036_853L);
        test.elapse(Duration.ofSeconds(seconds));
        test.advanceTo(Long.MAX_VALUE);
        assertThat(test.clock().nanos()).isEqualTo(end);
        assertThat(log).containsExactly("late at 2000.0");

        handler.post(() -> log.add("now"));
        test.advanceBy(Duration.ofSeconds(seconds));
        assertThat(log).endsWith("now").hasSize(2);
    }

    @Test
    void timeMayElapseToTheEndOfTheClock() {
        postAfter("due", 10);
        test.elapse(Duration.ofSeconds(Long.MAX_VALUE));
        assertThat(test.clock().uptimeMillis()).isEqualTo(9_223_372_036_853L);
        assertThat(test.runUntilIdle()).isEqualTo(1);
    }

    @Test
    void aMessageThatTakesLongMakesTheNextLate() {
        handler.post(() -> test.elapse(Duration.ofMillis(30)));
        postAfter("tick", 16);
        assertThat(test.advanceBy(Duration.ofMillis(16))).isEqualTo(2);
        assertThat(log).containsExactly("tick at 1030.0");
        assertThat(test.clock().uptimeMillis()).isEqualTo(1_030);
    }

    @Test
    void elapsedTimeRunsNothing() {
        postAfter("due", 10);
        test.elapse(Duration.ofMillis(20));
        assertThat(log).isEmpty();
        test.runUntilIdle();
        assertThat(log).containsExactly("due at 1020.0");
    }

    // ---- as in a real loop

    @Test
    void barriersHoldUpWhatIsSynchronous() {
        int token = test.looper().getQueue().postSyncBarrier();
        postAfter("sync", 0);
        Handler.createAsync(test.looper()).postDelayed(() -> log("async"), 5);
        assertThat(test.advanceBy(Duration.ofMillis(10))).isEqualTo(1);
        test.looper().getQueue().removeSyncBarrier(token);
        test.runUntilIdle();
        assertThat(log).containsExactly("async at 1005.0", "sync at 1010.0");
    }

    @Test
    void idleHandlersAreCalledOnceInAPauseAndMaySend() {
        test.looper().getQueue().addIdleHandler(() -> {
            log("idle " + test.looper().isCurrentThread());
            if (log.size() < 4) {
                postAfter("sent when idle", 0);
            }
            return true;
        });
        postAfter("a", 0);
        postAfter("later", 10);
        test.runUntilIdle();
        test.runUntilIdle();
        test.advanceBy(Duration.ofMillis(9));
        assertThat(log)
                .containsExactly(
                        "a at 1000.0", "idle true at 1000.0", "sent when idle at 1000.0", "idle true at 1000.0");
        test.advanceBy(Duration.ofMillis(1));
        assertThat(log).endsWith("later at 1010.0", "idle true at 1010.0").hasSize(6);
    }

    @Test
    void idleHandlersAreNotCalledWhileABarrierHoldsUpWhatIsDue() {
        test.looper().getQueue().addIdleHandler(() -> log("idle"));
        int token = test.looper().getQueue().postSyncBarrier();
        postAfter("sync", 0);
        test.runUntilIdle();
        assertThat(log).isEmpty();
        test.looper().getQueue().removeSyncBarrier(token);
        test.runUntilIdle();
        assertThat(log).containsExactly("sync at 1000.0", "idle at 1000.0");
    }

    @Test
    void aMessageThatQuitsIsTheLast() {
        handler.post(test.looper()::quit);
        postAfter("dropped", 0);
        assertThat(test.runUntilIdle()).isEqualTo(1);
        assertThat(handler.post(() -> {})).isFalse();
        assertThat(test.runOne()).isFalse();
        assertThat(test.advanceBy(Duration.ofDays(1))).isZero();
        assertThat(log).isEmpty();
    }

    @Test
    void quittingSafelyRunsWhatIsDue() {
        postAfter("due", 0);
        postAfter("later", 1);
        test.looper().quitSafely();
        test.advanceBy(Duration.ofMillis(1));
        assertThat(log).containsExactly("due at 1000.0");
    }

    @Test
    void itsExecutorRunsInTheSameTime() throws Exception {
        ScheduledExecutorService executor = test.looper().asScheduledExecutorService();
        Future<?> rate = executor.scheduleAtFixedRate(() -> log("rate"), 10, 20, TimeUnit.MILLISECONDS);
        ScheduledFuture<String> once = executor.schedule(() -> "done", 30, TimeUnit.MILLISECONDS);
        postAfter("handler", 30);
        assertThat(once.getDelay(TimeUnit.MILLISECONDS)).isEqualTo(30);
        assertThatIllegalStateException().isThrownBy(once::get);
        assertThatIllegalStateException().isThrownBy(handler.submit(() -> 1)::get);
        test.advanceBy(Duration.ofMillis(29));
        assertThat(once.isDone()).isFalse();
        assertThat(once.getDelay(TimeUnit.MILLISECONDS)).isEqualTo(1);
        test.advanceBy(Duration.ofMillis(21));
        assertThat(once.get()).isEqualTo("done");
        assertThat(log).containsExactly("rate at 1010.0", "handler at 1030.0", "rate at 1030.0", "rate at 1050.0");
        test.close();
        assertThat(rate.isCancelled()).isTrue();
        assertThat(executor.isTerminated()).isTrue();
    }

    // ---- the end

    @Test
    void closingRefusesMessagesAndDriving() {
        postAfter("left", 0);
        test.close();
        test.close();
        assertThat(handler.post(() -> {})).isFalse();
        assertThatIllegalStateException().isThrownBy(test::runUntilIdle).withMessage("This TestLooper is closed");
        assertThat(test.pending()).isEmpty();
        assertThat(log).isEmpty();
    }

    @Test
    void closingFailsIfAskedToWhenSomethingIsLeft() {
        test.requireEmptyOnClose(true);
        test.looper().getQueue().postSyncBarrier();
        test.captureStacks(true);
        handler.sendEmptyMessageDelayed(42, 10);
        assertThatThrownBy(test::close)
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("messages left in the queue at 1000 ms: 2")
                .satisfies(e -> {
                    assertThat(e.getSuppressed()).hasSize(2);
                    assertThat(e.getSuppressed()[0]).hasMessage("barrier 1, due at 1000 ms");
                    assertThat(e.getSuppressed()[1])
                            .hasMessageStartingWith("what=42 of Handler (")
                            .hasMessageEndingWith("due at 1010 ms");
                    assertThat(e.getSuppressed()[1].getStackTrace())
                            .extracting(StackTraceElement::getMethodName)
                            .contains("sendEmptyMessageDelayed", "closingFailsIfAskedToWhenSomethingIsLeft");
                });
        test.close();
        assertThat(test.pending()).isEmpty();
    }

    @Test
    void aCheckedExceptionOfAnIdleHandlerIsThrown() {
        test.looper().getQueue().addIdleHandler(() -> {
            ExceptionPolicyTest.<RuntimeException>throwing(new Exception("checked"));
            return true;
        });
        assertThatThrownBy(test::runUntilIdle)
                .isExactlyInstanceOf(Exception.class)
                .hasMessage("checked");
        assertThat(test.runUntilIdle()).isZero();
    }

    @Test
    void closingNamesTheFirstTen() {
        test.requireEmptyOnClose(true);
        for (int what = 0; what < 12; what++) {
            handler.sendEmptyMessage(what);
        }
        assertThatThrownBy(test::close)
                .hasMessageStartingWith("messages left in the queue at 1000 ms: 12")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(10));
    }

    @Test
    void closingSucceedsIfNothingIsLeft() {
        test.requireEmptyOnClose(true);
        postAfter("run", 10);
        test.advanceBy(Duration.ofMillis(10));
        test.close();
        assertThat(log).hasSize(1);
    }
}
