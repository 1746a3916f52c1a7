package dev.unjank.query.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.QueryException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Statements end, whether or not the engine responds. */
class StatementWatchdogTest {
    private final AtomicLong statement = new AtomicLong(-1);
    private final AtomicInteger interruptions = new AtomicInteger();
    private final CountDownLatch third = new CountDownLatch(3);

    private StatementWatchdog watchdog(Duration timeout, Duration grace) {
        return new StatementWatchdog(
                () -> {
                    interruptions.incrementAndGet();
                    third.countDown();
                },
                statement::get,
                timeout,
                grace);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void tasksWithinTheLimitAreNotInterrupted() throws QueryException {
        StatementWatchdog watchdog = watchdog(Duration.ofHours(1), Duration.ZERO);
        int[] ran = new int[1];

        watchdog.run(() -> ran[0]++);

        assertThat(ran).containsExactly(1);
        assertThat(interruptions).hasValue(0);
        assertThat(watchdog.isUnresponsive()).isFalse();
    }

    @Test
    void failuresAreRethrown() {
        QueryException mistake = new QueryException("a mistake", 3);
        RuntimeException bug = new IllegalStateException("a bug");
        Error error = new AssertionError("an error");

        assertThatThrownBy(() -> watchdog(null, Duration.ZERO).run(() -> {
                    throw mistake;
                }))
                .isSameAs(mistake);
        assertThatThrownBy(() -> watchdog(null, Duration.ZERO).run(() -> {
                    throw bug;
                }))
                .isSameAs(bug);
        assertThatThrownBy(() -> watchdog(null, Duration.ZERO).run(() -> {
                    throw error;
                }))
                .isSameAs(error);
    }

    /** An interruption can end one statement of a transaction, and the next one reports only that. */
    @Test
    void anAbortedTransactionIsAnInterruptionOnlyAfterOne() {
        QueryException aborted = new QueryException("Current transaction is aborted (please ROLLBACK)", -1);

        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(
                        () -> watchdog(Duration.ofNanos(1), Duration.ofHours(1)).run(() -> {
                            await(third);
                            throw aborted;
                        }))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.INTERRUPTED))
                .withMessageStartingWith("stopped after the time limit of ");
        assertThatThrownBy(() -> watchdog(null, Duration.ZERO).run(() -> {
                    throw aborted;
                }))
                .isSameAs(aborted);
    }

    @Test
    void interruptionsRepeatUntilTheTaskEnds() {
        statement.set(1);
        StatementWatchdog watchdog = watchdog(Duration.ofMillis(1), Duration.ofHours(1));

        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> watchdog.run(() -> {
                    await(third); // three interruptions
                    throw new QueryException(Kind.INTERRUPTED, "the engine's own words", -1);
                }))
                .withMessage("stopped after the time limit of 1 ms")
                .matches(e -> e.kind() == Kind.INTERRUPTED);
        assertThat(watchdog.isUnresponsive()).isFalse();
    }

    @Test
    void callersOfAnUnresponsiveEngineReturn() {
        statement.set(1);
        CountDownLatch end = new CountDownLatch(1);
        StatementWatchdog timed = watchdog(Duration.ofMillis(1), Duration.ofMillis(1));
        StatementWatchdog interrupted = watchdog(null, Duration.ofMillis(1));
        interrupted.interrupt();

        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> timed.run(() -> await(end)))
                .withMessage("stopped after the time limit of 1 ms");
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> interrupted.run(() -> await(end)))
                .withMessage("interrupted");
        assertThat(timed.isUnresponsive()).isTrue();
        assertThat(interrupted.isUnresponsive()).isTrue();
        end.countDown();
    }

    /**
     * Between statements, and while statements follow each other, the engine counts as responsive: writing a result may
     * take long.
     */
    @Test
    void onlyASingleLongStatementIsUnresponsive() throws QueryException {
        StatementWatchdog watchdog = watchdog(Duration.ofMillis(1), Duration.ofNanos(1));

        watchdog.run(() -> await(third));

        assertThat(watchdog.isUnresponsive()).isFalse();
        assertThat(watchdog.isInterrupted()).isTrue();
        assertThatExceptionOfType(QueryException.class).isThrownBy(watchdog::check);
    }

    /** DuckDB folds constants while it plans, and ignores interruptions meanwhile. */
    @Test
    void duckDbIgnoresInterruptionsWhilePlanning() throws Exception {
        String constant = "replace(".repeat(6) + "'aaaaaaaaaa'" + ", 'a', 'aaaaaaaaaa')".repeat(6);
        String sql = "SELECT length(" + "reverse(".repeat(250) + constant + ")".repeat(250) + ")";
        try (DuckDbEngine engine = DuckDbEngine.open(DuckDbSettings.of(0, 0, null, null, List.of()))) {
            CountDownLatch ended = new CountDownLatch(1);
            StatementWatchdog watchdog = new StatementWatchdog(
                    engine::interrupt, engine::runningStatement, Duration.ofMillis(50), Duration.ofMillis(100));

            assertThatExceptionOfType(QueryException.class)
                    .isThrownBy(() -> watchdog.run(() -> {
                        try {
                            engine.execute(sql);
                        } finally {
                            ended.countDown();
                        }
                    }))
                    .matches(e -> e.kind() == Kind.INTERRUPTED);
            assertThat(watchdog.isUnresponsive())
                    .as("the engine was at it for 0.15 s, and did not stop")
                    .isTrue();
            await(ended);
        }
    }
}
