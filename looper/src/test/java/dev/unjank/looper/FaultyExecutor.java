package dev.unjank.looper;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Faults of an executor: a looper's executor behind a wrapper that injects them. Each has a test that finds it. */
enum FaultyExecutor implements ExecutorSubject {
    NONE(ExecutorContractTest.class, "executeRuns", ForwardingExecutor::new),

    LOSES_THE_EXCEPTION(
            ExecutorContractTest.class, "whatATaskThrowsIsTheCauseOfTheExecutionException", LosingExceptions::new),

    INTERRUPT_COMES_TOO_LATE(FutureContractTest.class, "anInterruptDoesNotReachTheNextTask", LateInterrupt::new),

    INTERRUPT_HITS_ANOTHER_TASK(
            FutureContractTest.class, "cancellingAWaitingTaskInterruptsNoThread", StrayInterrupt::new),

    CANCELLED_TASK_KEEPS_ITS_PAYLOAD(
            FutureContractTest.class, "aCancelledTaskReleasesItsPayload", KeepingCommands::new),

    CANCELLED_TASK_STAYS_IN_THE_QUEUE(
            ScheduledContractTest.class, "whatIsCancelledLeavesTheQueueAtOnce", MarkingCancelled::new),

    REPEATS_AFTER_A_CANCELLATION(
            PeriodicContractTest.class, "aRepeatedTaskIsStoppedByCancelling", MarkingCancelled::new),

    REPEATS_AFTER_AN_EXCEPTION(PeriodicContractTest.class, "aRepeatedTaskThatThrowsIsNotRepeated", Undeterred::new),

    FIXED_RATE_DRIFTS(PeriodicContractTest.class, "atAFixedRateMissedTurnsAreCaughtUp", DelayForRate::new),

    FIXED_DELAY_COUNTS_FROM_THE_BEGINNING(
            PeriodicContractTest.class, "aFixedDelayBeginsWhenTheRunHasEnded", RateForDelay::new),

    A_LONG_DELAY_OVERFLOWS(
            ScheduledContractTest.class, "delaysBeyondTheEndOfTimeDisturbNoOtherTask", OverflowingDelay::new),

    DELAY_HAS_THE_WRONG_SIGN(ScheduledContractTest.class, "theDelayCountsDown", NegativeDelay::new),

    COMPARISON_IS_INCONSISTENT(ScheduledContractTest.class, "futuresAreOrderedByTheirTime", NeverEqual::new),

    INVOKE_ALL_LEAVES_THE_REST(ExecutorBulkContractTest.class, "noTimeIsEnoughForNothing", LeavingTheRest::new),

    INVOKE_ANY_LEAVES_THE_REST(
            ExecutorBulkContractTest.class, "theOthersAreCancelledWhenOneHasSucceeded", LeavingTheRest::new),

    REJECTED_TASK_HANGS(ShutdownContractTest.class, "everyWayInIsClosed", HangingRejected::new),

    SHUTDOWN_DROPS_DELAYED_TASKS(ShutdownContractTest.class, "delayedTasksStillRunAfterShutdown", DroppingDelayed::new),

    SHUTDOWN_KEEPS_REPEATING(
            ShutdownContractTest.class, "repeatedTasksAreCancelledByShutdown", RepeatingAfterShutdown::new),

    AWAIT_TERMINATION_RETURNS_EARLY(
            ShutdownContractTest.class, "itHasNotTerminatedWhileATaskRuns", AwaitingShutdown::new),

    IS_TERMINATED_TOO_EARLY(ShutdownContractTest.class, "theEndWaitsForDelayedTasks", TerminatedWhenShutDown::new),

    SHUTDOWN_NOW_CANCELS_WHAT_IT_RETURNS(
            ShutdownNowContractTest.class,
            "shutdownNowTakesDelayedAndRepeatedTasksAndLeavesThemIncomplete",
            CancellingReturned::new),

    SHUTDOWN_NOW_INTERRUPTS_NOBODY(
            ShutdownNowContractTest.class, "aTaskThatCallsShutdownNowInterruptsItself", SparingItself::new);

    private interface Spoiling {
        ScheduledExecutorService spoil(ScheduledExecutorService service);
    }

    /** The test that finds it. */
    final Class<? extends ExecutorContract> finder;

    final String method;

    @SuppressWarnings("ImmutableEnumChecker") // a constructor
    private final Spoiling spoiling;

    FaultyExecutor(Class<? extends ExecutorContract> finder, String method, Spoiling spoiling) {
        this.finder = finder;
        this.method = method;
        this.spoiling = spoiling;
    }

    @Override
    public Running start() {
        Running good = RealExecutor.LOCK_FREE.start();
        return new Running(spoiling.spoil(good.service()), good.end());
    }

    // ---- tasks

    /** As if a task that fails had returned null. */
    private static final class LosingExceptions extends ForwardingExecutor {
        LosingExceptions(ScheduledExecutorService service) {
            super(service);
        }

        @Override
        <V> Callable<V> task(Callable<V> task) {
            return () -> {
                try {
                    return task.call();
                } catch (Exception e) {
                    return null;
                }
            };
        }
    }

    private static final class KeepingCommands extends ForwardingExecutor {
        private final List<Runnable> kept = new ArrayList<>();

        KeepingCommands(ScheduledExecutorService service) {
            super(service);
        }

        @Override
        Runnable command(Runnable command) {
            kept.add(command);
            return command;
        }
    }

    // ---- interrupts

    /** The interrupt of cancel(true) is sent when the task may already have ended. */
    private static final class LateInterrupt extends ForwardingExecutor {
        private volatile boolean due;

        LateInterrupt(ScheduledExecutorService service) {
            super(service);
        }

        @Override
        <V> ScheduledFuture<V> future(ScheduledFuture<V> future) {
            return new ForwardingFuture<>(future) {
                @Override
                public boolean cancel(boolean mayInterruptIfRunning) {
                    due = mayInterruptIfRunning;
                    return super.cancel(false);
                }
            };
        }

        @Override
        <V> Callable<V> task(Callable<V> task) {
            return () -> {
                if (due) {
                    Thread.currentThread().interrupt();
                }
                return task.call();
            };
        }
    }

    /** cancel(true) interrupts the thread even if another task runs there. */
    private static final class StrayInterrupt extends ForwardingExecutor {
        private volatile Thread runner;

        StrayInterrupt(ScheduledExecutorService service) {
            super(service);
        }

        @Override
        Runnable command(Runnable command) {
            return () -> {
                runner = Thread.currentThread();
                command.run();
            };
        }

        @Override
        <V> ScheduledFuture<V> future(ScheduledFuture<V> future) {
            return new ForwardingFuture<>(future) {
                @Override
                public boolean cancel(boolean mayInterruptIfRunning) {
                    if (mayInterruptIfRunning) {
                        runner.interrupt();
                    }
                    return super.cancel(false);
                }
            };
        }
    }

    // ---- futures

    /** A cancellation is recorded in the future, and the task stays in the queue. */
    private static final class MarkingCancelled extends ForwardingExecutor {
        MarkingCancelled(ScheduledExecutorService service) {
            super(service);
        }

        @Override
        <V> ScheduledFuture<V> future(ScheduledFuture<V> future) {
            return new ForwardingFuture<>(future) {
                private volatile boolean cancelled;

                @Override
                public boolean cancel(boolean mayInterruptIfRunning) {
                    cancelled = true;
                    return true;
                }

                @Override
                public boolean isCancelled() {
                    return cancelled;
                }

                @Override
                public V get() throws InterruptedException, ExecutionException {
                    if (cancelled) {
                        throw new CancellationException();
                    }
                    return super.get();
                }
            };
        }
    }

    private static final class NegativeDelay extends ForwardingExecutor {
        NegativeDelay(ScheduledExecutorService service) {
            super(service);
        }

        @Override
        <V> ScheduledFuture<V> future(ScheduledFuture<V> future) {
            return new ForwardingFuture<>(future) {
                @Override
                public long getDelay(TimeUnit unit) {
                    return -super.getDelay(unit);
                }
            };
        }
    }

    private static final class NeverEqual extends ForwardingExecutor {
        NeverEqual(ScheduledExecutorService service) {
            super(service);
        }

        @Override
        <V> ScheduledFuture<V> future(ScheduledFuture<V> future) {
            return new ForwardingFuture<>(future) {
                @Override
                public int compareTo(Delayed other) {
                    return super.compareTo(other) < 0 ? -1 : 1;
                }
            };
        }
    }

    // ---- time

    private static final class DelayForRate extends ForwardingExecutor {
        DelayForRate(ScheduledExecutorService service) {
            super(service);
        }

        @Override
        public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
            return super.scheduleWithFixedDelay(command, initialDelay, period, unit);
        }
    }

    private static final class RateForDelay extends ForwardingExecutor {
        RateForDelay(ScheduledExecutorService service) {
            super(service);
        }

        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(
                Runnable command, long initialDelay, long delay, TimeUnit unit) {
            return super.scheduleAtFixedRate(command, initialDelay, delay, unit);
        }
    }

    /** A repeated task goes on after an exception. */
    private static final class Undeterred extends ForwardingExecutor {
        Undeterred(ScheduledExecutorService service) {
            super(service);
        }

        @Override
        Runnable command(Runnable command) {
            return () -> {
                try {
                    command.run();
                } catch (RuntimeException e) {
                    // and again
                }
            };
        }
    }

    private static final class OverflowingDelay extends ForwardingExecutor {
        OverflowingDelay(ScheduledExecutorService service) {
            super(service);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            return super.schedule(command, delay * unit.toNanos(1), TimeUnit.NANOSECONDS);
        }
    }

    // ---- in bulk

    private static final class LeavingTheRest extends ForwardingExecutor {
        LeavingTheRest(ScheduledExecutorService service) {
            super(service);
        }

        private <T> List<Future<T>> submitAll(Collection<? extends Callable<T>> tasks) {
            List<Future<T>> futures = new ArrayList<>();
            for (Callable<T> task : tasks) {
                futures.add(submit(task));
            }
            return futures;
        }

        @Override
        public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
                throws InterruptedException {
            List<Future<T>> futures = submitAll(tasks);
            for (Future<T> future : futures) {
                try {
                    future.get(timeout, unit);
                } catch (ExecutionException | TimeoutException e) {
                    // the caller will see
                }
            }
            return futures;
        }

        @Override
        public <T> T invokeAny(Collection<? extends Callable<T>> tasks)
                throws InterruptedException, ExecutionException {
            return submitAll(tasks).get(0).get();
        }
    }

    // ---- the end

    private static final class HangingRejected extends ForwardingExecutor {
        HangingRejected(ScheduledExecutorService service) {
            super(service);
        }

        @Override
        public void execute(Runnable command) {
            try {
                super.execute(command);
            } catch (RejectedExecutionException e) {
                // no waiter is notified
            }
        }

        @Override
        public <T> Future<T> submit(Callable<T> task) {
            return isShutdown() ? new FutureTask<>(task) : super.submit(task);
        }
    }

    private static final class DroppingDelayed extends ForwardingExecutor {
        private final List<Future<?>> sent = new ArrayList<>();

        DroppingDelayed(ScheduledExecutorService service) {
            super(service);
        }

        @Override
        <V> ScheduledFuture<V> future(ScheduledFuture<V> future) {
            sent.add(future);
            return future;
        }

        @Override
        public void shutdown() {
            super.shutdown();
            sent.forEach(future -> future.cancel(false));
        }
    }

    private static final class RepeatingAfterShutdown extends ForwardingExecutor {
        RepeatingAfterShutdown(ScheduledExecutorService service) {
            super(service);
        }

        @Override
        public void shutdown() {
            // those that repeat would have to be cancelled
        }
    }

    private static final class AwaitingShutdown extends ForwardingExecutor {
        AwaitingShutdown(ScheduledExecutorService service) {
            super(service);
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return isShutdown();
        }
    }

    private static final class TerminatedWhenShutDown extends ForwardingExecutor {
        TerminatedWhenShutDown(ScheduledExecutorService service) {
            super(service);
        }

        @Override
        public boolean isTerminated() {
            return isShutdown();
        }
    }

    private static final class CancellingReturned extends ForwardingExecutor {
        CancellingReturned(ScheduledExecutorService service) {
            super(service);
        }

        @Override
        public List<Runnable> shutdownNow() {
            List<Runnable> tasks = super.shutdownNow();
            tasks.forEach(task -> ((Future<?>) task).cancel(false));
            return tasks;
        }
    }

    private static final class SparingItself extends ForwardingExecutor {
        SparingItself(ScheduledExecutorService service) {
            super(service);
        }

        @Override
        public List<Runnable> shutdownNow() {
            List<Runnable> tasks = super.shutdownNow();
            Thread.interrupted();
            return tasks;
        }
    }
}
