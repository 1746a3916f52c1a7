package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Submitting tasks: the contract of any ExecutorService. */
class ExecutorContractTest extends ExecutorContract {
    // ---- running

    @Test
    void executeRuns() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        service.execute(ran::countDown);
        assertThat(ran.await(LONG, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void nullIsRefused() {
        assertThatThrownBy(() -> service.execute(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> service.submit((Runnable) null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> service.submit((Callable<?>) null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> service.submit(null, "result")).isInstanceOf(NullPointerException.class);
    }

    @Test
    void tasksRunInTheOrderOfSubmission() throws Exception {
        List<Integer> order = new ArrayList<>();
        Blocker blocker = block();
        for (int i = 0; i < 100; i++) {
            int n = i;
            service.execute(() -> order.add(n));
        }
        blocker.release();
        flush();
        assertThat(order).hasSize(100).isSorted();
    }

    @Test
    void tasksOfManyThreadsDoNotOverlap() throws Exception {
        int[] count = {0};
        List<CompletableFuture<Void>> submitters = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            submitters.add(elsewhere(() -> {
                for (int i = 0; i < 500; i++) {
                    service.execute(() -> count[0]++);
                }
                return null;
            }));
        }
        for (CompletableFuture<Void> submitter : submitters) {
            soon(submitter);
        }
        flush();
        assertThat(count[0]).isEqualTo(2_000);
    }

    @Test
    void aTaskMaySubmitAnother() throws Exception {
        CompletableFuture<String> result = new CompletableFuture<>();
        service.execute(() -> service.execute(() -> result.complete("inner")));
        assertThat(soon(result)).isEqualTo("inner");
    }

    @Test
    void oneTaskMayBeSubmittedManyTimes() throws Exception {
        int[] count = {0};
        Runnable task = () -> count[0]++;
        for (int i = 0; i < 1_000; i++) {
            service.execute(task);
        }
        flush();
        assertThat(count[0]).isEqualTo(1_000);
    }

    // ---- results

    @Test
    void aSubmittedRunnableResultsInNull() throws Exception {
        Future<?> future = service.submit(() -> {});
        assertThat(future.get()).isNull();
        assertThat(future.get(0, TimeUnit.SECONDS)).isNull();
        assertThat(future.isDone()).isTrue();
        assertThat(future.isCancelled()).isFalse();
    }

    @Test
    void aSubmittedRunnableMayHaveAResult() throws Exception {
        boolean[] ran = {false};
        assertThat(soon(service.submit(() -> ran[0] = true, "result"))).isEqualTo("result");
        assertThat(ran[0]).isTrue();
    }

    @Test
    void aSubmittedCallableHasItsResult() throws Exception {
        assertThat(soon(service.submit(() -> "result"))).isEqualTo("result");
        assertThat(soon(service.submit(() -> (String) null))).isNull();
    }

    @Test
    void whatATaskThrowsIsTheCauseOfTheExecutionException() {
        Exception thrown = new Exception("checked");
        Future<?> future = service.submit((Callable<?>) () -> {
            throw thrown;
        });
        assertThatThrownBy(() -> soon(future))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isSameAs(thrown);
        assertThat(future.isDone()).isTrue();
        assertThat(future.isCancelled()).isFalse();
    }

    @Test
    void errorsAreReportedToo() {
        Error thrown = new AssertionError("on purpose");
        Future<?> future = service.submit((Runnable) () -> {
            throw thrown;
        });
        assertThatThrownBy(() -> soon(future)).cause().isSameAs(thrown);
    }

    @Test
    void aTaskThatThrowsDoesNotHarmTheOthers() throws Exception {
        Future<?> failing = service.submit((Runnable) () -> {
            throw new IllegalStateException("on purpose");
        });
        assertThat(soon(service.submit(() -> "next"))).isEqualTo("next");
        assertThat(failing.isDone()).isTrue();
    }

    // ---- inside the JDK's own wrappers

    @Test
    void behindAWrapperItIsTheSame() throws Exception {
        ScheduledExecutorService wrapped = Executors.unconfigurableScheduledExecutorService(service);
        ScheduledFuture<Boolean> future = wrapped.schedule(() -> true, 1, TimeUnit.MILLISECONDS);
        assertThat(soon(future)).isTrue();
        assertThat(future.get()).isTrue();
        assertThat(future.isDone()).isTrue();
        assertThat(future.isCancelled()).isFalse();
    }

    @Test
    void aCompletionServiceOverItDeliversEachTaskOnce() throws Exception {
        CompletionService<String> completion = new ExecutorCompletionService<>(service);
        assertThat(completion.poll()).isNull();
        Blocker blocker = block();
        List<Future<String>> submitted = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            submitted.add(completion.submit(() -> "result"));
            submitted.add(completion.submit(() -> {
                throw new IllegalStateException("on purpose");
            }));
            submitted.add(completion.submit(ExecutorContract::nothing, "nothing"));
        }
        assertThat(completion.poll()).isNull();
        blocker.release();
        List<Future<String>> delivered = new ArrayList<>();
        int failures = 0;
        for (int i = 0; i < 6; i++) {
            Future<String> future = completion.poll(LONG, TimeUnit.SECONDS);
            delivered.add(future);
            assertThat(future.isDone()).isTrue();
            try {
                assertThat(future.get()).isIn("result", "nothing");
            } catch (ExecutionException e) {
                assertThat(e).cause().hasMessage("on purpose");
                failures++;
            }
        }
        assertThat(delivered).containsExactlyInAnyOrderElementsOf(submitted);
        assertThat(failures).isEqualTo(2);
        assertThat(completion.poll()).isNull();
    }
}
