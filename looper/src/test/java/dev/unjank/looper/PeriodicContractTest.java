package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tasks at a fixed rate and with a fixed delay. Real time is only checked for runs that come too early. */
@SuppressWarnings("FutureReturnValueIgnored") // some tasks are of interest only for when they run
class PeriodicContractTest extends ExecutorContract {
    // ---- when

    @Test
    void atAFixedRateNoRunIsBeforeItsTurn() throws Exception {
        long start = System.nanoTime();
        long period = TimeUnit.MILLISECONDS.toNanos(3);
        List<Long> runs = runs(5, counting -> service.scheduleAtFixedRate(counting, 4, 3, TimeUnit.MILLISECONDS));
        for (int i = 0; i < 5; i++) {
            assertThat(runs.get(i) - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(4) + i * period);
        }
    }

    @Test
    void withAFixedDelayNoRunIsTooCloseToTheLast() throws Exception {
        long start = System.nanoTime();
        List<Long> runs = runs(5, counting -> service.scheduleWithFixedDelay(counting, 4, 3, TimeUnit.MILLISECONDS));
        assertThat(runs.get(0) - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(4));
        for (int i = 1; i < 5; i++) {
            assertThat(runs.get(i) - runs.get(i - 1)).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(3));
        }
    }

    private interface Scheduling {
        ScheduledFuture<?> of(Runnable task);
    }

    /** The times of the given number of runs. */
    private static List<Long> runs(int count, Scheduling scheduling) throws Exception {
        List<Long> times = new ArrayList<>();
        CompletableFuture<List<Long>> enough = new CompletableFuture<>();
        ScheduledFuture<?> future = scheduling.of(() -> {
            times.add(System.nanoTime());
            if (times.size() == count) {
                enough.complete(List.copyOf(times));
            }
        });
        List<Long> result = soon(enough);
        future.cancel(false);
        return result;
    }

    @Test
    void atAFixedRateMissedTurnsAreCaughtUp() throws Exception {
        Blocker blocker = block();
        AtomicInteger runs = new AtomicInteger();
        service.scheduleAtFixedRate(runs::incrementAndGet, 0, 1, TimeUnit.MILLISECONDS);
        spin(10);
        blocker.release();
        flush();
        assertThat(runs).hasValueGreaterThanOrEqualTo(10);
    }

    @Test
    void withAFixedDelayMissedTurnsAreNot() throws Exception {
        Blocker blocker = block();
        AtomicInteger runs = new AtomicInteger();
        service.scheduleWithFixedDelay(runs::incrementAndGet, 0, 1, TimeUnit.HOURS);
        spin(2);
        blocker.release();
        flush();
        assertThat(runs).hasValue(1);
    }

    @Test
    void aFixedDelayBeginsWhenTheRunHasEnded() throws Exception {
        AtomicLong ended = new AtomicLong(Long.MIN_VALUE);
        List<Long> pauses = new ArrayList<>();
        CompletableFuture<List<Long>> enough = new CompletableFuture<>();
        service.scheduleWithFixedDelay(
                () -> {
                    if (ended.get() != Long.MIN_VALUE) {
                        pauses.add(System.nanoTime() - ended.get());
                    }
                    if (pauses.size() == 4) {
                        enough.complete(List.copyOf(pauses));
                    }
                    spin(8);
                    ended.set(System.nanoTime());
                },
                0,
                4,
                TimeUnit.MILLISECONDS);
        assertThat(soon(enough)).allMatch(pause -> pause >= TimeUnit.MILLISECONDS.toNanos(4));
    }

    @Test
    void aPeriodBeyondTheEndOfTimeRepeatsNever() throws Exception {
        CountDownLatch rate = new CountDownLatch(1);
        CountDownLatch delay = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        service.scheduleAtFixedRate(
                () -> {
                    runs.incrementAndGet();
                    rate.countDown();
                },
                0,
                Long.MAX_VALUE,
                TimeUnit.NANOSECONDS);
        service.scheduleWithFixedDelay(
                () -> {
                    runs.incrementAndGet();
                    delay.countDown();
                },
                0,
                Long.MAX_VALUE,
                TimeUnit.DAYS);
        assertThat(rate.await(LONG, TimeUnit.SECONDS)).isTrue();
        assertThat(delay.await(LONG, TimeUnit.SECONDS)).isTrue();
        soon(service.schedule(ExecutorContract::nothing, 2, TimeUnit.MILLISECONDS));
        assertThat(runs).hasValue(2);
    }

    @Test
    void aRepeatedTaskThatWaitsForEverBlocksNoOther() throws Exception {
        CompletableFuture<String> submitted = new CompletableFuture<>();
        service.scheduleWithFixedDelay(
                () -> service.submit(() -> submitted.complete("ran")), 0, Long.MAX_VALUE, TimeUnit.SECONDS);
        assertThat(soon(submitted)).isEqualTo("ran");
    }

    @Test
    void aPeriodMustBePositive() {
        for (long period : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThatThrownBy(
                            () -> service.scheduleAtFixedRate(ExecutorContract::nothing, 0, period, TimeUnit.SECONDS))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() ->
                            service.scheduleWithFixedDelay(ExecutorContract::nothing, 0, period, TimeUnit.SECONDS))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    // ---- how it ends

    @Test
    void aRepeatedTaskIsNotDoneAndItsGetWaits() throws Exception {
        CountDownLatch twice = new CountDownLatch(2);
        ScheduledFuture<?> future = service.scheduleAtFixedRate(twice::countDown, 0, 1, TimeUnit.MILLISECONDS);
        assertThat(twice.await(LONG, TimeUnit.SECONDS)).isTrue();
        assertThat(future.isDone()).isFalse();
        assertThatThrownBy(() -> future.get(1, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
    }

    @Test
    void aRepeatedTaskThatThrowsIsNotRepeated() throws Exception {
        for (boolean rate : new boolean[] {true, false}) {
            RuntimeException thrown = new IllegalStateException("on purpose");
            AtomicInteger runs = new AtomicInteger();
            CountDownLatch failing = new CountDownLatch(1);
            Runnable task = () -> {
                if (runs.incrementAndGet() == 3) {
                    failing.countDown();
                    throw thrown;
                }
            };
            ScheduledFuture<?> future = rate
                    ? service.scheduleAtFixedRate(task, 0, 1, TimeUnit.MILLISECONDS)
                    : service.scheduleWithFixedDelay(task, 0, 1, TimeUnit.MILLISECONDS);
            assertThat(failing.await(LONG, TimeUnit.SECONDS)).isTrue();
            soon(service.schedule(ExecutorContract::nothing, 3, TimeUnit.MILLISECONDS));
            assertThat(runs).hasValue(3);
            assertThat(future.isDone()).isTrue();
            assertThat(future.isCancelled()).isFalse();
            assertThatThrownBy(() -> soon(future))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isSameAs(thrown);
        }
    }

    @Test
    void aRepeatedTaskIsStoppedByCancelling() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch twice = new CountDownLatch(2);
        ScheduledFuture<?> future = service.scheduleAtFixedRate(
                () -> {
                    runs.incrementAndGet();
                    twice.countDown();
                },
                0,
                1,
                TimeUnit.MILLISECONDS);
        assertThat(twice.await(LONG, TimeUnit.SECONDS)).isTrue();
        assertThat(future.cancel(false)).isTrue();
        assertThat(future.isCancelled()).isTrue();
        assertThatThrownBy(future::get).isInstanceOf(CancellationException.class);
        flush();
        int then = runs.get();
        soon(service.schedule(ExecutorContract::nothing, 3, TimeUnit.MILLISECONDS));
        assertThat(runs).hasValue(then);
    }

    @Test
    void aRepeatedTaskMayCancelItself() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        AtomicReference<ScheduledFuture<?>> self = new AtomicReference<>();
        Blocker blocker = block();
        self.set(service.scheduleWithFixedDelay(
                () -> {
                    if (runs.incrementAndGet() == 3) {
                        self.get().cancel(false);
                    }
                },
                0,
                1,
                TimeUnit.MILLISECONDS));
        blocker.release();
        assertThatThrownBy(() -> soon(self.get())).isInstanceOf(CancellationException.class);
        soon(service.schedule(ExecutorContract::nothing, 3, TimeUnit.MILLISECONDS));
        assertThat(runs).hasValue(3);
    }

    @Test
    void cancellingARepeatedTaskInterruptsTheRunAndNothingElse() throws Exception {
        Blocker run = new Blocker();
        ScheduledFuture<?> future = service.scheduleAtFixedRate(run, 0, 1, TimeUnit.MILLISECONDS);
        run.awaitEntered();
        assertThat(future.cancel(true)).isTrue();
        assertThat(run.wasInterrupted()).isTrue();
        assertThat(soon(service.submit(() -> Thread.currentThread().isInterrupted())))
                .isFalse();
    }
}
