package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** shutdownNow: the interrupted task, the returned tasks. */
class ShutdownNowContractTest extends ExecutorContract {
    @Test
    void shutdownNowOfAnIdleServiceReturnsNothing() throws Exception {
        flush();
        assertThat(service.shutdownNow()).isEmpty();
        assertThat(terminatesSoon()).isTrue();
    }

    @Test
    void shutdownNowReturnsWhatWasNeverBegun() throws Exception {
        Blocker blocker = block();
        AtomicInteger ran = new AtomicInteger();
        List<Future<?>> futures = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            futures.add(service.submit(ran::incrementAndGet));
        }
        List<Runnable> neverBegun = service.shutdownNow();
        assertThat(neverBegun).hasSameElementsAs(asRunnables(futures)).hasSize(5);
        assertThat(blocker.wasInterrupted()).isTrue();
        assertThat(terminatesSoon()).isTrue();
        assertThat(ran).hasValue(0);
    }

    private static List<Runnable> asRunnables(List<? extends Future<?>> futures) {
        List<Runnable> runnables = new ArrayList<>();
        futures.forEach(f -> runnables.add((Runnable) f));
        return runnables;
    }

    @Test
    void shutdownNowTakesDelayedAndRepeatedTasksAndLeavesThemIncomplete() throws Exception {
        List<ScheduledFuture<?>> futures = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            futures.add(service.schedule(ExecutorContract::nothing, i, TimeUnit.HOURS));
            futures.add(service.scheduleAtFixedRate(ExecutorContract::nothing, i, 1, TimeUnit.HOURS));
            futures.add(service.scheduleWithFixedDelay(ExecutorContract::nothing, i, 1, TimeUnit.HOURS));
        }
        List<Runnable> neverBegun = service.shutdownNow();
        assertThat(neverBegun).hasSameElementsAs(asRunnables(futures)).hasSize(9);
        assertThat(terminatesSoon()).isTrue();
        assertThat(futures).noneMatch(Future::isDone).noneMatch(Future::isCancelled);
    }

    @Test
    void tasksReturnedByShutdownNowCanBeCancelled() throws Exception {
        ScheduledFuture<?> future = service.schedule(ExecutorContract::nothing, 1, TimeUnit.HOURS);
        service.shutdownNow();
        CompletableFuture<Object> waiter = elsewhere(() -> {
            try {
                return future.get();
            } catch (CancellationException e) {
                return "cancelled";
            }
        });
        assertThat(future.cancel(false)).isTrue();
        assertThat(soon(waiter)).isEqualTo("cancelled");
        assertThat(terminatesSoon()).isTrue();
    }

    @Test
    void whatWasCancelledIsNotReturned() throws Exception {
        ScheduledFuture<?> cancelled = service.schedule(ExecutorContract::nothing, 1, TimeUnit.HOURS);
        ScheduledFuture<?> waiting = service.schedule(ExecutorContract::nothing, 2, TimeUnit.HOURS);
        cancelled.cancel(false);
        assertThat(service.shutdownNow()).containsExactly((Runnable) waiting);
    }

    @Test
    void shutdownNowAfterShutdownStopsWhatIsLeft() throws Exception {
        ScheduledFuture<?> future = service.schedule(ExecutorContract::nothing, 1, TimeUnit.HOURS);
        service.shutdown();
        assertThat(service.isTerminated()).isFalse();
        assertThat(service.shutdownNow()).containsExactly((Runnable) future);
        assertThat(terminatesSoon()).isTrue();
        assertThat(service.shutdownNow()).isEmpty();
    }

    @Test
    void theTaskThatShutdownNowInterruptsReportsItsOwnResult() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        Future<String> running = service.submit(() -> {
            entered.countDown();
            try {
                new CountDownLatch(1).await();
                return "not interrupted";
            } catch (InterruptedException e) {
                return "interrupted";
            }
        });
        assertThat(entered.await(LONG, TimeUnit.SECONDS)).isTrue();
        service.shutdownNow();
        assertThat(soon(running)).isEqualTo("interrupted");
        assertThat(running.isCancelled()).isFalse();
    }

    @Test
    void aRepeatedTaskThatShutdownNowInterruptsIsNotRepeated() throws Exception {
        Blocker run = new Blocker();
        AtomicInteger runs = new AtomicInteger();
        ScheduledFuture<?> future = service.scheduleWithFixedDelay(
                () -> {
                    runs.incrementAndGet();
                    run.run();
                },
                0,
                1,
                TimeUnit.MILLISECONDS);
        run.awaitEntered();
        assertThat(service.shutdownNow()).isEmpty();
        assertThat(run.wasInterrupted()).isTrue();
        assertThat(terminatesSoon()).isTrue();
        assertThat(runs).hasValue(1);
        assertThat(future.isCancelled()).isTrue();
    }

    @Test
    void aTaskThatCallsShutdownNowInterruptsItself() throws Exception {
        Future<Boolean> task = service.submit(() -> {
            service.shutdownNow();
            return Thread.interrupted();
        });
        assertThat(soon(task)).isTrue();
        assertThat(terminatesSoon()).isTrue();
    }

    @Test
    void everyWayInIsClosed() throws Exception {
        service.shutdownNow();
        assertThat(service.isShutdown()).isTrue();
        assertEverythingIsRefused();
    }

    @Test
    void everyWayInIsClosedWhileATaskHeedsNoInterruptAndAfterwards() throws Exception {
        Blocker last = new Blocker();
        service.execute(last::runStubbornly);
        last.awaitEntered();
        assertThat(service.shutdownNow()).isEmpty();
        assertEverythingIsRefused();
        assertThat(service.isTerminated()).isFalse();
        last.release();
        assertThat(terminatesSoon()).isTrue();
        assertThat(last.wasInterrupted()).isTrue();
        assertEverythingIsRefused();
    }
}
