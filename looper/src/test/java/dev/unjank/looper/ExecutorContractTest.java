package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Submitting tasks, and their futures, as any ExecutorService has it. */
@ParameterizedClass
@EnumSource
@Timeout(60)
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

    // ---- results

    @Test
    void aSubmittedRunnableResultsInNull() throws Exception {
        Future<?> future = service.submit(() -> {});
        assertThat(soon(future)).isNull();
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

    @Test
    void getWithATimeoutGivesUp() throws Exception {
        Blocker blocker = block();
        Future<String> future = service.submit(() -> "result");
        assertThatThrownBy(() -> future.get(1, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> future.get(0, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> future.get(-1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> future.get(1, null)).isInstanceOf(NullPointerException.class);
        assertThat(future.isDone()).isFalse();
        blocker.release();
        assertThat(soon(future)).isEqualTo("result");
    }

    @Test
    void getCanBeInterrupted() throws Exception {
        Blocker blocker = block();
        Future<String> future = service.submit(() -> "result");
        Thread.currentThread().interrupt();
        assertThatThrownBy(future::get).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> future.get(LONG, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        blocker.release();
        assertThat(soon(future)).isEqualTo("result");
    }

    @Test
    void manyMayWaitForOneTask() throws Exception {
        Blocker blocker = block();
        Future<String> future = service.submit(() -> "result");
        List<CompletableFuture<String>> waiters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiters.add(elsewhere(future::get));
        }
        blocker.release();
        for (CompletableFuture<String> waiter : waiters) {
            assertThat(soon(waiter)).isEqualTo("result");
        }
    }

    @Test
    void theFuturesOfNewerJdksTellTheirState() throws Exception {
        Method state = newMethod("state");
        Future<String> done = service.submit(() -> "result");
        soon(done);
        assertThat(state.invoke(done)).hasToString("SUCCESS");
        assertThat(newMethod("resultNow").invoke(done)).isEqualTo("result");
        RuntimeException thrown = new RuntimeException("on purpose");
        Future<?> failed = service.submit((Runnable) () -> {
            throw thrown;
        });
        flush();
        assertThat(state.invoke(failed)).hasToString("FAILED");
        assertThat(newMethod("exceptionNow").invoke(failed)).isSameAs(thrown);
        Blocker blocker = block();
        Future<?> waiting = service.submit(() -> {});
        assertThat(state.invoke(waiting)).hasToString("RUNNING");
        waiting.cancel(false);
        assertThat(state.invoke(waiting)).hasToString("CANCELLED");
        blocker.release();
    }

    private static Method newMethod(String name) {
        Method found = null;
        for (Method m : Future.class.getMethods()) {
            found = m.getName().equals(name) ? m : found;
        }
        assumeThat(found).as("Future." + name + " came with JDK 19").isNotNull();
        return found;
    }

    // ---- cancelling

    @Test
    void whatIsCancelledInTimeDoesNotRun() throws Exception {
        Blocker blocker = block();
        boolean[] ran = {false};
        Future<?> future = service.submit(() -> {
            ran[0] = true;
        });
        assertThat(future.cancel(false)).isTrue();
        assertThat(future.isCancelled()).isTrue();
        assertThat(future.isDone()).isTrue();
        assertThatThrownBy(future::get).isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> soon(future)).isInstanceOf(CancellationException.class);
        blocker.release();
        flush();
        assertThat(ran[0]).isFalse();
    }

    @Test
    void cancellingTwiceSucceedsOnce() throws Exception {
        Blocker blocker = block();
        Future<?> future = service.submit(() -> {});
        assertThat(future.cancel(true)).isTrue();
        assertThat(future.cancel(true)).isFalse();
        assertThat(future.isCancelled()).isTrue();
        blocker.release();
    }

    @Test
    void whatHasRunCannotBeCancelled() throws Exception {
        Future<String> future = service.submit(() -> "result");
        soon(future);
        assertThat(future.cancel(true)).isFalse();
        assertThat(future.isCancelled()).isFalse();
        assertThat(soon(future)).isEqualTo("result");
    }

    @Test
    void cancellingWithAnInterruptInterruptsTheTaskThatRuns() throws Exception {
        Blocker task = new Blocker();
        Future<?> future = service.submit(task);
        task.awaitEntered();
        assertThat(future.cancel(true)).isTrue();
        assertThat(task.wasInterrupted()).isTrue();
        assertThatThrownBy(() -> soon(future)).isInstanceOf(CancellationException.class);
    }

    @Test
    void cancellingWithoutAnInterruptLetsTheTaskFinish() throws Exception {
        Blocker task = new Blocker();
        Future<?> future = service.submit(task);
        task.awaitEntered();
        assertThat(future.cancel(false)).isTrue();
        assertThat(future.isDone()).as("although it still runs").isTrue();
        assertThatThrownBy(() -> soon(future)).isInstanceOf(CancellationException.class);
        task.release();
        assertThat(task.wasInterrupted()).isFalse();
    }

    @Test
    void cancellingWhatWaitsInterruptsNobody() throws Exception {
        Blocker blocker = block();
        Future<?> future = service.submit(() -> {});
        assertThat(future.cancel(true)).isTrue();
        blocker.release();
        assertThat(blocker.wasInterrupted()).isFalse();
    }

    @Test
    void anInterruptDoesNotReachTheNextTask() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Future<?> future = service.submit(() -> {
            entered.countDown();
            boolean released = false;
            while (!released) {
                try {
                    release.await();
                    released = true;
                } catch (InterruptedException e) {
                    // this task has no use for it
                }
            }
            Thread.currentThread().interrupt();
        });
        assertThat(entered.await(LONG, TimeUnit.SECONDS)).isTrue();
        Future<Boolean> next = service.submit(() -> Thread.currentThread().isInterrupted());
        future.cancel(true);
        release.countDown();
        assertThat(soon(next)).isFalse();
    }

    @Test
    void aTaskMayCancelItself() throws Exception {
        AtomicReference<Future<?>> self = new AtomicReference<>();
        Blocker blocker = block();
        CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
        self.set(service.submit(() -> {
            cancelled.complete(self.get().cancel(true));
        }));
        blocker.release();
        assertThat(soon(cancelled)).isTrue();
        assertThatThrownBy(() -> soon(self.get())).isInstanceOf(CancellationException.class);
        flush();
    }

    @Test
    void whoWaitsIsReleasedByACancellation() throws Exception {
        Blocker blocker = block();
        Future<?> future = service.submit(() -> {});
        CompletableFuture<Object> waiter = elsewhere(() -> {
            try {
                return future.get();
            } catch (CancellationException e) {
                return "cancelled";
            }
        });
        future.cancel(false);
        assertThat(soon(waiter)).isEqualTo("cancelled");
        blocker.release();
    }
}
