package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** invokeAll and invokeAny, with and without a timeout. */
class ExecutorBulkContractTest extends ExecutorContract {
    private static final List<Callable<String>> NONE = Collections.emptyList();
    private static final List<Callable<String>> WITH_NULL = Arrays.asList(() -> "a", null);

    private static <T> Callable<T> failing(String message) {
        return () -> {
            throw new IllegalStateException(message);
        };
    }

    // ---- all

    @Test
    void allRefusesNull() {
        assertThatThrownBy(() -> service.invokeAll(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> service.invokeAll(WITH_NULL)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> service.invokeAll(null, 1, TimeUnit.SECONDS)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> service.invokeAll(NONE, 1, null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> service.invokeAll(WITH_NULL, LONG, TimeUnit.SECONDS))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void allOfNoneIsNone() throws Exception {
        assertThat(service.invokeAll(NONE)).isEmpty();
        assertThat(service.invokeAll(NONE, LONG, TimeUnit.SECONDS)).isEmpty();
    }

    @Test
    void allAreDoneInTheOrderGiven() throws Exception {
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int n = i;
            tasks.add(() -> n);
        }
        for (List<Future<Integer>> futures :
                List.of(service.invokeAll(tasks), service.invokeAll(tasks, LONG, TimeUnit.SECONDS))) {
            assertThat(futures).hasSize(10).allMatch(Future::isDone);
            for (int i = 0; i < 10; i++) {
                assertThat(futures.get(i).get()).isEqualTo(i);
            }
        }
    }

    @Test
    void oneFailureOfAllIsReportedByItsOwnFuture() throws Exception {
        List<Callable<String>> tasks = List.of(() -> "a", failing("b"), () -> "c");
        for (List<Future<String>> futures :
                List.of(service.invokeAll(tasks), service.invokeAll(tasks, LONG, TimeUnit.SECONDS))) {
            assertThat(futures.get(0).get()).isEqualTo("a");
            assertThatThrownBy(futures.get(1)::get)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .hasMessage("b");
            assertThat(futures.get(2).get()).isEqualTo("c");
        }
    }

    @Test
    void whatIsNotDoneInTimeIsCancelled() throws Exception {
        Blocker blocker = new Blocker();
        List<Callable<String>> tasks = List.of(
                () -> "in time",
                () -> {
                    blocker.runStubbornly(); // otherwise the last might begin before it is cancelled, too
                    return "too late";
                },
                () -> "never");
        long begin = System.nanoTime();
        List<Future<String>> futures = service.invokeAll(tasks, 50, TimeUnit.MILLISECONDS);
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(50_000_000);
        assertThat(futures).hasSize(3).allMatch(Future::isDone);
        assertThat(futures.get(2).isCancelled()).isTrue();
        assertThatThrownBy(futures.get(2)::get).isInstanceOf(CancellationException.class);
        blocker.release();
        flush();
    }

    @Test
    void aMistakeAmongAllLeavesNothingBehind() throws Exception {
        Blocker blocker = block();
        AtomicInteger ran = new AtomicInteger();
        List<Callable<Integer>> tasks = Arrays.asList(ran::incrementAndGet, null);
        assertThatThrownBy(() -> service.invokeAll(tasks)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> service.invokeAll(tasks, LONG, TimeUnit.SECONDS))
                .isInstanceOf(NullPointerException.class);
        blocker.release();
        flush();
        assertThat(ran).hasValue(0);
    }

    @Test
    void noTimeIsEnoughForNothing() throws Exception {
        Blocker blocker = block();
        List<Future<String>> futures = service.invokeAll(List.of(() -> "a", () -> "b"), 0, TimeUnit.SECONDS);
        assertThat(futures).hasSize(2).allMatch(Future::isCancelled);
        blocker.release();
    }

    @Test
    void anInterruptCancelsAll() throws Exception {
        Blocker first = new Blocker();
        CountDownLatch second = new CountDownLatch(1);
        Thread waiter = Thread.currentThread();
        List<Callable<Object>> tasks = List.of(
                () -> {
                    waiter.interrupt();
                    first.runStubbornly(); // otherwise the second might begin before it is cancelled, too
                    return null;
                },
                () -> {
                    second.countDown();
                    return null;
                });
        assertThatThrownBy(() -> service.invokeAll(tasks)).isInstanceOf(InterruptedException.class);
        first.release();
        assertThat(first.wasInterrupted()).isTrue();
        flush();
        assertThat(second.getCount()).isEqualTo(1);
    }

    // ---- any

    @Test
    void anyRefusesNull() {
        assertThatThrownBy(() -> service.invokeAny(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> service.invokeAny(Arrays.asList((Callable<String>) null, () -> "a")))
                .isInstanceOf(NullPointerException.class);
        List<Callable<String>> nullAtTheEnd = Arrays.asList(
                () -> {
                    new Blocker().run();
                    return "interrupted";
                },
                null);
        assertThatThrownBy(() -> service.invokeAny(nullAtTheEnd)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> service.invokeAny(nullAtTheEnd, LONG, TimeUnit.SECONDS))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> service.invokeAny(null, 1, TimeUnit.SECONDS)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> service.invokeAny(List.of(() -> "a"), 1, null))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void anyOfNoneIsAMistake() {
        assertThatThrownBy(() -> service.invokeAny(NONE)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> service.invokeAny(NONE, LONG, TimeUnit.SECONDS))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anyIsOneThatSucceeds() throws Exception {
        List<Callable<String>> tasks = List.of(failing("a"), () -> "b", failing("c"));
        assertThat(service.invokeAny(tasks)).isEqualTo("b");
        assertThat(service.invokeAny(tasks, LONG, TimeUnit.SECONDS)).isEqualTo("b");
    }

    @Test
    void ifNoneSucceedsOneFailureIsReported() {
        List<Callable<String>> tasks = List.of(failing("a"), failing("b"));
        assertThatThrownBy(() -> service.invokeAny(tasks))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> service.invokeAny(tasks, LONG, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void ifNoneIsInTimeThatIsReported() throws Exception {
        Blocker blocker = block();
        assertThatThrownBy(() -> service.invokeAny(List.of(() -> "a"), 1, TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
        blocker.release();
        flush();
    }

    @Test
    void theOthersAreCancelledWhenOneHasSucceeded() throws Exception {
        Blocker second = new Blocker();
        AtomicInteger third = new AtomicInteger();
        List<Callable<String>> tasks = List.of(
                () -> "first",
                () -> {
                    second.runStubbornly();
                    return "second";
                },
                () -> "third" + third.incrementAndGet());
        assertThat(service.invokeAny(tasks)).isEqualTo("first");
        second.release();
        flush();
        assertThat(third)
                .as("runs of what could not begin before the call returned")
                .hasValue(0);
    }

    @Test
    void anInterruptWhileWaitingForAnyCancelsAll() throws Exception {
        Blocker first = new Blocker();
        AtomicInteger second = new AtomicInteger();
        List<Callable<String>> tasks = List.of(
                () -> {
                    first.runStubbornly();
                    return "first";
                },
                () -> "second" + second.incrementAndGet());
        Call<String> any = new Call<>(() -> service.invokeAny(tasks));
        first.awaitEntered();
        any.awaitWaiting().interrupt();
        assertThatThrownBy(() -> soon(any.result())).hasCauseInstanceOf(InterruptedException.class);
        first.release();
        assertThat(first.wasInterrupted()).isTrue();
        flush();
        assertThat(second).hasValue(0);
    }
}
