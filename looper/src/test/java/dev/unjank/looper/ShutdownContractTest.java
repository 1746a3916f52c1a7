package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** shutdown, awaitTermination and close: refused tasks, tasks that still run, released waiters. */
class ShutdownContractTest extends ExecutorContract {
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
        assertEverythingIsRefused();
    }

    @Test
    void everyWayInIsClosedWhileTheLastTaskRunsAndAfterwards() throws Exception {
        Blocker last = block();
        service.shutdown();
        assertEverythingIsRefused();
        assertThat(service.isTerminated()).isFalse();
        last.release();
        assertThat(terminatesSoon()).isTrue();
        assertEverythingIsRefused();
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
        assertThat(service.awaitTermination(Long.MIN_VALUE, TimeUnit.NANOSECONDS))
                .isFalse();
        blocker.release();
        assertThat(terminatesSoon()).isTrue();
    }

    @Test
    void awaitingDoesNotShutDown() throws Exception {
        long begin = System.nanoTime();
        assertThat(service.awaitTermination(999_999, TimeUnit.NANOSECONDS)).isFalse();
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(999_999);
        assertThat(service.isShutdown()).isFalse();
        assertThat(service.isTerminated()).isFalse();
        flush();
    }

    @Test
    void awaitingNeedsAUnit() {
        assertThatThrownBy(() -> service.awaitTermination(0, null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void awaitingCanBeInterrupted() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(this::terminatesSoon).isInstanceOf(InterruptedException.class);
        Call<Boolean> waiting = new Call<>(this::terminatesSoon).awaitWaiting();
        waiting.interrupt();
        assertThatThrownBy(() -> soon(waiting.result())).hasCauseInstanceOf(InterruptedException.class);
    }

    @Test
    void allThreadsThatAwaitTerminationAreReleased() throws Exception {
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
    void tasksSubmittedByATaskAfterTheShutdownAreRefused() throws Exception {
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

    // ---- close

    private void close() throws Exception {
        assumeThat((Object) service)
                .as("ExecutorService.close came with JDK 19")
                .isInstanceOf(AutoCloseable.class);
        ((AutoCloseable) (Object) service).close();
    }

    @Test
    void closingWaitsForWhatWasAccepted() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        service.execute(ran::incrementAndGet);
        Future<?> delayed = service.schedule(ran::incrementAndGet, 5, TimeUnit.MILLISECONDS);
        close();
        assertThat(ran).hasValue(2);
        assertThat(delayed.isDone()).isTrue();
        assertThat(service.isTerminated()).isTrue();
        close();
    }

    @Test
    void anInterruptWhileItClosesStopsWhatIsLeft() throws Exception {
        Blocker task = block();
        Future<?> delayed = service.schedule(ExecutorContract::nothing, 1, TimeUnit.HOURS);
        Thread.currentThread().interrupt();
        close();
        assertThat(Thread.interrupted()).as("the interrupt is not lost").isTrue();
        assertThat(task.wasInterrupted()).isTrue();
        assertThat(service.isTerminated()).isTrue();
        assertThat(delayed.isDone()).isFalse();
    }

    // ---- delayed and repeated tasks after shutdown

    @Test
    void delayedTasksStillRunAfterShutdown() throws Exception {
        ScheduledFuture<String> future = service.schedule(() -> "ran", 20, TimeUnit.MILLISECONDS);
        service.shutdown();
        assertThat(future.isCancelled()).isFalse();
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
        assertThat(rate.isCancelled()).isTrue();
        assertThat(delay.isCancelled()).isTrue();
        assertThat(terminatesSoon()).isTrue();
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

    /** What runs when the service is shut down. */
    enum First {
        SUBMITTED,
        DELAYED,
        AT_A_RATE,
        WITH_A_DELAY
    }

    @ParameterizedTest
    @EnumSource
    void whatBecomesOfTheTasksOfEachKind(First kind) throws Exception {
        Blocker blocker = new Blocker();
        TimeUnit unit = TimeUnit.MILLISECONDS;
        Future<?> first = switch (kind) {
            case SUBMITTED -> service.submit(blocker);
            case DELAYED -> service.schedule(blocker, 1, unit);
            case AT_A_RATE -> service.scheduleAtFixedRate(blocker, 1, 1, unit);
            case WITH_A_DELAY -> service.scheduleWithFixedDelay(blocker, 1, 1, unit);
        };
        blocker.awaitEntered();
        AtomicInteger ran = new AtomicInteger();
        Runnable task = ran::incrementAndGet;
        Future<?> submitted = service.submit(task);
        Future<?> delayed = service.schedule(task, 1, unit);
        List<Future<?>> repeated = List.of(
                service.scheduleAtFixedRate(task, 1, 1, unit), service.scheduleWithFixedDelay(task, 1, 1, unit));
        service.shutdown();
        assertThat(service.isShutdown()).isTrue();
        assertThat(service.isTerminated()).isFalse();
        assertEverythingIsRefused();
        assertThat(List.of(first, submitted, delayed)).noneMatch(Future::isDone);
        assertThat(repeated).allMatch(Future::isCancelled);
        blocker.release();
        assertThat(terminatesSoon()).isTrue();
        assertThat(blocker.wasInterrupted()).isFalse();
        assertThat(submitted.get()).isNull();
        assertThat(delayed.get()).isNull();
        assertThat(ran).hasValue(2);
        assertThat(first.isDone()).isTrue();
        assertThat(first.isCancelled()).isEqualTo(kind == First.AT_A_RATE || kind == First.WITH_A_DELAY);
    }
}
