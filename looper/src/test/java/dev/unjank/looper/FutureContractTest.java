package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The futures of submitted tasks: waiting, querying, cancelling. */
class FutureContractTest extends ExecutorContract {
    // ---- waiting

    @Test
    void getWithATimeoutGivesUp() throws Exception {
        Blocker blocker = block();
        Future<String> future = service.submit(() -> "result");
        long begin = System.nanoTime();
        assertThatThrownBy(() -> future.get(2, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(2_000_000);
        for (long none : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> future.get(none, TimeUnit.NANOSECONDS)).isInstanceOf(TimeoutException.class);
        }
        assertThat(future.isDone()).isFalse();
        blocker.release();
        assertThat(soon(future)).isEqualTo("result");
    }

    @Test
    void getWithATimeoutNeedsAUnit() throws Exception {
        Blocker blocker = block();
        Future<String> future = service.submit(() -> "result");
        assertNeedsUnit(future);
        blocker.release();
        soon(future);
        assertNeedsUnit(future);
    }

    private static void assertNeedsUnit(Future<?> future) {
        for (long timeout : new long[] {Long.MIN_VALUE, 0, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> future.get(timeout, null)).isInstanceOf(NullPointerException.class);
        }
    }

    /** Both forms of get. */
    private static List<Callable<Object>> waits(Future<?> future) {
        return List.of(future::get, () -> future.get(LONG, TimeUnit.SECONDS));
    }

    @Test
    void anInterruptFromBeforeEndsTheWait() throws Exception {
        Blocker blocker = block();
        Future<String> future = service.submit(() -> "result");
        for (Callable<Object> wait : waits(future)) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(wait::call).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isFalse();
        }
        blocker.release();
        assertThat(soon(future)).isEqualTo("result");
    }

    @Test
    void anInterruptEndsTheWaitAndNotTheTask() throws Exception {
        Blocker blocker = block();
        Future<String> future = service.submit(() -> "result");
        for (Callable<Object> wait : waits(future)) {
            Call<Object> waiting = new Call<>(wait).awaitWaiting();
            waiting.interrupt();
            assertThatThrownBy(() -> soon(waiting.result())).hasCauseInstanceOf(InterruptedException.class);
        }
        assertThat(future.isDone()).isFalse();
        blocker.release();
        assertThat(soon(future)).isEqualTo("result");
    }

    @Test
    void manyMayWaitForOneTask() throws Exception {
        Blocker blocker = block();
        Future<String> future = service.submit(() -> "result");
        List<CompletableFuture<Object>> waiters = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            for (Callable<Object> wait : waits(future)) {
                waiters.add(new Call<>(wait).awaitWaiting().result());
            }
        }
        blocker.release();
        for (CompletableFuture<Object> waiter : waiters) {
            assertThat(soon(waiter)).isEqualTo("result");
        }
    }

    @Test
    void manyMayWaitForOneFailure() throws Exception {
        Blocker blocker = block();
        RuntimeException thrown = new IllegalStateException("on purpose");
        Future<?> future = service.submit((Runnable) () -> {
            throw thrown;
        });
        List<CompletableFuture<Object>> waiters = new ArrayList<>();
        for (Callable<Object> wait : waits(future)) {
            waiters.add(new Call<>(wait).awaitWaiting().result());
        }
        blocker.release();
        for (CompletableFuture<Object> waiter : waiters) {
            assertThatThrownBy(() -> soon(waiter))
                    .cause()
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isSameAs(thrown);
        }
    }

    // ---- asking

    @Test
    void futuresOfNewerJdksReturnTheirState() throws Exception {
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

    @Test
    void toStringOfAFutureShowsItsState() throws Exception {
        Blocker blocker = block();
        Future<String> future = service.submit(() -> "result");
        assertThat(future).asString().contains("Not completed");
        Future<?> cancelled = service.submit(() -> {});
        cancelled.cancel(false);
        assertThat(cancelled).asString().contains("Cancelled");
        Future<?> failed = service.submit((Runnable) () -> {
            throw new IllegalStateException("on purpose");
        });
        blocker.release();
        flush();
        assertThat(future).asString().contains("Completed normally");
        assertThat(failed).asString().contains("Completed exceptionally").contains("on purpose");
    }

    // ---- cancelling

    @Test
    void whatIsCancelledInTimeDoesNotRun() throws Exception {
        Blocker blocker = block();
        AtomicInteger ran = new AtomicInteger();
        for (boolean interrupt : new boolean[] {false, true}) {
            Future<?> future = service.submit(ran::incrementAndGet);
            assertThat(future.cancel(interrupt)).isTrue();
            assertThat(future.isCancelled()).isTrue();
            assertThat(future.isDone()).isTrue();
            for (Callable<Object> wait : waits(future)) {
                assertThatThrownBy(wait::call).isInstanceOf(CancellationException.class);
            }
        }
        blocker.release();
        flush();
        assertThat(ran).hasValue(0);
    }

    @Test
    void cancellingTwiceSucceedsOnce() throws Exception {
        Blocker blocker = block();
        Future<?> future = service.submit(() -> {});
        assertThat(future.cancel(true)).isTrue();
        assertThat(future.cancel(true)).isFalse();
        assertThat(future.cancel(false)).isFalse();
        assertThat(future.isCancelled()).isTrue();
        blocker.release();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatHasRunCannotBeCancelled(boolean interrupt) throws Exception {
        Future<String> future = service.submit(() -> "result");
        Future<?> failed = service.submit((Runnable) () -> {
            throw new IllegalStateException("on purpose");
        });
        flush();
        assertThat(future.cancel(interrupt)).isFalse();
        assertThat(failed.cancel(interrupt)).isFalse();
        assertThat(future.isCancelled()).isFalse();
        assertThat(failed.isCancelled()).isFalse();
        assertThat(soon(future)).isEqualTo("result");
        assertThatThrownBy(failed::get).isInstanceOf(ExecutionException.class);
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
    void aCancelledTaskThatThenFailsStaysCancelled() throws Exception {
        Blocker task = new Blocker();
        Future<?> future = service.submit((Runnable) () -> {
            task.run();
            throw new IllegalStateException("on purpose");
        });
        task.awaitEntered();
        assertThat(future.cancel(true)).isTrue();
        assertThat(task.wasInterrupted()).isTrue();
        flush();
        assertThat(future.isCancelled()).isTrue();
        assertThatThrownBy(future::get).isInstanceOf(CancellationException.class);
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
    void cancellingAWaitingTaskInterruptsNoThread() throws Exception {
        Blocker blocker = block();
        Future<?> future = service.submit(() -> {});
        assertThat(future.cancel(true)).isTrue();
        blocker.release();
        assertThat(blocker.wasInterrupted()).isFalse();
    }

    @Test
    void anInterruptDoesNotReachTheNextTask() throws Exception {
        Blocker blocker = new Blocker();
        Future<?> future = service.submit(() -> {
            blocker.runStubbornly();
            Thread.currentThread().interrupt();
        });
        blocker.awaitEntered();
        Future<Boolean> next = service.submit(() -> Thread.currentThread().isInterrupted());
        future.cancel(true);
        blocker.release();
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

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void waitersAreReleasedByACancellation(boolean interrupt) throws Exception {
        Blocker task = new Blocker();
        Future<?> running = service.submit(task);
        task.awaitEntered();
        Future<?> queued = service.submit(() -> {});
        for (Future<?> future : List.of(queued, running)) {
            List<CompletableFuture<Object>> waiters = new ArrayList<>();
            for (Callable<Object> wait : waits(future)) {
                waiters.add(new Call<>(wait).awaitWaiting().result());
            }
            assertThat(future.cancel(interrupt)).isTrue();
            for (CompletableFuture<Object> waiter : waiters) {
                assertThatThrownBy(() -> soon(waiter)).isInstanceOf(CancellationException.class);
            }
        }
        task.release();
    }

    @Test
    void aCancelledTaskReleasesItsPayload() throws Exception {
        Blocker blocker = block();
        assertFreed(task -> service.submit(task));
        assertFreed(task -> service.schedule(task, 1, TimeUnit.HOURS));
        blocker.release();
    }

    private static void assertFreed(Function<Runnable, Future<?>> send) throws Exception {
        ReferenceQueue<Object> collected = new ReferenceQueue<>();
        AtomicReference<Future<?>> future = new AtomicReference<>();
        PhantomReference<Object> carried = send(send, future, collected);
        assertThat(future.get().cancel(false)).isTrue();
        Object gone = null;
        for (int i = 0; i < 40 && gone == null; i++) {
            System.gc();
            gone = collected.remove(50);
        }
        assertThat(gone).isSameAs(carried);
        assertThat(future.get().isCancelled()).isTrue(); // it was reachable all the time
    }

    /** In a method of its own, so that no frame keeps the payload. */
    private static PhantomReference<Object> send(
            Function<Runnable, Future<?>> send, AtomicReference<Future<?>> future, ReferenceQueue<Object> collected) {
        AtomicInteger payload = new AtomicInteger();
        future.set(send.apply(payload::incrementAndGet));
        return new PhantomReference<>(payload, collected);
    }

    // ---- run by other threads

    @Test
    void runningATaskThatRunsChangesNothing() throws Exception {
        Blocker task = new Blocker();
        Future<?> future = service.submit(task);
        task.awaitEntered();
        ((RunnableFuture<?>) future).run();
        assertThat(future.isDone()).isFalse();
        // not even that the task is the one to be interrupted
        service.shutdownNow();
        assertThat(task.wasInterrupted()).isTrue();
        assertThat(soon(future)).isNull();
    }

    @Test
    void runningATaskThatIsDoneChangesNothing() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        Future<?> future = service.submit(ran::incrementAndGet);
        soon(future);
        ((RunnableFuture<?>) future).run();
        Future<?> cancelled = service.schedule(ran::incrementAndGet, 1, TimeUnit.HOURS);
        cancelled.cancel(false);
        ((RunnableFuture<?>) cancelled).run();
        assertThat(ran).hasValue(1);
        assertThat(future.isCancelled()).isFalse();
        assertThat(cancelled.isCancelled()).isTrue();
    }
}
