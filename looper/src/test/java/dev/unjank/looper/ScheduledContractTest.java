package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.Future;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Delayed tasks, and their futures. Real time is only checked for runs that come too early. */
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
        assertThat(future.get() - start).isGreaterThanOrEqualTo(1_500_000);
        assertThat(future.isDone()).isTrue();
        assertThat(future.isCancelled()).isFalse();
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
    void withoutADelayItRunsAtOnce() throws Exception {
        for (long delay : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThat(soon(service.schedule(() -> "now", delay, TimeUnit.DAYS)))
                    .isEqualTo("now");
        }
    }

    @Test
    void delaysBeyondTheEndOfTimeDisturbNoOtherTask() throws Exception {
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
        Future<?> submitted = service.submit(ExecutorContract::nothing);
        assertThat(((Delayed) submitted).getDelay(TimeUnit.NANOSECONDS)).isLessThanOrEqualTo(0);
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

    // ---- cancelling

    @Test
    void whatIsCancelledBeforeItsTimeDoesNotRun() throws Exception {
        Blocker blocker = block(); // so that it does not begin, however late this thread comes to cancel it
        boolean[] ran = {false};
        ScheduledFuture<?> future = service.schedule(() -> ran[0] = true, 5, TimeUnit.MILLISECONDS);
        assertThat(future.cancel(true)).isTrue();
        blocker.release();
        soon(service.schedule(ExecutorContract::nothing, 8, TimeUnit.MILLISECONDS));
        assertThat(ran[0]).isFalse();
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
