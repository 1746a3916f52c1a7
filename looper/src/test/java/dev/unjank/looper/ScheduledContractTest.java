package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Delayed and repeated tasks. Of real time it is only asserted that nothing comes too early. */
@ParameterizedClass
@EnumSource
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // some tasks are of interest only for when they run
class ScheduledContractTest extends ExecutorContract {
    // ---- once

    @Test
    void aDelayedRunnableRunsNotBeforeItsTime() throws Exception {
        long start = System.nanoTime();
        long[] ran = {0};
        ScheduledFuture<?> future = service.schedule(
                () -> {
                    ran[0] = System.nanoTime();
                },
                15,
                TimeUnit.MILLISECONDS);
        assertThat(soon(future)).isNull();
        assertThat(ran[0] - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(15));
        assertThat(future.isDone()).isTrue();
    }

    @Test
    void aDelayedCallableHasItsResult() throws Exception {
        long start = System.nanoTime();
        ScheduledFuture<Long> future = service.schedule(System::nanoTime, 1_500, TimeUnit.MICROSECONDS);
        assertThat(soon(future) - start).isGreaterThanOrEqualTo(1_500_000);
    }

    @Test
    void nullIsRefused() {
        TimeUnit unit = TimeUnit.SECONDS;
        assertThatThrownBy(() -> service.schedule((Runnable) null, 1, unit)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> service.schedule((Callable<?>) null, 1, unit))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> service.schedule(ExecutorContract::nothing, 1, null))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> service.schedule(() -> "", 1, null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> service.scheduleAtFixedRate(null, 1, 1, unit))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> service.scheduleAtFixedRate(ExecutorContract::nothing, 1, 1, null))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> service.scheduleWithFixedDelay(null, 1, 1, unit))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> service.scheduleWithFixedDelay(ExecutorContract::nothing, 1, 1, null))
                .isInstanceOf(NullPointerException.class);
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

    @Test
    void withoutADelayItRunsAtOnce() throws Exception {
        for (long delay : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThat(soon(service.schedule(() -> "now", delay, TimeUnit.DAYS)))
                    .isEqualTo("now");
        }
    }

    @Test
    void delaysBeyondTheEndOfTimeDisturbNobody() throws Exception {
        List<ScheduledFuture<?>> never = new ArrayList<>();
        for (TimeUnit unit : TimeUnit.values()) {
            never.add(service.schedule(ExecutorContract::nothing, Long.MAX_VALUE, unit));
            never.add(service.schedule(ExecutorContract::nothing, Long.MAX_VALUE - 1, unit));
        }
        never.add(service.scheduleAtFixedRate(
                ExecutorContract::nothing, Long.MAX_VALUE, Long.MAX_VALUE, TimeUnit.NANOSECONDS));
        never.add(service.scheduleWithFixedDelay(
                ExecutorContract::nothing, Long.MAX_VALUE, Long.MAX_VALUE, TimeUnit.NANOSECONDS));
        assertThat(soon(service.schedule(() -> "soon", 2, TimeUnit.MILLISECONDS)))
                .isEqualTo("soon");
        flush();
        assertThat(never).noneMatch(ScheduledFuture::isDone);
        assertThat(never).allMatch(f -> f.getDelay(TimeUnit.DAYS) > 36_500);
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

    // ---- as Delayed

    @Test
    void theDelayCountsDown() {
        ScheduledFuture<?> future = service.schedule(ExecutorContract::nothing, 1, TimeUnit.HOURS);
        long first = future.getDelay(TimeUnit.NANOSECONDS);
        assertThat(first).isPositive().isLessThanOrEqualTo(TimeUnit.HOURS.toNanos(1));
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < 10_000) {
            Thread.onSpinWait();
        }
        assertThat(future.getDelay(TimeUnit.NANOSECONDS)).isLessThan(first);
        assertThat(future.getDelay(TimeUnit.HOURS)).isZero();
    }

    @Test
    void theDelayOfWhatIsOverdueIsNotPositive() throws Exception {
        Blocker blocker = block();
        ScheduledFuture<?> overdue = service.schedule(ExecutorContract::nothing, -5, TimeUnit.SECONDS);
        assertThat(overdue.getDelay(TimeUnit.NANOSECONDS)).isLessThanOrEqualTo(0);
        blocker.release();
    }

    @Test
    @SuppressWarnings("SelfComparison")
    void futuresAreOrderedByTheirTime() {
        ScheduledFuture<?> later = service.schedule(ExecutorContract::nothing, 2, TimeUnit.HOURS);
        ScheduledFuture<?> sooner = service.scheduleAtFixedRate(ExecutorContract::nothing, 1, 1, TimeUnit.HOURS);
        ScheduledFuture<?> never = service.schedule(ExecutorContract::nothing, Long.MAX_VALUE, TimeUnit.DAYS);
        assertThat(sooner.compareTo(later)).isNegative();
        assertThat(later.compareTo(sooner)).isPositive();
        assertThat(later.compareTo(never)).isNegative();
        assertThat(never.compareTo(sooner)).isPositive();
        assertThat(sooner.compareTo(sooner)).isZero();
    }

    @Test
    void futuresAreComparedWithOtherDelayedObjects() {
        ScheduledFuture<?> future = service.schedule(ExecutorContract::nothing, 1, TimeUnit.HOURS);
        assertThat(future.compareTo(delayed(2))).isNegative();
        assertThat(future.compareTo(delayed(0))).isPositive();
    }

    private static Delayed delayed(long hours) {
        return new Delayed() {
            @Override
            public long getDelay(TimeUnit unit) {
                return unit.convert(hours, TimeUnit.HOURS);
            }

            @Override
            public int compareTo(Delayed other) {
                throw new UnsupportedOperationException();
            }
        };
    }

    @Test
    void theFuturesSayWhetherTheyRepeat() {
        assertThat(isPeriodic(service.schedule(ExecutorContract::nothing, 1, TimeUnit.HOURS)))
                .isFalse();
        assertThat(isPeriodic(service.schedule(() -> "", 1, TimeUnit.HOURS))).isFalse();
        assertThat(isPeriodic(service.scheduleAtFixedRate(ExecutorContract::nothing, 1, 1, TimeUnit.HOURS)))
                .isTrue();
        assertThat(isPeriodic(service.scheduleWithFixedDelay(ExecutorContract::nothing, 1, 1, TimeUnit.HOURS)))
                .isTrue();
    }

    private static boolean isPeriodic(ScheduledFuture<?> future) {
        return ((RunnableScheduledFuture<?>) future).isPeriodic();
    }

    // ---- again and again

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

    /** The times of so many runs. */
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
            Runnable task = () -> {
                if (runs.incrementAndGet() == 3) {
                    throw thrown;
                }
            };
            ScheduledFuture<?> future = rate
                    ? service.scheduleAtFixedRate(task, 0, 1, TimeUnit.MILLISECONDS)
                    : service.scheduleWithFixedDelay(task, 0, 1, TimeUnit.MILLISECONDS);
            assertThatThrownBy(() -> soon(future))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isSameAs(thrown);
            assertThat(future.isDone()).isTrue();
            assertThat(future.isCancelled()).isFalse();
            soon(service.schedule(ExecutorContract::nothing, 3, TimeUnit.MILLISECONDS));
            assertThat(runs).hasValue(3);
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

    // ---- cancelling

    @Test
    void whatIsCancelledBeforeItsTimeDoesNotRun() throws Exception {
        boolean[] ran = {false};
        ScheduledFuture<?> future = service.schedule(() -> ran[0] = true, 5, TimeUnit.MILLISECONDS);
        boolean cancelled = future.cancel(true);
        soon(service.schedule(ExecutorContract::nothing, 8, TimeUnit.MILLISECONDS));
        assertThat(ran[0]).isEqualTo(!cancelled);
    }

    @Test
    void whatIsCancelledLeavesTheQueueAtOnce() {
        List<ScheduledFuture<?>> futures = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            futures.add(service.schedule(ExecutorContract::nothing, 1, TimeUnit.HOURS));
        }
        futures.forEach(f -> f.cancel(false));
        assertThat(service.shutdownNow()).isEmpty();
    }
}
