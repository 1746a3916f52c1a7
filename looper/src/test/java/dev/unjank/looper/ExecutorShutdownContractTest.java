package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The end of a service: who is refused, what still runs, who is told. */
@ParameterizedClass
@EnumSource
@Timeout(60)
class ExecutorShutdownContractTest extends ExecutorContract {
    private boolean terminatesSoon() throws InterruptedException {
        return service.awaitTermination(LONG, TimeUnit.SECONDS);
    }

    // ---- shutdown

    @Test
    void aNewServiceIsNeitherShutDownNorTerminated() throws Exception {
        assertThat(service.isShutdown()).isFalse();
        assertThat(service.isTerminated()).isFalse();
        flush();
        assertThat(service.isShutdown()).isFalse();
        assertThat(service.isTerminated()).isFalse();
    }

    @Test
    void anIdleServiceTerminatesAtOnce() throws Exception {
        flush();
        service.shutdown();
        assertThat(service.isShutdown()).isTrue();
        assertThat(terminatesSoon()).isTrue();
        assertThat(service.isTerminated()).isTrue();
    }

    @Test
    void aServiceThatWasNeverUsedTerminatesAtOnce() throws Exception {
        service.shutdown();
        assertThat(terminatesSoon()).isTrue();
    }

    @Test
    void shuttingDownAgainChangesNothing() throws Exception {
        service.shutdown();
        service.shutdown();
        assertThat(service.shutdownNow()).isEmpty();
        assertThat(terminatesSoon()).isTrue();
        service.shutdown();
        assertThat(service.isTerminated()).isTrue();
    }

    @Test
    void everyWayInIsClosed() throws Exception {
        service.shutdown();
        assertRefused(() -> service.execute(ExecutorContract::nothing));
        assertRefused(() -> service.submit(ExecutorContract::nothing));
        assertRefused(() -> service.submit(ExecutorContract::nothing, "result"));
        assertRefused(() -> service.submit(() -> "result"));
        assertRefused(() -> service.schedule(ExecutorContract::nothing, 1, TimeUnit.MILLISECONDS));
        assertRefused(() -> service.schedule(() -> "result", 1, TimeUnit.MILLISECONDS));
        assertRefused(() -> service.scheduleAtFixedRate(ExecutorContract::nothing, 1, 1, TimeUnit.MILLISECONDS));
        assertRefused(() -> service.scheduleWithFixedDelay(ExecutorContract::nothing, 1, 1, TimeUnit.MILLISECONDS));
        assertRefused(() -> service.invokeAll(List.of(() -> "result")));
        assertRefused(() -> service.invokeAny(List.of(() -> "result")));
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void everyWayInIsClosedAfterShutdownNowToo() {
        service.shutdownNow();
        assertThat(service.isShutdown()).isTrue();
        assertRefused(() -> service.execute(ExecutorContract::nothing));
        assertRefused(() -> service.schedule(ExecutorContract::nothing, 1, TimeUnit.MILLISECONDS));
    }

    @Test
    void whatWasAcceptedStillRuns() throws Exception {
        Blocker blocker = block();
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 10; i++) {
            service.execute(ran::incrementAndGet);
        }
        service.shutdown();
        blocker.release();
        assertThat(terminatesSoon()).isTrue();
        assertThat(ran).hasValue(10);
        assertThat(blocker.wasInterrupted()).isFalse();
    }

    @Test
    void itHasNotTerminatedWhileATaskRuns() throws Exception {
        Blocker blocker = block();
        service.shutdown();
        assertThat(service.isShutdown()).isTrue();
        assertThat(service.isTerminated()).isFalse();
        assertThat(service.awaitTermination(1, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(service.awaitTermination(0, TimeUnit.SECONDS)).isFalse();
        assertThat(service.awaitTermination(-1, TimeUnit.SECONDS)).isFalse();
        blocker.release();
        assertThat(terminatesSoon()).isTrue();
    }

    @Test
    void awaitingDoesNotShutDown() throws Exception {
        assertThat(service.awaitTermination(1, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(service.isShutdown()).isFalse();
        flush();
    }

    @Test
    void awaitingCanBeInterrupted() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(this::terminatesSoon).isInstanceOf(InterruptedException.class);
    }

    @Test
    void everybodyWhoAwaitsTheEndIsTold() throws Exception {
        Blocker blocker = block();
        List<CompletableFuture<Boolean>> waiters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiters.add(elsewhere(this::terminatesSoon));
        }
        service.shutdown();
        blocker.release();
        for (CompletableFuture<Boolean> waiter : waiters) {
            assertThat(soon(waiter)).isTrue();
        }
    }

    @Test
    void aCancelledTaskThatStillRunsHoldsUpTheEnd() throws Exception {
        Blocker task = new Blocker();
        Future<?> future = service.submit(task);
        task.awaitEntered();
        future.cancel(false);
        service.shutdown();
        assertThat(service.isTerminated()).isFalse();
        task.release();
        assertThat(terminatesSoon()).isTrue();
    }

    @Test
    void aTaskMayShutItsServiceDown() throws Exception {
        Future<Boolean> task = service.submit(() -> {
            service.shutdown();
            return service.isShutdown() && !service.isTerminated();
        });
        assertThat(soon(task)).isTrue();
        assertThat(terminatesSoon()).isTrue();
    }

    @Test
    void aTaskIsRefusedWhatItSubmitsAfterTheShutdown() throws Exception {
        Blocker blocker = block();
        Future<Boolean> task = service.submit(() -> {
            try {
                service.execute(ExecutorContract::nothing);
                return false;
            } catch (RejectedExecutionException e) {
                return true;
            }
        });
        service.shutdown();
        blocker.release();
        assertThat(soon(task)).isTrue();
    }

    @Test
    void closingWaitsForWhatWasAccepted() throws Exception {
        assumeThat((Object) service)
                .as("ExecutorService.close came with JDK 19")
                .isInstanceOf(AutoCloseable.class);
        AtomicInteger ran = new AtomicInteger();
        service.execute(ran::incrementAndGet);
        Future<?> delayed = service.schedule(ran::incrementAndGet, 5, TimeUnit.MILLISECONDS);
        ((AutoCloseable) (Object) service).close();
        assertThat(ran).hasValue(2);
        assertThat(delayed.isDone()).isTrue();
        assertThat(service.isTerminated()).isTrue();
    }

    // ---- delayed and repeated tasks after shutdown

    @Test
    void delayedTasksStillRunAfterShutdown() throws Exception {
        ScheduledFuture<String> future = service.schedule(() -> "ran", 20, TimeUnit.MILLISECONDS);
        service.shutdown();
        assertThat(soon(future)).isEqualTo("ran");
        assertThat(terminatesSoon()).isTrue();
    }

    @Test
    void theEndWaitsForDelayedTasks() throws Exception {
        ScheduledFuture<?> future = service.schedule(ExecutorContract::nothing, 1, TimeUnit.HOURS);
        service.shutdown();
        assertThat(service.isTerminated()).isFalse();
        assertThat(future.isDone()).isFalse();
        assertThat(future.cancel(false)).isTrue();
        assertThat(terminatesSoon()).isTrue();
    }

    @Test
    void repeatedTasksAreCancelledByShutdown() throws Exception {
        ScheduledFuture<?> rate = service.scheduleAtFixedRate(ExecutorContract::nothing, 1, 1, TimeUnit.HOURS);
        ScheduledFuture<?> delay = service.scheduleWithFixedDelay(ExecutorContract::nothing, 1, 1, TimeUnit.HOURS);
        service.shutdown();
        assertThat(terminatesSoon()).isTrue();
        assertThat(rate.isCancelled()).isTrue();
        assertThat(delay.isCancelled()).isTrue();
        assertThatThrownBy(rate::get).isInstanceOf(CancellationException.class);
    }

    @Test
    void aRepeatedTaskThatRunsAtTheShutdownIsNotRepeated() throws Exception {
        Blocker run = new Blocker();
        AtomicInteger runs = new AtomicInteger();
        ScheduledFuture<?> future = service.scheduleAtFixedRate(
                () -> {
                    runs.incrementAndGet();
                    run.run();
                },
                0,
                1,
                TimeUnit.MILLISECONDS);
        run.awaitEntered();
        service.shutdown();
        run.release();
        assertThat(run.wasInterrupted()).isFalse();
        assertThat(terminatesSoon()).isTrue();
        assertThat(runs).hasValue(1);
        assertThat(future.isCancelled()).isTrue();
    }

    // ---- shutdownNow

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
    void whatShutdownNowReturnedCanBeCancelled() throws Exception {
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
}
