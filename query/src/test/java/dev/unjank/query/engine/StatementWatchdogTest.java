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

/** Statements end, whether the engine listens or not. */
class StatementWatchdogTest {
    private final AtomicLong statement = new AtomicLong(-1);
    private final AtomicInteger interruptions = new AtomicInteger();
    private final CountDownLatch heard = new CountDownLatch(3);

    private StatementWatchdog dog(Duration timeout, Duration grace) {
        return new StatementWatchdog(
                () -> {
                    interruptions.incrementAndGet();
                    heard.countDown();
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
        StatementWatchdog dog = dog(Duration.ofHours(1), Duration.ZERO);
        int[] ran = new int[1];

        dog.run(() -> ran[0]++);

        assertThat(ran).containsExactly(1);
        assertThat(interruptions).hasValue(0);
        assertThat(dog.isUnresponsive()).isFalse();
    }

    @Test
    void failuresAreRethrown() {
        QueryException mistake = new QueryException("a mistake", 3);
        RuntimeException bug = new IllegalStateException("a bug");
        Error error = new AssertionError("an error");

        assertThatThrownBy(() -> dog(null, Duration.ZERO).run(() -> {
                    throw mistake;
                }))
                .isSameAs(mistake);
        assertThatThrownBy(() -> dog(null, Duration.ZERO).run(() -> {
                    throw bug;
                }))
                .isSameAs(bug);
        assertThatThrownBy(() -> dog(null, Duration.ZERO).run(() -> {
                    throw error;
                }))
                .isSameAs(error);
    }

    @Test
    void interruptionsRepeatUntilTheTaskEnds() {
        statement.set(1);
        StatementWatchdog dog = dog(Duration.ofMillis(1), Duration.ofHours(1));

        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> dog.run(() -> {
                    await(heard); // it has been told three times
                    throw new QueryException(Kind.INTERRUPTED, "the engine's own words", -1);
                }))
                .withMessage("stopped after the time limit of 1 ms")
                .matches(e -> e.kind() == Kind.INTERRUPTED);
        assertThat(dog.isUnresponsive()).isFalse();
    }

    @Test
    void callersOfAnUnresponsiveEngineReturn() {
        statement.set(1);
        CountDownLatch end = new CountDownLatch(1);
        StatementWatchdog timed = dog(Duration.ofMillis(1), Duration.ofMillis(1));
        StatementWatchdog interrupted = dog(null, Duration.ofMillis(1));
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

    /** Between statements, and while one follows the other, nobody is stuck: a result may be written for a long time. */
    @Test
    void onlyASingleLongStatementIsUnresponsive() throws QueryException {
        StatementWatchdog dog = dog(Duration.ofMillis(1), Duration.ofNanos(1));

        dog.run(() -> await(heard));

        assertThat(dog.isUnresponsive()).isFalse();
        assertThat(dog.isInterrupted()).isTrue();
        assertThatExceptionOfType(QueryException.class).isThrownBy(dog::check);
    }

    /** The engine works out constants while it plans, and listens to nobody meanwhile. */
    @Test
    void duckDbIgnoresInterruptionsWhilePlanning() throws Exception {
        String constant = "replace(".repeat(6) + "'aaaaaaaaaa'" + ", 'a', 'aaaaaaaaaa')".repeat(6);
        String sql = "SELECT length(" + "reverse(".repeat(250) + constant + ")".repeat(250) + ")";
        try (DuckDbEngine engine = DuckDbEngine.open(DuckDbSettings.of(0, 0, null, null, List.of()))) {
            CountDownLatch ended = new CountDownLatch(1);
            StatementWatchdog dog = new StatementWatchdog(
                    engine::interrupt, engine::runningStatement, Duration.ofMillis(50), Duration.ofMillis(100));

            assertThatExceptionOfType(QueryException.class)
                    .isThrownBy(() -> dog.run(() -> {
                        try {
                            engine.execute(sql);
                        } finally {
                            ended.countDown();
                        }
                    }))
                    .matches(e -> e.kind() == Kind.INTERRUPTED);
            assertThat(dog.isUnresponsive())
                    .as("the engine was at it for 0.15 s, and did not stop")
                    .isTrue();
            await(ended);
        }
    }
}
